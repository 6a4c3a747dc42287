"""Where the archives of this box lie now: the bundle in use, the library folder, the sticks in use.

What is on the card comes first: of an archive that lies in two places the card's is served, so that pulling a
stick out changes as little as possible. Which sticks are in use is noted in the runtime folder, so that every
process finds the same places; only the librarian writes that note.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from appliance.bundles import mounts
from appliance.bundles.store import Store
from appliance.settings import Settings

ARCHIVES, INDEXES = "archives", "indexes"  # of a bundle
_NOTE = "sticks"
_END = b"\0"  # of a path: a folder's name on a stick may hold anything else, ends of lines too


def places(settings: Settings) -> tuple[Path, ...]:
    """The folders to look for archives in, or the archives that were named instead."""
    if settings.archive:
        return settings.archive
    current = Store(settings.store).current
    bundles = [current / ARCHIVES] if current else []
    sticks = [bundle / ARCHIVES for bundle in sticks_in_use(settings)]
    there = tuple(place for place in (*bundles, settings.library, *sticks) if place.is_dir())
    return there or (settings.library,)


def sticks_in_use(settings: Settings) -> tuple[Path, ...]:
    """The folders of bundles on sticks that the librarian uses, those that are still there."""
    try:
        noted = (settings.runtime / _NOTE).read_bytes().split(_END)
    except OSError:
        return ()
    paths = (Path(os.fsdecode(path)) for path in noted)
    return tuple(path for path in paths if path.is_absolute() and not mounts.gone(path))


def note_sticks(settings: Settings, bundles: Sequence[Path]) -> None:
    """Says which bundles on sticks are in use; replaces the note as a whole."""
    note = settings.runtime / _NOTE
    beside = note.with_name(f"{_NOTE}.part")
    beside.write_bytes(b"".join(os.fsencode(path) + _END for path in bundles))
    os.replace(beside, note)


def indexes_of(archive: Path) -> Path:
    """The folder of a bundle's indexes, for one of its archives; for others the archive's own folder."""
    beside = archive.parent.parent / INDEXES
    return beside if archive.parent.name == ARCHIVES and beside.is_dir() else archive.parent
