"""Sticks in a running box: plugged in, read from, pulled out half-way, swapped, written to; and the power
goes while a bundle is copied (cases 37, 38).

The sticks are virtual USB disks with real file systems, mounted by the card's own kernel, rules and units.
Everything happens in one emulated machine and then in a second start of its card, in the order of this file.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import health
import librarypage
import pytest
from card import BootFiles, Card
from qemu import SLOWNESS, Board, Machine
from small_bundle import DEFINITION, index_beside, write_small
from small_library import PAGES
from usbdisk import Stick

from appliance.bundles.build import build

pytestmark = pytest.mark.boot

CARD_BYTES = 6_000_000_000
BOARD = Board(memory_mb=1024, slowness=SLOWNESS)  # 1 GB: search only, so a start is shorter
STICK_BYTES = 200_000_000
FILLER = 24_000_000  # bytes that make a copy take a while
SLOW = 1_000_000  # bytes a second, of this machine's
PATIENCE = 300.0  # seconds, as the machine counts them, for what takes a box some of its own
NOTICED = 5.0  # seconds of the box in which a stick that is pulled out is said to be
STICKS, STORE = "/run/lamplight/sticks", "/data/bundles"
# Says when the stick's device goes and when the start page tells, in seconds since power-on.
WATCH = f"""
while [ -e /dev/sda ]; do sleep 0.02; done
cut -d' ' -f1 /proc/uptime
until chroot {health.phone.PLACE} curl -sS {health.HERE}/ | grep -q 'was pulled out'; do :; done
cut -d' ' -f1 /proc/uptime
"""


@dataclass(frozen=True, slots=True)
class Sticks:
    """CLINIC has the bundle valley 1, COAST the bundle valley 2; neither is signed."""

    clinic: Stick
    coast: Stick
    folder: Path


@pytest.fixture(scope="module")
def sticks(place: Path) -> Sticks:
    work = place / "bundles"
    work.mkdir()
    filler = work / "filler.gguf"
    filler.write_bytes(random.Random(5).randbytes(FILLER))
    made = []
    for label, archive, version, pages in (
        ("CLINIC", "small_2025-06", "1", PAGES),
        ("COAST", "coast_2025-06", "2", PAGES[:4]),
    ):
        zim = write_small(work / f"{archive}.zim", pages)
        indexes = {zim: index_beside(zim)}
        build(DEFINITION, version, [zim], {"filler": filler}, indexes.__getitem__, work)
        stick = Stick.format("vfat", label, work, STICK_BYTES)
        stick.fill(work / f"valley-{version}")
        made.append(stick)
    return Sticks(*made, work)


@pytest.fixture(scope="module")
def card(image: Path, place: Path) -> Card:
    return Card.flash(image, place / "card", CARD_BYTES)


@pytest.fixture(scope="module")
def box(card: Card, files: BootFiles, tools: Path, place: Path) -> Iterator[Machine]:
    with Machine(card, files, tools, place / "sticks", BOARD) as machine:
        health.wait(machine)
        librarypage.become_admin(machine)
        yield machine


def mounted(machine: Machine) -> dict[str, tuple[str, set[str]]]:
    """Name of a stick's folder -> kind and options of its mount."""
    lines = machine.guest.ask("findmnt", "-rn", "-o", "TARGET,FSTYPE,OPTIONS").out.splitlines()
    rows = [line.split() for line in lines if line.startswith(f"{STICKS}/")]
    return {
        target.removeprefix(f"{STICKS}/"): (kind, set(options.split(","))) for target, kind, options in rows
    }


def plugged(machine: Machine, stick: Stick, label: str, pace: int = 0) -> tuple[str, set[str]]:
    """Plugs it in, and gives kind and options of its mount."""
    stick.plug(machine, pace)
    machine.until(
        f"{label} to be mounted", PATIENCE, lambda: label in mounted(machine), lambda: health.why(machine)
    )
    return mounted(machine)[label]


def pulled(machine: Machine, stick: Stick, label: str) -> None:
    stick.pull(machine)
    machine.until(f"{label} to be gone", PATIENCE, lambda: not notes(machine), lambda: health.why(machine))
    assert label not in mounted(machine)


def notes(machine: Machine) -> list[str]:
    return machine.guest.run("ls", "-A", STICKS).split()


def read_in_kiwix(machine: Machine, archive: str) -> bool:
    """Kiwix leads from this address to the one where it keeps the article."""
    return librarypage.get(machine, f"{health.HERE}/read/{archive}/Tetanus", "-L").status == 200


def test_a_stick_is_mounted_for_reading_alone(box: Machine, sticks: Sticks) -> None:
    kind, options = plugged(box, sticks.clinic, "CLINIC")
    assert kind == "vfat"
    assert {"ro", "nosuid", "nodev", "noexec"} <= options
    assert box.guest.ask("touch", f"{STICKS}/CLINIC/file").code != 0


def test_it_is_used_from_the_stick(box: Machine) -> None:
    librarypage.shown(box, "valley 1", PATIENCE)
    assert not read_in_kiwix(box, "small_2025-06")
    librarypage.act(box, "use", yes="yes")
    librarypage.shown(box, "Stop using it", PATIENCE)
    box.until(
        "the article in Kiwix", PATIENCE, lambda: read_in_kiwix(box, "small_2025-06"), lambda: health.why(box)
    )


def test_pulled_out_the_pages_say_so_in_time(box: Machine, sticks: Sticks) -> None:
    watching = box.guest.start("sh", "-c", WATCH, seconds=600)
    pulled(box, sticks.clinic, "CLINIC")
    gone, told = map(float, watching.wait().out.split())
    print(f"pulled out and said after {told - gone:.1f} s of the box")
    assert told - gone <= NOTICED
    box.until("Kiwix to lose it", PATIENCE, lambda: not read_in_kiwix(box, "small_2025-06"), box.tail)
    assert health.pages_answer(box)  # what is on the card goes on
    assert health.failed(box) == []


def test_plugged_in_again_it_is_used_again_and_swapped_the_library_swaps(
    box: Machine, sticks: Sticks
) -> None:
    plugged(box, sticks.clinic, "CLINIC")
    box.until("the stick to be used again", PATIENCE, lambda: read_in_kiwix(box, "small_2025-06"), box.tail)
    pulled(box, sticks.clinic, "CLINIC")
    plugged(box, sticks.coast, "COAST")
    librarypage.shown(box, "valley 2", PATIENCE)
    assert not read_in_kiwix(box, "small_2025-06")
    librarypage.act(box, "use", yes="yes")
    librarypage.shown(box, "Stop using it", PATIENCE)
    librarypage.act(box, "leave")
    librarypage.shown(box, 'action="/library/use"', PATIENCE)
    pulled(box, sticks.coast, "COAST")


def coming(machine: Machine) -> int:
    """Bytes of the copies that are on their way."""
    found = machine.guest.ask("sh", "-c", f"du -sbc {STORE}/.coming-* 2>/dev/null | tail -n 1").out.split()
    return int(found[0]) if found else 0


def in_use(machine: Machine) -> str:
    """The folder of the bundle in use, whole to its last byte; "" for none."""
    target = machine.guest.ask("readlink", f"{STORE}/current").out.strip()
    if target:
        machine.guest.run(
            "/opt/lamplight/venv/bin/appliance", "bundle", "verify", f"{STORE}/{target}", seconds=300
        )
    return target


def test_pulled_out_at_half_of_a_copy_the_old_library_goes_on(box: Machine, sticks: Sticks) -> None:
    plugged(box, sticks.clinic, "CLINIC", SLOW)
    librarypage.shown(box, "valley 1", PATIENCE)
    librarypage.act(box, "copy", yes="yes")
    box.until("half of the copy", PATIENCE, lambda: coming(box) > FILLER // 2, lambda: health.why(box), 0.3)
    pulled(box, sticks.clinic, "CLINIC")
    librarypage.shown(box, "cannot be read", PATIENCE)
    assert in_use(box) == ""
    assert health.pages_answer(box)


def test_plugged_in_again_the_copy_goes_on_and_is_in_use(box: Machine, sticks: Sticks) -> None:
    before = coming(box)
    assert before > 0
    plugged(box, sticks.clinic, "CLINIC")
    librarypage.shown(box, "valley 1", PATIENCE)
    librarypage.act(box, "copy", yes="yes")
    librarypage.shown(box, "has answered its self-test", PATIENCE)
    assert in_use(box).startswith("valley-1-")
    pulled(box, sticks.clinic, "CLINIC")
    assert read_in_kiwix(box, "small_2025-06")


@pytest.mark.parametrize("kind", ["vfat", "exfat", "ntfs", "ext4"])
def test_a_stick_is_made_on_each_file_system(box: Machine, sticks: Sticks, kind: str) -> None:
    """Opened for writing as long as it takes, read back, and read again as somebody else's."""
    label = f"NEW{kind.upper()}"
    stick = Stick.format(kind, label, sticks.folder, STICK_BYTES)
    assert plugged(box, stick, label)[0] == kind
    librarypage.shown(box, f"Write to {label}", PATIENCE)
    librarypage.act(box, "export", stick=label)
    librarypage.shown(box, "The stick is ready", PATIENCE)
    _, options = mounted(box)[label]
    assert {"ro", "nosuid", "nodev", "noexec"} <= options
    pulled(box, stick, label)
    plugged(box, stick, label)
    librarypage.shown(box, "valley 1", PATIENCE)
    folder = box.guest.run("sh", "-c", f"ls -d {STICKS}/{label}/valley-1-*").strip()
    box.guest.run("/opt/lamplight/venv/bin/appliance", "bundle", "verify", folder, seconds=300)
    pulled(box, stick, label)
    assert health.failed(box) == []


def test_the_power_goes_during_a_copy(
    box: Machine, sticks: Sticks, card: Card, files: BootFiles, tools: Path, place: Path
) -> None:
    """The old bundle is there, whole, and the next try ends with the new one."""
    before = in_use(box)
    plugged(box, sticks.coast, "COAST", SLOW)
    librarypage.shown(box, "valley 2", PATIENCE)
    librarypage.act(box, "copy", yes="yes")
    box.until("some of the copy", PATIENCE, lambda: coming(box) > 0, lambda: health.why(box), 0.1)
    box.cut()
    seed = int(os.environ.get("LAMPLIGHT_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"LAMPLIGHT_SEED={seed}: {card.settle(random.Random(seed))}")
    with Machine(card, files, tools, place / "after-the-cut", BOARD) as machine:
        health.wait(machine)
        librarypage.sign_in(machine)
        assert in_use(machine) == before
        plugged(machine, sticks.coast, "COAST")
        librarypage.shown(machine, "valley 2", PATIENCE)
        librarypage.act(machine, "copy", yes="yes")
        librarypage.shown(machine, "has answered its self-test", PATIENCE)
        assert in_use(machine).startswith("valley-2-")
