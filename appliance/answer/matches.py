"""Where in a document the sentences stand that an answer rests on; pure.

The checks read a passage as one line without marks and invisible letters (`prompt.quoted`), and a passage may
have lost what did not fit. Here a sentence is found again in the text as it is, so that a reader sees the
source's own letters at their own place.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from appliance.answer.support import Rest
from appliance.records import Calculation, Citation, Disagreement, Evidence, Match, MatchKind

_MARK = re.compile(r"\[\s*\d[\d\s,;–-]*\]")


def located(sentence: str, text: str) -> tuple[int, int] | None:
    """Start and end of the sentence in the text, whatever white space, marks like "[3]" and invisible letters
    stand in either; None where it is not there."""
    wanted = "".join(letter for letter, _ in _letters(sentence))
    letters = list(_letters(text))
    at = "".join(letter for letter, _ in letters).find(wanted) if wanted else -1
    return (letters[at][1], letters[at + len(wanted) - 1][1] + 1) if at >= 0 else None


def _letters(text: str) -> Iterator[tuple[str, int]]:
    """What is compared, letter by letter, with its place."""
    marks = {place for mark in _MARK.finditer(text) for place in range(*mark.span())}
    for place, letter in enumerate(text):
        seen = letter.isprintable() and not letter.isspace() and unicodedata.category(letter) != "Cf"
        if seen and place not in marks:
            yield ("<" if letter == "‹" else letter), place


def written(rests: Iterable[Rest], evidence: Sequence[Evidence]) -> dict[int, list[Match]]:
    """Of each passage (by its number) what the sentences of an answer are."""
    found: dict[int, list[Match]] = {}
    for rest in rests:
        if match := _match(rest.claim, "copied", rest.sentence, evidence[rest.n - 1]):
            found.setdefault(rest.n, []).append(match)
    return found


def made(
    calculation: Calculation | None, disagreement: Disagreement | None, evidence: Sequence[Evidence]
) -> dict[int, list[Match]]:
    """The same for what code made of the passages."""
    stretches = [(given.n, given.text) for given in calculation.inputs if given.n] if calculation else []
    for side in disagreement.sides if disagreement else ():
        stretches += [(n, side.sentence if n == side.ns[0] else side.value) for n in side.ns]
    found: dict[int, list[Match]] = {}
    for n, stretch in stretches:
        if match := _match(-1, "figure", stretch, evidence[n - 1]):
            found.setdefault(n, []).append(match)
    return found


def citations(
    ns: Iterable[int], evidence: Sequence[Evidence], *matched: dict[int, list[Match]]
) -> tuple[Citation, ...]:
    """The passages of these numbers, in their order, each with all that was matched in it."""
    return tuple(
        Citation(n, evidence[n - 1], tuple(match for found in matched for match in found.get(n, ())))
        for n in sorted(ns)
    )


def _match(claim: int, kind: MatchKind, stretch: str, source: Evidence) -> Match | None:
    found = located(stretch, source.text)
    if found is None:
        return None
    start, end = found
    return Match(claim, kind, source.text[start:end], source.start + start)
