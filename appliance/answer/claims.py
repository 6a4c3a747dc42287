"""Does a passage support a claim? A lexical rule, pure, and strict where being wrong hurts.

Numbers, years and names of the claim must stand in the passage (title and headings are part of it), in any
written form (`retrieval.exact`); of its other words most must. A name that only the question says is not
enough: else what a passage says of one thing would do for another that was asked about. It cannot see a
negation, or who did what to whom.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from appliance.retrieval import exact
from appliance.retrieval.words import LANGUAGES, content, fold, language, words

ENOUGH = 0.6  # share of a claim's words that must stand in the passage or in the question
MARGIN = 0.15  # a cited passage this much weaker than the best one gives way to it
NEWS = 2  # words that the question did not say before an unfinished sentence counts as stating something
_NAME_FIRST = re.compile(r"[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ]")  # a capital tells nothing at the start; two do
_CJK = "\u2e80"  # from here on, words are not set apart by spaces


@dataclass(frozen=True)
class Ground:
    """What a claim is held against: one passage with its title, and the question that was asked."""

    passage: str
    question: str

    def share(self, claim: str) -> float:
        """0…1: how much of the claim's words the passage or the question has; 0 when the passage has none
        of them or lacks a number or a name, and for a bare word that has nothing to do with the question."""
        claimed = _terms(content(claim))
        held = [term for term in claimed if _among(term, self._held)]
        asked = [term for term in claimed if term not in held and _among(term, self._asked)]
        if not held or not self._exact(claim) or _bare(claimed, self._asked):
            return 0.0
        return (len(held) + len(asked)) / len(claimed)

    def states(self, words_so_far: str) -> bool:
        """Whether all of an unfinished sentence stands here, and NEWS words of it are more than the question
        said and more than "It was"."""
        claimed = content(words_so_far)
        news = [term for term in _terms(claimed) if not _among(term, self._asked)]
        if len(news) < NEWS or fold(claimed[0]) in LANGUAGES[language(claimed)]:
            return False
        return all(_among(term, self._held) for term in news) and self._exact(words_so_far)

    def _exact(self, claim: str) -> bool:
        wanted = exact.named(f"so {claim}" if _NAME_FIRST.match(claim) else claim)
        return not exact.missing(wanted, self.passage)

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


def _bare(claimed: Sequence[str], asked: dict[str, list[str]]) -> bool:
    """One word alone, no number, nothing of the question: what a passage that gives orders would have."""
    return len(claimed) == 1 and not claimed[0].isdigit() and not _among(claimed[0], asked)


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
