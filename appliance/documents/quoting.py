"""Passages found without a model, and what they say to a question in their own sentences.

The library's two legs over own documents: words, and vectors where there is an encoder. No reader ranks
them and no gate judges; what comes first is what the legs give. The synthesis is made of quotations alone.
What was read of an archive in memory is remembered until it changes, so that a question costs no look into
it; of one in a file nothing is, since other processes change that too.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.answer.shares import held, shares
from appliance.documents.index import OwnArchive, OwnIndex
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.indexfile import Pointer
from appliance.retrieval import lexical, rescue
from appliance.retrieval.candidates import OVERFETCH, in_book
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import content, words
from appliance.sqlite import lexical_text
from appliance.vectors import Encoder

QUOTED = 3  # sentences of a synthesis
NEAR = 0.6  # of the best sentence's score, from which on another is quoted too
LEAST = 0.3  # share of the question's words that a quoted sentence holds
SHORTEST, LONGEST = 15, 400  # letters of a sentence that is quoted
REMEMBERED = 20_000  # words, and passages


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that can be quoted, at `start` of its document's text, with its words."""

    sentence: str
    start: int
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A found passage; `score` 0…1, `start` its place in the text of `document` (code points)."""

    id: int
    document: int
    title: str
    text: str
    start: int
    metadata: Mapping[str, str]
    told: tuple[Told, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Quotation:
    """A whole sentence of passage `n` (from 1) as it stands at `start` of its document's text."""

    n: int
    sentence: str
    start: int


class Remembering:
    """An index that looks up each word once. As a book for `retrieval`, it is its own phrases."""

    def __init__(self, archive: OwnArchive, index: OwnIndex) -> None:
        self.archive, self._index = archive, index
        self._postings: dict[str, NDArray[np.int64]] = {}
        self.path: Path = index.path

    @property
    def index(self) -> "Remembering":
        return self

    @property
    def phrases(self) -> OwnIndex:
        return self._index

    @property
    def size(self) -> int:
        return self._index.size

    def without_index(self) -> "Remembering":
        return self

    def postings(self, term: str) -> NDArray[np.int64]:
        found = self._postings.get(term)
        if found is None:
            if len(self._postings) >= REMEMBERED:
                self._postings.clear()
            found = self._postings[term] = self._index.postings(term)
        return found

    def frequency(self, term: str) -> int:
        return len(self.postings(term))

    def similar_terms(self, term: str, limit: int) -> list[tuple[str, int]]:
        return self._index.similar_terms(term, limit)

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        return self._index.nearest(vector, k)

    def cosines(self, passages: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        return self._index.cosines(passages, vector)

    def pointers(self, ids: Sequence[int]) -> list[Pointer]:
        return self._index.pointers(ids)


class Quoter:
    """Asks one scope of an archive. Threads may share it; `changed` after every change of the archive."""

    def __init__(
        self, documents: Documents, encoder: Encoder | None = None, scope: Scope | None = None
    ) -> None:
        self._documents, self._encoder, self._scope = documents, encoder, scope or Scope()
        self._book: Remembering | None = None
        self._passages: dict[int, Passage] = {}
        self._lock = Lock()

    def changed(self) -> None:
        with self._lock:
            self._book = None
            self._passages = {}

    def search(self, question: str, k: int) -> list[Passage]:
        """The first `k` passages, best first; none for a question without a letter or digit."""
        if not words(question):
            return []
        if self._documents.store.path is not None:
            self.changed()
        with self._lock:
            if self._book is None:
                opened = self._documents.book(self._scope)
                self._book = Remembering(opened.archive, opened.phrases)
            book, known = self._book, self._passages
        hits = lexical.search(book, lexical.weigh(book, content(lexical_text(question))))
        vector = self._encoder.encode([question])[0] if self._encoder else None
        most = k if vector is None else OVERFETCH  # of words alone the best are the best
        ranked = sorted(in_book(book, hits, vector, most), key=lambda one: -one.score)
        found = rescue.lifted(ranked, [(book, hits)], rescue.tokens(question))[:k]
        self._remember(known, [one.passage for one in found])
        return [replace(known[one.passage], score=one.score) for one in found if one.passage in known]

    def _remember(self, known: dict[int, Passage], ids: Sequence[int]) -> None:
        if len(known) >= REMEMBERED:
            known.clear()
        missing = [number for number in ids if number not in known]
        if not missing:
            return
        sql = (
            "SELECT p.id, d.id, d.title, substr(d.text, p.start + 1, p.length), p.start, d.meta "
            "FROM passage p JOIN document d ON d.id = p.document_id "
            "WHERE p.id IN (SELECT value FROM json_each(?))"
        )
        with self._documents.store.read() as connection:
            rows: Any = connection.execute(sql, (json.dumps(missing),)).fetchall()
        for number, document, title, text, start, meta in rows:
            known[number] = Passage(
                number, document, title, text, start, json.loads(meta), _told(text, start)
            )


def _told(text: str, start: int) -> tuple[Told, ...]:
    found = []
    for written in sentences(text):
        sentence = written.strip()
        if SHORTEST <= len(sentence) <= LONGEST:
            found.append(Told(sentence, start + written.index(sentence), held(sentence)))
        start += len(written)
    return tuple(found)


def synthesis(question: str, passages: Sequence[Passage]) -> list[Quotation]:
    """At most QUOTED sentences that hold the most of the question's words, in the order of the passages."""
    told = [(n, one) for n, passage in enumerate(passages, 1) for one in passage.told]
    scores = shares(question, [one.words for _, one in told])
    least = max(LEAST, NEAR * max(scores, default=0.0))
    best = sorted((at for at, score in enumerate(scores) if score >= least), key=lambda at: -scores[at])
    distinct = {told[at][1].sentence: at for at in reversed(best)}  # of equal ones the best passage's
    kept = sorted(sorted(distinct.values(), key=best.index)[:QUOTED])
    return [Quotation(told[at][0], told[at][1].sentence, told[at][1].start) for at in kept]
