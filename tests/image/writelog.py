"""What a card holds after its power was cut, from the log of everything that was written to it.

QEMU's `blklogwrites` keeps that log, in the form of Linux's dm-log-writes (device-mapper/log-writes in the
kernel's administration guide): a first sector, then for each request a sector that describes it and, for a
write, its data.
A card may hold back what was written since the last flush: of that, each write is kept, lost, or torn.
"""

import os
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = 0x6A736677736872
SECTOR = 512
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
_SUPER = struct.Struct("<QQQI")  # magic, version, entries, bytes of a sector
_ENTRY = struct.Struct("<QQQQ")  # sector, sectors, flags, length of a mark's text


@dataclass(frozen=True, slots=True)
class Write:
    """One request in the log: where its data goes on the card and where it lies in the log, in bytes."""

    to: int
    length: int
    flags: int
    at: int


@dataclass(frozen=True, slots=True)
class Lost:
    """How the writes since the last flush fared."""

    kept: int
    lost: int
    torn: int


def read(log: Path) -> list[Write]:
    """All whole requests of a log, in order. The count in its first sector is behind when QEMU was killed, so
    the log is read to where nothing more was written. Raises ValueError for a file that is no such log."""
    with log.open("rb") as file:
        magic, version, _, sector = _SUPER.unpack(file.read(_SUPER.size))
        if not magic and not version:
            sector = SECTOR  # QEMU writes the first sector with the first flush, which never came
        elif magic != MAGIC or version != 1:
            raise ValueError(f"{log.name} is no log of writes: magic {magic:#x}, version {version}.")
        return list(_entries(file.fileno(), sector, os.fstat(file.fileno()).st_size))


def _entries(log: int, sector: int, end: int) -> Iterator[Write]:
    at = sector
    while at + sector <= end:
        to, sectors, flags, marked = _ENTRY.unpack(os.pread(log, _ENTRY.size, at))
        if not sectors and not flags:
            return
        length = 0 if flags & DISCARD else sectors * sector
        if at + sector + length > end:
            return  # its data was not written any more
        yield Write(to * sector, length, flags, at + sector)
        at += sector + -(-(length + marked) // sector) * sector


def unflushed(writes: list[Write]) -> int:
    """The place in the list of the first write that no flush has made safe."""
    flushes = [place for place, write in enumerate(writes) if write.flags & FLUSH]
    return flushes[-1] + 1 if flushes else 0


def apply(log: Path, card: Path, chance: random.Random | None) -> Lost:
    """Writes to the card what it holds after the cut; without `chance`, after a shutdown, everything.
    What was written with FUA is on the card when it is reported done, as what was flushed."""
    writes = read(log)
    safe = len(writes) if chance is None else unflushed(writes)
    fared = {"kept": 0, "lost": 0, "torn": 0}
    with log.open("rb") as source, card.open("r+b") as target:
        for place, write in enumerate(writes):
            length = write.length
            if chance is not None and place >= safe and length and not write.flags & FUA:
                fate = chance.choice(("kept", "lost", "torn"))
                fared[fate] += 1
                length = {"kept": length, "lost": 0, "torn": chance.randrange(0, length, SECTOR)}[fate]
            _copy(source.fileno(), write.at, target.fileno(), write.to, length)
        target.flush()
    return Lost(**fared)


def _copy(source: int, at: int, target: int, to: int, length: int) -> None:
    while length:
        data = os.pread(source, min(length, 1 << 20), at)
        os.pwrite(target, data, to)
        at, to, length = at + len(data), to + len(data), length - len(data)
