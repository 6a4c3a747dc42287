"""Figures in a text: numbers with their units, ranges and years, as exact values. Pure.

How a number is read depends on the language of its text: 1,500 is one and a half thousand in English and one
and a half in French; 1.500 the other way round in Spanish. What could be both is not read at all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from appliance.answer.units import WRITTEN, Quantity, read_unit
from appliance.retrieval.numbers import COUNTED
from appliance.retrieval.words import fold, told, words

_DIGITS = r"\d{1,3}(?:[   ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,']\d+)*"
_SCALE = {
    "en": {"thousand": 3, "million": 6, "millions": 6, "billion": 9, "trillion": 12, "m": 0},
    "fr": {"mille": 3, "million": 6, "millions": 6, "milliard": 9, "milliards": 9, "billion": 12},
    "es": {"mil": 3, "millon": 6, "millones": 6, "mil millones": 9, "billon": 12, "billones": 12},
}
_SCALED = (
    r"(?:\s+(?P<scale>mil millones|thousand|mille|mil|millions?|millones|mill[oó]n|billions?|milliards?"
    r"|bill[oó]n(?:es)?|trillion)\b(?:\s+(?:de|d['’]))?)?"
)
_UNSETTLED = ("billion", "billions", "trillion")  # a thousand times more in French than in English
_BEFORE = 40  # letters in front of a figure that can bound it
_LONGEST = 40  # digits of a number: nobody needs more, and Python reads no more than 4,300
_COUNT_WORDS = "|".join(
    sorted((word for word in COUNTED if word not in ("zero", "null")), key=len, reverse=True)
)
_JOIN = r"(?:\s*[-–—]\s*|\s+(?:to|à|a)\s+)"
_NUMBER = re.compile(
    rf"(?:\b(?P<between>between|entre)\s+|(?<![\w.,/])(?P<minus>[-−])(?=\d)|(?<![\w.,/]))(?P<low>{_DIGITS})"
    rf"(?:(?(between)\s+(?:and|et|y)\s+|{_JOIN})(?P<high>{_DIGITS}))?{_SCALED}(?![\w])"
    rf"|(?<!\w)(?P<word>{_COUNT_WORDS})(?!\w)",
    re.IGNORECASE,
)
_ATTACHED = re.compile(rf"(?<![\w.,/])(?:(?P<minus>[-−])(?=\d))?(?P<low>{_DIGITS})(?=[a-zA-ZµΩ°])")
_FEET = re.compile(r"(?<![\w.,])(\d{1,2})\s*(?:ft|feet|foot|′|')\s*(\d{1,2})\s*(?:inches|inch|in\b|″|\")")
LOOSE = re.compile(
    r"(?:at least|at most|up to|above|below|exceeding|greater than|over|under"
    r"|more than|less than|fewer than|nearly|almost|maximum(?: of)?"
    r"|no more than|plus de|moins de|jusqu['’]à|au (?:plus|moins)|près de"
    r"|presque|más de|menos de|hasta|al menos|casi)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a text. `low` and `high` are one but for a range; `start` and `end` are its place in the
    text, with its unit. `source` is the passage's number, 0 for the question. `loose`: "up to", "more than"
    before it."""

    text: str
    low: Fraction
    high: Fraction
    unit: str
    start: int
    end: int
    source: int = 0
    loose: bool = False

    @property
    def is_year(self) -> bool:
        """A bare whole number that could be a year."""
        return (
            not self.unit and self.low == self.high and re.fullmatch(r"1\d{3}|20\d{2}", self.text) is not None
        )

    @property
    def quantity(self) -> Quantity:
        """Of a figure that is no range."""
        return Quantity(self.low, self.unit)


def language_of(text: str) -> str:
    """The text's language as far as it tells how numbers are written; "" when it does not tell."""
    return told(words(text))


def figures(text: str, language: str, source: int = 0) -> list[Figure]:
    """All that can be read without doubt, in order. A number in words counts only with a unit: "three
    hours"."""
    taken = bytearray(len(text))  # 1 where a letter belongs to a figure that was read
    found: list[Figure] = []
    for match in _FEET.finditer(text):
        inches = Fraction(int(match[1]) * 12 + int(match[2]))
        found.append(Figure(match.group(), inches, inches, "inch", *match.span(), source))
        taken[match.start() : match.end()] = b"\1" * len(match.group())
    for match in _matches(text):
        if any(taken[match.start() : match.end()]):
            continue
        figure = _figure(text, match, language, source)
        end = figure.end if figure else match.end()
        taken[match.start() : end] = b"\1" * (end - match.start())
        if figure:
            found.append(figure)
    return sorted(found, key=lambda figure: figure.start)


def _matches(text: str) -> Iterator[re.Match[str]]:
    yield from _NUMBER.finditer(text)
    yield from _ATTACHED.finditer(text)


def _figure(text: str, match: re.Match[str], language: str, source: int) -> Figure | None:
    groups = match.groupdict()
    after = match.end() + (text[match.end() : match.end() + 1] in tuple(" \u00a0\u202f-"))
    unit, length = read_unit(text[after:])
    end = after + length if unit else match.end()
    loose = LOOSE.search(text[max(0, match.start() - _BEFORE) : match.start()]) is not None
    if groups.get("word"):
        value = Fraction(COUNTED[fold(groups["word"])])
        return (
            Figure(text[match.start() : end], value, value, unit, match.start(), end, source, loose)
            if unit
            else None
        )
    low, high = read_number(groups["low"], language), None
    if low is None or _unread(text, match, after, unit):
        return None
    scale = groups.get("scale")
    if scale and not language and fold(scale) in _UNSETTLED:
        return None
    factor = Fraction(10) ** _power(scale, language) if scale else Fraction(1)
    if groups.get("high"):
        high = read_number(groups["high"], language)
        if high is None or high <= low or groups["minus"]:
            return None
    sign = -1 if groups["minus"] else 1
    low, high = low * factor * sign, (high or low) * factor * (1 if high else sign)
    return Figure(text[match.start() : end], low, high, unit, match.start(), end, source, loose)


def _unread(text: str, match: re.Match[str], after: int, unit: str) -> bool:
    """Whether letters or a slash that are no unit are attached to the number: "5kb", "3rd", "10 mg/foo"."""
    if unit:
        return unit == "ampere" and match.group("low").isdigit() and 1000 <= int(match.group("low")) <= 2100
    attached = text[match.end() : match.end() + 1]
    compound = WRITTEN.match(text[after:])  # "grams per bottle": begins with a unit and goes on with none
    begun = compound is not None and read_unit(re.split(r"/| ", compound.group())[0])[1] > 0
    return (
        begun or attached.isalpha() or attached in tuple("/°²³^") or text[after : after + 1] in tuple("/^°")
    )


def read_number(written: str, language: str) -> Fraction | None:
    """ "1,300.5" -> 2601/2. None when the separators can be read in two ways, or in none."""
    plain = re.sub(r"[\s\u00a0\u202f']", "", written)
    if len(plain) > _LONGEST or plain.startswith("00"):
        return None
    marks = [mark for mark in plain if mark in ".,"]
    if not marks:
        return Fraction(plain)
    last = marks[-1]
    head, _, tail = plain.rpartition(last)
    if len(set(marks)) == 2:
        grouped = re.fullmatch(rf"\d{{1,3}}(?:\{marks[0]}\d{{3}})+", head)
        return (
            Fraction(re.sub(r"[.,]", "", head) + "." + tail) if grouped and marks.count(last) == 1 else None
        )
    if len(marks) > 1:
        grouped = re.fullmatch(rf"\d{{1,3}}(?:\{last}\d{{3}})+", plain)
        return Fraction(plain.replace(last, "")) if grouped else None
    thousands = len(tail) == 3 and 1 <= len(head) <= 3 and not head.startswith("0")
    if not thousands:
        return Fraction(f"{head}.{tail}")
    decimal = {("en", "."): True, ("en", ","): False, ("fr", ","): True, ("es", "."): False,
               ("de", "."): False,
               ("de", ","): True}.get((language, last))  # fmt: skip
    if decimal is None:
        return None
    return Fraction(f"{head}.{tail}") if decimal else Fraction(head + tail)


def _power(word: str, language: str) -> int:
    table = _SCALE.get(language, _SCALE["en"])
    key = fold(word)
    return table.get(key) or max(scales.get(key, 0) for scales in _SCALE.values())


def written(value: Fraction, language: str, digits: int = 4) -> tuple[str, bool]:
    """A value as people of that language write it, and whether it had to be rounded to so many significant
    digits. Whole numbers up to a billion billion are never rounded."""
    if value.denominator == 1 and abs(value) < 10**18:
        plain, exact = str(abs(value.numerator)), True
    else:
        plain, exact = _rounded(abs(value), digits)
    whole, _, part = plain.partition(".")
    group, point = {"fr": ("\u202f", ","), "es": ("\u202f", ",")}.get(language, (",", "."))
    if len(whole) > 4 or (len(whole) == 4 and language not in ("fr", "es")):
        whole = f"{int(whole):,}".replace(",", group)
    return ("−" if value < 0 else "") + whole + (point + part if part else ""), not exact


def _rounded(value: Fraction, digits: int) -> tuple[str, bool]:
    """As a decimal number of at least so many significant digits, none of them a trailing zero; whole when it
    has no more than three decimals."""
    if (value * 1000).denominator == 1 and value < 10**9:
        return f"{value.numerator / value.denominator:.3f}".rstrip("0").rstrip("."), True
    size = len(str(value.numerator // value.denominator)) if value >= 1 else 0
    places = max(0, digits - size)
    if 0 < value < 1:
        while value * 10**places < 10 ** (digits - 1) and places < 30:
            places += 1
    scaled = value * 10**places
    nearest = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)  # half away from zero
    text = str(nearest).rjust(places + 1, "0")
    plain = f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".") if places else text
    return plain, Fraction(nearest, 10**places) == value
