"""Does a passage support a claim? A lexical rule, pure, and strict where being wrong hurts.

Numbers and years of the claim must stand in the passage, names in the passage or in the question, in any
written form (`retrieval.exact`); of its other words most must. It cannot see a negation, or who did what to
whom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from appliance.retrieval import exact
from appliance.retrieval.words import content, fold, words

ENOUGH = 0.6  # share of a claim's words that must stand in the passage or in the question
MARGIN = 0.15  # a cited passage this much weaker than the best one gives way to it
_CJK = "\u2e80"  # from here on, words are not set apart by spaces


@dataclass(frozen=True)
class Ground:
    """What a claim is held against: one passage with its title, and the question that was asked."""

    passage: str
    question: str

    def share(self, claim: str) -> float:
        """0…1: how much of the claim's words the passage (or the question) has; 0 when a number or a name of
        it is in neither form there."""
        wanted = exact.named(claim)
        if exact.missing(exact.Named(wanted.numbers, wanted.decades, ()), self.passage):
            return 0.0
        if exact.missing(exact.Named((), (), wanted.names), f"{self.passage}\n{self.question}"):
            return 0.0
        claimed = _terms(content(claim))
        found = [term for term in claimed if self._has(term)]
        asked = [term for term in claimed if term not in found and _among(term, self._asked)]
        # Words that only repeat the question support nothing by themselves.
        return (len(found) + len(asked)) / len(claimed) if found else 0.0

    def _has(self, term: str) -> bool:
        return _among(term, self._held)

    @cached_property
    def _held(self) -> dict[str, list[str]]:
        return _by_beginning(_terms(words(self.passage)))

    @cached_property
    def _asked(self) -> dict[str, list[str]]:
        return _by_beginning(_terms(words(self.question)))


def supporting(claim: str, cited: Sequence[int], grounds: Sequence[Ground]) -> tuple[int, ...]:
    """The numbers (from 1) of the passages that a claim may cite, empty when none supports it.

    Cited ones that support it stay unless another is clearly closer; else the closest one is named, also
    for a claim that cites nothing. A claim may also rest on all that it cites together.
    """
    shares = [ground.share(claim) for ground in grounds]
    best = max(shares, default=0.0)
    if best >= ENOUGH:
        kept = tuple(n for n in cited if shares[n - 1] >= max(ENOUGH, best - MARGIN))
        return kept or (shares.index(best) + 1,)
    if len(cited) > 1:
        together = Ground("\n".join(grounds[n - 1].passage for n in cited), grounds[0].question)
        if together.share(claim) >= ENOUGH:
            return tuple(cited)
    return ()


def _terms(found: Sequence[str]) -> list[str]:
    terms = []
    for word in map(fold, found):
        terms += list(word) if word >= _CJK else [word]
    return terms


def _by_beginning(terms: Sequence[str]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for term in set(terms):
        table.setdefault(term[:4], []).append(term)
    return table


def _among(term: str, table: dict[str, list[str]]) -> bool:
    """Whether the term or another form of it is there: one that begins alike for most of its length."""
    return any(term == other or _alike(term, other) for other in table.get(term[:4], ()))


def _alike(one: str, other: str) -> bool:
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common >= max(4, 0.6 * max(len(one), len(other)))
