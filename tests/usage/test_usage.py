"""Counts in their file: added up over starts, bounded, deleted with the switch, and never in a page's way."""

from datetime import date, timedelta

import pytest

from appliance.usage import usage as module
from appliance.usage.counts import ARCHIVES, OTHERS
from appliance.usage.usage import Usage

DAY = date(2026, 11, 30)


def opened(home, day=DAY, on=True):
    return Usage(home, on, lambda: day)


def test_counts_of_several_starts_add_up(tmp_path):
    for _ in range(2):
        usage = opened(tmp_path)
        usage.count("question")
        usage.count("article", "medicine")
        usage.stop()
    assert opened(tmp_path).counts() == {
        ("2026-11-30", "question", ""): 2,
        ("2026-11-30", "article", "medicine"): 2,
    }


def test_what_is_not_written_yet_is_shown(tmp_path):
    usage = opened(tmp_path)
    usage.count("slow")
    assert usage.counts() == {("2026-11-30", "slow", ""): 1}
    assert not usage.file.exists()  # looking writes nothing: cards wear
    usage.write()
    usage.count("slow")
    assert usage.counts() == {("2026-11-30", "slow", ""): 2}


def test_a_day_is_that_of_the_count_not_of_the_writing(tmp_path):
    today = [DAY]
    usage = Usage(tmp_path, True, lambda: today[0])
    usage.count("question")
    today[0] = date(2099, 1, 1)
    usage.count("question")
    today[0] = DAY - timedelta(1)
    usage.count("question")
    usage.write()
    assert sorted(period for period, _, _ in usage.counts()) == ["2026-11-29", "2026-11-30", "2099-01-01"]


def test_switched_off_it_counts_nothing_and_deletes_what_there_is(tmp_path):
    usage = opened(tmp_path)
    usage.count("question")
    usage.write()
    usage.count("question")
    usage.switch(on=False)
    usage.count("question")
    usage.write()
    assert list((tmp_path / module.FOLDER).iterdir()) == []
    usage.switch(on=True)
    assert usage.counts() == {}
    usage.count("refusal")
    usage.stop()
    assert opened(tmp_path).counts() == {("2026-11-30", "refusal", ""): 1}


def test_a_start_with_the_switch_off_deletes_what_an_earlier_one_counted(tmp_path):
    usage = opened(tmp_path)
    usage.count("question")
    usage.stop()
    off = opened(tmp_path, on=False)
    off.start()
    assert not off.file.exists()
    off.stop()


def test_a_file_that_cannot_be_used_is_told_and_costs_no_count(tmp_path):
    usage = opened(tmp_path)
    usage.file.parent.mkdir()
    usage.file.write_bytes(b"no database" * 100)
    usage.count("question")
    usage.write()
    assert "usage.db" in usage.problem
    assert [check.state for check in usage.checks()] == ["wrong"]
    assert usage.counts() == {("2026-11-30", "question", ""): 1}
    usage.switch(on=False)
    usage.switch(on=True)
    usage.count("question")
    usage.write()
    assert usage.checks() == ()
    assert usage.counts() == {("2026-11-30", "question", ""): 1}


def test_more_archives_in_a_day_than_have_names_are_counted_together(tmp_path):
    usage = opened(tmp_path)
    for number in range(ARCHIVES + 5):
        usage.count("article", f"a{number:03}")
    usage.write()
    usage.count("article", "a000")
    usage.stop()
    found = opened(tmp_path).counts()
    assert len(found) == ARCHIVES + 1
    assert found["2026-11-30", "article", OTHERS] == 5
    assert found["2026-11-30", "article", "a000"] == 2


@pytest.mark.slow
def test_the_file_stays_small_over_the_years(tmp_path):
    """Forty years of a card with 30 archives, in steps of a month's first days."""
    today = [DAY]
    usage = Usage(tmp_path, True, lambda: today[0])
    for month in range(480):
        for day in range(2):
            today[0] = date(2026 + month // 12, month % 12 + 1, day + 1)
            for archive in range(30):
                usage.count("article", f"wikipedia_en_medicine_{archive}")
        if month % 60 == 59:
            usage.write()
    usage.stop()
    assert usage.file.stat().st_size < 2_000_000
    periods = {period for period, _, _ in opened(tmp_path).counts()}
    assert len(periods) == 400 + 120
