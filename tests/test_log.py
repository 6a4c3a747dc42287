"""What steps say, on a terminal and into a file, with a clock that the test turns."""

import io

import pytest

from appliance.log import duration, say, step


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (59.9, "59.9 s"),
        (60, "1 min 00 s"),
        (245, "4 min 05 s"),
        (3600, "1 h 00 min"),
        (7799, "2 h 09 min"),
    ],
)
def test_durations_for_people(seconds, words):
    assert duration(seconds) == words


def test_a_quick_step_says_its_name_only(clock):
    out = io.StringIO()
    with step("Tidying", stream=out, clock=clock):
        clock.now += 0.5
    assert out.getvalue() == "Tidying …\n"


def test_a_long_step_says_how_far_and_how_long(clock):
    out = io.StringIO()
    with step("Embedding", 1000, "passages", out, clock) as current:
        for _ in range(4):
            clock.now += 5
            current.advance(100)
    assert out.getvalue().splitlines() == [
        "Embedding …",
        "  Embedding: 300 of 1,000 passages, 30 %, 35.0 s left",
        "Embedding: done in 20.0 s",
    ]


def test_work_of_an_earlier_run_does_not_count_towards_the_speed(clock):
    out = io.StringIO()
    with step("Embedding", 1000, "passages", out, clock) as current:
        current.resume_at(800)
        clock.now += 20
        current.advance(100)
    assert "900 of 1,000 passages, 90 %, 20.0 s left" in out.getvalue()


def test_without_a_total_the_count_is_shown(clock):
    out = io.StringIO()
    with step("Reading", unit="entries", stream=out, clock=clock) as current:
        clock.now += 20
        current.advance(7)
    assert "  Reading: 7 entries\n" in out.getvalue()


def test_a_terminal_gets_one_line_that_is_wiped(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    out = Terminal()
    with step("Embedding a great many passages", 10, "passages", out, clock) as current:
        clock.now += 3
        current.advance(1)
    lines = out.getvalue().split("\r\x1b[2K")
    assert len(lines[1]) == 29
    assert lines[2] == "Embedding a great many passages: done in 3.0 s\n"


def test_a_step_that_fails_does_not_say_done(clock):
    out = io.StringIO()

    def fail():
        with step("Writing", stream=out, clock=clock):
            clock.now += 5
            raise ValueError("disk")

    with pytest.raises(ValueError, match="disk"):
        fail()
    assert out.getvalue() == "Writing …\nWriting: ended after 5.0 s\n"


def test_steps_nest(clock):
    out = io.StringIO()
    with step("Outer", stream=out, clock=clock):
        with step("Inner", stream=out, clock=clock):
            say("a line", out)
        clock.now += 2
    assert out.getvalue() == "Outer …\n  Inner …\n    a line\nOuter: done in 2.0 s\n"
