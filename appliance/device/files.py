"""A file replaced as a whole: written aside, flushed to the disk, renamed, and the folder flushed.

After a power cut there is the old content or the new one, never half of one. Standard library alone.
"""

import os
from pathlib import Path


def replace(target: Path, content: bytes, mode: int = 0o644, group: int | None = None) -> None:
    """Puts `content` under the name `target`, with this mode; `group` becomes its group. Raises OSError."""
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as out:
            if group is not None:
                os.fchown(out.fileno(), -1, group)
            if mode != 0o600:
                os.fchmod(out.fileno(), mode)
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def flush_folder(folder: Path) -> None:
    """Makes the names in a folder last."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read(file: Path, most: int = -1) -> bytes | None:
    """The content of a file, no more than its first `most` bytes; None when it is not there or cannot be
    read."""
    try:
        with file.open("rb") as found:
            return found.read(most)
    except OSError:
        return None
