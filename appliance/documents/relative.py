"""Dates that only another date makes whole: "two days later", "yesterday", "on 3 May", "le lendemain".

Rules find the words; what those of writing ("two weeks ago") mean on a given day says dateparser, behind
`parser`; where it knows no answer ("the next day") the rules have their own. English, French, Spanish and
German.
"""

import re
from collections.abc import Callable

from appliance.answer.dates import MONTH
from appliance.documents import calendar, parser
from appliance.documents.calendar import Span
from appliance.retrieval.numbers import COUNTED
from appliance.retrieval.words import fold, told, words

LANGUAGES = ("en", "fr", "es", "de")
Found = tuple[int, int, Span]

_COUNT = rf"(?:\d{{1,3}}|an?|ein(?:e[mnr]?)?|fünf|zwölf|{'|'.join(sorted(COUNTED, key=len, reverse=True))})"
_UNITS = {
    "day": "days? nights? jours? nuits? días? dias? noches? tage?n? nächten?",
    "week": "weeks? semaines? semanas? wochen?",
    "fortnight": "fortnights? quinzaines? quincenas?",
    "month": "months? mois mes(?:es)? monat(?:e[n]?)?",
    "year": "years? ans? années? años? jahr(?:e[n]?)?",
}
_UNIT = "|".join(word for line in _UNITS.values() for word in line.split())
# From the last day that the text told ("later"), or from the day of writing ("ago").
_LATER = re.compile(
    rf"\b(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})\s+(?P<way>later|afterwards?|plus tard|après|más tarde"
    r"|después|später|danach|before that|earlier|plus tôt|antes|früher)\b",
    re.IGNORECASE,
)
_BACK = ("before that", "earlier", "plus tôt", "antes", "früher")
_SOME = rf"(?:{_COUNT})\s+(?:{_UNIT})"
_AGO = re.compile(
    rf"\b(?:{_SOME}\s+ago|il y a\s+{_SOME}|hace\s+{_SOME}|vor\s+{_SOME}|the day before yesterday|yesterday"
    r"|last night|tomorrow|avant-hier|hier|demain|anteayer|ayer|vorgestern|gestern|(?:last|next)\s+(?:week"
    r"|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|la semaine dernière"
    r"|le mois dernier|l['’]année dernière|la semana pasada|el mes pasado|el año pasado|letzte woche"
    r"|letzten monat|letztes jahr)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\b(?:(?P<after>the (?:next|following) (?:day|morning|evening|night)|the day after(?! tomorrow)"
    r"|le lendemain|(?:al|el) día siguiente|am (?:nächsten|folgenden) tag|tags darauf)"
    r"|(?P<before>the (?:day|night) before(?! yesterday)|the previous day|la veille"
    r"|el día anterior|la víspera|am vortag))\b",
    re.IGNORECASE,
)
_MONTHS = "|".join(sorted(MONTH, key=len, reverse=True))
_YEARLESS = re.compile(
    rf"(?:\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTHS})"
    rf"|\b(?P<month2>(?!(?:may|mar|mars|sept)\b){_MONTHS})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)(?![\w’'])"
    r"(?!,?\s+(?:of\s+|del?\s+)?\d{3,4}\b)",
    re.IGNORECASE,
)
_LONGEST = {"day": 400, "week": 120, "fortnight": 60, "month": 120, "year": 400}


def relative(text: str, written: Span | None, told_before: Callable[[int], Span | None]) -> list[Found]:
    """(start, end, span) of each that can be resolved. `written`: the day of the entry or the document;
    `told_before(offset)`: the last exact date that the text itself tells before there."""
    found: list[Found] = []
    for match in _LATER.finditer(text):
        base = told_before(match.start()) or written
        if base and (span := _later(match, base)):
            found.append((*match.span(), span))
    for match in _NEXT.finditer(text):
        base = told_before(match.start()) or written
        if base and base.exact:
            day = base.first + (1 if match["after"] else -1)
            found.append((*match.span(), Span(day, day, "day")))
    if written and written.exact:
        language = told(words(text))
        language = language if language in LANGUAGES else "en"
        meant = ((m, parser.on(written.first, _counted(m.group()), language)) for m in _AGO.finditer(text))
        found += [(*match.span(), span) for match, span in meant if span]
    if written:
        found += [(*m.span(), span) for m in _YEARLESS.finditer(text) if (span := _nearest(m, written))]
    return sorted(found, key=lambda one: one[0])


def _counted(phrase: str) -> str:
    """With digits for its counting words, which dateparser reads in English alone."""
    return " ".join(
        str(COUNTED[fold(word)]) if fold(word) in COUNTED and fold(word) not in ("un", "una") else word
        for word in phrase.split()
    )


def _number(written: str) -> int:
    return int(written) if written.isdigit() else COUNTED.get(fold(written), 1)


def _unit(written: str) -> str:
    return next(
        unit
        for unit, forms in _UNITS.items()
        if re.fullmatch("|".join(forms.split()), written, re.IGNORECASE)
    )


def _later(match: re.Match[str], base: Span) -> Span | None:
    count, unit = _number(match["count"]), _unit(match["unit"])
    if count > _LONGEST[unit] or not (base.exact or unit == "year"):
        return None
    sign = -1 if fold(match["way"]) in map(fold, _BACK) else 1
    if unit in ("month", "year"):
        ends = [
            _months_on(day, sign * count * (12 if unit == "year" else 1)) for day in (base.first, base.last)
        ]
        return Span(ends[0], ends[1], base.grain)
    day = base.first + sign * count * {"day": 1, "week": 7, "fortnight": 14}[unit]
    return Span(day, day, "day")


def _months_on(day: int, months: int) -> int:
    year, month, of_month = calendar.parts(day)
    year, month = year + (month - 1 + months) // 12, (month - 1 + months) % 12 + 1
    return min(calendar.day_number(year, month) + of_month - 1, calendar.month(year, month).last)


def _nearest(match: re.Match[str], written: Span) -> Span | None:
    """A day without its year: the one nearest to the day of writing."""
    month, day = MONTH[fold(match["month"] or match["month2"])], int(match["day"] or match["day2"])
    middle = (written.first + written.last) // 2
    spans = []
    for year in (calendar.parts(middle)[0] + n for n in (-1, 0, 1)):
        try:
            spans.append(calendar.one_day(year, month, day))
        except ValueError:  # 29 February
            continue
    return min(spans, key=lambda span: abs(span.first - middle), default=None)
