"""`passages.db` of one repository: its files as documents, with their words and vectors, in one file.

The tables are those of own documents (`documents.schema`, `documents.derived`). A document that is being
made is `STAGED`, which no reader sees; one transaction at the end (`publish`) puts a whole new state in the
place of the old one. What an interrupted sync has made is found again by path and blob.
"""

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from appliance.documents import derived, keeping
from appliance.documents.records import COMMON
from appliance.documents.schema import DOCUMENTS
from appliance.documents.store import Form, Store, harmed
from appliance.errors import DocumentError
from appliance.repositories.difference import Difference
from appliance.sqlite import Connection, Error
from appliance.vectors import DIMENSION

FILE = "passages.db"
STAGED = "staged"
READING = 1
"""Counts versions of how a file becomes passages: another one reads every file again."""

_FILES = (
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # A file that could not be read has no document, and says why.
    """CREATE TABLE file(path TEXT PRIMARY KEY, blob TEXT NOT NULL,
        document_id INTEGER REFERENCES document ON DELETE CASCADE, problem TEXT NOT NULL) STRICT""",
    "CREATE INDEX file_document ON file(document_id)",
)
PASSAGES = Form(
    "the passages of a repository",
    0x4C414D47,  # "LAMG"
    (DOCUMENTS, derived.SCHEMA, _FILES),
    "NORMAL",  # all of it can be made again
    "Remove the source, then add it again.",
)


@dataclass(frozen=True, slots=True)
class State:
    """What is there: the commit ("" before the first), the blob of each file by its path, and of those that
    could not be read the reason."""

    commit: str
    tree: Mapping[str, str]
    problems: Mapping[str, str]


def open_passages(folder: Path | None, model: str) -> Store:
    """The file in a folder, made where there is none, made anew where it is damaged; in memory without one.
    `model`: the SHA-256 of the embedding model; vectors of another one are dropped. Raises DocumentError."""
    path = folder / FILE if folder else None
    try:
        store = Store.open(path, PASSAGES)
    except DocumentError as error:
        if path is None or not harmed(error):
            raise
        for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            file.unlink(missing_ok=True)
        store = Store.open(path, PASSAGES)
    with store.write() as connection:
        if about(connection).get("model") != model:
            connection.execute("DELETE FROM vector")
            connection.execute("UPDATE part SET vector_crc32 = NULL")
            _tell(connection, {"model": model})
    return store


def about(connection: Connection) -> dict[str, str]:
    rows: Iterable[Any] = connection.execute("SELECT key, value FROM about")
    return dict(rows)


def state(store: Store) -> State:
    """What readers see. Files read by another version of the program count as not there."""
    with store.read() as connection:
        told = about(connection)
        known = told.get("reading") == str(READING)
        rows: list[Any] = (
            connection.execute("SELECT path, blob, problem FROM file").fetchall() if known else []
        )
    tree = {path: blob for path, blob, _ in rows}
    return State(told.get("commit", "") if known else "", tree, {p: why for p, _, why in rows if why})


def waiting(store: Store) -> int:
    """Passages that have no vector yet."""
    with store.read() as connection:
        return int(str(connection.execute("SELECT count(*) FROM part WHERE vector_crc32 IS NULL").get))


def count(store: Store) -> int:
    """Passages that readers see."""
    sql = "SELECT count(*) FROM passage p JOIN document d ON d.id = p.document_id WHERE d.owner = ?"
    with store.read() as connection:
        return int(str(connection.execute(sql, (COMMON,)).get))


def key(path: str, blob: str) -> bytes:
    """What tells a file in one state from every other."""
    return hashlib.sha256(f"{path}\0{blob}".encode("utf-8", "replace")).digest()


def staged(store: Store) -> dict[bytes, int]:
    """Documents that were made and not published, by their key."""
    with store.read() as connection:
        rows: Iterable[Any] = connection.execute("SELECT sha256, id FROM document WHERE owner = ?", (STAGED,))
        return dict(rows)


def carry_over(store: Store, path: str, made: int) -> int:
    """Gives the passages of a staged document the vectors of the same passages in the file's old state; how
    many it gave."""
    with store.read() as connection:
        old = connection.execute("SELECT document_id FROM file WHERE path = ?", (path,)).get
    if old is None:
        return 0
    known = {part.reading: part.passage for part in keeping.document_parts(store, int(str(old)))}
    same = {p.passage: known[p.reading] for p in keeping.document_parts(store, made) if p.reading in known}
    sql = "SELECT embedding FROM vector WHERE rowid = ?"
    with store.write() as connection:
        blobs = {new: connection.execute(sql, (before,)).get for new, before in same.items()}
        given = {new: blob for new, blob in blobs.items() if isinstance(blob, bytes)}
        vectors = np.frombuffer(b"".join(given.values()), np.int8).reshape(-1, DIMENSION)
        derived.put_vectors(connection, list(given), vectors)
    return len(given)


def publish(
    store: Store, commit: str, tree: Mapping[str, str], change: Difference, problems: Mapping[str, str]
) -> None:
    """Puts the new state in the place of the old one, at once. Every file of `change.fresh` is staged, or has
    a problem."""
    ready = staged(store)
    with store.write() as connection:
        places = _documents(connection)
        leaving = [*change.gone, *change.fresh, *(places.keys() - tree.keys() - set(change.moved.values()))]
        _drop(connection, [places[path] for path in dict.fromkeys(leaving) if places.get(path)])
        connection.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in leaving])
        _move(connection, change.moved, tree, places)
        for path in change.fresh:
            made = None if path in problems else ready.pop(key(path, tree[path]))
            if made is not None:
                connection.execute("UPDATE document SET owner = ? WHERE id = ?", (COMMON, made))
            connection.execute(
                "INSERT INTO file VALUES(?, ?, ?, ?)", (path, tree[path], made, problems.get(path, ""))
            )
        _drop(connection, list(ready.values()))
        _tell(connection, {"commit": commit, "reading": str(READING)})


def _documents(connection: Connection) -> dict[str, int | None]:
    rows: Iterable[Any] = connection.execute("SELECT path, document_id FROM file")
    return dict(rows)


def _drop(connection: Connection, documents: Sequence[int | None]) -> None:
    """Takes documents out, with all that was made of them."""
    chosen = json.dumps(documents)
    sql = "SELECT id FROM passage WHERE document_id IN (SELECT value FROM json_each(?))"
    ids = [int(str(row[0])) for row in connection.execute(sql, (chosen,)).fetchall()]
    derived.drop(connection, ids)
    connection.execute("DELETE FROM document WHERE id IN (SELECT value FROM json_each(?))", (chosen,))


def _move(
    connection: Connection,
    moved: Mapping[str, str],
    tree: Mapping[str, str],
    places: Mapping[str, int | None],
) -> None:
    """Files under their new paths. Two may have changed places: first all leave, then all come."""
    sql = "SELECT blob, problem FROM file WHERE path = ?"
    rows: dict[str, Any] = {old: next(iter(connection.execute(sql, (old,)))) for old in moved.values()}
    connection.executemany("DELETE FROM file WHERE path = ?", [(old,) for old in moved.values()])
    for new, old in moved.items():
        document = places[old]
        connection.execute("INSERT INTO file VALUES(?, ?, ?, ?)", (new, rows[old][0], document, rows[old][1]))
        if document is not None:
            folder, _, name = new.rpartition("/")
            connection.execute(
                "UPDATE document SET folder = ?, name = ?, sha256 = ? WHERE id = ?",
                (folder, name, key(new, tree[new]), document),
            )


def _tell(connection: Connection, told: Mapping[str, str]) -> None:
    connection.executemany(
        "INSERT INTO about VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", told.items()
    )


class Pinned:
    """A store as it was at one moment, whatever is published meanwhile; for one question. Threads may share
    it."""

    def __init__(self, path: Path | None, connection: Connection) -> None:
        self.path = path
        self._connection, self._lock = connection, threading.RLock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._lock:
            try:
                yield self._connection
            except Error as error:
                raise DocumentError(f"{FILE}: {error}.", "See the status page, then try again.") from error


@contextmanager
def pinned(store: Store) -> Iterator[Pinned]:
    """The store as it is now, until the block ends."""
    with store.read() as connection:
        about(connection)  # the first reading decides what all later ones see
        yield Pinned(store.path, connection)
