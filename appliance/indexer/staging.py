"""The half-made index: `NAME.index.part`, a SQLite file that survives a kill at any moment.

Windows of documents are added in one transaction each, with the position of the archive to go on from. When
all are in, `assemble` puts the vectors into their cells and `write` copies all of it, packed.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance import indexformat, sqlite
from appliance.errors import IndexingError
from appliance.indexer import cells
from appliance.records import Passage
from appliance.vectors import DIMENSION, SCALE

LISTED = 100  # entries that could not be read, listed by path in the finished file
BYTES_PER_PASSAGE = 1800  # of half-made and finished file together, while both exist
BYTES_TO_FINISH = 1200  # of these, what is written after the last window
SPARE = 64 * 2**20
_BLOCK = 8192

SCHEMA = """
CREATE TABLE staged(id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE skipped(path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE progress(key TEXT PRIMARY KEY, value ANY NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Ready:
    """A document with its passages, their CRC-32, their words and their int8 vectors [n, 384]."""

    path: str
    title: str
    passages: tuple[Passage, ...]
    crc32: tuple[int, ...]
    words: tuple[str, ...]
    vectors: NDArray[np.int8]


class Staging:
    """An open half-made index. `identity` is what it is made from and with; another's file is begun anew."""

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        self.path = path
        self.connection = _open(path, identity)
        self._documents = self._number("SELECT max(id) FROM document")
        self.passages = self._number("SELECT max(id) FROM passage")

    def _number(self, sql: str) -> int:
        value = self.connection.execute(sql).get
        return int(value or 0)

    def _progress(self, key: str) -> int:
        return self._number(f"SELECT value FROM progress WHERE key = '{key}'")

    @property
    def position(self) -> int:
        """The archive's position to go on from."""
        return self._progress("position")

    @property
    def assembled(self) -> bool:
        return bool(self._progress("assembled"))

    @property
    def skipped(self) -> int:
        return self._number("SELECT count(*) FROM skipped")

    def add(self, documents: Sequence[Ready], skipped: Sequence[tuple[str, str]], position: int) -> None:
        """Adds a window in one transaction. Raises IndexingError when the disk is full."""
        check_space(self.path, self.passages * BYTES_TO_FINISH + SPARE)
        with self.connection:
            for document in documents:
                self._add(document)
            self.connection.executemany("INSERT INTO skipped VALUES(?, ?)", skipped)
            self.connection.execute("REPLACE INTO progress VALUES('position', ?)", (position,))

    def _add(self, document: Ready) -> None:
        insert = self.connection.executemany
        self._documents += 1
        number, first = self._documents, self.passages + 1
        self.passages += len(document.passages)
        ids = range(first, self.passages + 1)
        insert("INSERT INTO document VALUES(?, ?, ?)", [(number, document.path, document.title)])
        rows = zip(ids, document.passages, document.crc32, strict=True)
        insert(
            "INSERT INTO passage VALUES(?, ?, ?, ?, ?)",
            [(i, number, passage.start, passage.length, crc) for i, passage, crc in rows],
        )
        insert("INSERT INTO word(rowid, text) VALUES(?, ?)", zip(ids, document.words, strict=True))
        blobs = (vector.tobytes() for vector in document.vectors)
        insert("INSERT INTO staged VALUES(?, ?)", zip(ids, blobs, strict=True))

    def assemble(self, meta: dict[str, Any]) -> None:
        """Vectors into their cells, words packed, meta written: all of it or nothing."""
        with self.connection:
            self.connection.execute(indexformat.VECTOR_SCHEMA)
            if self.passages:
                self._fill_cells()
            self.connection.execute(
                "INSERT INTO word(word) VALUES('optimize');"
                "INSERT INTO term SELECT term, doc FROM word_row "
                "WHERE length(term) BETWEEN 5 AND 24 AND term NOT GLOB '*[0-9]*'"
            )
            listed = self.connection.execute("SELECT path, reason FROM skipped LIMIT ?", (LISTED,)).fetchall()
            counts = {
                "documents": self._documents,
                "passages": self.passages,
                "skipped": self.skipped,
                "skipped_entries": json.dumps(listed, ensure_ascii=False),
                "dimension": DIMENSION,
                "scale": SCALE,
            }
            indexformat.write_meta(self.connection, meta | counts)
            self.connection.execute("DROP TABLE staged; REPLACE INTO progress VALUES('assembled', 1)")

    def _fill_cells(self) -> None:
        centroids, labels = cells.divide(self.passages, self.vectors, self._blocks)
        sizes = np.bincount(labels, minlength=len(centroids))
        self.connection.executemany(
            "INSERT INTO cell VALUES(?, ?, ?)",
            ((cell, int(sizes[cell]), row.tobytes()) for cell, row in enumerate(centroids)),
        )
        order = np.argsort(labels, kind="stable")
        insert = (
            "INSERT INTO vector(rowid, cell, embedding) "
            "SELECT ?1, ?2, vec_int8(vector) FROM staged WHERE id = ?1"
        )
        self.connection.executemany(insert, ((int(place) + 1, int(labels[place])) for place in order))

    def vectors(self, places: NDArray[np.int64]) -> NDArray[np.int8]:
        """The staged vectors of ascending places (passage id - 1) as [n, 384]."""
        sql = "SELECT vector FROM staged WHERE id = ?"
        blobs = [row[0] for row in self.connection.executemany(sql, ((int(place) + 1,) for place in places))]
        return np.frombuffer(b"".join(blobs), np.int8).reshape(-1, DIMENSION)

    def _blocks(self) -> Iterator[NDArray[np.int8]]:
        for first in range(0, self.passages, _BLOCK):
            yield self.vectors(np.arange(first, min(first + _BLOCK, self.passages)))

    def write(self, target: Path) -> int:
        """Copies the assembled file, packed, to `target` (not there yet); gives the number of documents."""
        self.connection.execute("VACUUM INTO ?", (str(target),))
        copy = sqlite.connect(target, "write")
        try:
            with copy:
                copy.execute("DROP TABLE skipped; DROP TABLE progress")
        finally:
            copy.close()
        return self._documents

    def close(self) -> None:
        self.connection.close()


def check_space(path: Path, needed: int) -> None:
    """Raises IndexingError when the disk of `path` has fewer bytes free than needed."""
    free = shutil.disk_usage(path.parent).free
    if free < needed:
        raise IndexingError(
            f"The disk of {path.parent} has {as_size(free)} free; the index needs about {as_size(needed)}.",
            "Free some space and run the same command again: it goes on where it was.",
        )


def as_size(count: float) -> str:
    """Bytes as a person reads them."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def remove(path: Path) -> None:
    """Removes a half-made index and what SQLite may have left beside it."""
    for suffix in ("", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _open(path: Path, identity: dict[str, Any]) -> sqlite.Connection:
    wanted = json.dumps(identity, sort_keys=True)
    if path.exists():
        connection = _locked(path)
        try:
            if connection.execute("SELECT value FROM progress WHERE key = 'identity'").get == wanted:
                return connection
        except sqlite.Error:
            pass  # no half-made index, or one that was never whole: begin anew
        connection.close()
        remove(path)
    connection = _locked(path)
    try:
        with connection:
            indexformat.create(connection)
            connection.execute(SCHEMA)
            connection.execute("INSERT INTO progress VALUES('identity', ?)", (wanted,))
    except sqlite.Error:
        connection.close()
        raise
    return connection


def _locked(path: Path) -> sqlite.Connection:
    """A connection that keeps every other process out of the file until it is closed or its process dies."""
    connection = sqlite.connect(path, "write")
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").fetchall()
    except sqlite.BusyError as error:
        connection.close()
        raise IndexingError(
            f"Another process is making {path.name.removesuffix('.part')}.", "Wait for it, or end it."
        ) from error
    except sqlite.NotADBError:
        pass  # the caller finds out and begins anew
    return connection
