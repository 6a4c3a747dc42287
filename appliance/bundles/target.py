"""Where a bundle is to be written, looked at before hours of indexing are put into it."""

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from appliance.bundles import mounts
from appliance.bundles.pack import PIECE_BYTES, SPARE, PackError

WITHOUT_LARGE_FILES = ("vfat", "msdos")
FREE = "Free some space, take a larger disk or stick, or leave archives out."


def piece_bytes(folder: Path, listing: Path = mounts.MOUNTS) -> int | None:
    """The size of the pieces in which files must lie there: FAT32 holds none of 4 GiB; None elsewhere. The
    folder itself need not be there yet."""
    return PIECE_BYTES if mounts.kind(_above(folder), listing) in WITHOUT_LARGE_FILES else None


def require(target: Path, files: Iterable[Path] = ()) -> None:
    """Raises PackError when the bundle's folder `target` is there already, cannot be made, or has no room for
    these files. Leaves nothing behind."""
    if os.path.lexists(target):
        raise PackError(f"{target} is there already.", "Remove it, or give another folder or edition.")
    there = _above(target)
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"\0")
    except OSError as error:
        raise PackError(
            f"{there} cannot be written to: {error.strerror or error}.",
            "Check that the disk or stick is there, and may be written to.",
        ) from error
    disk = there.stat().st_dev
    states = [file.stat() for file in files]
    needed = sum(state.st_size for state in states if state.st_dev != disk) + SPARE
    if (free := shutil.disk_usage(there).free) < needed:
        raise PackError(
            f"The bundle's archives and models alone need {needed / 1e6:,.0f} MB on the disk of {there}; "
            f"{free / 1e6:,.0f} MB are free.",
            FREE,
        )


def _above(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
