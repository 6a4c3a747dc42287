"""How often a passphrase or a code may be tried: pauses that grow with each wrong try, and end.

Each try counts for several keys at once (a name, an address, all together), each with a pace of its own. A
key is free for a few tries; then the next has to wait 1, 2, 4 … seconds, up to the pace's longest. No key is
ever shut for longer than that, whoever tries: who sits still gets in. At most MOST keys are kept, in memory
alone, the latest; to push one out somebody has to be wrong so often that all together wait.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST = 2_000
FORGOTTEN = 3_600.0  # seconds without a wrong try


@dataclass(frozen=True, slots=True)
class Pace:
    """`free` tries without a pause, then pauses that double up to `longest` seconds."""

    free: int
    longest: float

    def pause(self, wrong: int) -> float:
        if wrong < self.free:
            return 0.0
        return min(self.longest, 2.0 ** min(wrong - self.free, 30))


# One address is slowed to four tries an hour, so that one phone cannot use up what all may try: to keep a
# name at its longest pause takes fifteen addresses, to keep all together there takes ninety.
ADDRESS, NAME, KNOWN, ALL = Pace(5, 900.0), Pace(5, 60.0), Pace(10, 60.0), Pace(40, 10.0)

Key = tuple[Pace, str]


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    last: float = 0.0
    before: float = 0.0  # `last` before the try that is being looked at


class Tries:
    """Of one thing that is guessed. `clock` gives seconds that never run backwards."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock, self._most = clock, most
        self._counts: OrderedDict[Key, _Count] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, keys: Sequence[Key]) -> float:
        """Counts a try as wrong for each key, before it is looked at, so that many at once are not let past
        the count. Gives 0.0; or the seconds to wait, and then nothing is counted."""
        with self._lock:
            now = self._clock()
            wait = max((self._wait(key, now) for key in keys), default=0.0)
            if wait > 0:
                return wait
            for key in keys:
                found = self._counts.setdefault(key, _Count())
                self._counts.move_to_end(key)
                found.wrong, found.last, found.before = found.wrong + 1, now, found.last
            while len(self._counts) > self._most:
                self._counts.popitem(last=False)
            return 0.0

    def good(self, keys: Sequence[Key]) -> None:
        """The try was right: it is as if it had not been. What was wrong before stays, so that nobody clears
        the way for guessing another name by signing in under their own."""
        with self._lock:
            for key in keys:
                found = self._counts.get(key)
                if found is not None:
                    found.wrong, found.last = found.wrong - 1, found.before
                    if found.wrong <= 0:
                        del self._counts[key]

    def _wait(self, key: Key, now: float) -> float:
        found = self._counts.get(key)
        if found is None:
            return 0.0
        if now - found.last >= FORGOTTEN:
            del self._counts[key]
            return 0.0
        return max(0.0, found.last + key[0].pause(found.wrong) - now)

    def __len__(self) -> int:
        return len(self._counts)
