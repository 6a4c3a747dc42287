"""A card with the image on it, as one puts it into a box: copied, larger than the image, written to for real.

The image is never changed. While a machine runs, its writes go to an overlay, and QEMU logs them; when it has
ended, the log says what the card holds (writelog.py).
"""

import json
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from writelog import Lost, apply

SECTOR = 512
TOOLS = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin", "LC_ALL": "C"}
LOG_BYTES = 64 << 30  # as large as the log may become: a hole in a sparse file


@dataclass(frozen=True, slots=True)
class BootFiles:
    """What a Raspberry Pi's firmware reads from the FAT partition and hands to the kernel."""

    kernel: Path
    initramfs: Path
    arguments: str


@dataclass(frozen=True, slots=True)
class Card:
    """A raw file with a card's content, in a folder of its own."""

    file: Path

    @classmethod
    def flash(cls, image: Path, folder: Path, size: int) -> "Card":
        """The image on a card of `size` bytes."""
        folder.mkdir(parents=True, exist_ok=True)
        card = cls(folder / "card.img")
        run("cp", "--sparse=always", "--reflink=auto", str(image), str(card.file))
        with card.file.open("r+b") as file:
            file.truncate(size)
        return card

    def drive(self) -> list[str]:
        """QEMU's arguments for this card, as a disk that holds writes back until they are flushed."""
        overlay, log = self._overlay(), self._log()
        run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(self.file), str(overlay))
        log.unlink(missing_ok=True)
        with log.open("wb") as file:
            file.truncate(LOG_BYTES)
        disk = {
            "driver": "blklogwrites",
            "node-name": "card",
            "file": {"driver": "qcow2", "file": {"driver": "file", "filename": str(overlay)}},
            "log": {"driver": "file", "filename": str(log)},
        }
        return ["-blockdev", json.dumps(disk), "-device", "virtio-blk-pci,drive=card,write-cache=on"]

    def settle(self, chance: random.Random | None) -> Lost:
        """After the machine has ended: puts onto the card what reached it; `chance` as in writelog.apply."""
        lost = apply(self._log(), self.file, chance)
        self._overlay().unlink()
        self._log().unlink()
        return lost

    def write_to_fat(self, name: str, text: str) -> None:
        """A file on the FAT partition, as the owner writes it on another computer."""
        run("mcopy", "-o", "-i", fat(self.file), "-", f"::{name}", text=text)

    def _overlay(self) -> Path:
        return self.file.with_name("overlay.qcow2")

    def _log(self) -> Path:
        return self.file.with_name("writes.log")


def run(*command: str, text: str = "", seconds: float = 600) -> str:
    """The output of a program of this machine that must end well; those for root are found too."""
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=seconds, check=False, env=TOOLS
    )
    assert done.returncode == 0, (
        f"{' '.join(command)}: ended with {done.returncode}\n{done.stdout}{done.stderr}"
    )
    return done.stdout


def partitions(image: Path) -> list[tuple[int, int]]:
    """Start and size of each partition, in bytes, in their order on the card."""
    table = json.loads(run("sfdisk", "--json", str(image)))["partitiontable"]
    return [(row["start"] * SECTOR, row["size"] * SECTOR) for row in table["partitions"]]


def fat(image: Path) -> str:
    """The image's first partition as mtools names it."""
    return f"{image}@@{partitions(image)[0][0]}"


def boot_files(image: Path, folder: Path) -> BootFiles:
    """The kernel and the initramfs that config.txt names, and the arguments of cmdline.txt."""
    run("mcopy", "-n", "-o", "-i", fat(image), "::config.txt", "::cmdline.txt", str(folder))
    named = {}
    for line in (folder / "config.txt").read_text("utf-8").splitlines():
        words = line.split("#")[0].replace("=", " ").split()
        if len(words) > 1 and words[0] in ("kernel", "initramfs"):
            named.setdefault(words[0], words[1])
    for name in named.values():
        run("mcopy", "-n", "-o", "-i", fat(image), f"::{name}", str(folder))
    arguments = (folder / "cmdline.txt").read_text("utf-8").split()
    return BootFiles(folder / named["kernel"], folder / named["initramfs"], " ".join(arguments))
