"""A source is asked as the library is: both legs at once and over-fetched, exact names, the model."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance import settings
from appliance.answer.ask import ask
from appliance.answer.events import Done, Finished, Passages, Text
from appliance.documents.scope import Reach, Searching
from appliance.documents.store import Store
from appliance.errors import ServiceDown
from appliance.records import Found, Judgement
from appliance.repositories import passages
from appliance.repositories.book import RepositoryArchive, RepositoryBook, RepositoryIndex
from appliance.repositories.passages import Pinned
from appliance.repositories.records import Outcome, Repository
from appliance.repositories.repositories import Source
from appliance.repositories.sync import sync
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.retrieval.texts import DocumentCache
from appliance.server.asking import Desk
from appliance.vectors import HashEncoder
from repositories.trees import Tree, opened, reader

pytestmark = pytest.mark.slow

GATE = Path(__file__).parents[2] / "models" / "gate.toml"
ABOUT = Repository("wiki", "https://example.org/wiki", "", "", "people", "", Outcome(synced="2024"))
FILES = {
    "git.md": "# Git\n\nUse `git push --force-with-lease` on your own branch.\n\n## Plain\n\n"
    "`git push --force` asks nobody.",
    "errors.md": "# Errors\n\n## E1234: no such host\n\nCorrect the name.\n\n## E1235: no answer\n\n"
    "Look at the tunnel.",
    "code.md": "# Code\n\n## billing.invoice.render_pdf\n\nGives a PDF.\n\n## billing.invoice.render_html\n\n"
    "Gives a page.",
    "pool.md": "# Pool\n\n- `retry_backoff_ms = 250`: the first wait.\n- `retry_backoff_max_ms = 8000`: "
    "the longest.",
    **{f"other/{n}.md": f"# Page {n}\n\nWhat the host of page {n} pushes by force." for n in range(60)},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    found = opened(tmp_path_factory.mktemp("wiki"))
    tree = Tree(FILES)
    sync(tree, tree.commit, reader(found), HashEncoder())
    yield found
    found.close()


def searching(store: Store, encoder: HashEncoder | None = None) -> Searching:
    library = Library([], encoder or HashEncoder(), Gate.load(GATE, "balanced"))
    return Searching(library, None, Reach("library"), (), (Source(ABOUT, store, DocumentCache()),))


def search(store: Store, question: str, limit: int = 8) -> Found:
    return searching(store).search(question, limit)


@pytest.mark.parametrize(
    ("question", "path", "words"),
    [
        ("What does --force-with-lease do?", "git.md", "--force-with-lease"),
        ("What does --force do?", "git.md", "push --force` asks"),
        ("E1234: no such host", "errors.md", "Correct the name"),
        ("E1235", "errors.md", "tunnel"),
        ("billing.invoice.render_html", "code.md", "Gives a page"),
        ("retry_backoff_max_ms", "pool.md", "8000"),
    ],
)
def test_flags_errors_and_names_come_first(store: Store, question: str, path: str, words: str) -> None:
    first = search(store, question).evidence[0]
    assert (first.archive, first.path) == ("git:wiki", path)
    assert words in first.text


def test_scores_are_from_0_to_1_and_in_order(store: Store) -> None:
    for question in ("What pushes by force?", "E1234", "pool", "an elephant"):
        scores = [one.score for one in search(store, question, 50).evidence]
        assert all(0 <= score <= 1 for score in scores)
        assert len(scores) > 1 or question == "an elephant"


class Noting(RepositoryIndex):
    """Says that a word was looked up, and how many near passages were asked for."""

    def __init__(self, store: Pinned) -> None:
        super().__init__(store)
        self.looked, self.asked = threading.Event(), list[int]()

    def postings(self, term: str) -> NDArray[np.int64]:
        self.looked.set()
        return super().postings(term)

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        self.asked.append(k)
        return super().nearest(vector, k)


class Waits(HashEncoder):
    """Gives its vector only once a word was looked up: asked one after the other, it is late."""

    def __init__(self, index: Noting) -> None:
        self.index = index

    def encode(self, texts):  # type: ignore[no-untyped-def]
        assert self.index.looked.wait(60), "the words leg waits for the vector"
        return super().encode(texts)


def noted(store: Store, question: str, limit: int = 8) -> tuple[Noting, Found]:
    with passages.pinned(store) as now:
        index = Noting(now)
        book = RepositoryBook(RepositoryArchive(now, ABOUT, DocumentCache()), index, index)
        library = Library([], Waits(index), Gate.load(GATE, "balanced")).with_own(book)
        return index, library.search(question, limit)


def test_the_words_are_looked_up_while_the_question_becomes_a_vector(store: Store) -> None:
    _, found = noted(store, "What is the first wait of the pool?")
    assert found.evidence[0].path == "pool.md"
    assert found.evidence[0].cosine is not None
    assert not found.notes


@pytest.mark.parametrize("limit", [8, 50])
def test_each_leg_gives_four_times_as_many_as_are_asked_for(store: Store, limit: int) -> None:
    index, _ = noted(store, "What pushes by force?", limit)
    assert index.asked
    assert min(index.asked) >= 4 * limit


class Model:
    """A language model that notes what is asked of it; `down`: it does not answer."""

    name, context = "scripted", 2048

    def __init__(self, down: bool) -> None:
        self.down, self.calls = down, list[str]()

    async def ready(self) -> None:
        self.calls.append("ready")
        if self.down:
            raise ServiceDown("The language model does not answer.", "Wait.")

    def count(self, texts):  # type: ignore[no-untyped-def]
        return [len(text) // 3 for text in texts]

    async def generate(self, *_given):  # type: ignore[no-untyped-def]
        self.calls.append("generate")
        yield Text("`git push --force` asks nobody. [1]")
        yield Done("stop", 10, 10)


class Sure(Searching):
    """The gate's word is given, since no reader runs here."""

    def search(self, question, limit=20, archives=None):  # type: ignore[no-untyped-def]

        return replace(super().search(question, limit, archives), judgement=Judgement("answer", 0.9))


@pytest.mark.parametrize("down", [False, True])
def test_the_model_is_asked_whether_it_is_there_before_the_first_word(store: Store, down: bool) -> None:
    model, found = Model(down), searching(store)
    sure = Sure(found.library, None, found.reach, (), found.sources)
    desk = Desk(settings.load({}, {}), sure, model, None)  # type: ignore[arg-type]

    async def run() -> list[object]:
        return [event async for event in ask(desk, "What does git push --force ask?")]

    events = asyncio.run(run())
    assert isinstance(events[0], Passages)
    assert events[0].found.evidence[0].path == "git.md"
    last = events[-1]
    assert isinstance(last, Finished)
    assert model.calls == (["ready"] if down else ["ready", "generate"])
    assert any(isinstance(event, Text) for event in events) is not down
    assert last.answer.finish == ("broken" if down else "stop")
    if not down:
        (citation,) = last.answer.citations
        assert (citation.evidence.archive, citation.evidence.path) == ("git:wiki", "git.md")
