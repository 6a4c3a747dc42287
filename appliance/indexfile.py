"""The index file of one archive: open read-only, ask.

`NAME.index` is one SQLite file beside `NAME.zim`: pointers to passages (no text), an int8 vector for each
in a sqlite-vec table that is cut into cells, and the words of passages (and their titles) as doclists of
FTS5 without positions. It is written once (see `indexer`), shipped with journal mode DELETE and opened
immutable.
"""

import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.errors import IndexFileError
from appliance.indexformat import AGAIN, check_header, read_meta
from appliance.sqlite import Connection, Error, connect, stems
from appliance.vectors import DIMENSION, quantise

K_MAX = 4096  # sqlite-vec refuses more
# Vectors read per question, about 7 MB of the file; an archive of no more passages is searched exactly.
BUDGET = 16_384
NEAREST = (
    "SELECT rowid, distance FROM vector "
    "WHERE embedding MATCH vec_int8(?) AND k = ? AND cell = ? AND distance <= ?"
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a passage's text stands: code points `start`…`start + length` of the document's text, and the
    CRC-32 of that text in UTF-8."""

    id: int
    document: int
    path: str
    title: str
    start: int
    length: int
    crc32: int


def _rows(connection: Connection, sql: str, bindings: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    return connection.execute(sql, bindings).fetchall()


class Index:
    """An index file, read-only. Calls may come from several threads; each borrows a connection of its own."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self.path = path
        self.meta = read_meta(connection)
        rows = _rows(connection, "SELECT id, rows, centroid FROM cell ORDER BY id")
        self._cells = [int(row[0]) for row in rows]
        self.cell_sizes = np.array([row[1] for row in rows], np.int64)
        self._centroids = np.frombuffer(b"".join(row[2] for row in rows), np.float32).reshape(-1, DIMENSION)
        self._identity = _identity(path)
        self._idle: deque[Connection] = deque([connection])

    @classmethod
    def open(cls, path: Path) -> "Index":
        """Raises IndexFileError, in a sentence, for a file that is no usable index."""
        check_header(path)
        try:
            return cls(path, connect(path, "read"))
        except IndexFileError as error:
            raise IndexFileError(f"The index {path.name} cannot be used. {error}", error.hint) from error
        except (Error, ValueError, TypeError) as error:
            raise IndexFileError(f"The index {path.name} is damaged: {error}.", AGAIN) from error

    def require(
        self, *, archive_uuid: str, archive_checksum: str, model_sha256: str, extractor: int, chunker: int
    ) -> None:
        """Raises IndexFileError, saying what to rebuild, unless all of these fit."""
        meta = self.meta
        compared = (
            ("another archive", "UUID", meta.archive_uuid, archive_uuid),
            ("another edition of its archive", "checksum", meta.archive_checksum, archive_checksum),
            ("another embedding model", "SHA-256", meta.model_sha256, model_sha256),
            ("another version of the extractor", "version", meta.extractor, extractor),
            ("another version of the chunker", "version", meta.chunker, chunker),
        )
        for what, unit, found, expected in compared:
            if found != expected:
                raise IndexFileError(
                    f"The index {self.path.name} was made with {what}: "
                    f"its {unit} is {found}, expected {expected}.",
                    f"Rebuild the index: appliance index {meta.archive_name}.zim",
                )

    def nearest(self, vector: NDArray[np.float32], k: int, budget: int = BUDGET) -> list[tuple[int, float]]:
        """The `k` (clamped to 1…4096) passages nearest to a [384] vector as (passage id, cosine), best first.

        Searches the cells nearest to the vector until `budget` rows were read. Raises VectorError.
        """
        k = max(1, min(K_MAX, k))
        question = quantise(vector.reshape(1, -1))[0]
        if not self._cells:
            return []
        found: list[tuple[float, int]] = []
        farthest = 2.0  # cosine distance; also keeps out zero vectors, whose distance is not a number
        with self._borrow() as connection:
            for cell in self._nearest_cells(question, budget):
                rows = _rows(connection, NEAREST, (question.tobytes(), k, cell, farthest))
                found.extend((distance, passage) for passage, distance in rows if distance is not None)
                if len(found) >= k:
                    found = sorted(found)[:k]
                    farthest = found[-1][0]
        return [(passage, 1.0 - distance) for distance, passage in sorted(found)[:k]]

    @property
    def size(self) -> int:
        """How many passages there are; their ids are 1…size."""
        return self.meta.passages

    def cosines(self, passages: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of single passages, in their order, with a [384] vector; 0 for one without a vector."""
        question = quantise(vector.reshape(1, -1))[0].astype(np.float32)
        sql = "SELECT embedding FROM vector WHERE rowid = ?"
        with self._borrow() as connection:
            blobs = [connection.execute(sql, (int(passage),)).get for passage in passages]
        rows = np.frombuffer(b"".join(blob or bytes(DIMENSION) for blob in blobs), np.int8)
        found = rows.reshape(-1, DIMENSION).astype(np.float32)
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(question)
        cosines: NDArray[np.float32] = (found @ question) / np.maximum(lengths, 1)
        return cosines

    def _nearest_cells(self, question: NDArray[np.int8], budget: int) -> list[int]:
        order = np.argsort(-(self._centroids @ question.astype(np.float32)), kind="stable")
        before = np.cumsum(self.cell_sizes[order]) - self.cell_sizes[order]
        return [self._cells[place] for place in order[before < max(1, budget)]]

    def postings(self, term: str) -> NDArray[np.int64]:
        """Ids of the passages that hold every stem of `term`, themselves or in their title, ascending."""
        with self._borrow() as connection:
            lists = [_doclist(connection, stem) for stem in dict.fromkeys(stems(term))]
        if not lists:
            return np.zeros(0, np.int64)
        result = lists[0]
        for other in lists[1:]:
            result = np.intersect1d(result, other, assume_unique=True)
        return result

    def frequency(self, term: str) -> int:
        """How many passages hold the term; for one of several stems, the rarest."""
        sql = "SELECT doc FROM word_row WHERE term = ?"
        with self._borrow() as connection:
            counts = [connection.execute(sql, (stem,)).get for stem in stems(term)]
        return min((count or 0 for count in counts), default=0)

    def similar_terms(self, term: str, limit: int) -> list[tuple[str, int]]:
        """Stems of the archive that are spelt like the stem `term` (at most two edits, the same first letter)
        with the number of passages that hold each; nearest first, then the most frequent."""
        if not term or limit < 1:
            return []
        sql = (
            "SELECT term, frequency FROM term "
            "WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? AND term <> ?"
        )
        bounds = (term[0], term[0] + "\U0010ffff", len(term) - 2, len(term) + 2, term)
        with self._borrow() as connection:
            known: dict[str, int] = dict(_rows(connection, sql, bounds))
        near = process.extract(term, list(known), scorer=OSA.distance, score_cutoff=2, limit=None)
        ranked = sorted((distance, -known[found], found) for found, distance, _ in near)
        return [(found, -frequency) for _, frequency, found in ranked[:limit]]

    def pointers(self, ids: Sequence[int]) -> list[Pointer]:
        """The pointers of passages in the order of `ids`. Raises IndexFileError for an unknown id."""
        sql = (
            "SELECT p.id, d.id, d.path, d.title, p.char_offset, p.char_len, p.crc32 FROM passage p "
            "JOIN document d ON d.id = p.document_id WHERE p.id IN (SELECT value FROM json_each(?))"
        )
        with self._borrow() as connection:
            rows = _rows(connection, sql, (json.dumps([int(i) for i in ids]),))
        found = {row[0]: Pointer(*row) for row in rows}
        missing = [i for i in ids if i not in found]
        if missing:
            raise self._failed(f"has no passage {missing[0]}")
        return [found[i] for i in ids]

    def skipped_entries(self) -> list[tuple[str, str]]:
        """(path, reason) of entries that could not be indexed, the first hundred of them."""
        with self._borrow() as connection:
            listed = connection.execute("SELECT value FROM meta WHERE key = 'skipped_entries'").get
        return [(path, reason) for path, reason in json.loads(str(listed or "[]"))]

    @contextmanager
    def _borrow(self) -> Iterator[Connection]:
        """A connection for one call; as many are kept as were ever needed at once."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._another()
        try:
            yield connection
        except Error as error:
            raise self._failed(f"cannot be read: {error}") from error
        finally:
            self._idle.append(connection)

    def _another(self) -> Connection:
        try:
            if _identity(self.path) == self._identity:
                return connect(self.path, "read")
        except (OSError, Error) as error:
            raise self._failed(f"cannot be opened: {error}") from error
        raise self._failed("was replaced", "Start the library again.")

    def _failed(self, what: str, hint: str = AGAIN) -> IndexFileError:
        return IndexFileError(f"The index {self.path.name} {what}.", hint, self.path)


def _doclist(connection: Connection, stem: str) -> NDArray[np.int64]:
    """All row ids of one stem through one aggregated row: ten times faster than a row for each."""
    sql = "SELECT group_concat(doc, ' ') FROM word_instance WHERE term = ?"
    joined = connection.execute(sql, (stem,)).get
    return np.fromstring(joined, np.int64, sep=" ") if joined else np.zeros(0, np.int64)


def _identity(path: Path) -> tuple[int, int, int]:
    state = os.stat(path)
    return state.st_dev, state.st_ino, state.st_size
