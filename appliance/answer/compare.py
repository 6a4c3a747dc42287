"""Differences, ratios and sums of two things, years between two events, ages, one figure in another unit.
Pure.

Each side must have its one figure in the passages, in sentences that name the side's thing whole.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from appliance.answer.dates import MONTHS, Day, days
from appliance.answer.expressions import As, Constant, Expression, Step
from appliance.answer.figures import Figure
from appliance.answer.stated import PLAIN, PLAIN_EVENT, Asked, Sentence, among, stray, subject
from appliance.answer.sums import target
from appliance.answer.units import YEAR, Quantity, alike, convert
from appliance.retrieval.words import fold, words

_KINDS = {  # what is compared: (a unit of its kind, words of which one must stand beside the figure)
    "tall": ("meter", "tall high height elevation altitude haut hauteur alto altura"),
    "long": ("meter", "long length longueur longitud largo"),
    "wide": ("meter", "wide width largeur ancho"),
    "deep": ("meter", "deep depth profond profondeur profundidad"),
    "heavy": ("kilogram", "weigh weighs weight mass heavy pese poids pesa peso"),
    "large": ("meter**2", "area large covers size superficie extension"),
    "populous": ("person", "people population inhabitants residents habitants habitantes"),
}
_NAMED = {
    "tall": "taller higher height elevation heights tall high",
    "long": "longer length lengths long",
    "wide": "wider width wide",
    "deep": "deeper depth deep",
    "heavy": "heavier weight mass heavy",
    "large": "larger bigger area",
    "populous": "population populations inhabitants people",
}
MEASURES = {word: kind for kind, named in _NAMED.items() for word in named.split()}
_OTHERWISE = re.compile(
    r"[\s(]*(?:taller|higher|longer|wider|deeper|heavier|larger|less|more|above|below|away|from)\b"
)
_MORE = re.compile(r"how much (\w+) (?:is|are|was|were) (.+?) than (.+)$")
_TIMES = re.compile(r"how many times (\w+) (?:is|are|was|were) (.+?) than (.+)$")
_BETWEEN = re.compile(
    r"(?:what is|calculate|whats) the (difference|ratio) (?:in|of) (\w+) "
    r"(?:between|of) (.+?) (?:and|to) (.+)$"
)
_TOGETHER = re.compile(r"what is the (?:combined|total) (\w+) of (.+?) and (.+)$")
_YEARS = re.compile(
    r"(?:how many years|how much time|how long|combien d'annees|cuantos anos)\b.*?\b"
    r"(?:between|entre|separent|separan|passed between) (.+?) (?:and|et|y) (.+)$"
)
_AFTER = re.compile(r"how many years (after|before) (.+?) (?:did|was|were) (.+)$")
_AGE = re.compile(r"(?:how old was (.+?) (?:when (?:he|she) died"
                  r"|at (?:his|her|the time of (?:his|her)) death)"
                  r"|at what age did (.+?) die)$")  # fmt: skip
_MORE_IN = re.compile(
    r"how many (more|fewer) (\w+) (?:did|does|do) (.+?) (?:have|has) in (\d{4}) than in (\d{4})$"
)
_PAID = re.compile(
    r"\b(?:cost|costs|costing|price|priced|paid|pays?|pay|worth|sold for|bought for)\b[^.;]{0,12}$"
)
_HERE = re.compile(  # where a text is at home: "came to the village" is no other coming
    r"\b(?:to|into|in|at) (?:the|our|this) (?:village|town|city|valley|parish|island|country|region|district)"
    r"\b(?! of\b)"
)
_ALSO = re.compile(r"\s+and\b")
_COMMA = re.compile(r"[,;]\s+")
_HOW = re.compile(r"how (tall|high|long|wide|deep|heavy) (?:is|are|was) (.+?) in [\w ]+$")


def between(asked: Asked) -> Expression | None:
    """ "how much taller is X than Y", "how many times larger", "the difference in height between",
    "combined"."""
    for pattern in (_MORE, _TIMES, _BETWEEN, _TOGETHER):
        if match := pattern.match(asked.folded):
            break
    else:
        return None
    *kind, one, other = match.groups()
    first, second = _stated(asked, kind[-1], one), _stated(asked, kind[-1], other)
    if asked.figures or first is None or second is None or first.low != first.high:
        return None
    if asked.at(first).years != asked.at(second).years:
        return None  # counted in different years
    if pattern is _TOGETHER:
        return Step("+", first, second)
    if pattern is _TIMES or "ratio" in kind:
        return Step("÷", first, second)
    if _base(first) > _base(second):
        return Step("−", first, second)
    return None if pattern is _MORE else Step("−", second, first)  # "taller" has it the wrong way round


def more(asked: Asked) -> Expression | None:
    """ "how many more members did X have in 1924 than in 1923", each told in a sentence of its year alone."""
    if not (match := _MORE_IN.match(asked.folded)):
        return None
    way, noun, thing, *of = match.groups()
    told = [_counted(asked, noun, thing, int(year)) for year in of]
    if told[0] is None or told[1] is None:
        return None
    more_of, less_of = (told[0], told[1]) if way == "more" else (told[1], told[0])
    return Step("−", more_of, less_of) if more_of.low > less_of.low else None


def _counted(asked: Asked, noun: str, thing: str, year: int) -> Figure | None:
    wanted = subject(thing)

    def fits(figure: Figure, sentence: Sentence) -> bool:
        counted = fold(sentence.text[figure.end :]).lstrip().startswith(noun)
        return counted and not figure.unit and sentence.years == {year}

    figure = asked.one(wanted, fits)
    own = figure and _own(asked.at(figure), figure, wanted, {"had", "have", "has", "there", "were"})
    return figure if own else None


def years_given(asked: Asked) -> Expression | None:
    """ "how many years are there between 1889 and 1932"."""
    if not (match := _YEARS.search(asked.folded)):
        return None
    if not all(re.fullmatch(r"(?:1\d{3}|20\d{2})", side.strip()) for side in match.groups()):
        return None
    found = sorted(int(side) for side in match.groups())
    spots = [asked.question.rfind(str(year)) for year in found]
    first, last = (_as_figure(year, str(year), spot, 0) for year, spot in zip(found, spots, strict=True))
    return Step("−", last, first)


def years(asked: Asked) -> Expression | None:
    """ "how many years between the founding of X and the death of Y", "how many years after A was B"."""
    match = _YEARS.search(asked.folded) or _AFTER.match(asked.folded)
    if not match:
        return None
    *order, one, other = match.groups()
    first, last = _event(asked, subject(one, ("year",))), _event(asked, subject(other, ("year",)))
    if first is None or last is None:
        return None
    if order:
        earlier, later = (first, last) if order == ["after"] else (last, first)
    else:
        earlier, later = sorted((first, last), key=lambda figure: figure.low)
    return Step("−", later, earlier) if later.low > earlier.low else None


def age(asked: Asked) -> Expression | None:
    """The years between birth and death, from whole dates in one sentence: with years alone it could be one
    less."""
    match = _AGE.match(asked.folded)
    wanted = subject(next(filter(None, match.groups()))) if match else []
    lives: list[tuple[Day, Day, Sentence]] = []
    for sentence in asked.sentences:
        if wanted and sentence.about(wanted):
            found = [day for day in days(sentence.text) if day.exact]
            if stray(sentence.text[: found[0].start] if found else "", wanted, PLAIN_EVENT | {"born"}):
                continue
            if len(found) == 2 and re.search(r"[–—-]|\bdied\b", sentence.text[found[0].end : found[1].start]):
                lives.append((found[0], found[1], sentence))
    if len({(born.first, died.first) for born, died, _ in lives}) != 1:
        return None
    born, died, sentence = lives[0]
    return _age(born.first, died.first, born, died, sentence.n)


def converted(asked: Asked) -> Expression | None:
    """ "how tall is X in feet", where the passages give it in metres alone."""
    match, (wanted, _) = _HOW.match(asked.folded), target(asked)
    if not match or not wanted or asked.figures:
        return None
    figure = _stated(asked, match.group(1), match.group(2))
    if figure is None or figure.unit == wanted or not alike(figure.unit, wanted):
        return None
    there = any(other.unit == wanted for s in asked.sentences if s.n == figure.source for other in s.figures)
    return None if there else As(figure, wanted)


def _stated(asked: Asked, word: str, side: str) -> Figure | None:
    if (kind := MEASURES.get(word)) is None:
        return None
    unit, beside = _KINDS[kind][0], set(_KINDS[kind][1].split())

    def fits(figure: Figure, sentence: Sentence) -> bool:
        counted = unit == "person" and not figure.unit and not figure.is_year and figure.low >= 100
        if _of_another(figure, sentence, kind):
            return False
        return bool(beside & sentence.here) and (counted or (bool(figure.unit) and alike(figure.unit, unit)))

    figure = asked.one(subject(side), fits, asked.cells)
    if figure and not _own(asked.at(figure), figure, subject(side), beside):
        return None
    return replace(figure, unit=unit) if figure and not figure.unit else figure


def _of_another(figure: Figure, sentence: Sentence, kind: str) -> bool:
    """Whether what stands beside a figure gives it another meaning: "9 metres wide", "cost 340 pounds"."""
    after = words(fold(sentence.text[figure.end :]))[:1]
    if after and MEASURES.get(after[0], kind) != kind:
        return True
    paid = _PAID.search(fold(sentence.text[: figure.start]))
    return paid is not None and "pound" in fold(figure.text)


def _own(sentence: Sentence, figure: Figure, wanted: list[str], beside: set[str]) -> bool:
    """Whether it is the thing's own figure, not that of its antenna, of a plan or of what it lost."""
    before = sentence.text[: figure.start]
    for other in reversed(sentence.figures):
        if other.end <= figure.start:
            also = _ALSO.match(before, other.end)  # "cost 340 pounds and weighs": another thing said of it
            start = len(before[: other.start].rstrip().rpartition(" ")[0]) if also else other.start
            before = before[:start] + " " + before[also.end() if also else other.end :]
    named = all(among(word, sentence.here) for word in wanted) or set(subject(sentence.above)) == set(wanted)
    after = fold(sentence.text[figure.end :])
    other_thing = re.search(r"\b(?:an?|une?)\s*$", before) or _OTHERWISE.match(after)  # "has a 30 kg clapper"
    return named and not other_thing and not stray(before, wanted, PLAIN | beside)


def _event(asked: Asked, wanted: list[str]) -> Figure | None:
    """The one year in the sentences about an event: a sentence with two years tells nothing."""
    if len(wanted) < 2:
        return None  # a name alone is no event
    found = {}
    for sentence in asked.sentences:
        if sentence.about(wanted) and not sentence.denies:
            text = _clause(sentence.text, wanted)
            there = {(day.first.year, day.last.year): day for day in days(text)}
            if not there:
                continue
            if len(there) != 1 or any(day.open for day in there.values()):
                return None
            told = text[: next(iter(there.values())).start]
            if not _names(told, wanted):
                told = text  # the date comes first, or the name stands above
            if stray(_HERE.sub("", told), wanted, PLAIN_EVENT | MONTHS):
                return None
            (first, last), day = next(iter(there.items()))
            if first != last:
                return None
            found[first] = _as_figure(first, day.text, day.start, sentence.n)
    return next(iter(found.values())) if len(found) == 1 else None


def _clause(text: str, wanted: Sequence[str]) -> str:
    """The one clause of a sentence that names an event whole and has a date; else the sentence."""
    found = [part for part in _COMMA.split(text) if _names(part, wanted) and days(part)]
    return found[0] if len(found) == 1 else text


def _names(text: str, wanted: Sequence[str]) -> bool:
    here = frozenset(map(fold, words(text)))
    return all(among(word, here) for word in wanted)


def _age(first: date, last: date, born: Day, died: Day, n: int) -> Expression | None:
    left, right = (
        _as_figure(last.year, died.text, died.start, n),
        _as_figure(first.year, born.text, born.start, n),
    )
    whole: Expression = Step("−", left, right)
    if (last.month, last.day) < (first.month, first.day):
        return Step("−", whole, Constant(Quantity(Fraction(1), YEAR)))  # that year's birthday was not reached
    return whole if last.year > first.year else None


def _as_figure(year: int, text: str, start: int, n: int) -> Figure:
    return Figure(text, Fraction(year), Fraction(year), YEAR, start, start + len(text), n)


def _base(figure: Figure) -> Fraction:
    """For comparing figures of one kind in several units."""
    unit = next((kind for kind, _ in _KINDS.values() if alike(figure.unit, kind)), figure.unit)
    return convert(figure.quantity, unit).value
