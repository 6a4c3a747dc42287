"""A card whose root cannot be found: the box says why and starts again, and no shell opens."""

from pathlib import Path

import pytest
from card import BootFiles, Card
from qemu import Board, Machine

pytestmark = pytest.mark.boot

AGAIN = "Rebooting automatically due to panic= boot argument"
WAITED = 300  # seconds: the initramfs waits for 30, under emulation


def test_without_a_root_the_box_says_why_and_starts_again(files: BootFiles, tools: Path, place: Path) -> None:
    empty = Card(place / "empty.img")
    with empty.file.open("wb") as file:
        file.truncate(64 << 20)
    with Machine(empty, files, tools, place / "no-root", Board()) as machine:
        machine.until("the box to start again", WAITED, lambda: AGAIN in machine.tail(1000))
        console = machine.tail(1000)
    assert "LABEL=lamp-root does not exist" in console
    assert "(initramfs)" not in console
