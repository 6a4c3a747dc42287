"""A backup's file: a plain tar (POSIX ustar, pax(1)), first a list, then the parts that the list names.

It is checked while it comes, piece by piece: nothing is held in memory, nothing is written that the list does
not name, and no more than it says. Only plain files with one header block each are read, so nothing in it can
be sparse, a link, or larger than it is.
"""

import hashlib
import json
import re
import tarfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from appliance.documents.backup import NO_BACKUP
from appliance.errors import BackupError

FORMAT = 1
LIST = "lamplight-backup.json"
LONGEST_LIST = 16_384  # bytes
MOST = 8**11 - 1  # bytes of one part: what a header of ustar can say
BLOCK, PIECE = 512, 1 << 20
LONGEST_END = 20 * BLOCK  # tar programs fill up their last record
ANOTHER = "Take another copy of the backup."
_TEXT = re.compile(r"[0-9A-Za-z.:+ -]{1,40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Member:
    """One part in the file."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The list: which version of the program made it and when (UTC, ISO), and the parts in their order."""

    version: str
    made: str
    parts: tuple[Member, ...]

    def written(self) -> bytes:
        parts = [asdict(part) for part in self.parts]
        found = {"format": FORMAT, "version": self.version, "made": self.made, "parts": parts}
        return json.dumps(found, indent=1).encode()

    @property
    def bytes(self) -> int:
        """Of the whole file."""
        sizes = (len(self.written()), *(part.bytes for part in self.parts))
        return sum(BLOCK + _padded(size) for size in sizes) + 2 * BLOCK


def pack(contents: Contents, folder: Path) -> Iterator[bytes]:
    """The file in pieces; the parts lie in `folder` under their names. Raises OSError."""
    text = contents.written()
    yield _header(LIST, len(text)) + text.ljust(_padded(len(text)), b"\0")
    for part in contents.parts:
        yield _header(part.name, part.bytes)
        with (folder / part.name).open("rb") as opened:
            while piece := opened.read(PIECE):
                yield piece
        yield bytes(_padded(part.bytes) - part.bytes)
    yield bytes(2 * BLOCK)


def sha256_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def parse_list(text: bytes, known: Collection[str]) -> Contents:
    """The list of a file, which must name the `known` parts, each once. Raises BackupError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BackupError("The list of this backup cannot be read.", ANOTHER) from error
    if not isinstance(found, dict) or type(found.get("format")) is not int:
        raise BackupError("This is no backup of a Lamplight.", NO_BACKUP)
    if found["format"] > FORMAT:
        raise BackupError(
            f"This backup has format {found['format']}; this version reads up to {FORMAT}.",
            "Restore it with a newer Lamplight.",
        )
    match found:
        case {"format": 1, "version": str(version), "made": str(made), "parts": list(rows), **more} if (
            not more and _TEXT.fullmatch(version) and _TEXT.fullmatch(made)
        ):
            parts = tuple(_member(row) for row in rows)
            if sorted(part.name for part in parts) == sorted(known):
                return Contents(version, made, parts)
    raise BackupError("The list of this backup is not as it should be.", ANOTHER)


def _member(row: object) -> Member:
    match row:
        case {"name": str(name), "bytes": int(size), "sha256": str(sha256), **more} if (
            not more and type(size) is int and 0 <= size <= MOST and _SHA256.fullmatch(sha256)
        ):
            return Member(name, size, sha256)
    raise BackupError("The list of this backup is not as it should be.", ANOTHER)


class Unpacking:
    """Takes a file in pieces of any size, and writes its parts into `folder`. `room` is asked once, with the
    bytes of all parts, before any is written; it raises where there is none."""

    def __init__(self, folder: Path, known: Collection[str], room: Callable[[int], None]) -> None:
        self._folder, self._known, self._room = folder, known, room
        self._buffer = bytearray()
        self._step: Callable[[], bool] = self._list_header
        self._size = self._ended = 0
        self._contents: Contents | None = None
        self._waiting: list[Member] = []
        self._out: BinaryIO | None = None
        self._hash = hashlib.sha256()

    def feed(self, data: bytes) -> None:
        """Raises BackupError for what is no backup, or not what its list says; OSError."""
        self._buffer += data
        while self._step():
            pass

    def done(self) -> Contents:
        """After the last piece. Raises BackupError for a file that breaks off."""
        if self._buffer and self._step == self._list_header:  # shorter than the head of a tar
            raise BackupError("This is no backup of a Lamplight.", NO_BACKUP)
        if self._contents is None or self._waiting or self._out or self._ended < 2 * BLOCK:
            raise BackupError("The backup breaks off.", ANOTHER)
        return self._contents

    def close(self) -> None:
        if self._out:
            self._out.close()
            self._out = None

    def _list_header(self) -> bool:
        if len(self._buffer) < BLOCK:
            return False
        self._size = self._next(LIST, range(1, LONGEST_LIST + 1))
        self._step = self._list
        return True

    def _list(self) -> bool:
        if len(self._buffer) < _padded(self._size):
            return False
        text = self._take(_padded(self._size))
        self._contents = parse_list(text[: self._size], self._known)
        self._waiting = list(self._contents.parts)
        self._room(sum(part.bytes for part in self._waiting))
        self._step = self._part_header
        return True

    def _part_header(self) -> bool:
        if not self._waiting:
            self._step = self._end
            return True
        if len(self._buffer) < BLOCK:
            return False
        part = self._waiting[0]
        self._size = self._next(part.name, range(part.bytes, part.bytes + 1))
        self._out = (self._folder / part.name).open("xb")
        self._hash = hashlib.sha256()
        self._step = self._part
        return True

    def _part(self) -> bool:
        assert self._out is not None
        piece = self._take(min(self._size, len(self._buffer)))
        self._out.write(piece)
        self._hash.update(piece)
        self._size -= len(piece)
        if self._size:
            return False
        part = self._waiting[0]
        if self._hash.hexdigest() != part.sha256:
            raise BackupError(f"{part.name} of this backup is damaged.", ANOTHER)
        self.close()
        self._size = _padded(part.bytes) - part.bytes
        self._step = self._padding
        return True

    def _padding(self) -> bool:
        if len(self._buffer) < self._size:
            return False
        self._take(self._size)
        self._waiting.pop(0)
        self._step = self._part_header
        return True

    def _end(self) -> bool:
        rest = self._take(len(self._buffer))
        self._ended += len(rest)
        if any(rest) or self._ended > LONGEST_END:
            raise BackupError("There is more in this backup than its list says.", ANOTHER)
        return False

    def _next(self, name: str, sizes: range) -> int:
        """The size of the member that begins here, which must be this one. Raises BackupError."""
        try:
            found = tarfile.TarInfo.frombuf(self._take(BLOCK), "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise BackupError("This is no backup of a Lamplight.", NO_BACKUP) from error
        if found.name != name or found.type != tarfile.REGTYPE or found.size not in sizes:
            raise BackupError(f"This backup has something else where {name} should be.", ANOTHER)
        return found.size

    def _take(self, count: int) -> bytes:
        found = bytes(self._buffer[:count])
        del self._buffer[:count]
        return found


def _header(name: str, size: int) -> bytes:
    found = tarfile.TarInfo(name)
    found.size, found.mode = size, 0o600
    return found.tobuf(tarfile.USTAR_FORMAT)


def _padded(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def members(folder: Path, names: Collection[str]) -> tuple[Member, ...]:
    """The parts as they lie in a folder. Raises OSError."""
    return tuple(Member(name, (folder / name).stat().st_size, sha256_of(folder / name)) for name in names)
