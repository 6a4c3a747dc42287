"""Dates that stand neither as a day nor as a plain year: before Christ, centuries, seasons, "early March
1923", 12/04/1923, "AD 79", "12 aprile 1923". Pure; English, French, Spanish and German, days in more
languages.

A date in numbers alone is read in the order that the text's other dates prove (a number above 12 is no
month), else the day first, as most of the world writes.
"""

import re
from collections.abc import Callable, Collection, Iterator

from appliance.answer.dates import MONTH
from appliance.documents import calendar, parser
from appliance.documents.calendar import Span
from appliance.retrieval.numbers import ORDINAL
from appliance.retrieval.words import fold

Found = tuple[int, int, Span]
_CHRIST = (
    r"(?:B\.\s?C\.(?:\s?E\.)?|BCE?|av(?:ant|\.)?\s*J\.?-?\s?C\.?|a\.?\s?(?:de\s)?C\.?|v\.\s?Chr\.?)(?![\w])"
)
_AFTER_CHRIST = r"(?:A\.\s?D\.|AD|CE|C\.\s?E\.|ap\.?\s*J\.?-?\s?C\.?|d\.?\s?C\.?|n\.\s?Chr\.?)(?![\w])"
_PARTS = {
    "early": 0, "beginning of": 0, "start of": 0, "début": 0, "debut": 0, "principios de": 0, "anfang": 0,
    "mid": 1, "middle of": 1, "mi": 1, "mediados de": 1, "mitte": 1,
    "late": 2, "end of": 2, "fin": 2, "finales de": 2, "fines de": 2, "ende": 2,
}  # fmt: skip
_PART = rf"(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})[\s-]+(?:the\s+|of\s+|de\s+|del\s+)?"
_SEASONS = {
    "spring": 3, "printemps": 3, "primavera": 3, "frühling": 3, "frühjahr": 3,
    "summer": 6, "été": 6, "verano": 6, "sommer": 6,
    "autumn": 9, "fall": 9, "automne": 9, "otoño": 9, "herbst": 9,
    "winter": 12, "hiver": 12, "invierno": 12,
}  # fmt: skip
_THIRD_OF = {fold(word): third for word, third in _PARTS.items()}
_MONTH_OF = {fold(word): month for word, month in _SEASONS.items()}
_YEAR = r"(?:1\d{3}|20\d{2})"
_OF = r"\s+(?:of\s+|de\s+|del\s+|in\s+|d['’])?(?:the\s+year\s+)?"
_ROMAN = {"I": 1, "V": 5, "X": 10}
_ORDINALS = "|".join(sorted(ORDINAL, key=len, reverse=True))
_MONTHS = "|".join(sorted(MONTH, key=len, reverse=True))

_SEASON = re.compile(
    rf"\b(?P<season>{'|'.join(_SEASONS)}){_OF}(?P<year>{_YEAR})(?:\s*[-–/]\s*(?P<to>\d{{2}}|{_YEAR}))?(?!\w)",
    re.IGNORECASE,
)
_PARTLY = re.compile(
    rf"\b{_PART}(?:(?P<month>{_MONTHS})\.?,?\s+(?:of\s+|de\s+)?)?(?P<year>{_YEAR})(?![\w’'])", re.IGNORECASE
)
_CENTURY = re.compile(
    rf"\b(?:{_PART})?(?:(?:the|le|el|au|im)\s+)?(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th|e|er|ème|\.)?"
    rf"|(?P<word>{_ORDINALS})|(?P<roman>[IVX]+)(?:e|er|ème)?)[\s-]+(?:centur(?:y|ies)|siècle|jahrhundert)\b"
    rf"(?:\s+(?P<bc>{_CHRIST})|\s+{_AFTER_CHRIST})?",
    re.IGNORECASE,
)
_SIGLO = re.compile(
    rf"\bsiglo\s+(?:(?P<roman>[IVX]+)|(?P<number>\d{{1,2}}))\b(?:\s+(?P<bc>{_CHRIST}))?", re.IGNORECASE
)
_BEFORE_CHRIST = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\s+)?(?:(?P<month>(?i:{_MONTHS}))\.?,?\s+)?(?P<year>\d{{1,4}})"
    rf"(?:\s*[-–]\s*(?P<to>\d{{1,4}}))?\s+{_CHRIST}"
)
_ANNO = re.compile(
    rf"\b(?:(?:A\.\s?D\.|AD)\s+(?P<year>\d{{1,4}})|(?P<year2>\d{{1,4}})\s+{_AFTER_CHRIST})(?![\w])"
)
_ISO = re.compile(
    r"(?<![\w-])(?P<iso>(?:1\d{3}|20\d{2})-(?:0[1-9]|1[0-2])(?:-(?:[0-2]\d|3[01]))?)(?=T\d\d:|(?![\w-]))"
)
_NUMERIC = re.compile(
    rf"(?<![\w./-])(?P<one>\d{{1,2}})(?P<mark>[./-])(?P<other>\d{{1,2}})(?P=mark)(?P<year>{_YEAR})(?![\w/-])"
)
_DOTTED = re.compile(
    rf"\b(?P<day>\d{{1,2}})\.\s+(?P<month>{_MONTHS})\s+(?P<year>{_YEAR})(?!\w)", re.IGNORECASE
)
_FOREIGN = re.compile(
    rf"(?<![\w.,])\d{{1,2}}[.º]?\s+(?:de\s+)?(?!(?:{_MONTHS})\b)[^\W\d_]{{3,12}}\.?\s+(?:de\s+)?{_YEAR}(?!\w)",
    re.IGNORECASE,
)


def historic(text: str) -> list[Found]:
    """(start, end, span) of each, in order, none within another."""
    found: list[Found] = []
    taken = bytearray(len(text))
    lower = text.lower()
    for pattern, signs, read in _readers(text):
        if signs and not any(sign in lower for sign in signs):
            continue
        for match in pattern.finditer(text):
            span = None if any(taken[match.start() : match.end()]) else _read(read, match)
            if span is not None:
                found.append((match.start(), match.end(), span))
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    return sorted(found, key=lambda one: one[0])


Reading = tuple[re.Pattern[str], Collection[str], Callable[[re.Match[str]], Span | None]]


def _readers(text: str) -> Iterator[Reading]:
    """What is looked for, small letters without one of which it cannot be there, and what it means."""
    month_first = _month_first(text)
    yield _ISO, (), lambda match: calendar.iso(match["iso"])
    yield _NUMERIC, (), lambda match: _numeric(match, month_first)
    yield (
        _DOTTED,
        (),
        lambda match: calendar.one_day(int(match["year"]), MONTH[fold(match["month"])], int(match["day"])),
    )
    yield _FOREIGN, (), lambda match: parser.whole(match.group())
    yield _CENTURY, ("centur", "siècle", "jahrhundert"), _century
    yield _SIGLO, ("siglo",), _century
    yield _BEFORE_CHRIST, ("bc", "b.", "c.", "chr"), _before_christ
    yield (
        _ANNO,
        ("ad", "ce", "d.", "c.", "chr"),
        lambda match: calendar.year(int(match["year"] or match["year2"])),
    )
    yield _SEASON, _SEASONS, _season
    yield _PARTLY, _PARTS, _partly


def _read(read: Callable[[re.Match[str]], Span | None], match: re.Match[str]) -> Span | None:
    try:
        return read(match)
    except (ValueError, OverflowError):  # a day that no calendar has, a year beyond it
        return None


def _month_first(text: str) -> bool:
    """Whether the text's dates in numbers prove that the month stands first."""
    pairs = [(int(m["one"]), int(m["other"])) for m in _NUMERIC.finditer(text)]
    return any(other > 12 for _, other in pairs) and not any(one > 12 for one, _ in pairs)


def _numeric(match: re.Match[str], month_first: bool) -> Span:
    day, month = int(match["one"]), int(match["other"])
    if month_first:
        day, month = month, day
    return calendar.one_day(int(match["year"]), month, day)


def _century(match: re.Match[str]) -> Span | None:
    fields = match.groupdict()
    if fields.get("number"):
        number = int(fields["number"])
    elif fields.get("word"):
        number = ORDINAL[fold(fields["word"])]
    else:
        number = _roman(fields["roman"].upper())
    if not 1 <= number <= (40 if fields["bc"] else 21):
        return None
    span = calendar.century(-number if fields["bc"] else number)
    return _third(span, fields.get("part"))


def _roman(letters: str) -> int:
    values = [_ROMAN[letter] for letter in letters]
    return sum(-v if v < max(values[n:]) else v for n, v in enumerate(values))


def _before_christ(match: re.Match[str]) -> Span:
    begun = 1 - int(match["year"])
    if match["month"]:
        number = MONTH[fold(match["month"])]
        return (
            calendar.one_day(begun, number, int(match["day"]))
            if match["day"]
            else calendar.month(begun, number)
        )
    ended = 1 - int(match["to"]) if match["to"] else begun
    return calendar.years(begun, ended, "year" if begun == ended else "span")


def _season(match: re.Match[str]) -> Span:
    """Of the north. A winter without a second year may be the one that ends in it or the one that begins."""
    month, year = _MONTH_OF[fold(match["season"])], int(match["year"])
    if month < 12:
        return Span(calendar.day_number(year, month), calendar.month(year, month + 2).last, "season")
    begun = calendar.day_number(year, 12 if match["to"] else 1)
    return Span(begun, calendar.month(year + 1, 2).last, "season")


def _partly(match: re.Match[str]) -> Span:
    year = int(match["year"])
    if match["month"]:
        return _third(calendar.month(year, MONTH[fold(match["month"])]), match["part"])
    return _third(calendar.year(year), match["part"])


def _third(span: Span, part: str | None) -> Span:
    if not part:
        return span
    third = _THIRD_OF[" ".join(fold(part).split())]
    length = span.last - span.first + 1
    return Span(span.first + length * third // 3, span.first + length * (third + 1) // 3 - 1)
