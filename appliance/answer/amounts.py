"""Whether every number of a claim stands in what was said, with its unit and with what it counts. Pure.

"500 mg" is no "500 g", and a bridge "412 metres long and 12 metres wide" is not 412 metres wide. The same
amount may be written in another way: twelve or 12, 1,300 or 1300, April 12 or 12 April, 3 km or 3,000 m.
"""

from collections.abc import Callable, Sequence

from appliance.answer.figures import Figure, figures, language_of
from appliance.answer.lexicon import BEING, JOINING, PREPOSITIONS, Token
from appliance.answer.units import Quantity, UnitsDisagree, convert, read_unit
from appliance.retrieval.numbers import COUNTED, numbers

BEFORE, AFTER = 3, 4  # words around a number that tell what it counts
_NO_UNIT = BEING | JOINING | PREPOSITIONS | {"the", "a", "an", "le", "la", "les", "el", "los", "las"}


def amounts_hold(
    claim: Sequence[Token],
    said: Sequence[Token],
    around: Sequence[Token],
    alike: Callable[[str, str], bool],
    excused: Callable[[str], bool],
) -> bool:
    """`around` what was said: titles and headings, where a number may stand too. `excused`: a word that the
    question brought in, about which the passage says nothing."""
    if not any(map(is_number, claim)):
        return True
    everything = (*around, *said)
    text = _text(everything)
    values = [numbers(token.text).values for token in everything]
    for place, token in enumerate(claim):
        mine = _values(token)
        if not mine:
            continue
        same = _converted(claim, place, text)
        places = [at for at, theirs in enumerate(values) if mine & theirs]
        if places:
            counted = [
                word
                for word in _counted(claim, place)
                if not excused(word.form) and not (same and read_unit(word.text)[0])
            ]
            if not any(_beside(counted, everything, at, alike) for at in places):
                return False
        elif not same and not all(map(numbers(text).has, mine)):
            return False
    return True


def amounts(words: Sequence[Token]) -> set[int]:
    """The places of numbers and of their units among the words of a claim."""
    found: set[int] = set()
    for place, token in enumerate(words):
        if is_number(token):
            units = words[place + 1 : place + 2]
            found |= {place, *(place + 1 for unit in units if read_unit(unit.text)[0])}
    return found


def converted(claim: str, text: str) -> list[tuple[int, int]]:
    """Where in the text amounts of the claim stand, in any unit: from, to."""
    mine = [one for one in figures(claim, language_of(claim)) if one.unit]
    found = figures(text, language_of(text)) if mine else []
    return [
        (other.start, other.end) for other in found if other.unit and any(_equal(one, other) for one in mine)
    ]


def is_number(token: Token) -> bool:
    return bool(_values(token))


def _values(token: Token) -> frozenset[str]:
    """A number from two on, in every way in which its digits can be read; none for any other word."""
    if token.form[0].isdigit():
        return numbers(token.text, generous=False).values
    counted = COUNTED.get(token.form, 0)
    return frozenset([str(counted)] if counted > 1 else [])


def _counted(words: Sequence[Token], place: int) -> list[Token]:
    """The words after a number that say of what: "metres long"."""
    found = []
    for token in words[place + 1 : place + 3]:
        if token.form in _NO_UNIT:
            break
        found.append(token)
    return found


def _beside(
    counted: Sequence[Token], words: Sequence[Token], place: int, alike: Callable[[str, str], bool]
) -> bool:
    near = words[max(0, place - BEFORE) : place + AFTER]
    return all(any(_same(token, other, alike) for other in near) for token in counted)


def _same(one: Token, other: Token, alike: Callable[[str, str], bool]) -> bool:
    if one.form == other.form or alike(one.form, other.form):
        return True
    return bool(_values(one) & numbers(other.text).values)


def _converted(words: Sequence[Token], place: int, text: str) -> bool:
    """Whether the amount that begins here stands in the text in another unit."""
    code = language_of(text)
    mine = [one for one in figures(_text(words[place : place + 3]), code) if one.unit and not one.start]
    return any(_equal(one, other) for one in mine for other in figures(text, code) if other.unit)


def _equal(one: Figure, other: Figure) -> bool:
    try:
        return [convert(Quantity(end, other.unit), one.unit).value for end in (other.low, other.high)] == [
            one.low,
            one.high,
        ]
    except UnitsDisagree:
        return False


def _text(words: Sequence[Token]) -> str:
    return " ".join(token.text for token in words)
