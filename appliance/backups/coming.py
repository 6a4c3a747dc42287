"""A backup that comes in: unpacked beside everything, checked whole, then ready to be put in place.

Until `ready` nothing of the box is touched; that is one rename, after all is on the disk. What was not ready
when the power went is removed at the next start (`settling`).
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from appliance import durable
from appliance.backups.container import PIECE, Contents, Unpacking
from appliance.backups.parts import NAMES, PARTS, check
from appliance.backups.saving import require_room
from appliance.errors import BackupError

FOLDER = "restore"  # in LAMPLIGHT_HOME
COMING, READY, LOCK = "coming", "ready", "lock"
TWICE = "Another backup is being restored."


class Coming:
    """One backup on its way in. Whoever makes it closes it; one at a time in a home."""

    def __init__(self, home: Path) -> None:
        """Raises BackupError while another one comes, or one waits to be put in place."""
        self._folder = home / FOLDER
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = locked(self._folder)
        with ExitStack() as undone:
            undone.callback(self._lock.close)
            if (self._folder / READY).exists():
                raise BackupError(TWICE, "Start Lamplight again: then it is put in place.")
            self._place = self._folder / COMING
            shutil.rmtree(self._place, ignore_errors=True)
            self._place.mkdir(mode=0o700)
            undone.pop_all()
        self._unpacking = Unpacking(
            self._place, NAMES, lambda needed: require_room(self._folder, needed, "This backup")
        )

    def feed(self, data: bytes) -> None:
        """Raises BackupError for what is no backup, or does not fit onto the disk."""
        with _told():
            self._unpacking.feed(data)

    def ready(self) -> Contents:
        """After the last piece: checks every part, and has it put in place at the next start. Raises
        BackupError, and the box stays as it is."""
        contents = self._unpacking.done()
        with _told():
            for part in PARTS:
                check(part, self._place / part.name)
                with (self._place / part.name).open("rb") as opened:
                    os.fsync(opened.fileno())
            durable.flush(self._place)
            self._place.rename(self._folder / READY)
            durable.flush(self._folder)
        return contents

    def close(self) -> None:
        self._unpacking.close()
        shutil.rmtree(self._place, ignore_errors=True)
        self._lock.close()


def receive(home: Path, file: Path) -> Contents:
    """A backup of this machine, made ready. Raises BackupError."""
    coming = Coming(home)
    try:
        with file.open("rb") as opened:
            while piece := opened.read(PIECE):
                coming.feed(piece)
        return coming.ready()
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}.", "Give the backup's file.") from error
    finally:
        coming.close()


@contextmanager
def _told() -> Iterator[None]:
    """What the disk says, as an error of ours."""
    try:
        yield
    except OSError as error:
        raise BackupError(f"The backup cannot be taken in: {error.strerror}.", "Free some space.") from error


def locked(folder: Path) -> IO[bytes]:
    """Holds the folder until it is closed. Raises BackupError while somebody else does."""
    lock = (folder / LOCK).open("wb")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise BackupError(TWICE, "Wait until it is done.") from error
    return lock
