"""What is counted, and how long; pure.

A period is a day (`2026-11-30`) by the box's clock, or a month (`2026-11`) into which old days were folded.
How much is kept goes by the number of days that have counts, not by what today is: a clock that jumps to 2099
and back adds a day, and costs none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

What = Literal["question", "refusal", "slow", "article"]
WHATS: Final[tuple[What, ...]] = ("question", "refusal", "slow", "article")
SLOW = 30.0  # seconds from a question to the end of its answer, after which that counts as slow
DAYS, MONTHS = 400, 120  # with counts, that are kept
ARCHIVES = 100  # of one period that are counted by their names; the others are counted together
OTHERS = ""  # their name


@dataclass(frozen=True, slots=True)
class Count:
    """How often in a period; `archive` is set for articles alone."""

    period: str
    what: What
    archive: str
    number: int


Key = tuple[str, What, str]
Counts = Mapping[Key, int]


def is_day(period: str) -> bool:
    return len(period) == len("2026-11-30")


def folded(counts: Counts, days: int = DAYS, months: int = MONTHS) -> dict[Key, int]:
    """The same with the oldest days in their months, and without the oldest months, so that at most so many
    are left of each."""
    old = sorted({period for period, _, _ in counts if is_day(period)})[:-days]
    found = summed(
        ((period[:7] if period in old else period, what, archive), number)
        for (period, what, archive), number in counts.items()
    )
    kept = sorted({period for period, _, _ in found if not is_day(period)})[-months:]
    found = {key: number for key, number in found.items() if is_day(key[0]) or key[0] in kept}
    return summed(bounded(found).items())


def bounded(counts: Counts) -> dict[Key, int]:
    """At most ARCHIVES names in a period, those with the most articles; the others are counted together."""
    periods: dict[str, list[Key]] = {}
    for key in counts:
        if key[1] == "article" and key[2] != OTHERS:
            periods.setdefault(key[0], []).append(key)
    over = {
        key
        for keys in periods.values()
        for key in sorted(keys, key=lambda key: (-counts[key], key))[ARCHIVES:]
    }
    return summed(
        ((key[0], key[1], OTHERS) if key in over else key, number) for key, number in counts.items()
    )


def summed(counts: Iterable[tuple[Key, int]]) -> dict[Key, int]:
    found: dict[Key, int] = {}
    for key, number in counts:
        found[key] = found.get(key, 0) + number
    return found


def listed(counts: Counts) -> list[Count]:
    """In order of time, then as WHATS, then by the archive's name."""
    order = sorted(counts, key=lambda key: (key[0], WHATS.index(key[1]), key[2]))
    return [Count(*key, counts[key]) for key in order]
