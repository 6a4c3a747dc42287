"""The root of an image as it is on the card, read without mounting it: its files, owners and libraries."""

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from card import partitions, run

_ROW = re.compile(r"^/(\d+)/(\d{6})/(\d+)/(\d+)/([^/]+)/(\d*)/$")


@dataclass(frozen=True, slots=True)
class Entry:
    """`mode` with the type, as stat(2) gives it; `path` from the root, with a slash in front."""

    path: str
    mode: int
    uid: int
    gid: int
    size: int


def filesystem(image: Path, number: int) -> str:
    """A partition (1 is the first) as e2fsprogs name it."""
    return f"{image}?offset={partitions(image)[number - 1][0]}"


def unpack(image: Path, number: int, folder: Path) -> Path:
    """All files of an ext4 partition, with their owners when run as root (and without setuid bits: `listing`
    has those)."""
    folder.mkdir(parents=True)
    debugfs(filesystem(image, number), f"rdump / {folder}")
    return folder


def listing(image: Path, number: int) -> list[Entry]:
    """Every entry of an ext4 partition."""
    found: list[Entry] = []
    folders = ["/"]
    while folders:
        entries = list(_inside(filesystem(image, number), folders))
        found += entries
        folders = [entry.path for entry in entries if stat.S_ISDIR(entry.mode)]
    return found


def _inside(system: str, folders: list[str]) -> Iterator[Entry]:
    """What lies directly in these folders; one run of debugfs for all."""
    orders = "".join(f'ls -p "{folder}"\n' for folder in folders)
    folder = ""
    for line in debugfs(system, orders).splitlines():
        if line.startswith("debugfs: ls -p "):
            folder = line.removeprefix("debugfs: ls -p ").strip().strip('"').rstrip("/")
        elif (row := _ROW.match(line)) and row[5] not in (".", ".."):
            mode, uid, gid = int(row[2], 8), int(row[3]), int(row[4])
            yield Entry(f"{folder}/{row[5]}", mode, uid, gid, int(row[6] or 0))


def debugfs(system: str, orders: str) -> str:
    """The output of debugfs, which says its errors in it and ends well all the same."""
    return run("debugfs", "-f", "-", system, text=orders)


def inside(root: Path, path: str) -> Path | None:
    """Where a path of the card lies in its unpacked root, links followed there, not here; None: nowhere."""
    done, waiting, hops = root, [part for part in path.split("/") if part], 0
    while waiting:
        part = waiting.pop(0)
        if part == "..":
            done = done.parent if done != root else root
            continue
        step = done / part
        if step.is_symlink():
            hops += 1
            target = str(step.readlink())
            if hops > 20:
                return None
            if target.startswith("/"):
                done = root
            waiting = [one for one in target.split("/") if one not in ("", ".")] + waiting
        elif step.exists():
            done = step
        else:
            return None
    return done
