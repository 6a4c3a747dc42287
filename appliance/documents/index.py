"""Own documents as an archive and an index: what `retrieval` needs to search them like the library.

Both see one scope and nothing else: passages outside it are found by no leg, counted in no frequency, and
suggest no word. A passage that is gone from `archive.db` is not found, whatever `derived.db` still holds.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.documents import rows
from appliance.documents.derived import REBUILD
from appliance.documents.normal import alike, searchable
from appliance.documents.records import ARCHIVE, Scope
from appliance.errors import DocumentError, EntryMissing, IndexFileError
from appliance.indexfile import K_MAX, Pointer
from appliance.records import Document
from appliance.retrieval.texts import DocumentCache
from appliance.sqlite import Connection, stems
from appliance.vectors import DIMENSION, quantise

NEAREST = "SELECT rowid, distance FROM vector WHERE embedding MATCH vec_int8(?) AND k = ?"
WITHIN = " AND rowid IN (SELECT value FROM json_each(?))"
PHRASES = 200  # passages with the words of a phrase that are looked at for the phrase itself
TITLE = "Your own documents"


class Readable(Protocol):
    """What is read, as it is now or as it was (documents.store.Store, repositories.passages.Pinned)."""

    @property
    def path(self) -> Path | None: ...
    def read(self) -> AbstractContextManager[Connection]: ...


class OwnArchive:
    """The documents of a scope (retrieval.search.Archive); `path` of a document is its id."""

    name = ARCHIVE
    title = TITLE

    def __init__(self, store: Readable, scope: Scope, cache: DocumentCache) -> None:
        self.path = store.path or Path(ARCHIVE)
        self._store, self._scope, self._cache = store, scope, cache

    def document(self, path: str) -> Document:
        """Raises EntryMissing for what is not there, or not in scope, without telling which."""
        condition, values = rows.within(self._scope)
        number = int(path) if path.isascii() and path.isdecimal() and len(path) < 16 else 0
        with self._store.read() as connection:
            sql = f"SELECT d.sha256 FROM document d WHERE d.id = ? AND {condition}"
            sha256 = connection.execute(sql, (number, *values)).get
            if not isinstance(sha256, bytes):
                raise EntryMissing("There is no such document.", "It may have been deleted.")

            def read(_path: str) -> Document:
                found = rows.drawn(connection, number, self._scope)
                assert found is not None  # seen a moment ago, in the same reading
                return found

            # After a restore, which may come from another process, a number may be another document's.
            return self._cache.get(ARCHIVE, f"{number} {sha256.hex()}", read)

    def suggest(self, text: str, limit: int) -> list[tuple[str, str]]:
        """(title, path) of documents whose title holds the text, those that begin with it first."""
        condition, values = rows.within(self._scope)
        sql = (
            f"SELECT title, id FROM document d WHERE instr(lower(title), lower(?)) AND {condition} "
            "ORDER BY instr(lower(title), lower(?)) > 1, title, id LIMIT ?"
        )
        with self._store.read() as connection:
            found = connection.execute(sql, (text, *values, text, limit)).fetchall()
        return [(str(title), str(number)) for title, number in found]

    def fulltext(self, _query: str, _limit: int) -> list[str]:
        """There is no index but the one beside it."""
        return []


class OwnIndex:
    """The passages of a scope (retrieval.search.Index). Sees the scope as it was when it was made."""

    def __init__(self, store: Readable, derived: Readable, scope: Scope) -> None:
        self.path = derived.path or Path(ARCHIVE)
        self._store, self._derived = store, derived
        condition, values = rows.within(scope)
        sql = (
            "SELECT group_concat(p.id, ' ') FROM passage p JOIN document d ON d.id = p.document_id "
            f"WHERE {condition}"
        )
        with store.read() as connection:
            joined = connection.execute(sql, values).get
        self._ids = np.unique(_numbers(joined))
        self._by_stem: dict[str, NDArray[np.int64]] = {}

    @property
    def size(self) -> int:
        """How many passages there are; their ids have gaps."""
        return len(self._ids)

    @contextmanager
    def _made(self) -> Iterator[Connection]:
        """A reading of `derived.db`; where that fails, the archive is searched without it."""
        try:
            with self._derived.read() as connection:
                yield connection
        except DocumentError as error:
            raise IndexFileError(str(error), REBUILD, self.path) from error

    def postings(self, term: str) -> NDArray[np.int64]:
        """Ids of the passages that hold every stem of a term, ascending."""
        lists = [self._holding_stem(stem) for stem in dict.fromkeys(stems(searchable(term)))]
        found = lists[0] if lists else self._ids[:0]
        for other in lists[1:]:
            found = np.intersect1d(found, other, assume_unique=True)
        return found

    def _holding_stem(self, stem: str) -> NDArray[np.int64]:
        """Read once: a question asks for each of its words several times."""
        if stem not in self._by_stem:
            sql = "SELECT group_concat(DISTINCT doc) FROM word_instance WHERE term = ?"
            with self._made() as connection:
                found = np.sort(_numbers(connection.execute(sql, (stem,)).get, ","))
            places = np.minimum(np.searchsorted(self._ids, found), max(0, len(self._ids) - 1))
            self._by_stem[stem] = found[self._ids[places] == found] if len(self._ids) else self._ids
        return self._by_stem[stem]

    def frequency(self, term: str) -> int:
        """How many passages hold the term; for one of several stems, the rarest."""
        return min((len(self.postings(stem)) for stem in stems(searchable(term))), default=0)

    def similar_terms(self, term: str, limit: int) -> list[tuple[str, int]]:
        """As indexfile.Index gives them, of the scope."""
        if not term or limit < 1:
            return []
        sql = (
            "SELECT term FROM word_row WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? "
            "AND term <> ?"
        )
        bounds = (term[0], term[0] + "\U0010ffff", len(term) - 2, len(term) + 2, term)
        with self._made() as connection:
            known = [str(row[0]) for row in connection.execute(sql, bounds)]
        near = process.extract(term, known, scorer=OSA.distance, score_cutoff=2, limit=limit * 4)
        counted = [(distance, -len(self.postings(found)), found) for found, distance, _ in near]
        return [(found, -count) for _, count, found in sorted(counted)[:limit] if count]

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        """The `k` passages nearest to a [384] vector as (id, cosine), best first; equal ones by id."""
        k = max(1, min(K_MAX - 1, k))
        if not len(self._ids):
            return []
        question = quantise(vector.reshape(1, -1))[0].tobytes()
        found = self._nearest(question, k + 1)
        if len(found) > k and found[k - 1][0] == found[k][0]:  # which of the equal ones came is chance
            found = self._nearest(question, K_MAX)
        return [(passage, 1.0 - distance) for distance, passage in found[:k]]

    def _nearest(self, question: bytes, k: int) -> list[tuple[float, int]]:
        with self._made() as connection:
            total = int(str(connection.execute("SELECT count(*) FROM part").get))
            narrow = total != len(self._ids)
            values = (question, k, json.dumps(self._ids.tolist())) if narrow else (question, k)
            rows: list[Any] = connection.execute(NEAREST + (WITHIN if narrow else ""), values).fetchall()
            if not narrow and not np.isin([row[0] for row in rows], self._ids).all():
                # As many as in scope, and yet others: some in scope have no words yet.
                values = (question, k, json.dumps(self._ids.tolist()))
                rows = connection.execute(NEAREST + WITHIN, values).fetchall()
        return sorted((distance, passage) for passage, distance in rows if distance is not None)

    def cosines(self, passages: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of single passages with a [384] vector; 0 for one that has no vector yet."""
        question = quantise(vector.reshape(1, -1))[0].astype(np.float32)
        sql = "SELECT embedding FROM vector WHERE rowid = ?"
        with self._made() as connection:
            blobs: list[Any] = [connection.execute(sql, (int(passage),)).get for passage in passages]
        rows = np.frombuffer(b"".join(blob or bytes(DIMENSION) for blob in blobs), np.int8)
        found = rows.reshape(-1, DIMENSION).astype(np.float32)
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(question)
        cosines: NDArray[np.float32] = (found @ question) / np.maximum(lengths, 1)
        return cosines

    def pointers(self, ids: Sequence[int]) -> list[Pointer]:
        """The pointers of those that are still there, in the order of `ids`."""
        sql = (
            "SELECT p.id, d.id, d.title, d.text, p.start, p.length FROM passage p "
            "JOIN document d ON d.id = p.document_id WHERE p.id IN (SELECT value FROM json_each(?))"
        )
        wanted = [int(i) for i in ids]
        found: dict[int, Pointer] = {}
        with self._store.read() as connection:
            rows: Any = connection.execute(sql, (json.dumps(wanted),))
            for passage, document, title, text, start, length in rows:
                crc32 = zlib.crc32(text[start : start + length].encode("utf-8"))
                found[passage] = Pointer(passage, document, str(document), title, start, length, crc32)
        return [found[i] for i in wanted if i in found]

    def holding(self, text: str) -> NDArray[np.int64]:
        """Ids of passages in which a stretch of text stands, but for what `normal.alike` makes the same."""
        words = stems(searchable(text))
        wanted = alike(text)
        if not words or not wanted:
            return self._ids[:0]
        phrase = '"' + " ".join(word.replace('"', "") for word in _tokens(text)) + '"'
        sql = "SELECT rowid, text FROM word WHERE word MATCH ? ORDER BY rowid LIMIT ?"
        with self._made() as connection:
            rows: list[Any] = connection.execute(sql, (phrase, PHRASES)).fetchall()
        found = np.array([row[0] for row in rows if wanted in alike(row[1])], np.int64)
        return np.intersect1d(found, self._ids)


def _tokens(text: str) -> list[str]:
    """The words of a text as FTS5 parts them; its own tokenizer stems them in the query."""
    return "".join(letter if letter.isalnum() else " " for letter in searchable(text)).split()


def _numbers(joined: Any, separator: str = " ") -> NDArray[np.int64]:  # noqa: ANN401 - a value of SQLite
    return np.fromstring(joined, np.int64, sep=separator) if joined else np.zeros(0, np.int64)
