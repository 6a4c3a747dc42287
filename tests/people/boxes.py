"""People of a box in memory, with hashes that cost nothing, and a clock that stands still."""

from dataclasses import dataclass
from pathlib import Path

from appliance.passphrases import Cost
from appliance.people.people import People, open_people

CHEAP = Cost(8, 1)
WORDS = "correct horse battery"


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def people(folder: Path | None = None, code: Path | None = None, clock: Clock | None = None) -> People:
    return open_people(folder, code, CHEAP, clock or Clock())
