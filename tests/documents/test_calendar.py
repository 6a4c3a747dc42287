from datetime import date

from every import every

from appliance.documents import calendar
from appliance.documents.calendar import Span


@every("year", [-9999, -400, -43, -4, -1, 0, 1, 4, 1900, 1923, 2000, 9998])
def test_days_have_numbers_before_christ_too(year: int) -> None:
    first = calendar.day_number(year, 3, 1)
    assert calendar.parts(first) == (year, 3, 1)
    before = calendar.parts(first - 1)
    assert before == (year, 2, 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28)


def test_they_are_those_of_python_where_python_has_them() -> None:
    assert calendar.day_number(1923, 4, 12) == date(1923, 4, 12).toordinal()
    assert calendar.day_number(1) - calendar.day_number(0) == 366


@every("text", ["1923", "1923-04", "1923-04-12", "-0043", "-0043-03-15", "0079"])
def test_what_is_written_reads_back(text: str) -> None:
    found = calendar.iso(text)
    assert found is not None
    assert calendar.written(found) == text


@every(
    "text",
    [
        "",
        "12",
        "1923-13",
        "1923-02-30",
        "1923-4-x",
        "yesterday",
        "1923-00",
        "19233",
        "፩፱፪፫",
        f"1923-{'1' * 5000}",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert calendar.iso(text) is None


def test_centuries() -> None:
    assert calendar.written(calendar.century(19)) == "1801/1900"
    assert calendar.written(calendar.century(-3)) == "-0299/-0200"
    assert calendar.century(1) == Span(1, calendar.day_number(100, 12, 31), "century")
