"""Whether two claims that differ seem to be of the same thing: rules first, then the reader. Pure.

A wrong one costs a glance and can be dismissed, so the rules are less strict than those of
`answer.contradictions`, which speak in an answer: words may be missing on one side, but none may tell the two
apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from appliance.answer.compare import MEASURES
from appliance.answer.contradictions import NARROWING
from appliance.answer.dates import days
from appliance.documents.claims import FEWEST, Claim

MEASURED = frozenset(MEASURES)
SHARED = 0.66  # of the words of the shorter claim, those that the other has too

Read = Callable[[str, Sequence[str]], Sequence[float]]
"""A reader: a question and texts to one logit a text; nothing while it is down."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim in its document, whose title is `above`; `start` is its sentence's place there. `id` 0: it is
    not kept yet."""

    id: int
    document: int
    passage: int
    start: int
    above: str
    claim: Claim


def of_one_thing(one: Placed, other: Placed) -> bool:
    """Whether two claims of one kind seem to speak of the same thing and of the same time."""
    mine, theirs = one.claim, other.claim
    shared = mine.about & theirs.about
    if len(shared) < FEWEST or len(shared) < SHARED * min(len(mine.about), len(theirs.about)):
        return False
    for a, b in ((mine.subject, theirs.subject), (mine.names, theirs.names)):
        if a - theirs.about and b - mine.about:
            return False  # the stone bridge and the iron bridge
    if mine.said & NARROWING != theirs.said & NARROWING:
        return False
    if {MEASURES[word] for word in mine.said & MEASURED} != {
        MEASURES[word] for word in theirs.said & MEASURED
    }:
        return False  # long and wide
    if mine.kind == "date":
        return True
    above = [frozenset(day.first.year for day in days(placed.above)) for placed in (one, other)]
    return mine.years == theirs.years and not (all(above) and above[0].isdisjoint(above[1]))


def sure(one: Claim, other: Claim, read: Read) -> float | None:
    """How well each answers the question of the other: the mean of both logits; None while the reader is
    down."""
    asked = ((one, other), (other, one))
    logits = [read(this.question, [f"{that.told} {that.value}"]) for this, that in asked]
    return sum(found[0] for found in logits) / 2 if all(logits) else None
