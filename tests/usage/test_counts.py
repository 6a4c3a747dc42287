"""What is counted and how long: bounded whatever the clock does, and no count is lost on the way."""

from datetime import date, timedelta

from appliance.usage.counts import ARCHIVES, OTHERS, bounded, folded, listed, summed


def days(number, first=date(2026, 1, 1), what="question", archive=""):
    return {((first + timedelta(n)).isoformat(), what, archive): 1 for n in range(number)}


def test_the_oldest_days_become_their_months():
    found = folded(days(70), days=40)
    assert found["2026-01", "question", ""] == 30
    assert min(period for period, _, _ in found if len(period) == 10) == "2026-01-31"
    assert sum(found.values()) == 70


def test_a_month_that_has_counts_already_takes_more():
    found = folded({**days(12), ("2026-01", "question", ""): 5}, days=10)
    assert found["2026-01", "question", ""] == 7


def test_only_so_many_months_are_kept():
    counts = {(f"20{year}-{month:02}", "slow", ""): 1 for year in range(10, 30) for month in range(1, 13)}
    found = folded(counts, months=120)
    assert len(found) == 120
    assert min(found)[0] == "2020-01"


def test_a_clock_that_jumps_far_and_back_costs_no_day():
    counts = {**days(39), ("2099-06-01", "question", ""): 1, ("1970-01-01", "question", ""): 1}
    found = folded(counts, days=40)
    assert len([1 for period, _, _ in found if len(period) == 10]) == 40
    assert set(days(39)) <= set(found)
    assert found["1970-01", "question", ""] == 1


def test_archives_of_one_day_are_bounded_and_their_articles_are_not_lost():
    counts = {("2026-01-01", "article", f"a{n:03}"): n + 1 for n in range(ARCHIVES + 20)}
    found = bounded({**counts, ("2026-01-01", "question", ""): 3})
    assert len(found) == ARCHIVES + 2
    assert found["2026-01-01", "article", OTHERS] == sum(range(1, 21))
    assert sum(found.values()) == sum(counts.values()) + 3
    assert bounded(found) == found


def test_the_order_of_the_list():
    counts = summed(
        [
            (("2026-01-02", "article", "b"), 1),
            (("2026-01-02", "question", ""), 2),
            (("2026-01", "slow", ""), 1),
            (("2026-01-02", "article", "a"), 1),
        ]
    )
    assert [(one.period, one.what, one.archive) for one in listed(counts)] == [
        ("2026-01", "slow", ""),
        ("2026-01-02", "question", ""),
        ("2026-01-02", "article", "a"),
        ("2026-01-02", "article", "b"),
    ]
