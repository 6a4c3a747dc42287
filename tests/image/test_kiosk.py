"""The box's own screen: an image made with --kiosk, on a machine with a screen and something that touches it.

The screen is QEMU's (virtio, without 3D) and the touch a USB tablet's; no board's graphics are tried.
"""

from collections.abc import Iterator
from pathlib import Path

import health
import pytest
import table
from card import BootFiles, Card
from guest import Running
from PIL import Image
from qemu import SLOWNESS, Board, Machine
from testdisk import PLACE

pytestmark = [pytest.mark.boot, pytest.mark.kiosk]

CARD_BYTES = 6_000_000_000
BOARD = Board(slowness=SLOWNESS, screen=True)
UNIT = "lamplight-kiosk"
BROWSER = 1500  # seconds of this machine until a browser under emulation shows a page
COLOURS = 50  # of a page with letters and pictures; a console and an empty screen have fewer
MEMORY = 750  # MB, the unit's bound
# Each request of the screen, as soon as it comes: its way and for whom it is.
WATCH = f"""chroot {PLACE} tcpdump -Z root -i lo -A -l -s 2000 'tcp dst port 80' 2>/dev/null |
grep --line-buffered -aoE '(GET|POST) [^ ]+ HTTP|Host: [0-9a-f]{{16}}[.]kiosk[.]localhost'"""


@pytest.fixture(scope="module")
def box(image: Path, files: BootFiles, tools: Path, place: Path) -> Iterator[Machine]:
    card = Card.flash(image, place / "card", CARD_BYTES)
    with Machine(card, files, tools, place / "kiosk", BOARD) as machine:
        machine.wait_for_agent(health.BOOT)
        yield machine


@pytest.fixture(scope="module")
def asked(box: Machine) -> Running:
    """What the screen's browser asks for, from its start on."""
    return box.guest.start("sh", "-c", WATCH, seconds=7200)


def why(machine: Machine) -> str:
    journal = machine.guest.ask("journalctl", "-b", "-u", UNIT, "-u", "seatd", "-n", "60", "--no-pager").out
    return f"{journal}\n{health.why(machine)}"


def test_the_screen_shows_the_library(box: Machine, asked: Running, cache: Path) -> None:
    health.wait(box)
    box.until("the browser to ask", BROWSER, lambda: ".kiosk.localhost" in asked.out, lambda: why(box))
    print(f"the screen's browser asked after {box.age():.0f} s")
    picture = cache / "kiosk.png"

    def seen() -> bool:
        box.qmp("screendump", filename=str(picture), format="png")
        with Image.open(picture) as file:
            screen = file.convert("RGB")
        corner = screen.getpixel((screen.width - 1, screen.height - 1))  # black: the page fills a part of it
        return len(screen.getcolors(1 << 24) or ()) >= COLOURS and corner != (0, 0, 0)

    box.until("a page on the screen", BROWSER, seen, lambda: why(box), pause=5)
    print(f"a page on the screen after {box.age():.0f} s: {picture}")
    assert health.active(box, UNIT)
    assert health.failed(box) == []


def test_a_touch_is_heard(box: Machine, asked: Running) -> None:
    """By way of the tablet, seatd, cage and the browser to the pages, which a touch keeps from forgetting."""
    before = asked.out.count("POST /kiosk/here")

    def heard() -> bool:
        box.touch(0.5, 0.9)
        return asked.out.count("POST /kiosk/here") > before

    box.until("the touch to be told to the pages", BROWSER, heard, lambda: why(box), pause=10)


def test_a_browser_that_ends_comes_back(box: Machine, asked: Running) -> None:
    said = len(asked.out)
    box.guest.run("systemctl", "kill", "--signal=KILL", UNIT)
    box.until(
        "the browser to ask again",
        BROWSER,
        lambda: ".kiosk.localhost" in asked.out[said:],
        lambda: why(box),
        pause=5,
    )


def test_memory_of_the_screen(box: Machine) -> None:
    shares = table.memory_shares(box.guest)
    used = shares[f"{UNIT}.service"] / table.MB
    print(f"memory of the screen: {used:.0f} MB PSS; the rest {sum(shares.values()) / table.MB - used:.0f}")
    assert used <= MEMORY
