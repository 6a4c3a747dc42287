"""Candidates: what one archive offers for a question, before any text is read.

Both legs over-fetch; every candidate then gets both scores, whichever leg found it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from appliance.indexfile import Index, Pointer
from appliance.records import Document
from appliance.retrieval import fuse, unindexed
from appliance.retrieval.lexical import WordHits, WordIndex
from appliance.sources.zim import ZimArchive
from appliance.sqlite import stems

OVERFETCH = 100  # of each leg in each archive
TITLE_BONUS = 0.5  # of a word that also stands in the title; for the words leg alone


class SearchedIndex(WordIndex, Protocol):
    """What a search needs of an index (indexfile.Index, documents.index.OwnIndex)."""

    path: Path

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]: ...
    def cosines(self, passages: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]: ...
    def pointers(self, ids: Sequence[int]) -> list[Pointer]: ...


class SearchedArchive(unindexed.SearchedArchive, Protocol):
    """What a search needs of an archive (sources.zim.ZimArchive, documents.index.OwnArchive)."""

    def document(self, path: str) -> Document: ...


class Phrases(Protocol):
    """What can be asked for a stretch of text as it stands (documents.index.OwnIndex)."""

    def holding(self, text: str) -> NDArray[np.int64]: ...


class Searched(Protocol):
    """An archive with its index. `phrases` is there for own documents alone, which come and go: nothing of
    them is kept between two questions."""

    @property
    def archive(self) -> SearchedArchive: ...
    @property
    def index(self) -> SearchedIndex | None: ...
    @property
    def phrases(self) -> Phrases | None: ...
    def without_index(self) -> "Searched": ...


@dataclass(frozen=True, slots=True)
class Book:
    """An archive and its index; `problem` is a sentence that says why there is none, or what is wrong."""

    archive: ZimArchive
    index: Index | None
    problem: str = ""

    @property
    def phrases(self) -> None:
        return None

    def without_index(self) -> "Book":
        return replace(self, index=None)


@dataclass(frozen=True, slots=True)
class Candidate:
    book: Searched
    passage: int
    score: float
    share: float
    cosine: float | None


def in_book(
    book: Searched, hits: WordHits, vector: NDArray[np.float32] | None, most: int = OVERFETCH
) -> list[Candidate]:
    """Candidates of one archive with both scores, in no order; `hits` is its words leg, already walked. Each
    leg gives at most `most`.

    Without a vector only the words leg has candidates, and their score is their share.
    """
    index = book.index
    if index is None:
        return []
    passages = hits.best(most)
    if vector is None:
        return [
            Candidate(book, int(passage), float(share), float(share), None)
            for passage, share in zip(passages, hits.share_of(passages), strict=True)
        ]
    near = dict(index.nearest(vector, most))
    others = np.setdiff1d(passages, np.fromiter(near, np.int64, len(near)))
    near.update(zip(others.tolist(), index.cosines(others, vector).tolist(), strict=True))
    passages = np.fromiter(near, np.int64, len(near))
    cosines = np.fromiter(near.values(), np.float32, len(near))
    shares = hits.share_of(passages)
    scores = fuse.weighted(cosines, shares)
    columns = zip(passages.tolist(), scores.tolist(), shares.tolist(), cosines.tolist(), strict=True)
    return [Candidate(book, *column) for column in columns]


def pointed(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Pointer]]:
    """The candidates with their pointers, in their order; one look into each index."""
    pointers: dict[tuple[str, int], Pointer] = {}
    for book in {id(candidate.book): candidate.book for candidate in candidates}.values():
        wanted = [candidate.passage for candidate in candidates if candidate.book is book]
        found = book.index.pointers(wanted) if book.index else []
        pointers |= {(book.archive.name, pointer.id): pointer for pointer in found}
    for candidate in candidates:
        pointer = pointers.get((candidate.book.archive.name, candidate.passage))
        if pointer is not None:
            yield candidate, pointer


def by_title(
    found: Iterable[tuple[Candidate, Pointer]], wanted: Sequence[str]
) -> list[tuple[Candidate, Pointer]]:
    """Ranked again with a bonus for the question's words that stand in the title; scores stay within 1."""
    stemmed = [frozenset(stems(word)) for word in wanted]

    def ranked(candidate: Candidate, pointer: Pointer) -> Candidate:
        present = frozenset(stems(pointer.title))
        titled = sum(word <= present for word in stemmed) / len(stemmed)
        return replace(candidate, score=(candidate.score + TITLE_BONUS * titled) / (1 + TITLE_BONUS))

    again = [(ranked(candidate, pointer), pointer) for candidate, pointer in found]
    return sorted(again, key=lambda item: -item[0].score)
