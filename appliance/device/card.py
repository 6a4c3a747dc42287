"""The card's FAT partition, the one place that the box shares with any other computer.

It is mounted read-only. To write a file it is made writable for a moment, the file is replaced as a whole,
and it is read-only again. Standard library alone; runs as root on the device.
"""

import errno
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from appliance import durable
from appliance.device import files, ownerfile
from appliance.device.problems import Problem

PLACE = Path("/boot/firmware")
SETTINGS, PROBLEMS, BOX = "lamplight.toml", "lamplight-problems.txt", "lamplight-box.txt"
HEAD = "What Lamplight found wrong at its last start. What has been put right is gone after the next one."


def settings(place: Path) -> bytes | None:
    """The owner's file, or so much of it that `ownerfile.parse` finds it too large; None without one."""
    return files.read(place / SETTINGS, ownerfile.LARGEST + 1)


def told(problems: Sequence[Problem]) -> bytes:
    """The file of problems, with the line ends that every editor shows."""
    lines = [HEAD, "", *(f"- {problem}" for problem in problems), ""]
    return "\r\n".join(lines).encode()


def write(place: Path, name: str, content: bytes | None) -> None:
    """Replaces a file on the card, or removes it (None). Writes nothing when it is like that already, since
    cards wear. Raises OSError."""
    if files.read(place / name) == content:
        return
    with _writable(place):
        if content is None:
            (place / name).unlink(missing_ok=True)
            durable.flush(place)
        else:
            durable.replace(place / name, content)


@contextmanager
def _writable(place: Path) -> Iterator[None]:
    mounted = place.is_mount()
    if mounted:
        _remount(place, "rw")
    try:
        yield
    finally:
        if mounted:
            _remount(place, "ro")


def _remount(place: Path, how: str) -> None:
    done = subprocess.run(
        ["mount", "-o", f"remount,{how}", str(place)], capture_output=True, text=True, check=False
    )
    # With `nofail` in fstab, mount says nothing and gives 0 where it has done nothing.
    if done.returncode or bool(os.statvfs(place).f_flag & os.ST_RDONLY) != (how == "ro"):
        raise OSError(errno.EROFS, f"cannot be mounted {how}: {done.stderr.strip()}", str(place))


def about(ssid: str, address: str, passphrase: str, code: str) -> bytes:
    """The file that says how to join this box; `passphrase` may be a sentence on it."""
    lines = [
        "This Lamplight box",
        "",
        f"Wi-Fi network:       {ssid}",
        f"Passphrase:          {passphrase}",
        f"Address:             {address}",
        f"Admin's first code:  {code}",
        f"                     (once, at {address}first-use)",
        "",
    ]
    return "\r\n".join(lines).encode()


def renewed(told: bytes, ssid: str, address: str, passphrase: str) -> bytes:
    """The same file for a network that was kept since the start; its other lines stay."""
    now = {"Wi-Fi network:": ssid, "Address:": address, "Passphrase:": passphrase}
    lines = told.decode("utf-8", "replace").split("\r\n")
    for number, line in enumerate(lines):
        for name, value in now.items():
            if line.startswith(name) and value:
                lines[number] = f"{name:<21}{value}"
    return "\r\n".join(lines).encode()
