"""Scopes: how they are written, and that none sees what is outside of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from every import every

from appliance.documents.records import Scope
from appliance.documents.scope import Reach, Searching
from appliance.documents.search import Documents
from appliance.errors import DocumentError, ScopeError
from appliance.records import Evidence, Found, Judgement
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.vectors import HashEncoder
from tests.documents.keep import add, ready
from tests.documents.test_search import GATE, MODEL

QUESTION = "Where is the goat that Anna sold, and the well?"


@pytest.fixture(scope="module")
def documents() -> Documents:
    kept = Documents.open(None, MODEL)
    add(kept, "# The well\n\nThe well was dug in 1911 by hand.\n", "1.md", folder="history")
    add(kept, "# The goat\n\nThe goat of the well was sold by Anna.\n", "2.md", folder="history/animals")
    add(kept, "# Diary\n\nThe goat was sold to Anna in secret.\n", "3.md", owner="anna")
    return ready(kept)


class OneArchive(Library):
    """A library of one archive, whose one page is in every search of it."""

    books_too = True
    PAGE = Evidence("village_en", "Goat", "Goat", (), "", "A goat is an animal.", 0, 0.5)

    def search(self, question: str, limit: int = 20, archives=None) -> Found:
        found = super().search(question, limit, archives)
        page = (self.PAGE,) if self.books_too else ()
        return Found(found.question, (*found.evidence, *page), Judgement("answer", 0.9))

    def with_own(self, own, archives=None):
        other = super().with_own(own, archives)
        other.books_too = self.books_too and (archives is None or "village_en" in archives)
        return other


@every("written", ["everything", "library", "documents", "folder:a/b: c", "document:12", "source:a:b"])
def test_a_scope_is_read_as_it_was_written(written: str) -> None:
    assert str(Reach.read(written)) == written


@every(
    "written",
    ["", "folder:", "document:", "document:-1", "document:1e3", "document:١", "cellar", "folder", "source:"],
)
def test_what_is_no_scope_is_refused(written: str) -> None:
    with pytest.raises(ScopeError):
        Reach.read(written)


@every(
    ("written", "owners", "there"),
    [
        ("everything", ("",), {"The well", "The goat", "Goat"}),
        ("everything", ("", "anna"), {"The well", "The goat", "Diary", "Goat"}),
        ("everything", (), {"Goat"}),
        ("library", ("", "anna"), {"Goat"}),
        ("documents", ("",), {"The well", "The goat"}),
        ("documents", ("anna",), {"Diary"}),
        ("documents", (), set()),
        ("folder:history", ("", "anna"), {"The well", "The goat"}),
        ("folder:history/animals", ("",), {"The goat"}),
        ("folder:history", (), set()),
        ("document:1", ("",), {"The well"}),
        ("document:3", ("",), set()),
        ("document:3", ("anna",), {"Diary"}),
        ("document:99", ("", "anna"), set()),
    ],
)
def test_nothing_from_outside_is_found(
    documents: Documents, written: str, owners: tuple[str, ...], there: set[str]
) -> None:
    library = OneArchive([], HashEncoder(), Gate.load(GATE, "balanced"))
    found = Searching(library, documents, Reach.read(written), owners).search(QUESTION, 20)
    assert {one.title for one in found.evidence} == there


def test_a_box_without_own_documents_has_the_library_alone() -> None:
    library = OneArchive([], HashEncoder(), Gate.load(GATE, "balanced"))
    for written, there in (("everything", 1), ("documents", 0), ("folder:history", 0)):
        assert len(Searching(library, None, Reach.read(written), ("",)).search(QUESTION).evidence) == there


@dataclass
class Wiki:
    """A source over an archive of documents; `open` counts those that are opened and not closed."""

    documents: Documents
    title: str
    open: int = 0
    broken: bool = False

    @property
    def name(self) -> str:
        return f"git:{self.title}"

    @contextmanager
    def opened(self) -> Iterator[Any]:
        if self.broken:
            raise DocumentError("passages.db: malformed.")
        book = self.documents.book(Scope())
        book.archive.name = self.name
        self.open += 1
        yield book
        self.open -= 1


def wikis() -> tuple[Wiki, ...]:
    found = []
    for title in ("ops", "school"):
        kept = Documents.open(None, MODEL)
        add(kept, f"# {title} wiki\n\nThe goat of {title} was dug out and sold by Anna.\n", "1.md")
        found.append(Wiki(ready(kept), title))
    return tuple(found)


@every(
    ("written", "archives", "there"),
    [
        ("everything", None, {"The well", "The goat", "ops wiki", "school wiki", "Goat"}),
        ("library", None, {"ops wiki", "school wiki", "Goat"}),
        ("library", ("git:ops",), {"ops wiki"}),
        ("library", ("git:ops", "village_en"), {"ops wiki", "Goat"}),
        ("library", ("village_en",), {"Goat"}),
        ("source:school", None, {"school wiki"}),
        ("source:other", None, set()),
        ("documents", None, {"The well", "The goat"}),
    ],
)
def test_sources_are_searched_like_archives_of_the_library(
    documents: Documents, written: str, archives: tuple[str, ...] | None, there: set[str]
) -> None:
    library, sources = OneArchive([], HashEncoder(), Gate.load(GATE, "balanced")), wikis()
    searching = Searching(library, documents, Reach.read(written), ("",), sources)
    found = searching.search(QUESTION, 20, archives)
    assert {one.title for one in found.evidence} - {"Diary"} == there
    assert [one.open for one in sources] == [0, 0]
    names = {one.archive for one in found.evidence}
    assert {f"git:{title.split()[0]}" for title in there if "wiki" in title} <= names


def test_a_source_that_cannot_be_read_is_said_and_left_out(documents: Documents) -> None:
    library, sources = OneArchive([], HashEncoder(), Gate.load(GATE, "balanced")), wikis()
    sources[0].broken = True
    found = Searching(library, documents, Reach.read("library"), ("",), sources).search(QUESTION, 20)
    assert {one.title for one in found.evidence} == {"school wiki", "Goat"}
    assert any("source ops cannot be read" in note for note in found.notes)


def test_which_documents_a_scope_takes_in() -> None:
    owners = ("", "anna")
    assert Reach.read("library").documents(owners) is None
    assert Reach.read("everything").documents(()) is None
    assert Reach.read("documents").documents(owners) == Scope(owners)
    assert Reach.read("folder:a").documents(owners) == Scope(owners, folder="a")
    assert Reach.read("document:7").documents(owners) == Scope(owners, document=7)
