"""Dates and stretches of time as people of the page's language read them; pure. English, French, Spanish."""

from appliance.documents import calendar
from appliance.documents.calendar import Span
from appliance.documents.periods import Period

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_DAY = {"en": "{d} {m} {y}", "fr": "{d} {m} {y}", "es": "{d} de {m} de {y}"}
_MONTH = {"en": "{m} {y}", "fr": "{m} {y}", "es": "{m} de {y}"}
_BEFORE_CHRIST = {"en": "{y} BC", "fr": "{y} av. J.-C.", "es": "{y} a. C."}
_AFTER_CHRIST = {"en": "AD {y}", "fr": "{y} apr. J.-C.", "es": "{y} d. C."}
_DECADE = {"en": "{y}s", "fr": "années {y}", "es": "años {y}"}
_CENTURY = {"en": "{n} century", "fr": "{n} siècle", "es": "siglo {n}"}
_SHORT_CENTURY = {"en": "{n} c.", "fr": "{n} s.", "es": "s. {n}"}
_EARLY = 1000  # a year below it is told from a number by its era
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def shown(span: Span, language: str) -> str:
    """ "12 April 1923", "April 1923", "1920s", "19th century", "44 BC", "March – May 1923", "1914–1918"."""
    (y, m, d), (to, last, _) = calendar.parts(span.first), calendar.parts(span.last)
    match span.grain:
        case "day":
            return _DAY[language].format(d=_first(d, language), m=_month(m, language), y=year(y, language))
        case "month":
            return _MONTH[language].format(m=_month(m, language), y=year(y, language))
        case "year":
            return year(y, language)
        case "decade":
            return _DECADE[language].format(y=year(y, language))
        case "century":
            return century(-(-to // 100) - 1 if to <= 0 else (to + 99) // 100, language)
    if y != to:
        return f"{year(y, language)}–{year(to, language)}"
    if span.last - span.first < 31:
        return f"{_day(span.first, language)} – {_day(span.last, language)}"
    return f"{_month(m, language)} – {_MONTH[language].format(m=_month(last, language), y=year(y, language))}"


def name(period: Period, language: str) -> str:
    """A stretch by its name; "" for all of time."""
    if period.span is None:
        return ""
    if period.unit == "century":
        return century(period.number, language)
    if period.unit == "decade":
        return _DECADE[language].format(y=year(period.number, language))
    return shown(period.span, language)


def short(period: Period, language: str) -> str:
    """Under a bar, where the stretch around it is known: "12", "Apr", "1923", "1920s"."""
    _, m, d = calendar.parts(period.span.first) if period.span else (0, 1, 1)
    match period.unit:
        case "day":
            return str(d)
        case "month":
            whole = _month(m, language)
            return whole if len(whole) <= 4 else whole[: 4 if whole[:3] in ("jui",) else 3]
        case "decade":
            return f"{year(period.number, language)}s" if language == "en" else year(period.number, language)
        case "century":
            return _century(period.number, language, _SHORT_CENTURY)
    return year(period.number, language)


def year(number: int, language: str) -> str:
    """An astronomical year as it is said: 0 is "1 BC"."""
    if number <= 0:
        return _BEFORE_CHRIST[language].format(y=1 - number)
    return str(number) if number >= _EARLY else _AFTER_CHRIST[language].format(y=number)


def century(number: int, language: str) -> str:
    return _century(number, language, _CENTURY)


def _century(number: int, language: str, forms: dict[str, str]) -> str:
    text = forms[language].format(n=_ordinal(abs(number), language))
    return text if number > 0 else _BEFORE_CHRIST[language].format(y=text)


def _ordinal(number: int, language: str) -> str:
    if language == "en":
        ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    text, left = "", number
    for value, letters in _ROMAN:
        text, left = text + letters * (left // value), left % value
    return text if language == "es" else f"{text}{'er' if number == 1 else 'e'}"


def _day(day: int, language: str) -> str:
    return shown(Span(day, day, "day"), language)


def _month(number: int, language: str) -> str:
    return MONTHS[language].split()[number - 1]


def _first(day: int, language: str) -> str:
    return "1er" if day == 1 and language == "fr" else str(day)
