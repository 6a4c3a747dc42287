"""Which file system a folder lies on, and whether the disk behind it is still there (proc(5), sysfs(5))."""

import os
import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
DEVICES = Path("/sys/dev/block")


def kind(folder: Path, mounts: Path = MOUNTS) -> str:
    """The file system's type as the kernel names it ("ext4", "vfat", "exfat"); "" when it is not known."""
    number = _number(folder)
    for line in mounts.read_text("utf-8", "surrogateescape").splitlines():
        before, _, after = line.partition(" - ")
        if before.split()[2:3] == [number]:
            return after.split()[0]
    return ""


def gone(folder: Path, devices: Path = DEVICES) -> bool:
    """Whether the folder, or the disk that it lies on, is no longer there. A stick that was pulled out still
    answers from memory for a while: the kernel's list of devices tells at once."""
    try:
        number = _number(folder)
    except OSError:
        return True
    # 0:… is a file system without a device (tmpfs, overlay, btrfs): then the folder itself is the answer.
    return not number.startswith("0:") and not (devices / number).exists()


def label_of(folder: Path) -> str:
    """A folder's name as a person reads it: udev writes odd letters as `\\x20` (systemd-escape(1))."""
    return re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), folder.name)


def _number(folder: Path) -> str:
    device = folder.stat().st_dev
    return f"{os.major(device)}:{os.minor(device)}"
