"""Days as whole numbers and the spans that a date can mean, also before Christ. Pure.

A day is the number that `datetime.date.toordinal` gives (1 January of year 1 is 1), carried on below it
in the proleptic Gregorian calendar. Years are astronomical (ISO 8601): 1 BC is year 0, 44 BC is -43.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Literal

Grain = Literal["day", "month", "season", "year", "decade", "century", "span"]
FIRST_YEAR, LAST_YEAR = -9999, 9998
_CYCLE_YEARS, _CYCLE_DAYS = 400, 146_097  # after which the calendar repeats


@dataclass(frozen=True, slots=True)
class Span:
    """The first and the last day that a date can mean; `grain`: how it was written."""

    first: int
    last: int
    grain: Grain = "span"

    @property
    def exact(self) -> bool:
        return self.first == self.last

    def holds_all(self, other: "Span") -> bool:
        return self.first <= other.first and other.last <= self.last


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """Raises ValueError for a day that no calendar has."""
    cycles = 0 if 1 <= year <= 9999 else (year - 2000) // _CYCLE_YEARS
    return date(year - cycles * _CYCLE_YEARS, month, day).toordinal() + cycles * _CYCLE_DAYS


def parts(number: int) -> tuple[int, int, int]:
    """(year, month, day) of a day's number."""
    cycles = 0
    if not 1 <= number <= date.max.toordinal():
        cycles = (number - date(2000, 1, 1).toordinal()) // _CYCLE_DAYS
    found = date.fromordinal(number - cycles * _CYCLE_DAYS)
    return found.year + cycles * _CYCLE_YEARS, found.month, found.day


def years(first: int, last: int, grain: Grain = "span") -> Span:
    return Span(day_number(first), day_number(last, 12, 31), grain)


def year(number: int) -> Span:
    return years(number, number, "year")


def month(of_year: int, number: int) -> Span:
    last = monthrange(2000 + of_year % _CYCLE_YEARS, number)[1]
    return Span(day_number(of_year, number), day_number(of_year, number, last), "month")


def one_day(of_year: int, number: int, day: int) -> Span:
    """Raises ValueError for a day that no calendar has."""
    found = day_number(of_year, number, day)
    return Span(found, found, "day")


def century(number: int) -> Span:
    """The 19th is number 19; the 3rd before Christ is -3."""
    if number > 0:
        return years(number * 100 - 99, number * 100, "century")
    return years(number * 100 + 1, number * 100 + 100, "century")


def iso(text: str) -> Span | None:
    """The span of "1923", "1923-04" or "1923-04-12" (with a sign before years below 0); None for another."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    fields = digits.split("T")[0].split("-")
    if not 1 <= len(fields) <= 3 or len(fields[0]) != 4 or not all(map(_is_number, fields)):
        return None
    numbers = [int(field) for field in fields]
    numbers[0] *= sign
    try:
        match numbers:
            case [only]:
                return year(only)
            case [of, number]:
                return month(of, number) if 1 <= number <= 12 else None
            case [of, number, day]:
                return one_day(of, number, day)
    except (ValueError, OverflowError):
        pass
    return None


def _is_number(field: str) -> bool:
    return field.isdecimal() and len(field) <= 4


def written(span: Span) -> str:
    """The span in ISO 8601, as exactly as its grain tells: "1923", "1923-04", "1923-04-12", "1914/1918"."""
    (y, m, d), (to, _, _) = parts(span.first), parts(span.last)
    match span.grain:
        case "day":
            return f"{_year(y)}-{m:02}-{d:02}"
        case "month":
            return f"{_year(y)}-{m:02}"
        case "year":
            return _year(y)
    return _year(y) if y == to else f"{_year(y)}/{_year(to)}"


def _year(number: int) -> str:
    return f"-{-number:04}" if number < 0 else f"{number:04}"
