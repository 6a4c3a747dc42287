"""Stretches of time that one can zoom through: centuries, decades, years, months, days. Pure.

A stretch has a key for addresses: "" (all), "c19", "c-3", "1920s", "1923", "1923-04", "1923-04-12"; years
before Christ are astronomical, as in `calendar`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from appliance.documents import calendar
from appliance.documents.calendar import Grain, Span

Unit = Literal["all", "century", "decade", "year", "month", "day"]
MOST_PARTS = 120
_INNER: dict[Unit, Unit] = {"century": "decade", "decade": "year", "year": "month", "month": "day"}
_OUTER: dict[Unit, Unit] = {inner: outer for outer, inner in _INNER.items()}
_YEARS = 365.2425


@dataclass(frozen=True, slots=True)
class Period:
    """`span` is None for all of time. `number`: the century (-3: the third before Christ), the decade's first
    year, or the year."""

    unit: Unit
    span: Span | None = None
    number: int = 0

    @property
    def key(self) -> str:
        match self.unit:
            case "all":
                return ""
            case "century":
                return f"c{self.number}"
            case "decade":
                return f"{_year(self.number)}s"
        return calendar.written(self.span) if self.span else ""

    @property
    def outer(self) -> "Period":
        """The stretch around it."""
        if self.span is None or self.unit == "century":
            return ALL
        return holding(_OUTER[self.unit], self.span.first)

    @property
    def path(self) -> tuple["Period", ...]:
        """From all of time to here."""
        if self.unit == "all":
            return (self,)
        return (*self.outer.path, self)

    def beside(self, step: int) -> "Period | None":
        """The stretch of the same kind before (-1) or after (1) it; None at the ends of the calendar."""
        if self.span is None:
            return None
        try:
            return holding(self.unit, self.span.first - 1 if step < 0 else self.span.last + 1)
        except (ValueError, OverflowError):
            return None

    def holds(self, span: Span) -> bool:
        return self.span is None or self.span.holds_all(span)

    def unit_of_parts(self, whole: Span) -> Unit | None:
        """What it is split into; `whole`: what all dates in it span together. None for a day."""
        if self.unit != "all":
            return _INNER.get(self.unit)
        years = (whole.last - whole.first) / _YEARS
        return "month" if years <= 2 else "year" if years <= 25 else "decade" if years <= 300 else "century"

    def part_of(self, span: Span, whole: Span) -> "Period | None":
        """The part that holds the whole of a date."""
        unit = self.unit_of_parts(whole)
        part = holding(unit, span.first) if unit else None
        return part if part and part.holds(span) else None

    def parts(self, whole: Span) -> tuple["Period", ...]:
        """Its parts in order, at most MOST_PARTS; of all of time those from the first date to the last."""
        unit, around = self.unit_of_parts(whole), self.span or whole
        return tuple(islice(_run(unit, around), MOST_PARTS)) if unit else ()


ALL = Period("all")


def read(key: str) -> Period | None:
    """The stretch of a key; None for what is none."""
    try:
        if not key:
            return ALL
        if found := re.fullmatch(r"c(-?\d{1,2})", key):
            number = int(found[1])
            fits = number and -99 <= number <= 98
            return Period("century", calendar.century(number), number) if fits else None
        if found := re.fullmatch(r"(-?\d{4})s", key):
            return holding("decade", calendar.day_number(int(found[1])))
        span = calendar.iso(key)
        return _of(span) if span else None
    except (ValueError, OverflowError):
        return None


def _of(span: Span) -> Period:
    year, _, _ = calendar.parts(span.first)
    units: dict[Grain, Unit] = {"day": "day", "month": "month", "year": "year"}
    return Period(units[span.grain], span, year)


def holding(unit: Unit, day: int) -> Period:
    """The stretch of this kind that a day lies in."""
    year, month, of_month = calendar.parts(day)
    match unit:
        case "century":
            number = (year + 99) // 100 if year > 0 else -(-year // 100) - 1
            return Period(unit, calendar.century(number), number)
        case "decade":
            first = year // 10 * 10
            return Period(unit, calendar.years(first, first + 9, "decade"), first)
        case "year":
            return Period(unit, calendar.year(year), year)
        case "month":
            return Period(unit, calendar.month(year, month), year)
        case "day":
            return Period(unit, calendar.one_day(year, month, of_month), year)
    return ALL


def _run(unit: Unit, around: Span) -> Iterator[Period]:
    day = around.first
    while day <= around.last:
        part = holding(unit, day)
        yield part
        if part.span is None:
            return
        day = part.span.last + 1


def _year(number: int) -> str:
    return f"-{-number:04}" if number < 0 else f"{number:04}"
