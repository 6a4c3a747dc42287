"""The file that holds the truth: what is committed stays, what is undone leaves nothing, forms go one way."""

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.documents import derived
from appliance.documents.store import ARCHIVE, WHOLE, Store
from appliance.errors import DocumentError
from appliance.sqlite import Connection, connect

INSERT = (
    "INSERT INTO document(sha256, name, title, media_type, added, text) "
    "VALUES(?, 'a.txt', 'A', 'text/plain', '2024-01-01T00:00:00Z', ?)"
)


def add(connection: Connection, text: str) -> None:
    connection.execute(INSERT, (text.encode(), text))


def _write(kept: Store, texts: list[str]) -> None:
    with kept.write() as connection:
        for text in texts:
            add(connection, text)


def count(kept: Store) -> int:
    with kept.read() as connection:
        return int(str(connection.execute("SELECT count(*) FROM document").get))


@pytest.mark.parametrize("name", ["archive.db", ""])
def test_what_is_committed_stays_and_what_fails_leaves_nothing(tmp_path: Path, name: str) -> None:
    kept = Store.open(tmp_path / "own" / name if name else None)
    with kept.write() as connection:
        add(connection, "first")
    with pytest.raises(DocumentError, match="UNIQUE"):
        _write(kept, ["second", "first"])
    assert count(kept) == 1
    kept.close()
    if name:
        assert count(Store.open(tmp_path / "own" / name)) == 1


def test_the_file_is_made_for_power_cuts_and_for_its_owner_alone(tmp_path: Path) -> None:
    kept = Store.open(tmp_path / "own" / "archive.db")
    with kept.write() as connection:
        pragmas = [connection.execute(f"PRAGMA {name}").get for name in
                   ("journal_mode", "synchronous", "foreign_keys", "secure_delete")]  # fmt: skip
    assert pragmas == ["wal", 2, 1, 1]
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "own" / "archive.db").stat().st_mode & 0o777 == 0o600


def test_a_reader_keeps_its_state_while_another_thread_writes(tmp_path: Path) -> None:
    kept = Store.open(tmp_path / "archive.db")
    with kept.read() as connection:
        before = connection.execute("SELECT count(*) FROM document").get

        def write() -> None:
            with kept.write() as writer:
                add(writer, "new")

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        assert connection.execute("SELECT count(*) FROM document").get == before == 0
    assert count(kept) == 1


def test_deleted_text_stands_in_no_file(tmp_path: Path) -> None:
    kept = Store.open(tmp_path / "archive.db")
    with kept.write() as connection:
        add(connection, "the hidden letter " * 500)
    with kept.write() as connection:
        connection.execute("DELETE FROM document")
    kept.vacuum()
    for file in tmp_path.iterdir():
        assert b"hidden letter" not in file.read_bytes()


def test_ids_are_never_given_again() -> None:
    kept = Store.open()
    ids = []
    for text in ("one", "two"):
        with kept.write() as connection:
            add(connection, text)
            ids.append(connection.last_insert_rowid())
            connection.execute("DELETE FROM document")
    assert ids == [1, 2]


def test_an_older_form_is_brought_up_to_date_and_a_newer_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    _write(old := Store.open(path), ["kept"])
    old.close()
    kept = Store.open(path, replace(ARCHIVE, steps=(*ARCHIVE.steps, ("CREATE TABLE later(id INTEGER)",))))
    assert count(kept) == 1
    with kept.read() as connection:
        assert connection.execute("SELECT count(*) FROM later").get == 0
    kept.close()
    with pytest.raises(DocumentError, match="knows up to"):
        Store.open(path)


@pytest.mark.parametrize("kind", ["another database", "no database"])
def test_another_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "archive.db"
    if kind == "no database":
        path.write_bytes(b"a letter, not a database" * 100)
    else:
        connect(path, "write").execute("CREATE TABLE shopping(item TEXT)")
    with pytest.raises(DocumentError, match=r"archive\.db"):
        Store.open(path)


@contextmanager
def no_room() -> Iterator[None]:
    """No file grows, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_not_taken_for_a_damaged_file(tmp_path: Path) -> None:
    kept = Store.open(file := tmp_path / "archive.db")
    _write(kept, ["first"])
    kept.close()
    with no_room(), pytest.raises(DocumentError, match="cannot be opened") as full:
        Store.open(file)
    assert full.value.hint == WHOLE
    assert count(Store.open(file)) == 1
    (tmp_path / "text.db").write_text("no database " * 500)
    with pytest.raises(DocumentError, match="cannot be opened") as damaged:
        Store.open(tmp_path / "text.db")
    assert damaged.value.hint == ARCHIVE.remedy


def test_what_is_made_of_the_archive_is_not_thrown_away_on_a_full_disk(tmp_path: Path) -> None:
    opened = derived.open_derived(file := tmp_path / derived.FILE, "x", "m")
    with opened.write() as connection:
        connection.execute("INSERT INTO part(passage, document, crc32) VALUES(1, 1, 1)")
    opened.close()
    with no_room(), pytest.raises(DocumentError, match="cannot be opened"):
        derived.open_derived(file, "x", "m")
    with derived.open_derived(file, "x", "m").read() as connection:
        assert connection.execute("SELECT count(*) FROM part").get == 1
