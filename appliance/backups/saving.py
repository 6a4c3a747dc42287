"""Making a backup: copies of all parts beside each other, then one file of them.

The box goes on meanwhile: each copy is one state of its part. Nothing that was deleted is in a copy.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from appliance import __version__, durable
from appliance.backups import container
from appliance.backups.container import Contents
from appliance.backups.parts import NAMES, PARTS, copy
from appliance.errors import BackupError, LamplightError

WORK = "saving-"  # folders in LAMPLIGHT_HOME where copies are made, each with the number of its process
NAME = "lamplight-backup-{made}.tar"  # on sticks, and as a browser keeps it
SPARE = 64 * 2**20  # bytes that stay free on the disk


@dataclass(frozen=True, slots=True)
class Saved:
    """Copies that are ready to be sent; `pieces` of the file, of `contents.bytes` bytes."""

    contents: Contents
    folder: Path

    def pieces(self) -> Iterator[bytes]:
        return container.pack(self.contents, self.folder)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def save(home: Path) -> Saved:
    """Copies of everything; whoever gets them closes them. Raises BackupError."""
    require_room(home, sum(_size(home / part.place) for part in PARTS), "The backup")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{WORK}{os.getpid()}-", dir=home))
        with ExitStack() as undone:
            undone.callback(shutil.rmtree, folder, ignore_errors=True)
            for part in PARTS:
                copy(part, home, folder / part.name)
            made = datetime.now(UTC).isoformat(timespec="seconds")
            saved = Saved(Contents(__version__, made, container.members(folder, NAMES)), folder)
            undone.pop_all()
            return saved
    except OSError as error:
        raise BackupError(f"The backup cannot be made: {error.strerror}.", "Free some space.") from error
    except BackupError:
        raise
    except LamplightError as error:
        raise BackupError(f"The backup cannot be made: {error}", error.hint) from error


def save_to(home: Path, file: Path) -> int:
    """Writes a new file, for its owner alone; gives its bytes. Raises BackupError."""
    require_new(file)
    saved = save(home)
    try:
        _write(saved, file)
    finally:
        saved.close()
    return saved.contents.bytes


def save_into(home: Path, folder: Path) -> str:
    """The same in a folder, as of a stick, with the usual name, which it gives."""
    saved = save(home)
    try:
        require_room(folder, saved.contents.bytes, "The backup")
        name = file_name(saved.contents)
        require_new(folder / name)
        _write(saved, folder / name)
    finally:
        saved.close()
    return name


def file_name(contents: Contents) -> str:
    """`lamplight-backup-2026-11-30-164205.tar`, by the clock's UTC."""
    return NAME.format(made=contents.made[:19].replace("T", "-").replace(":", ""))


def require_new(file: Path) -> None:
    if file.exists():
        raise BackupError(f"{file} is there already.", "Give another name: a backup is never overwritten.")


def _write(saved: Saved, file: Path) -> None:
    """Aside, flushed, renamed. Raises BackupError."""
    aside = file.with_name(file.name + ".part")
    try:
        aside.unlink(missing_ok=True)
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            for piece in saved.pieces():
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        aside.rename(file)
        durable.flush(file.parent)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise BackupError(f"{file} cannot be written: {error.strerror}.", "Give another place.") from error


def forget_work(home: Path) -> None:
    """Removes copies of processes that have ended before they could."""
    for left in home.glob(f"{WORK}*"):
        if not Path("/proc", left.name.removeprefix(WORK).partition("-")[0]).exists():
            shutil.rmtree(left, ignore_errors=True)


def require_room(folder: Path, needed: int, what: str) -> None:
    """Raises BackupError unless so many bytes fit onto the disk of a folder."""
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE:
        raise BackupError(
            f"{what} needs {(needed + SPARE) / 1e6:,.0f} MB on the disk; {free / 1e6:,.0f} MB are free.",
            "Free some space, then try again.",
        )


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
