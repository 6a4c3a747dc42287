import tomllib
from pathlib import Path

from every import every

from appliance.documents import calendar
from appliance.documents.calendar import Span
from appliance.documents.mentioned import mentioned

CASES = tomllib.loads((Path(__file__).parent.parent / "cases" / "dates.toml").read_text("utf-8"))["case"]


def iso(span: Span) -> str:
    first, last = (calendar.written(Span(day, day, "day")) for day in (span.first, span.last))
    return first if first == last else f"{first}/{last}"


@every("case", CASES, ids=lambda case: case["text"][:30])
def test_dates_are_found_where_they_stand_and_mean_what_they_mean(case: dict) -> None:
    text, written = case["text"], calendar.iso(case.get("written", ""))
    found = [[text[one.start : one.end], iso(one.span)] for one in mentioned(text, written)]
    assert found == case["found"]


def test_what_needed_another_date_is_marked() -> None:
    found = mentioned("On 3 July 1923 we came. Two days later we left.")
    assert [one.resolved for one in found] == [False, True]


@every(
    ("text", "meant"),
    [
        ("On 12 Aprıl 1923 we came.", "1923-04-12"),
        ("On 3 Auguſt 1923 we came.", "1923-08-03"),
        ("In the fıfth century BC", "-0499-01-01/-0400-12-31"),
        ("In mİd 1923 we came.", "1923-05-02/1923-08-31"),
    ],
)
def test_odd_forms_of_letters_are_read_as_theirs(text: str, meant: str) -> None:
    """A pattern without regard to capitals takes ı and İ for i, ſ for s and the sign of kelvin for k."""
    assert [iso(one.span) for one in mentioned(text, calendar.iso("1930-01-01"))] == [meant]


def test_a_text_without_dates_costs_no_parser() -> None:
    assert mentioned("Nothing happened here and nobody came.", calendar.iso("1923-04-12")) == []


@every("text", ["9" * 5000, "1999" * 2000, "0 BC 9999 BC", "the 40th century BC", "\0 1923\ud800"])
def test_any_text_is_read(text: str) -> None:
    for one in mentioned(text, calendar.iso("0001-01-01")):
        assert 0 <= one.start < one.end <= len(text)
