"""The words leg: which passages hold the words of a question, each word weighted by how rare it is.

A passage's share is the summed weight of the question's words that stand in it (or in its document's title)
over the summed weight of all of them: 1 when it holds every word. The weight of a word is its inverse
document frequency (Robertson and Spärck Jones). Measured against bm25 in docs/decisions/0001-lexical-part.md:
as the words half of a fused ranking the plain share is better, at a quarter of the bytes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import DamerauLevenshtein

LARGE = 100_000  # passages; from here on a word that stands everywhere costs more than it tells
COMMON = 1 / 20
MAX_WORDS = 32
MIN_CORRECTED = 5  # letters; shorter words have too many neighbours to guess at


class WordIndex(Protocol):
    """What the words leg needs of an index (indexfile.Index)."""

    @property
    def size(self) -> int: ...
    def postings(self, term: str) -> NDArray[np.int64]: ...
    def frequency(self, term: str) -> int: ...
    def similar_terms(self, term: str, limit: int) -> list[tuple[str, int]]: ...


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question and how much it tells in one archive. `frequency` counts passages. `capital`: how
    much of a name the archive makes of it, 0…1, where that was looked up (`capitals`)."""

    word: str
    weight: float
    frequency: int
    capital: float = 0.0


@dataclass(frozen=True, slots=True)
class WordHits:
    """Every passage that holds at least one of the terms: ids ascending, and their shares (0…1)."""

    terms: tuple[Term, ...]
    passages: NDArray[np.int64]
    shares: NDArray[np.float32]

    def best(self, k: int) -> NDArray[np.int64]:
        """The k passages with the highest shares, best first; equal ones in the order of the archive."""
        if len(self.shares) <= k:
            kept = np.arange(len(self.shares))
        else:
            least = np.partition(self.shares, -k)[-k]
            kept = np.flatnonzero(self.shares >= least)
        order = np.argsort(-self.shares[kept], kind="stable")[:k]
        return self.passages[kept[order]]

    def share_of(self, passages: NDArray[np.int64]) -> NDArray[np.float32]:
        """Shares of any passages, 0 for those without a single term."""
        if not len(self.passages):
            return np.zeros(len(passages), np.float32)
        at = np.minimum(np.searchsorted(self.passages, passages), len(self.passages) - 1)
        return np.where(self.passages[at] == passages, self.shares[at], np.float32(0))


def weight(frequency: int, passages: int) -> float:
    """Inverse document frequency of a word that stands in `frequency` of `passages` passages; above 0."""
    return math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))


def weigh(index: WordIndex, words: Sequence[str]) -> tuple[Term, ...]:
    """The words as terms of one archive, at most MAX_WORDS of them.

    In a large archive those that stand in more than a twentieth of it are left out, unless nothing else
    would be left.
    """
    terms = []
    for word in words[:MAX_WORDS]:
        frequency = index.frequency(word)
        terms.append(Term(word, weight(frequency, index.size), frequency))
    if index.size < LARGE:
        return tuple(terms)
    telling = [term for term in terms if term.frequency <= COMMON * index.size]
    return tuple(telling if any(term.frequency for term in telling) else terms)


def search(index: WordIndex, terms: Sequence[Term]) -> WordHits:
    """All passages with at least one of the terms, and the share that each holds."""
    lists = [index.postings(term.word) if term.frequency else np.empty(0, np.int64) for term in terms]
    total = sum(term.weight for term in terms)
    if not total or not any(len(found) for found in lists):
        return WordHits(tuple(terms), np.empty(0, np.int64), np.empty(0, np.float32))
    weights = np.repeat([term.weight / total for term in terms], [len(found) for found in lists])
    shares = np.bincount(np.concatenate(lists), weights, index.size + 1).astype(np.float32)
    passages = np.flatnonzero(shares)
    return WordHits(tuple(terms), passages, shares[passages])


def correction(indexes: Sequence[WordIndex], stem: str) -> str:
    """The stem of the archives most likely meant by one that stands nowhere; "" when none is close.

    One slip is allowed, two from seven letters on, never in the first letter. Words with digits are left
    alone: another number is another thing.
    """
    if len(stem) < MIN_CORRECTED or not stem.isalpha():
        return ""
    allowed = 1 if len(stem) < 7 else 2
    best: tuple[int, int, str] | None = None
    for index in indexes:
        for candidate, frequency in index.similar_terms(stem, 20):
            slips = DamerauLevenshtein.distance(stem, candidate, score_cutoff=allowed)
            if slips <= allowed and candidate[:1] == stem[:1]:
                found = (slips, -frequency, candidate)
                best = min(best, found) if best else found
    return best[2] if best else ""


def corrected(
    words: Sequence[str], indexes: Sequence[WordIndex], stem: Callable[[str], Sequence[str]]
) -> dict[str, str]:
    """For each word that stands in no index, the nearest stem that does (if one is near)."""
    replaced: dict[str, str] = {}
    for word in words[:MAX_WORDS] if indexes else ():
        stems = stem(word)
        if len(stems) == 1 and not any(index.frequency(word) for index in indexes):
            meant = correction(indexes, stems[0])
            if meant:
                replaced[word] = meant
    return replaced
