"""The power goes at random moments: in the first start, in later ones, while people read. Every start that is
then left alone becomes healthy, and what the box made of itself (its passphrase) stays the same.

What the box wrote since it last asked for a flush is kept, lost or torn, each write by itself (writelog.py).
`LAMPLIGHT_SEED` repeats a run's chances, not the emulator's timing; `LAMPLIGHT_CUTS` asks for more cuts,
`LAMPLIGHT_CARDS` for another number of cards side by side.
"""

import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import health
import pytest
from card import BootFiles, Card
from qemu import SLOWNESS, Board, Machine

pytestmark = pytest.mark.boot

CHAINS = int(os.environ.get("LAMPLIGHT_CARDS", "2"))  # cards that are tried side by side
CARD_BYTES = 6_000_000_000
BOARD = Board(memory_mb=1024, slowness=SLOWNESS)  # 1 GB: search only, so a start is shorter
SEED = int(os.environ.get("LAMPLIGHT_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
CUTS = int(os.environ.get("LAMPLIGHT_CUTS", "10"))
USUAL = 120.0  # seconds that a start takes, before one was seen


@dataclass(slots=True)
class Chain:
    """One card and what happens to it. A start is cut, the next is left alone until it is healthy and is cut
    too, while it serves; and so on."""

    card: Card
    files: BootFiles
    tools: Path
    folder: Path
    chance: random.Random
    healthy: int = 0
    passphrase: str = ""

    def run(self, cuts: int) -> list[str]:
        """Lines about each cut."""
        usual, said = USUAL, []
        for number in range(cuts):
            with self._machine(number) as machine:
                if number % 2 == 0:
                    after, state = self.chance.uniform(0, usual), "in its start"
                    sleep_until(machine, after)
                else:
                    usual = self._healthy(machine)
                    after, state = machine.age() + self.chance.uniform(0, 10), "while it served"
                    self._busy(machine, after)
            lost = self.card.settle(self.chance)
            said.append(f"cut {state} after {after:.0f} s: {lost}")
        with self._machine(cuts) as machine:
            self._healthy(machine)
        self.card.settle(self.chance)
        return said

    def _machine(self, number: int) -> Machine:
        return Machine(self.card, self.files, self.tools, self.folder / f"start-{number}", BOARD)

    def _healthy(self, machine: Machine) -> float:
        """Seconds until it was. The passphrase is the one that an earlier start made."""
        times = health.wait(machine)
        found = json.loads(machine.guest.run("cat", "/run/lamplight/box.json"))["passphrase"]
        assert self.passphrase in ("", found), f"the passphrase has changed in {machine.folder.name}"
        self.passphrase = found
        self.healthy += 1
        return times.network

    def _busy(self, machine: Machine, until: float) -> None:
        """Reads pages, and has the clock and the journal write, until then."""
        while machine.running() and machine.age() < until:
            machine.guest.start("systemctl", "start", "lamplight-clock-keep.service")
            machine.guest.start("chroot", health.phone.PLACE, "curl", "-sS", f"{health.HERE}/", seconds=10)
            time.sleep(1)


def sleep_until(machine: Machine, moment: float) -> None:
    while machine.age() < moment:
        assert machine.running(), machine.tail()
        time.sleep(min(0.1, max(moment - machine.age(), 0.001)))


def test_every_start_after_a_power_cut_is_healthy(
    image: Path, files: BootFiles, tools: Path, place: Path
) -> None:
    print(f"LAMPLIGHT_SEED={SEED} LAMPLIGHT_CUTS={CUTS}")
    shares = [CUTS // CHAINS + (number < CUTS % CHAINS) for number in range(CHAINS)]
    chains = [
        Chain(
            Card.flash(image, place / f"card-{number}", CARD_BYTES),
            files,
            tools,
            place / f"chain-{number}",
            random.Random(SEED + number),
        )
        for number in range(CHAINS)
    ]
    with ThreadPoolExecutor(CHAINS) as side_by_side:
        said = list(side_by_side.map(Chain.run, chains, shares))
    for lines in said:
        print("\n".join(lines))
    print(f"{sum(chain.healthy for chain in chains)} starts after cuts, all healthy")
    assert len({chain.passphrase for chain in chains}) == CHAINS  # each card made its own
