"""Steps narrate themselves: `with step("Embedding 41,200 passages", total=41_200) as s: s.advance(32)`.

A step prints its name, nests, and once it lasts over two seconds shows how far it is; it ends with its time.
On a terminal the progress line is redrawn in place; elsewhere (a log file, CI) a line is printed every ten
seconds. A timer does so too while nothing advances, so that a long part of the work is never silent. A step
that fails says after how long. Nothing is printed about questions or readers.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

BEAT = 1.0  # seconds between two looks at whether a line is due
ENOUGH_SECONDS, ENOUGH_WORK = 3.0, 0.01  # measured before a time left is told: a guess is worse than none

_pen = threading.RLock()  # the timer and the work write to the same stream


class _Running(threading.local):
    """The steps that this thread is in, the innermost last."""

    def __init__(self) -> None:
        self.steps: list[Step] = []


_running = _Running()


def say(message: str, stream: TextIO | None = None) -> None:
    """Prints one line at the depth of the running step."""
    stream = stream or sys.stderr
    with _pen:
        for current in _running.steps[-1:]:
            current.wipe()
        print("  " * len(_running.steps) + message, file=stream, flush=True)


def several(count: int, one: str) -> str:
    """A count with its noun: `1 file`, `6,132 files`."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def duration(seconds: float) -> str:
    """`3.2 s`, `4 min 05 s`, `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


class Step:
    """A running step; `advance` counts towards `total` (None: unknown, then only the count is shown)."""

    def __init__(
        self,
        name: str,
        total: float | None,
        unit: str,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.total, self.unit, self._stream, self._clock = name, total, unit, stream, clock
        self.done: float = 0
        self.started = clock()
        self._shown = self.started
        self._tty = stream.isatty()
        self._drawn = self._over = False
        self._measured_from: tuple[float, float] | None = None  # when the first work was done, and how much
        self._steps = _running.steps
        self._depth = len(self._steps) + 1

    def resume_at(self, done: float) -> None:
        """Work that an earlier run did: it counts as done and not towards the speed."""
        self.done = done

    def advance(self, amount: float = 1) -> None:
        self.done += amount
        if self._measured_from is None or self.done < self._measured_from[1]:
            self._measured_from = self._clock(), self.done
        self.tick()

    def tick(self) -> None:
        """Shows how far it is when that is due; the timer calls it while nothing advances."""
        now = self._clock()
        with _pen:
            innermost = self._steps[-1:] in ([], [self])
            due = now - self.started > 2 and now - self._shown > (0.5 if self._tty else 10)
            if due and innermost and not self._over:
                self._shown = now
                self._show(now)

    def _show(self, now: float) -> None:
        parts = [f"{self.done:,.0f} {self.unit}".rstrip()] if self.done or self.total else []
        left = None
        if self.total:
            parts = [f"{self.done:,.0f} of {self.total:,.0f} {self.unit}".rstrip()]
            parts.append(f"{100 * self.done / self.total:.0f} %")
            left = self._left(now)
        parts.append(f"{duration(now - self.started)} so far" if left is None else f"{duration(left)} left")
        if self._tty:
            line = fitted("  " * self._depth, self.name, parts, _width(self._stream) - 1)
            print(f"\r\x1b[2K{line}", end="", file=self._stream, flush=True)
            self._drawn = True
        else:
            print("  " * self._depth + f"{self.name}: " + ", ".join(parts), file=self._stream, flush=True)

    def _left(self, now: float) -> float | None:
        """Seconds left, at the speed since the first work was done; None until enough of it is known."""
        if self._measured_from is None or not self.total:
            return None
        began, before = self._measured_from
        took, did = now - began, self.done - before
        if took < ENOUGH_SECONDS or did <= 0 or did < ENOUGH_WORK * (self.total - before):
            return None
        return max(0.0, self.total - self.done) * took / did

    def wipe(self) -> None:
        """Takes the progress line off a terminal."""
        if self._drawn:
            print("\r\x1b[2K", end="", file=self._stream, flush=True)
            self._drawn = False

    def end(self) -> None:
        with _pen:
            self._over = True
            self.wipe()


def fitted(indent: str, name: str, parts: list[str], width: int) -> str:
    """One line of at most `width` characters: the name is shortened, then left out, and numbers only where
    they alone are too long; the time is kept."""
    numbers = ", ".join(parts)
    room = width - len(indent) - len(numbers) - len(": ")
    if len(name) <= room:
        return f"{indent}{name}: {numbers}"
    if room > 1:
        return f"{indent}{name[: room - 1]}…: {numbers}"
    while len(numbers) > width and len(parts) > 1:
        parts = parts[1:]
        numbers = ", ".join(parts)
    return numbers[: max(0, width)]


def _width(stream: TextIO) -> int:
    """Columns of the terminal that is written to, whatever stdout is; 80 where it does not say."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


@contextmanager
def step(
    name: str,
    total: float | None = None,
    unit: str = "",
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
    beat: float = BEAT,
) -> Iterator[Step]:
    """Prints `name …` first, and `name: done in TIME` at the end of a step that lasted over a second."""
    stream = stream or sys.stderr
    say(f"{name} …", stream)
    current = Step(name, total, unit, stream, clock)
    _running.steps.append(current)
    ended = threading.Event()
    threading.Thread(target=_keep_telling, args=(current, ended, beat), daemon=True).start()
    word = "ended after"
    try:
        yield current
        word = "done in"
    finally:
        ended.set()
        current.end()
        _running.steps.pop()
        took = clock() - current.started
        if took > 1:
            say(f"{name}: {word} {duration(took)}", stream)


def _keep_telling(current: Step, ended: threading.Event, beat: float) -> None:
    while not ended.wait(beat):
        try:
            current.tick()
        except (OSError, ValueError):  # nobody reads any more: the work itself meets that and says so
            return
