"""Room on the disk that is given up for deleting when nothing else is left: what is deleted is written over
first, and that too takes some."""

import os
from contextlib import suppress
from pathlib import Path

FILE = "room"
SIZE = 8 << 20  # bytes: the largest text with its words and vectors, as far as they change
SPARE = 8  # times as much must be free for it to be kept


def keep(folder: Path) -> None:
    """Keeps room, where there is plenty. A disk that has none is no error here."""
    file = folder / FILE
    with suppress(OSError):
        found = os.statvfs(folder)
        if not file.exists() and found.f_bavail * found.f_frsize > SPARE * SIZE:
            with file.open("wb") as opened:
                os.posix_fallocate(opened.fileno(), 0, SIZE)


def give_up(folder: Path) -> bool:
    """Whether there was room to give up."""
    try:
        (folder / FILE).unlink()
    except OSError:
        return False
    return True
