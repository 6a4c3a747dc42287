"""The card's units as systemd on this machine reads them: in a folder laid out as the card's root, with empty
programs where the card has real ones."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "systemd"
ROOTFS = ROOT / "image/rootfs"
OURS = sorted(file for file in UNITS.glob("lamplight-*") if file.suffix in (".service", ".socket", ".timer"))
SERVICES = [file for file in OURS if file.suffix == ".service"]
# Units of Debian that ours name; empty ones stand for them.
DEBIAN = {
    "nftables.service": "[Service]\nType=oneshot\nExecStart=/bin/sh\n",
    "nginx.service": "[Service]\nType=forking\nExecStart=/usr/sbin/nginx\n",
    "seatd.service": "[Service]\nExecStart=/bin/sh\n",
    "systemd-networkd.service": "[Service]\nExecStart=/bin/sh\n",
    "data.mount": "[Mount]\nWhat=/dev/null\nWhere=/data\n",
    "boot-firmware.mount": "[Mount]\nWhat=/dev/null\nWhere=/boot/firmware\n",
}
TARGETS = ("sysinit", "basic", "shutdown", "network-pre", "network", "multi-user", "timers", "sockets")


def values(file: Path, key: str) -> list[str]:
    """All values of a key of a unit, in order."""
    return re.findall(rf"^{key}=(.*)$", file.read_text("utf-8"), re.MULTILINE)


def programs(file: Path) -> Iterator[str]:
    """The path of each program that a unit starts."""
    for line in file.read_text("utf-8").splitlines():
        if found := re.match(r"Exec\w+=[-+@:!]*(\S+)", line):
            yield found[1]


def lay_out(root: Path) -> Path:
    """Fills `root` with the units and what they name; gives the folder of the units."""
    folder = root / "usr/lib/systemd/system"
    folder.mkdir(parents=True)
    for file in OURS:
        shutil.copy(file, folder)
    for name, text in DEBIAN.items():
        (folder / name).write_text(f"[Unit]\nDescription=of Debian\n{text}")
    for name in TARGETS:
        (folder / f"{name}.target").write_text(f"[Unit]\nDescription={name}\n")
    for dropins in (ROOTFS / "etc/systemd/system").glob("*.d"):
        shutil.copytree(dropins, root / "etc/systemd/system" / dropins.name)
    for program in {path for file in [*OURS, folder / "nginx.service"] for path in programs(file)}:
        there = root / program.lstrip("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.touch(mode=0o755)
    return folder
