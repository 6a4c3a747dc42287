"""Every wait of these tests has a bound, and says what it waited for and what was last seen."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


class TimedOut(AssertionError):
    """Something did not come about in its time."""


class Clock:
    """Seconds since it was made, without those in which a process was ready to run and others had the
    processor: other work on this machine makes a start take longer, not its figure. Of the process's threads
    the one counts that waited longest (proc(5), schedstat), so the figure is never too small."""

    def __init__(self, process: int) -> None:
        self._threads = Path(f"/proc/{process}/task")
        self._made = time.monotonic()
        self.waited = 0.0  # seconds that are left out so far

    def __call__(self) -> float:
        try:
            waits = [int(file.read_text().split()[1]) for file in self._threads.glob("*/schedstat")]
        except (OSError, IndexError):  # a thread has ended just now, or all have
            waits = []
        self.waited = max(self.waited, max(waits, default=0) / 1e9)
        return time.monotonic() - self._made - self.waited


def until(
    what: str,
    seconds: float,
    look: Callable[[], T],
    tail: Callable[[], str],
    pause: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> T:
    """Looks again and again until what it sees is true, and gives that. `look` may raise OSError while the
    thing is not there yet. Raises TimedOut with `tail()` (the console's last lines)."""
    end = clock() + seconds
    seen: object = "nothing"
    while True:
        try:
            seen = found = look()
            if found:
                return found
        except OSError as error:
            seen = error
        if clock() > end:
            raise TimedOut(f"Waited {seconds:.0f} s for {what}; last seen: {seen!r}.\n{tail()}")
        time.sleep(pause)
