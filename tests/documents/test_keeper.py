"""The thread behind the pages: vectors follow, also after the embedder was away; what depends on them too."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from appliance.documents import keeping
from appliance.documents.keeper import Keeper
from appliance.documents.search import Documents
from appliance.errors import ServiceDown
from appliance.vectors import HashEncoder
from tests.documents.keep import add


class Away(HashEncoder):
    """An embedder that is not there for the first calls."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.left:
            self.left -= 1
            raise ServiceDown("The embedder does not answer.")
        return super().encode(texts)


def test_vectors_follow_and_what_waits_for_them_is_told() -> None:
    documents = Documents.open(None, HashEncoder.model_sha256)
    add(documents, "# The well\n\nDug in 1911.\n")
    done, order = threading.Event(), list[str]()

    def last() -> None:
        order.append(f"vectors of {keeping.progress(documents.made).done}")
        done.set()

    keeper = Keeper(documents, Away(2), [lambda: order.append("texts")], [last], again=0.01)
    keeper.start()
    assert done.wait(60)
    keeper.stop()
    assert order[0] == "texts"
    assert order[-1] == "vectors of 1"
    assert keeping.progress(documents.made) == keeping.Step(1, 1)


def test_it_wakes_for_new_documents_and_stops_at_once() -> None:
    documents = Documents.open(None, HashEncoder.model_sha256)
    rounds: list[threading.Event] = [threading.Event(), threading.Event()]
    count = iter(rounds)
    keeper = Keeper(documents, HashEncoder(), vectors=[lambda: next(count).set()])
    keeper.start()
    assert rounds[0].wait(60)
    add(documents, "# The pump\n\nShows ERR-4471.\n")
    keeper.wake()
    assert rounds[1].wait(60)
    keeper.stop()
    assert keeping.progress(documents.made) == keeping.Step(1, 1)


def test_beside_an_import_it_makes_vectors_and_ends_with_it() -> None:
    documents = Documents.open(None, HashEncoder.model_sha256)
    made = threading.Event()

    def look() -> None:
        if keeping.progress(documents.made).done:
            made.set()

    with Keeper(documents, HashEncoder(), vectors=[look]) as keeper:
        add(documents, "# The well\n\nDug in 1911.\n")
        keeper.wake()
        assert made.wait(10)
    assert keeping.progress(documents.made) == keeping.Step(1, 1)
