"""A thread that makes the vectors of new documents, so that nobody waits for them. It begins when it is told
that there are new ones, goes on where it was after a restart, and waits while the embedder is down."""

import threading
from collections.abc import Callable, Sequence

from appliance.documents import keeping
from appliance.documents.search import Documents
from appliance.errors import LamplightError, ServiceDown
from appliance.log import say
from appliance.vectors import Encoder

AGAIN = 10.0  # seconds until the embedder is asked again
LOOK = 60.0  # seconds until it is looked for what another process has added


class Keeper:
    """Of one archive. `start`, `wake` after every change, `stop`; or use with `with`. `texts` are done when
    texts have come, `vectors` when they have their vectors; each goes on where it was."""

    def __init__(
        self,
        documents: Documents,
        encoder: Encoder,
        texts: Sequence[Callable[[], object]] = (),
        vectors: Sequence[Callable[[], object]] = (),
        again: float = AGAIN,
    ) -> None:
        self._documents, self._encoder, self._again = documents, encoder, again
        self._texts, self._vectors = texts, vectors
        self._new, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)

    def __enter__(self) -> "Keeper":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._new.set()
        self._thread.start()

    def wake(self) -> None:
        self._new.set()

    def stop(self) -> None:
        self._ended.set()
        self._new.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        said = False
        while not self._ended.is_set():
            self._new.wait(LOOK)
            self._new.clear()
            try:
                if not self._ended.is_set():
                    self._make()
                said = False
            except ServiceDown:
                self._ended.wait(self._again)
                self._new.set()
            except LamplightError as error:
                if not said:
                    say(f"Own documents: {error} {error.hint}")
                said = True
                self._ended.wait(self._again)

    def _make(self) -> None:
        store, made = self._documents.store, self._documents.made
        waiting = keeping.update_words(store, made)
        for act in self._texts:
            act()
        if waiting and not keeping.update_vectors(
            store, made, self._encoder, lambda _: not self._ended.is_set()
        ):
            return
        for act in self._vectors:
            act()
