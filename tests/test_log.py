"""What steps say, on a terminal and into a file, with a clock that the test turns."""

import io
import os
import termios
import time
from contextlib import suppress

import pytest
from every import every

from appliance.log import duration, fitted, say, several, step


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@every(
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
        current.advance(0)
        clock.now += 20
        current.advance(100)
    assert "900 of 1,000 passages, 90 %, 20.0 s left" in out.getvalue()


def test_what_comes_before_the_first_work_is_no_part_of_the_estimate(clock):
    out = io.StringIO()
    with step("Embedding", 1000, "passages", out, clock) as current:
        clock.now += 300  # models are loaded
        current.advance(100)
        clock.now += 20
        current.advance(100)
    assert "200 of 1,000 passages, 20 %, 2 min 40 s left" in out.getvalue()


def test_no_time_is_guessed_before_enough_is_known(clock):
    out = io.StringIO()
    with step("Embedding", 10_000, "passages", out, clock) as current:
        current.advance(1)
        clock.now += 20
        current.advance(50)
    assert "  Embedding: 51 of 10,000 passages, 1 %, 20.0 s so far\n" in out.getvalue()


def test_without_a_total_the_count_is_shown(clock):
    out = io.StringIO()
    with step("Reading", unit="entries", stream=out, clock=clock) as current:
        clock.now += 20
        current.advance(7)
    assert "  Reading: 7 entries, 20.0 s so far\n" in out.getvalue()


def test_a_step_in_which_nothing_advances_is_not_silent(clock):
    out = io.StringIO()
    with step("Compiling", stream=out, clock=clock, beat=0.005):
        clock.now += 11
        until = time.monotonic() + 5
        while "so far" not in out.getvalue() and time.monotonic() < until:
            time.sleep(0.005)
    assert out.getvalue().splitlines()[1] == "  Compiling: 11.0 s so far"


def test_only_the_innermost_step_shows_how_far_it_is(clock):
    out = io.StringIO()
    with step("Outer", stream=out, clock=clock) as outer, step("Inner", stream=out, clock=clock) as inner:
        clock.now += 20
        outer.tick()
        inner.tick()
    assert "Outer: 20.0 s so far" not in out.getvalue()
    assert "    Inner: 20.0 s so far\n" in out.getvalue()


@pytest.fixture
def terminal():
    """What is written to, and what a terminal of 60 columns got; stdout is another one."""
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (24, 60))
    with open(writer, "w", encoding="utf-8") as stream:

        def shown():
            stream.close()
            got = b""
            with suppress(OSError):  # how the end of a closed terminal reads
                while part := os.read(reader, 10_000):
                    got += part
            return got.decode()

        yield stream, shown
    os.close(reader)


def test_a_terminal_gets_one_line_of_its_width_that_is_wiped(clock, terminal):
    stream, shown = terminal
    with step("Embedding a great many passages", 10, "passages", stream, clock) as current:
        current.advance(1)
        clock.now += 5
        current.advance(1)
        say("A line in between.", stream)
    lines = shown().split("\r\x1b[2K")
    assert lines[1] == "  Embedding a great m…: 2 of 10 passages, 20 %, 40.0 s left"
    assert len(lines[1]) == 59
    assert lines[2].splitlines() == ["  A line in between.", "Embedding a great many passages: done in 5.0 s"]


@every(
    ("width", "line"),
    [
        (40, "  Indexing: 5 of 9 pages, 55 %, 3 s left"),
        (38, "  Index…: 5 of 9 pages, 55 %, 3 s left"),
        (31, "5 of 9 pages, 55 %, 3 s left"),
        (20, "55 %, 3 s left"),
        (10, "3 s left"),
    ],
)
def test_the_name_is_shortened_and_the_time_is_kept(width, line):
    assert fitted("  ", "Indexing", ["5 of 9 pages", "55 %", "3 s left"], width) == line
    assert len(line) <= width


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


def test_one_is_not_told_as_many():
    assert [several(count, "file") for count in (0, 1, 2, 6132)] == [
        "0 files",
        "1 file",
        "2 files",
        "6,132 files",
    ]
