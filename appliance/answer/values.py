"""What a sentence states for what is asked: its dates, its figures of one kind, its names. Pure."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from typing import Literal

from appliance.answer.dates import Day, days
from appliance.answer.figures import Figure
from appliance.answer.stated import Asked, Sentence, among
from appliance.answer.units import Quantity, alike, convert
from appliance.retrieval.words import fold, words

Kind = Literal["date", "number", "name"]
Value = Day | Figure | str
Reader = Callable[[Sentence], list[tuple[Value, str]]]
TOLERANCE = Fraction(2, 100)  # of the larger value, beyond what its rounding says
_DATE = re.compile(
    r"\b(?:when (?:was|were|did|is)|(?:in )?(?:what|which) year|what (?:was|is) the date|on what date|quand|"
    r"en quelle annee|quelle annee|a quelle date|cuando|en que (?:ano|fecha)|que ano)\b"
)
_NO_EVENT = re.compile(r"\bwhen (?:is|are|do|does|should|can)\b")
_COUNT = re.compile(r"\b(?:how many|combien d(?:e |')|cuant[oa]s)\s*([a-z]+(?: [a-z]+)?)")
_WHO = re.compile(r"\b(?:who|qui|quien) (?:was |were |has |a |est |fue )?(?:the )?(\w+)")
_MEASURES = {  # asked: (a unit of its kind, words of which one must stand in the sentence)
    "how tall": ("meter", "tall high height elevation"),
    "how high": ("meter", "tall high height elevation"),
    "how long": ("meter", "long length"),
    "how wide": ("meter", "wide width"),
    "how deep": ("meter", "deep depth"),
    "how heavy": ("kilogram", "weigh weighs weight mass"),
    "how much does": ("kilogram", "weigh weighs weight mass"),
    "how large": ("meter**2", "area large covers size"),
    "how big": ("meter**2", "area large covers size"),
    "height": ("meter", "tall high height"),
    "elevation": ("meter", "elevation high altitude"),
    "length": ("meter", "long length"),
    "area": ("meter**2", "area covers"),
    "population": ("person", "population people inhabitants residents"),
    "hauteur": ("meter", "haut haute hauteur"),
    "longueur": ("meter", "long longue longueur"),
    "altitude": ("meter", "altitude"),
    "superficie": ("meter**2", "superficie"),
    "altura": ("meter", "altura alto"),
    "longitud": ("meter", "longitud largo"),
    "poblacion": ("person", "poblacion habitantes"),
}


def near(one: Figure, other: Figure) -> bool:
    """Whether the spans that two figures can mean overlap: "5.5 million" is anything from 5.45 to 5.55."""
    unit = one.unit or other.unit
    spans = []
    for figure in (one, other):
        low, high = (
            convert(Quantity(end, figure.unit), unit).value if figure.unit else end
            for end in (figure.low - _rounding(figure), figure.high + _rounding(figure))
        )
        spans.append((low, high))
    slack = TOLERANCE * max(abs(end) for span in spans for end in span)
    (a, b), (c, d) = spans
    return a <= d + slack and c <= b + slack


def _rounding(figure: Figure) -> Fraction:
    """Half of the place of its last digit that is not a zero."""
    value, place = abs(figure.low), Fraction(1)
    while (value / place).denominator != 1 and place > Fraction(1, 10**6):
        place /= 10
    while value and (value / (place * 10)).denominator == 1:
        place *= 10
    return place / 2


def _dated(asked: Asked) -> Reader | None:
    if not _DATE.search(asked.folded) or _NO_EVENT.search(asked.folded):
        return None
    return lambda sentence: [(day, day.text) for day in _distinct(days(sentence.text))]


def _distinct(found: Sequence[Day]) -> list[Day]:
    """One for each span; none at all when one is a bound ("since 1998") or a span of years of another
    kind."""
    if any(day.open or day.first.year > date.today().year for day in found):
        return []
    return list({(day.first, day.last): day for day in found}.values())


def _counted(asked: Asked) -> Reader | None:
    if match := _COUNT.search(asked.folded):
        noun = match.group(1).split()
        return lambda sentence: [(f, f.text) for f in sentence.figures if _counts(f, sentence, noun)]
    for name, (unit, beside) in _MEASURES.items():
        if re.search(rf"\b{name}\b", asked.folded):
            return _measuring(unit, frozenset(beside.split()))
    return None


def _counts(figure: Figure, sentence: Sentence, noun: Sequence[str]) -> bool:
    """Whether the figure counts the noun, which stands at most two words after it."""
    if figure.loose or figure.is_year:
        return False
    inside = sentence.text[figure.start : figure.end]
    after = re.split(r"[.,;:()–—]", sentence.text[figure.end : figure.end + 60])[0]
    near = frozenset(map(fold, [*words(inside), *words(after)[:2]]))
    return among(noun[0], near)


def _measuring(unit: str, beside: frozenset[str]) -> Reader:
    def read(sentence: Sentence) -> list[tuple[Value, str]]:
        found: list[Figure] = []
        for figure in sentence.figures if beside & sentence.here else ():
            counted = unit == "person" and not figure.unit and not figure.is_year and figure.low >= 100
            if counted or (figure.unit and alike(figure.unit, unit)):
                if figure.loose:
                    return []
                if not any(near(figure, other) for other in found):
                    found.append(figure)
        return [(figure, figure.text) for figure in found]

    return read


def _named(asked: Asked) -> Reader | None:
    """Who did it: the name before the question's verb, or after its "by"."""
    match = _WHO.search(asked.folded)
    if not match or not match.group(1).endswith(("ed", "ote", "rew", "built", "on")):
        return None
    verb = match.group(1)
    name = r"((?:[A-ZÀ-Þ][\w'’-]+|de|van|von|of)(?:\s(?:[A-ZÀ-Þ][\w'’.-]+|de|van|von|of))*\s[A-ZÀ-Þ][\w'’-]+)"
    forms = {"wrote": "wrote|written", "drew": "drew|drawn", "won": "won"}.get(verb, re.escape(verb))
    pattern = re.compile(rf"\b(?:{forms}) by {name}|{name} (?:{forms})\b")

    def read(sentence: Sentence) -> list[tuple[Value, str]]:
        if any(
            re.match(r",? (?:and|et|y|&) ", sentence.text[m.end() :]) for m in pattern.finditer(sentence.text)
        ):
            return []  # one of several
        names = [next(filter(None, found.groups())) for found in pattern.finditer(sentence.text)]
        return [(found, found) for found in dict.fromkeys(names)]

    return read


KINDS: dict[Kind, Callable[[Asked], Reader | None]] = {"date": _dated, "number": _counted, "name": _named}
