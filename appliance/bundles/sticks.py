"""Sticks that are plugged in: one folder for each below the folder in which they are mounted (`--sticks`).

A bundle lies at the top of a stick or in a folder there. Looking changes nothing and follows no link.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from appliance.bundles import mounts
from appliance.bundles.manifest import MANIFEST

MOST_FOLDERS = 200  # at the top of a stick that are looked into


@dataclass(frozen=True, slots=True)
class Place:
    """A bundle's folder on a stick; `stick` is where the stick is mounted."""

    stick: Path
    folder: Path

    @property
    def name(self) -> str:
        """The stick as a person knows it: by its label."""
        return mounts.label_of(self.stick)

    @property
    def seen(self) -> object:
        """What tells one plugging in from the next, and one bundle from another in its place."""
        try:
            state = (self.folder / MANIFEST).lstat()
        except OSError:
            return None
        return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


def plugged(folder: Path | None) -> list[Path]:
    """The sticks that are mounted now."""
    if folder is None:
        return []
    return [path for path in _folders(folder) if not mounts.gone(path) and _is_stick(path)]


def bundles(stick: Path) -> list[Place]:
    """The bundles on a stick, as far as names tell; [] when it cannot be read."""
    folders = [stick, *_folders(stick)[:MOST_FOLDERS]]
    return [Place(stick, folder) for folder in folders if _is_file(folder / MANIFEST)]


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if not entry.name.startswith(".")]
            return sorted(Path(entry.path) for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _is_stick(path: Path) -> bool:
    """An empty folder on its parent's disk is a place for a stick, and none."""
    try:
        return path.stat().st_dev != path.parent.stat().st_dev or any(path.iterdir())
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
