from every import every

from appliance.documents import calendar, periods
from appliance.documents.calendar import Span


@every("key", ["", "c19", "c-3", "1920s", "1923", "1923-04", "1923-04-12", "-0043", "-0050s"])
def test_a_key_reads_back(key: str) -> None:
    found = periods.read(key)
    assert found is not None
    assert found.key == key


@every("key", ["c0", "c100", "c-100", "192", "1923-13", "1923-02-30", "x", "99999", "1925s1", "-9999s1"])
def test_what_is_no_stretch_is_none(key: str) -> None:
    assert periods.read(key) is None


@every("year", [-300, -299, -200, -199, -100, -99, -43, 0, 1, 100, 101, 1900, 1901, 2000])
def test_every_year_lies_in_its_century(year: int) -> None:
    found = periods.holding("century", calendar.day_number(year))
    assert found.holds(calendar.year(year))


def test_one_zooms_from_all_of_time_to_a_day_and_back() -> None:
    day = periods.read("1923-04-12")
    assert day is not None
    assert [period.key for period in day.path] == ["", "c20", "1920s", "1923", "1923-04", "1923-04-12"]
    assert [period.key for period in (day.beside(-1), day.beside(1)) if period] == [
        "1923-04-11",
        "1923-04-13",
    ]
    assert day.parts(Span(0, 0)) == ()


def test_a_stretch_falls_into_its_parts() -> None:
    april = periods.read("1923-04")
    year = periods.read("1923")
    assert april is not None
    assert year is not None
    assert len(april.parts(Span(0, 0))) == 30
    part = year.part_of(april.span, Span(0, 0)) if april.span else None
    assert part == april
    assert april.part_of(calendar.year(1923), Span(0, 0)) is None


@every(
    ("first", "last", "unit"),
    [(1923, 1923, "month"), (1910, 1930, "year"), (1750, 1930, "decade"), (-43, 1930, "century")],
)
def test_all_of_time_is_split_as_coarsely_as_its_dates_lie(first: int, last: int, unit: str) -> None:
    whole = calendar.years(first, last)
    parts = periods.ALL.parts(whole)
    assert {part.unit for part in parts} == {unit}
    assert parts[0].holds(calendar.month(first, 1))
    assert parts[-1].holds(calendar.month(last, 12))
    assert len(parts) <= periods.MOST_PARTS


def test_the_calendars_ends_are_ends() -> None:
    first = periods.holding("year", calendar.day_number(calendar.FIRST_YEAR))
    assert first.beside(-1) is None or first.beside(-1).key
