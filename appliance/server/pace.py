"""How fast one visitor may ask: as people do, in bursts too; who goes beyond is slowed, then refused.

A leaky bucket for each reader, and a larger one for each address, for those who share it. What is refused
counts a little, so that a program which never stops waits longer and longer, up to a minute; who pauses is
free again.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

LIMIT = 4096  # buckets; the one that was used longest ago goes first


@dataclass(frozen=True, slots=True)
class Bucket:
    """Questions at once, and per second from then on."""

    burst: float
    rate: float


READER = Bucket(20.0, 0.5)
ADDRESS = Bucket(100.0, 2.5)
LONGEST = 60.0  # seconds to wait, however much was refused
REFUSED = 0.2  # of its cost counts


class Pace:
    def __init__(
        self,
        reader: Bucket = READER,
        address: Bucket = ADDRESS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader, self._address, self._clock = reader, address, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is in it, and since when

    def __len__(self) -> int:
        return len(self._levels)

    def wait(self, visitor: str, cost: float, patience: float) -> float:
        """Seconds after which a request of this cost fits; it counts if that is at most `patience`."""
        buckets = ((visitor, self._reader), (visitor.partition("/")[0], self._address))
        levels = [self._level(name, bucket) + cost for name, bucket in buckets]
        over = max(
            (level - bucket.burst) / bucket.rate for level, (_, bucket) in zip(levels, buckets, strict=True)
        )
        for level, (name, bucket) in zip(levels, buckets, strict=True):
            counted = level if over <= patience else level - cost * (1 - REFUSED)
            self._keep(name, min(counted, bucket.burst + LONGEST * bucket.rate))
        return min(LONGEST, max(0.0, over))

    def _level(self, name: str, bucket: Bucket) -> float:
        level, since = self._levels.get(name, (0.0, 0.0))
        return max(0.0, level - (self._clock() - since) * bucket.rate)

    def _keep(self, name: str, level: float) -> None:
        self._levels[name] = (level, self._clock())
        self._levels.move_to_end(name)
        if len(self._levels) > LIMIT:
            self._levels.popitem(last=False)
