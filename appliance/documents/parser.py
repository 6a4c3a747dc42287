"""The one door to dateparser: days in a language's own words, and what "two weeks ago" means on a given day.

It is imported at the first phrase that needs it, which costs 0.2 s and 20 MB; most texts have none.
"""

from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from appliance.documents import calendar
from appliance.documents.calendar import Span

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

OTHERS = ("de", "it", "pt", "nl", "sv", "pl", "cs", "ro", "tr", "ru", "uk", "el", "id", "sw", "ar", "hi")
_ANY_DAY = datetime(2000, 1, 1)


@lru_cache(maxsize=2000)
def on(day: int, phrase: str, language: str) -> Span | None:
    """What a phrase of one language (its ISO code) means when it is written on a day; None when that is not
    known."""
    year, month, of_month = calendar.parts(day)
    if not 1 <= year <= 9998:
        return None
    found = _parser((language,), datetime(year, month, of_month)).get_date_data(phrase)
    if found.date_obj is None:
        return None
    year, month, of_month = found.date_obj.year, found.date_obj.month, found.date_obj.day
    if found.period == "month":
        return calendar.month(year, month)
    if found.period == "year":
        return calendar.year(year)
    on = calendar.day_number(year, month, of_month)
    if found.period == "week" and not any(letter.isdigit() for letter in phrase):
        monday = on - (on - 1) % 7
        return Span(monday, monday + 6)
    return Span(on, on, "day")


@lru_cache(maxsize=2000)
def whole(phrase: str) -> Span | None:
    """The day that a phrase like "12 aprile 1923" names, in a language that the rules do not read."""
    found = _parser(OTHERS, _ANY_DAY).get_date_data(phrase)
    if found.date_obj is None or found.period != "day":
        return None
    return calendar.one_day(found.date_obj.year, found.date_obj.month, found.date_obj.day)


def _parser(languages: tuple[str, ...], base: datetime) -> "DateDataParser":
    from dateparser.date import DateDataParser

    return DateDataParser(languages=list(languages), settings={"RELATIVE_BASE": base})
