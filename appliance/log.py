"""Steps narrate themselves: `with step("Embedding 41,200 passages", total=41_200) as s: s.advance(32)`.

A step prints its name, nests, shows progress with an estimate once it lasts over two seconds, and ends
with its time. On a terminal the progress line is redrawn in place; elsewhere (a log file, CI) a line is
printed every ten seconds. A step that fails says after how long. Nothing is printed about questions or
readers.
"""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

_depth = threading.local()


def say(message: str, stream: TextIO | None = None) -> None:
    """Prints one line at the depth of the running step."""
    stream = stream or sys.stderr
    print("  " * getattr(_depth, "value", 0) + message, file=stream, flush=True)


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
        self._skipped: float = 0
        self.started = clock()
        self._shown = self.started
        self._tty = stream.isatty()

    def resume_at(self, done: float) -> None:
        """Work that an earlier run did: it counts as done and not towards the speed."""
        self.done = self._skipped = done

    def advance(self, amount: float = 1) -> None:
        self.done += amount
        now = self._clock()
        if now - self.started > 2 and now - self._shown > (0.5 if self._tty else 10):
            self._shown = now
            self._show(now)

    def _show(self, now: float) -> None:
        speed = (self.done - self._skipped) / (now - self.started)
        parts = [f"{self.done:,.0f}"]
        if self.total:
            parts[0] += f" of {self.total:,.0f} {self.unit}".rstrip()
            parts.append(f"{100 * self.done / self.total:.0f} %")
            if speed > 0:
                parts.append(f"{duration(max(0.0, self.total - self.done) / speed)} left")
        else:
            parts[0] += f" {self.unit}".rstrip()
        line = "  " * getattr(_depth, "value", 0) + f"{self.name}: " + ", ".join(parts)
        if self._tty:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[2K{line[:width]}", end="", file=self._stream, flush=True)
        else:
            print(line, file=self._stream, flush=True)

    def clear(self) -> None:
        if self._tty and self._shown != self.started:
            print("\r\x1b[2K", end="", file=self._stream, flush=True)


@contextmanager
def step(
    name: str,
    total: float | None = None,
    unit: str = "",
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Step]:
    """Prints `name …` first, and `name: done in TIME` at the end of a step that lasted over a second."""
    stream = stream or sys.stderr
    say(f"{name} …", stream)
    current = Step(name, total, unit, stream, clock)
    _depth.value = getattr(_depth, "value", 0) + 1
    word = "ended after"
    try:
        yield current
        word = "done in"
    finally:
        current.clear()
        _depth.value -= 1
        took = clock() - current.started
        if took > 1:
            say(f"{name}: {word} {duration(took)}", stream)
