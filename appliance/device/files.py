"""Files of the kernel and of other units, as far as they can be read. Standard library alone."""

from pathlib import Path


def read(file: Path, most: int = -1) -> bytes | None:
    """The content of a file, no more than its first `most` bytes; None when it is not there or cannot be
    read."""
    try:
        with file.open("rb") as found:
            return found.read(most)
    except OSError:
        return None
