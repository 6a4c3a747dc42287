"""The dates that a text mentions: the span of days that each can mean and the place where it stands. Pure.

Three readers, the surest first: `answer.dates` (days, months, years, decades, ranges), `historic` (before
Christ, centuries, seasons, numbers alone) and `relative` (what another date makes whole).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from appliance.answer.dates import Day, days
from appliance.documents import calendar
from appliance.documents.calendar import Span
from appliance.documents.historic import historic
from appliance.documents.relative import relative

_LIKELY = re.compile(
    r"\d|centur|siècle|siglo|jahrhundert|yesterday|tomorrow|\blast\b|\bnext\b|\bago\b|\blater\b|earlier|before"
    r"|after|following|previous|\bhier\b|demain|lendemain|veille|il y a|dernière|plus t|après|\bayer|\bhace\b"
    r"|siguiente|anterior|pasad|después|antes|más tarde|víspera|gestern|\bvor\b|tag\b|später|danach"
    r"|früher|letzte",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text from `start` to `end` (letters); `resolved`: another date was needed to tell it."""

    start: int
    end: int
    span: Span
    resolved: bool = False


def mentioned(text: str, written: Span | None = None) -> list[Mention]:
    """All dates of a text, in order, none within another. `written`: when it was written, if known."""
    if not _LIKELY.search(text):
        return []
    found = [Mention(start, end, span) for start, end, span in historic(text)]
    rest = _without(text, found)
    found += [
        Mention(_begin(day, text), day.end, _span(day, text)) for day in days(rest) if _is_date(day, rest)
    ]
    found.sort(key=lambda one: one.start)
    exact = sorted((one for one in found if one.span.exact), key=lambda one: one.end)
    ends = [one.end for one in exact]

    def told_before(offset: int) -> Span | None:
        at = bisect_right(ends, offset)
        return exact[at - 1].span if at else None

    known = relative(_without(text, found), written, told_before)
    found += [Mention(start, end, span, True) for start, end, span in known]
    return _apart(sorted(found, key=lambda one: (one.start, -one.end)))


def _begin(day: Day, text: str) -> int:
    return day.end - len(text[day.start : day.end].lstrip())


def _is_date(day: Day, text: str) -> bool:
    """A bare year is one where a word of time stands before it, or nothing that it could count after it:
    "1,024 bytes" and "port 1883" are no years, nor are numbers in code."""
    if not day.text.isdigit():
        return True
    before, after = text[max(0, day.start - 30) : day.start], text[day.end : day.end + 20]
    if _TIME.search(before):
        return True
    likely = day.first.year >= _FIRST_BARE_YEAR
    return likely and _APART.search(before) is not None and not _COUNTED.match(after)


_FIRST_BARE_YEAR = 1500
_TIME = re.compile(
    r"\b(?:in|of|since|until|till|by|before|after|from|to|and|year|between|during|early|mid|late|about|around|circa"
    r"|ca?|en|de|del|desde|hasta|año|depuis|avant|après|vers|année|et|y|im|seit|um|jahr|und|spring|summer|autumn"
    r"|winter|easter|christmas)\.?\s+$|~\s?$",
    re.IGNORECASE,
)
_APART = re.compile(r"(?:^|\s[(\[]|[;:,–—.•|]\s+|\n)$")
_COUNTED = re.compile(r"\s?(?:[=+*_/<>}]|[a-zà-ÿ]+s\b|\d)|[.:]\w")


def _without(text: str, found: Sequence[Mention]) -> str:
    """The text with what was read blanked, so that every offset stays."""
    pieces: list[str] = []
    at = 0
    for one in sorted(found, key=lambda one: one.start):
        begin = max(at, one.start)
        pieces += [text[at:begin], " " * (one.end - begin)]
        at = max(at, one.end)
    return "".join((*pieces, text[at:]))


def _span(day: Day, text: str) -> Span:
    first, last = calendar.day_number(*_fields(day.first)), calendar.day_number(*_fields(day.last))
    if first == last:
        return Span(first, last, "day")
    length = last - first + 1
    if length <= 31:
        return Span(first, last, "month")
    if length <= 366:
        return Span(first, last, "year")
    decade = re.search(r"0['’]?s$", text[day.start : day.end].strip()) is not None
    return Span(first, last, "decade" if decade and length > 3600 else "span")


def _fields(day: date) -> tuple[int, int, int]:
    return day.year, day.month, day.day


def _apart(found: Sequence[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept
