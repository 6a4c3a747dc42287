"""Check, backup, restore, export: what is kept can be looked over, carried away, and brought back."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from appliance.documents import keeping, room
from appliance.documents.backup import backup, restore
from appliance.documents.check import check
from appliance.documents.export import export
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.sqlite import connect
from appliance.vectors import HashEncoder
from tests.documents.keep import add, ready

pytestmark = pytest.mark.slow

GATE = Path(__file__).parents[2] / "models" / "gate.toml"
MODEL = HashEncoder.model_sha256


def filled(folder: Path | None) -> Documents:
    kept = Documents.open(folder, MODEL)
    add(kept, "# The well\n\nDug in 1911 by hand.\n", "well.md", "history")
    add(kept, "---\ntitle: The pump\n---\nShows ERR-4471.\n", "pump.md")
    add(kept, "# Diary\n\n12/04/1923: Rain.\n", "well.md", "history", owner="anna")
    return ready(kept)


def results(documents: Documents) -> str:
    library = Library([], HashEncoder(), Gate.load(GATE, "balanced"))
    library = library.with_own(documents.book(Scope(("", "anna"))))
    return json.dumps(
        [asdict(library.search(asked, 50)) for asked in ("the well", "ERR-4471", "rain in 1923")]
    )


HARM = {
    "a passage lost its words": "DELETE FROM word WHERE rowid = 1",
    "other words": "UPDATE word SET text = 'other words' WHERE rowid = 1",
    "a passage is unknown": "DELETE FROM part WHERE passage = 2",
    "a vector is gone": "DELETE FROM vector WHERE rowid = 2",
    "vectors are others": "UPDATE vector_vector_chunks00 SET vectors = zeroblob(length(vectors))",
    "a passage of a document that is gone": "INSERT INTO word(rowid, text) VALUES(99, 'ghost'); "
    "INSERT INTO part VALUES(99, 99, 1, NULL)",
    "of another document": "UPDATE part SET document = 2 WHERE passage = 1",
    "another text": "UPDATE part SET crc32 = 5 WHERE passage = 1",
    "damaged words": "UPDATE word_data SET block = x'00' WHERE id > 10",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
def test_every_disagreement_is_found_and_healed(harm: str) -> None:
    documents = filled(None)
    before = results(documents)
    with documents.made.write() as connection:
        connection.execute(harm)
    report = check(documents)
    assert report.healed >= 1
    assert report.lost == ()
    assert keeping.update_vectors(documents.store, documents.made, HashEncoder())
    assert results(documents) == before
    again = check(documents)
    assert (again.documents, again.passages, again.healed, again.waiting) == (3, 3, 0, 0)


def test_what_is_wrong_in_the_archive_itself_is_said() -> None:
    documents = filled(None)
    with documents.store.write() as connection:
        connection.execute("UPDATE section SET length = 9999 WHERE id = 1")
    assert check(documents).lost == ("1 sections lie outside their document's text.",)


def test_a_backup_is_one_file_that_brings_everything_back(tmp_path: Path) -> None:
    documents = filled(tmp_path / "own")
    before = results(documents)
    backup(documents.store, tmp_path / "saved.db")
    documents.remove([1], Scope())
    add(documents, "# Later\n\nNot in the backup, and with the id of nothing else.\n")
    restore(documents.store, tmp_path / "saved.db")
    documents.close()
    again = Documents.open(tmp_path / "own", MODEL)
    assert keeping.progress(again.made).done == 0  # vectors of another state are never used
    assert results(ready(again)) == before
    again.close()
    assert {file.name for file in (tmp_path / "own").iterdir()} == {"archive.db", "derived.db", room.FILE}
    assert (tmp_path / "saved.db").stat().st_mode & 0o777 == 0o600


def test_a_backup_holds_nothing_that_was_deleted_and_overwrites_nothing(tmp_path: Path) -> None:
    documents = filled(tmp_path / "own")
    with documents.store.write() as connection:
        connection.execute("DELETE FROM document WHERE owner = 'anna'")
    backup(documents.store, file := tmp_path / "saved.db")
    assert b"Rain" not in file.read_bytes()
    with pytest.raises(DocumentError, match="there already"):
        backup(documents.store, file)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("kind", ["nothing", "text", "cut", "another", "derived"])
def test_a_file_that_is_no_backup_changes_nothing(tmp_path: Path, kind: str) -> None:
    documents = filled(tmp_path / "own")
    before = results(documents)
    file = tmp_path / "saved.db"
    if kind == "text":
        file.write_bytes(b"a letter" * 900)
    elif kind == "cut":
        backup(documents.store, whole := tmp_path / "whole.db")
        file.write_bytes(whole.read_bytes()[: -4096 * 3])
    elif kind == "another":
        connect(file, "write").execute("CREATE TABLE shopping(item)")
    elif kind == "derived":
        file.write_bytes((tmp_path / "own" / "derived.db").read_bytes())
    with pytest.raises(DocumentError):
        restore(documents.store, file)
    assert results(documents) == before


def test_everything_is_exported_as_markdown(tmp_path: Path) -> None:
    documents = filled(None)
    assert export(documents.store, tmp_path / "out") == (3, 0)
    written = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.md")}
    assert written == {
        "index.md", "documents/history/well.md", "documents/pump.md", "documents/anna/history/well.md",
    }  # fmt: skip
    assert (tmp_path / "out/documents/history/well.md").read_text() == "# The well\n\nDug in 1911 by hand.\n"
    assert "[The pump](documents/pump.md)" in (tmp_path / "out/index.md").read_text()
    with pytest.raises(DocumentError, match="not empty"):
        export(documents.store, tmp_path / "out")


def test_an_export_takes_every_name_that_is_kept(tmp_path: Path) -> None:
    documents = Documents.open(None, MODEL)
    long, deep = "😀" * 117 + ".md", "/".join(["ü" * 120] * 12)
    names = [
        (long, deep, ""), ("a.md", "", ""), ("a.md", "a.md", ""), ("a-3.md", "a.md", ""),
        ("a.md", "", "a.md"), ("b.md", "", "../../.."), ("b.md", "", "/"), ("...", "", ""),
        ("b-8.md", "", ""), ("b.md", "", ""),
    ]  # fmt: skip
    for n, (name, folder, owner) in enumerate(names):
        add(documents, f"Text {n}.", name, folder, owner)
    assert export(documents.store, tmp_path / "new") == (len(names), 0)
    written = [path.read_text() for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert {f"Text {n}." for n in range(len(names))} <= set(written)
    assert sum(1 for path in tmp_path.rglob("*") if path.is_file()) == len(names) + 1


def test_an_export_says_what_the_disk_says(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DocumentError, match="cannot be written: Not a directory"):
        export(filled(None).store, tmp_path / "file" / "new")


def test_who_has_it_open_finds_what_another_process_restored(tmp_path: Path) -> None:
    running, other = filled(tmp_path / "a"), Documents.open(tmp_path / "b", MODEL)
    for n, text in enumerate(("# Mill\n\nThe well of the mill, 1923.\n", "# Goat\n\nERR-4471 is a goat.\n")):
        add(other, text, f"{n}.md")
    ready(other)
    results(running)  # so that it has texts in memory under the same numbers
    backup(other.store, tmp_path / "other.db")
    restore(Store.open(tmp_path / "a" / "archive.db"), tmp_path / "other.db")
    ready(running)
    assert results(running) == results(other)
    assert check(running).healed == 0
