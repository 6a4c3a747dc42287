"""The sentences of the passages that answer best, by the reader's word (`Evidence.told`); pure.

A small model mixes up what it reads, so it reads the few sentences that answer best and not whole passages;
and what is then shown for what it says must be a sentence that answers by the reader's word, too
(docs/decisions/0015-in-the-archives-words.md has what that is worth).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from appliance.answer.prompt import quoted
from appliance.records import Evidence
from appliance.retrieval.words import told, words

KEPT = 3  # sentences that the model reads
NEAR = 0.5  # logits below the best sentence, within which another of the first passage answers about as well
FAR = 1.0  # within which one does that holds every word that the question is about, in any passage
BESIDE = 3.0  # within which one of the same passage has to do with the question, though it may not answer


@dataclass(frozen=True, slots=True)
class Seen:
    """One sentence of passage `n` (from 1), as the model reads it, with the reader's logit."""

    n: int
    sentence: str
    logit: float


@dataclass(frozen=True, slots=True)
class Focus:
    """The sentences of the passages that an answer may cite, in their order."""

    told: tuple[Seen, ...]

    def logit(self, n: int, text: str) -> float:
        """Of the sentence of passage `n` that the text is, or is a part of; less than any where none is."""
        return max(
            (one.logit for one in self.told if one.n == n and (one.sentence in text or text in one.sentence)),
            default=-math.inf,
        )

    def answers(self, n: int, text: str, restates: bool) -> bool:
        """Whether the text, of passage `n`, answers: about as well as the best and in the first passage; or
        not much worse, where it `restates` the question."""
        behind = self.best.logit - self.logit(n, text)
        return (n == 1 and behind <= NEAR) or (restates and behind <= FAR)

    @property
    def best(self) -> Seen:
        """The sentence that answers best."""
        return max(self.told, key=lambda one: one.logit)


def focus(evidence: Sequence[Evidence]) -> Focus | None:
    """None when no sentence was read."""
    found = tuple(
        Seen(n, text, one.logit)
        for n, item in enumerate(evidence, 1)
        for one in item.told
        if (text := quoted(one.sentence))
    )
    return Focus(found) if found else None


def readable(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The passages up to the first in another language, where the best is in the question's: an answer is
    to be read by whoever asked."""
    spoken = told(words(question))
    if not spoken or not evidence or told(words(evidence[0].text)) != spoken:
        return evidence
    return [*takewhile(lambda one: told(words(one.text)) in (spoken, ""), evidence)]


def narrowed(evidence: Sequence[Evidence], seen: Focus) -> list[Evidence]:
    """The passages, each with those of its sentences that are among the KEPT best, up to the last that has
    one; a passage before it that has none keeps its own best, and one that was not read by its sentences is
    whole."""
    best = sorted(seen.told, key=lambda one: -one.logit)[:KEPT]
    found = []
    for n, item in enumerate(evidence[: max(one.n for one in best)], 1):
        own = [one for one in seen.told if one.n == n]
        kept = [one for one in own if one in best] or sorted(own, key=lambda one: -one.logit)[:1]
        found.append(replace(item, text=_together(kept)) if kept else item)
    return found


def _together(told: Sequence[Seen]) -> str:
    """Sentences as a passage; a table's rows stay rows."""
    return "".join(one.sentence + ("\n" if one.sentence.endswith("|") else " ") for one in told).strip()
