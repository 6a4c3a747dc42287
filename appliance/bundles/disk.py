"""Writing that survives the power: flushed to the disk before it gets its name, folders flushed after."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance import durable

FLUSH_BYTES = 64 * 2**20  # written between two flushes: a small machine must not collect gigabytes to write


def write(path: Path, content: bytes) -> None:
    """Replaces a file as a whole."""
    aside = path.with_name(f"{path.name}.part")
    write_blocks(aside, [content])
    os.replace(aside, path)
    durable.flush(path.parent)


def write_blocks(path: Path, blocks: Iterable[bytes | memoryview]) -> None:
    """A new file of these blocks, on the disk when this returns. The system is asked to forget it, so that
    the next reader sees what the disk has."""
    with _made(path) as handle:
        waiting = 0
        for block in blocks:
            rest = memoryview(block)
            while rest:
                rest = rest[os.write(handle, rest) :]
            waiting += len(block)
            if waiting >= FLUSH_BYTES:
                os.fdatasync(handle)
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
                waiting = 0
        os.fsync(handle)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def read_blocks(path: Path, size: int = 1 << 20) -> Iterator[memoryview]:
    """A file's bytes, in blocks that are only good until the next one."""
    buffer = memoryview(bytearray(size))
    with path.open("rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while count := file.readinto(buffer):
            yield buffer[:count]


def forget(path: Path) -> None:
    """Asks the system to forget what it holds of a file in memory: the next reader sees what the disk has."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)


@contextmanager
def _made(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        yield handle
    finally:
        os.close(handle)


def link_to(link: Path, target: str) -> None:
    """Makes or replaces a symbolic link: one rename, so there is always the old or the new one."""
    aside = link.with_name(f".{link.name}.new")
    aside.unlink(missing_ok=True)
    aside.symlink_to(target)
    os.replace(aside, link)
    durable.flush(link.parent)
