"""Every wait of these tests has a bound, and says what it waited for and what was last seen."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class TimedOut(AssertionError):
    """Something did not come about in its time."""


def until(what: str, seconds: float, look: Callable[[], T], tail: Callable[[], str], pause: float = 1.0) -> T:
    """Looks again and again until what it sees is true, and gives that. `look` may raise OSError while the
    thing is not there yet. Raises TimedOut with `tail()` (the console's last lines)."""
    end = time.monotonic() + seconds
    seen: object = "nothing"
    while True:
        try:
            seen = found = look()
            if found:
                return found
        except OSError as error:
            seen = error
        if time.monotonic() > end:
            raise TimedOut(f"Waited {seconds:.0f} s for {what}; last seen: {seen!r}.\n{tail()}")
        time.sleep(pause)
