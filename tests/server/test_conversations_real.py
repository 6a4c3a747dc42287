"""Conversations over own documents with the real models: what the fakes of the default tier stand for."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from appliance import models, settings
from appliance.answer.batch import Batch
from appliance.answer.events import Finished
from appliance.answer.llm import Llama
from appliance.answer.queue import QueuedModel
from appliance.documents.search import Documents
from appliance.documents.turns import Turn
from appliance.embedding import Embedder
from appliance.retrieval.readers import open_reader
from appliance.retrieval.rerank import logits
from appliance.retrieval.search import Library
from appliance.server.talk import Talk, Visitor
from appliance.wiring import open_gate
from server import fakes
from tests.documents.keep import add, ready

pytestmark = pytest.mark.models
ANN = Visitor("ann", ("",))
LETTER = """# Letter from Ida Brandt, 12 March 1923

Dear Tom, the old mill at the brook was sold to Karl Munk for 400 crowns last Tuesday. He wants to grind
barley there from May on.

The roof of the north house let the rain through again. I asked Olaf Berg to mend it, and he wants 35 crowns
for the tiles and two days of work.

The schoolmaster has left for the coast. Until a new one comes, Anna Holm teaches the children in the chapel,
three mornings in the week.
"""
SURVEY = """# Survey of the wells

The well behind the chapel is 14 metres deep and gives clear water all year. The well of the inn is 9 metres
deep and falls dry in August.
"""


@pytest.fixture(scope="module")
def talk(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    given = settings.load({"home": home}, {})
    encoder = Embedder(*(models.path(home, name) for name in models.EMBEDDING))
    reader = open_reader(given)
    documents = Documents.open(None, encoder.model_sha256)
    add(documents, LETTER, "letter.md", folder="letters")
    add(documents, SURVEY, "survey.md")
    ready(documents, encoder)
    name = models.model_for("desktop", home)
    assert name, "no language model is here: run ./build.sh test, which fetches it"
    llama = Llama(models.path(home, name))
    queued = QueuedModel(Batch(llama), 4)
    box = fakes.appliance(tmp_path_factory.mktemp("home"), queued, encoder)
    box.library = Library([], encoder, open_gate(given), reader)
    box.read = partial(logits, reader)
    yield Talk(box, documents.store, documents)
    queued.close()  # waits for an answer that nobody reads to its end
    llama.close()
    documents.close()


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One for all: the model's queue lives on the loop that asked."""
    with asyncio.Runner() as runner:
        yield runner


def turn(loop: asyncio.Runner, talk: Talk, number: int, asked: str, kind: str = "question") -> Turn:
    async def tried() -> Turn:
        _, run = await talk.ask(ANN, number, asked, asked, kind=kind)
        async for event in run.follow():
            last = event
        assert isinstance(last, Finished)
        return await talk.turn(ANN, number, asked)

    return loop.run(tried())


def test_a_conversation_over_own_documents(loop: asyncio.Runner, talk: Talk) -> None:
    here = talk.conversations.begin("ann", "c", "The village", "everything").id
    first = turn(loop, talk, here, "Who was the mill at the brook sold to?")
    assert "Karl Munk" in first.kept.finished.answer.text
    (citation,) = first.kept.finished.answer.citations
    assert citation.evidence.path == "1"
    assert any("Karl Munk" in match.quote for match in citation.matches)
    missing = turn(loop, talk, here, "What is the name of the king of Denmark's horse?")
    assert missing.kept.finished.answer.finish == "refused"
    assert missing.kept.finished.prompt_tokens == 0
    talk.conversations.widen("ann", here, "document:2")
    outside = turn(loop, talk, here, "Who was the old mill at the brook sold to?")
    assert {one.path for one in outside.kept.passages.found.evidence} <= {"2"}
    assert "Munk" not in outside.kept.finished.answer.text


def test_a_summary_cites_what_it_says(loop: asyncio.Runner, talk: Talk) -> None:
    here = talk.conversations.begin("ann", "s", "Summary", "folder:letters").id
    made = turn(loop, talk, here, "Summary of the letters", "summary").kept.finished
    assert made.answer.text
    assert made.answer.citations
    for citation in made.answer.citations:
        assert citation.evidence.path == "1"
        for match in citation.matches:
            assert match.quote in LETTER
