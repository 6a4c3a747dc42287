"""What outlives a power cut: a file replaced as a whole, and names that last. Standard library alone.

Written aside, flushed to the disk, renamed, and the folder flushed: after a cut there is the old content or
the new one, never half of one.
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
    flush(target.parent)


def flush(folder: Path) -> None:
    """Makes the names in a folder last. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
