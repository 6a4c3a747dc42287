"""Own documents are searched by the library's own search: every leg, and nothing outside the scope."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from appliance.documents import derived, keeping
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.errors import DocumentError, EntryMissing
from appliance.records import Found
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.vectors import HashEncoder
from tests.documents.keep import add, ready

pytestmark = pytest.mark.slow

GATE = Path(__file__).parents[2] / "models" / "gate.toml"
MODEL = HashEncoder.model_sha256


@pytest.fixture(scope="module")
def documents() -> Documents:
    return filled(None)


@pytest.fixture
def on_disk(tmp_path: Path) -> Documents:
    return filled(tmp_path / "documents")


def filled(folder: Path | None) -> Documents:
    kept = Documents.open(folder, MODEL)
    add(
        kept,
        "# The well\n\nThe well was dug in 1911 by hand, by Marguerite Okonkwo and her sons.\n",
        folder="history",
    )
    add(
        kept,
        "# The pump\n\nWhen the pump shows ERR-4471 the filter is blocked. Clean it with water.\n",
        "pump.md",
    )
    add(kept, "# The pump again\n\nWhen the pump shows ERR-4472 the pump pump pump is dry.\n", "pump2.md")
    add(
        kept,
        "# Notes\n\n```matlab\nclc; clear; close all;\ny = interp1(x, v, 3);\n```\n",
        folder="history/code",
    )
    add(kept, "# Diary\n\n12/04/1923: The secret goat was sold to Anna.\n", owner="anna")
    return ready(kept)


def search(documents: Documents, question: str, scope: Scope | None = None, limit: int = 5) -> Found:
    library = Library([], HashEncoder(), Gate.load(GATE, "balanced"))
    return library.with_own(documents.book(scope or Scope())).search(question, limit)


def titles(found: Found) -> list[str]:
    return [item.title for item in found.evidence]


def test_a_question_finds_a_passage_with_its_exact_place(documents: Documents) -> None:
    best = search(documents, "When was the well dug by hand?").evidence[0]
    assert (best.archive, best.path, best.title) == ("documents", "1", "The well")
    text = documents.book(Scope()).archive.document(best.path).text
    assert text[best.start : best.start + len(best.text)] == best.text
    assert best.headings == ("The well",)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What does ERR-4471 mean on the pump pump pump?", "The pump"),
        ("clc; clear; close all;", "Notes"),
        ("interp1", "Notes"),
        ("Who was Marguerite Okonkwo?", "The well"),
        ("err\u00ad-4471", "The pump"),
        ("ERR‑4471", "The pump"),
    ],
)
def test_what_is_named_exactly_comes_first(documents: Documents, question: str, title: str) -> None:
    assert titles(search(documents, question))[0] == title


@pytest.mark.parametrize(
    ("scope", "there"),
    [
        (Scope(), {"The well", "The pump", "The pump again", "Notes"}),
        (Scope(("", "anna")), {"The well", "The pump", "The pump again", "Notes", "Diary"}),
        (Scope(("anna",)), {"Diary"}),
        (Scope(folder="history"), {"The well", "Notes"}),
        (Scope(folder="history/code"), {"Notes"}),
        (Scope(folder="hist"), set()),
        (Scope(document=2), {"The pump"}),
        (Scope(document=5), set()),
        (Scope(("nobody",)), set()),
    ],
)
def test_nothing_leaks_out_of_a_scope(documents: Documents, scope: Scope, there: set[str]) -> None:
    for question in (
        "the well pump goat notes interp1 secret",
        "12/04/1923",
        "Anna",
        "ERR-4471",
        "secert goat",
    ):
        assert set(titles(search(documents, question, scope, 50))) <= there
    assert set(titles(search(documents, "the well pump goat Notes", scope, 50))) == there
    book = documents.book(scope)
    assert book.index is not None
    assert {title for title, _ in book.archive.suggest("", 50)} == there
    assert (book.index.frequency("goat") > 0) == ("Diary" in there)
    assert bool(book.index.similar_terms("secrt", 5)) == ("Diary" in there)
    readable = set()
    for number in range(1, 6):
        try:
            readable.add(book.archive.document(str(number)).title)
        except EntryMissing:
            continue
    assert readable == there


def test_a_deleted_document_is_gone_from_every_file_and_from_what_is_open(on_disk: Documents) -> None:
    search(on_disk, "Where is the goat?", Scope(("anna",)))
    with on_disk.made.read() as connection:
        vector = connection.execute("SELECT embedding FROM vector WHERE rowid = 5").get
    assert isinstance(vector, bytes)
    assert on_disk.remove([5], Scope()).count == 0  # not in this scope
    assert on_disk.remove([5], Scope(("anna",))).count == 1
    assert titles(search(on_disk, "Where is the secret goat?", Scope(("anna", "")))) != ["Diary"]
    with pytest.raises(EntryMissing):
        on_disk.book(Scope(("anna",))).archive.document("5")
    assert on_disk.store.path is not None
    for file in on_disk.store.path.parent.iterdir():
        assert b"goat" not in file.read_bytes(), file
        assert vector not in file.read_bytes(), file


def results(documents: Documents) -> str:
    questions = ("the well", "pump ERR-4471", "interp1", "what is it", "Anna's goat")
    return json.dumps(
        [asdict(search(documents, question, Scope(("", "anna")), 50)) for question in questions]
    )


def test_made_again_it_gives_the_same_results_byte_for_byte(on_disk: Documents) -> None:
    for n in range(30):  # equal passages: which of them is nearest is for their ids to say
        add(on_disk, f"# Copy {n}\n\nThe very same words in every one of them.\n", f"{n}.md")
    on_disk.remove([3], Scope())
    before = results(ready(on_disk))
    with on_disk.made.write() as connection:
        derived.refill(connection)
    assert results(on_disk) != before
    assert results(ready(on_disk)) == before


def test_without_vectors_words_are_searched_and_vectors_follow(on_disk: Documents) -> None:
    add(on_disk, "# The river\n\nThe river floods in May.\n", "river.md")
    assert keeping.update_words(on_disk.store, on_disk.made) == 1
    assert titles(search(on_disk, "When does the river flood?"))[0] == "The river"
    assert keeping.progress(on_disk.made) == keeping.Step(5, 6)
    assert keeping.update_vectors(on_disk.store, on_disk.made, HashEncoder())
    assert keeping.progress(on_disk.made) == keeping.Step(6, 6)


def test_another_model_or_archive_empties_what_is_derived(on_disk: Documents, tmp_path: Path) -> None:
    on_disk.close()
    again = Documents.open(tmp_path / "documents", MODEL)
    assert keeping.progress(again.made) == keeping.Step(5, 5)
    again.close()
    other = Documents.open(tmp_path / "documents", "another")
    assert keeping.progress(other.made) == keeping.Step(0, 5)
    other.close()


def test_a_damaged_derived_file_is_made_again(on_disk: Documents, tmp_path: Path) -> None:
    on_disk.close()
    (tmp_path / "documents" / derived.FILE).write_bytes(b"no database" * 500)
    again = ready(Documents.open(tmp_path / "documents", MODEL))
    assert titles(search(again, "interp1"))[0] == "Notes"
    again.close()


def test_as_many_passages_as_in_scope_are_not_those_in_scope() -> None:
    kept = Documents.open(None, MODEL)
    add(kept, "# Open\n\nOpen to all.\n", "1.md")
    ready(kept)
    mine = add(kept, "# Mine\n\nOpen to all.\n", "2.md", owner="anna")  # its words are not made yet
    index = kept.book(Scope(("anna",))).index
    assert index is not None
    assert index.size == 1
    vector = HashEncoder().encode(["Open to all."])[0]
    assert index.nearest(vector, 5) == []
    ready(kept)
    [(passage, _)] = index.nearest(vector, 5)
    assert kept.book(Scope(("anna",))).phrases.pointers([passage])[0].path == str(mine)


def test_a_derived_file_that_is_only_busy_is_not_thrown_away(tmp_path: Path) -> None:
    kept = filled(tmp_path)
    file = tmp_path / derived.FILE
    before = file.stat().st_ino
    with (
        kept.made.write(),  # another process writes for long
        pytest.raises(DocumentError, match=r"derived\.db cannot be opened"),
    ):
        derived.open_derived(file, "x", MODEL, replace(derived.DERIVED, busy=1))
    assert file.stat().st_ino == before
