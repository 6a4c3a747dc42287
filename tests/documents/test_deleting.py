"""Deleting where the disk is full, and what it costs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.documents import derived, room, rows
from appliance.documents import store as stored
from appliance.documents.records import Scope
from appliance.documents.search import Documents, Removed
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.sqlite import Connection, FullError, connect
from appliance.vectors import HashEncoder
from tests.documents import keep

pytestmark = pytest.mark.slow

SECRET = "The secret goat stands behind the barn. "


class FullDisk(Store):
    """A store whose disk is full: writing and emptying the log fail so many times, making it smaller always,
    or never."""

    writes = checkpoints = 0
    shrinks = False

    @contextmanager
    def write(self) -> Iterator[Connection]:
        if self.writes:
            self.writes -= 1
            _fail()
        with super().write() as connection:
            yield connection

    def checkpoint(self) -> None:
        if self.checkpoints:
            self.checkpoints -= 1
            _fail()
        super().checkpoint()

    def vacuum(self) -> None:
        if not self.shrinks:
            _fail()
        super().vacuum()


def _fail() -> None:
    try:
        raise FullError("database or disk is full")
    except FullError as error:
        raise DocumentError("archive.db: full.") from error


def opened(folder: Path, kind: type[Store] = Store) -> Documents:
    store = kind.open(folder / stored.FILE)
    with store.read() as connection:
        identity = rows.identity(connection)
    made = derived.open_derived(folder / derived.FILE, identity, HashEncoder.model_sha256)
    return Documents(store, made)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Documents]:
    documents = opened(tmp_path, FullDisk)
    keep.add(documents, SECRET * 50)
    keep.ready(documents)
    yield documents
    documents.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.name != room.FILE)


def test_what_is_deleted_is_gone_from_all_files_though_they_stay_as_large(
    full: Documents, tmp_path: Path
) -> None:
    assert b"goat" in bytes_of(tmp_path)
    assert full.remove([1], Scope()) == Removed(1, False)
    assert b"goat" not in bytes_of(tmp_path)
    assert full.remove([1], Scope()) == Removed(0, True)


def test_the_room_that_is_kept_for_deleting_is_given_up_for_it(full: Documents, tmp_path: Path) -> None:
    assert (tmp_path / room.FILE).stat().st_size == room.SIZE
    assert isinstance(full.store, FullDisk)
    full.store.writes = 1
    assert full.remove([1], Scope()) == Removed(1, False)
    assert not (tmp_path / room.FILE).exists()


def test_it_is_given_up_too_where_only_the_log_cannot_be_emptied(full: Documents, tmp_path: Path) -> None:
    assert isinstance(full.store, FullDisk)
    full.store.checkpoints, full.store.shrinks = 1, True
    assert full.remove([1], Scope()) == Removed(1, True)
    assert b"goat" not in bytes_of(tmp_path)


def test_where_that_is_not_enough_nothing_was_deleted(full: Documents) -> None:
    assert isinstance(full.store, FullDisk)
    full.store.writes = 2
    with pytest.raises(DocumentError, match="full"):
        full.remove([1], Scope())
    with full.store.read() as connection:
        assert rows.count(connection, Scope()) == 1


def test_room_is_kept_again_where_there_is_plenty(tmp_path: Path) -> None:
    documents = opened(tmp_path)
    keep.add(documents, SECRET)
    assert room.give_up(tmp_path)
    assert not room.give_up(tmp_path)
    assert documents.remove([1], Scope()) == Removed(1, True)
    assert (tmp_path / room.FILE).exists()
    documents.close()


@pytest.mark.parametrize("older", [False, True])
def test_files_become_smaller_also_those_of_an_older_form(tmp_path: Path, older: bool) -> None:
    if older:
        file = connect(tmp_path / stored.FILE, "write")
        file.execute("CREATE TABLE one(two)").fetchall()
        file.execute("DROP TABLE one").fetchall()
        file.close()
    documents = opened(tmp_path)
    with documents.store.read() as connection:
        assert connection.execute("PRAGMA auto_vacuum").get == (0 if older else stored.INCREMENTAL)
    keep.add(documents, SECRET * 20_000)
    documents.store.checkpoint()
    before = (tmp_path / stored.FILE).stat().st_size
    assert documents.remove([1], Scope()) == Removed(1, True)
    assert (tmp_path / stored.FILE).stat().st_size < before - 700_000
    with documents.store.write() as connection:
        assert connection.execute("PRAGMA auto_vacuum").get == stored.INCREMENTAL
    documents.close()
