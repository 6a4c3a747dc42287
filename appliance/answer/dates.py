"""Dates in a text, each as the span of days that it can mean. Pure.

A day, a month, a year, "1914–1918", "the late 1990s", "around 1850", "the 19th century"; in English,
French and Spanish. Two dates that overlap do not contradict each other. Years from 1000 on; those before
Christ are left out.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from appliance.retrieval.words import fold

_MONTHS = (
    "january janvier enero jan", "february fevrier febrero feb", "march mars marzo mar",
    "april avril abril apr",
    "may mai mayo", "june juin junio jun", "july juillet julio jul", "august aout agosto aug",
    "september septembre septiembre sept sep",
    "october octobre octubre oct", "november novembre noviembre nov",
    "december decembre diciembre dec",
)  # fmt: skip
MONTH = {name: n for n, names in enumerate(_MONTHS, 1) for name in names.split()}
MONTHS = frozenset(MONTH)
_NAMES = "|".join(sorted({*MONTH, "août", "février", "décembre"}, key=len, reverse=True))
_YEAR = r"1\d{3}|20\d{2}"
_ABOUT = re.compile(
    r"(?:\b(?:c|ca|circa|about|around|approximately|vers|hacia|probably|alrededor de)\.?\s*|~)$",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\b(?:since|before|after|by|until|till|depuis|avant|apr[eè]s|desde|antes de|despu[eé]s de)\s*$",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?\s+(?:of\s+|de\s+)?(?P<month>{_NAMES})\.?,?\s+"
    rf"(?:of\s+|del?\s+)?(?P<year>{_YEAR})"
    rf"|(?P<month2>{_NAMES})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>{_YEAR})"
    rf"|(?P<month3>{_NAMES})\.?,?\s+(?:of\s+|de\s+)?(?P<year3>{_YEAR})"
    rf"|(?P<part>early|mid|late)?[\s-]*(?P<decade>1\d{{2}}0|20\d0)['’]?s"
    rf"|(?P<from>{_YEAR})\s*[-–—/]\s*(?P<to>\d{{4}}|\d{{2}})"
    rf"|(?P<century>\d{{2}})th[\s-]century"
    rf"|(?P<alone>{_YEAR}))(?![\w%°]|[.,]\d|\s*(?:km|m|kg|feet|ft|metres|meters|people|inhabitants)\b)",
    re.IGNORECASE,
)
_BEFORE = 40  # letters in front of a date that can change it
_BEFORE_CHRIST = re.compile(r"\s*(?:BCE?|av\. J|a\. C)")


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written and the first and last day that it can mean; `exact`: it names one day. `open`:
    "since", "before" or the like stands before it, so that it is a bound and no date of an event."""

    text: str
    first: date
    last: date
    start: int
    end: int
    open: bool = False

    @property
    def exact(self) -> bool:
        return self.first == self.last


def days(text: str) -> list[Day]:
    """All dates of a text, in order."""
    return list(_days(text))


def _days(text: str) -> Iterator[Day]:
    for match in _DATE.finditer(text):
        span = _span({key: part for key, part in match.groupdict().items() if part})
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if span is None or _BEFORE_CHRIST.match(text, match.end()) or before.endswith(("$", "£", "€", "/")):
            continue
        first, last = span
        if _ABOUT.search(before):
            first, last = first.replace(year=first.year - 5), last.replace(year=last.year + 5, day=28)
        yield Day(
            match.group().strip(), first, last, match.start(), match.end(), OPEN.search(before) is not None
        )


def _span(part: dict[str, str]) -> tuple[date, date] | None:
    year, month, day = (
        part.get(k) or part.get(k + "2") or part.get(k + "3") for k in ("year", "month", "day")
    )
    if year and month:
        number, last = MONTH[fold(month)], monthrange(int(year), MONTH[fold(month)])[1]
        if not day:
            return date(int(year), number, 1), date(int(year), number, last)
        return (date(int(year), number, int(day)),) * 2 if 1 <= int(day) <= last else None
    if decade := part.get("decade"):
        first, last = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}.get(
            (part.get("part") or "").lower(), (0, 9)
        )
        return _years(int(decade) + first, int(decade) + last)
    if begun := part.get("from"):
        ended = int(begun[: 4 - len(part["to"])] + part["to"])
        return (
            _years(int(begun), ended)
            if int(begun) < ended <= int(begun) + 100
            else _years(int(begun), int(begun))
        )
    if century := part.get("century"):
        return _years(int(century) * 100 - 99, int(century) * 100) if 10 < int(century) < 22 else None
    return _years(int(part["alone"]), int(part["alone"]))


def _years(first: int, last: int) -> tuple[date, date]:
    return date(first, 1, 1), date(last, 12, 31)
