"""What lies in a bundle's folder, read so that no name, link or device of it can lead elsewhere.

`Disk` is the real folder; tests put a stick that is pulled out in its place. A file too large for FAT32 may
lie in pieces, `NAMEaa`, `NAMEab`, …: `Whole` reads them as the one file that SHA256SUMS lists, so that its
hash, and the signature of the list, stay what they were. Hidden files and the few folders that systems put on
every stick are passed over: they are never opened, copied or served.
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import Protocol

from appliance.bundles.lies import Escapes, Extra, Lie, Missing, NotAFile, TooBig, TooSmall, Unreadable
from appliance.bundles.sums import FOLDERS, MOST_FILES, check_path

SYSTEM = ("System Volume Information", "$RECYCLE.BIN", "lost+found")
BLOCK = 1 << 20
_PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe never waits for its other end


class Readable(Protocol):
    """A file that is open for reading: what the system gives at `offset`, b"" at its end."""

    def read(self, into: memoryview, offset: int) -> int: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """A file as the disk has it: its path within the bundle, and its size in bytes."""

    path: str
    size: int


class Folder(Protocol):
    """A bundle's folder. Both raise OSError when the stick is gone."""

    def pieces(self) -> list[Piece]:
        """All files, in the order of their paths. Raises NotAFile, Extra, Escapes."""

    def open(self, path: str) -> AbstractContextManager[Readable]:
        """A piece for reading, by its path."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One file of a bundle, of one piece or of several in order."""

    path: str
    pieces: tuple[Piece, ...]

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)

    def blocks(self, folder: Folder) -> Iterator[memoryview]:
        """Its bytes, in blocks that are only good until the next one. Raises Unreadable, Missing, TooSmall,
        TooBig."""
        buffer = memoryview(bytearray(BLOCK))
        for piece in self.pieces:
            done = 0
            try:
                with folder.open(piece.path) as file:
                    while count := file.read(buffer, done):
                        done += count
                        if done > piece.size:
                            break
                        yield buffer[:count]
            except OSError as error:
                raise unreadable(piece.path, error) from error
            if done != piece.size:
                raise wrong_size(piece.path, done, piece.size)

    def read(self, folder: Folder, start: int, length: int) -> bytes:
        """A stretch of it, shorter where it ends. Raises Unreadable, Missing."""
        found = b""
        first = 0
        for piece in self.pieces:
            at = max(start + len(found) - first, 0)
            wanted = length - len(found)
            if wanted and at < piece.size:
                found += _stretch(folder, piece, at, wanted)
            first += piece.size
        return found


def arrange(listed: Mapping[str, int | None], pieces: Sequence[Piece]) -> dict[str, Whole]:
    """Path -> file, for paths with their sizes in bytes (None: any). Raises Missing, Extra, TooBig, TooSmall:
    what lies there is exactly what is listed."""
    lying = {piece.path: piece for piece in pieces}
    found: dict[str, Whole] = {}
    for path, size in listed.items():
        one = lying.pop(path, None)
        parts = (one,) if one else tuple(_in_pieces(path, lying))
        if not parts:
            raise Missing(path, f"{path} is missing.")
        found[path] = Whole(path, parts)
        if size is not None and found[path].size != size:
            raise wrong_size(path, found[path].size, size)
    if lying:
        first = min(lying)
        raise Extra(first, f"{first} is there, and the bundle does not list it.")
    return found


def _in_pieces(path: str, lying: dict[str, Piece]) -> Iterator[Piece]:
    for letters in product(ascii_lowercase, repeat=2):
        piece = lying.pop(path + "".join(letters), None)
        if piece is None:
            return
        yield piece


def _stretch(folder: Folder, piece: Piece, at: int, length: int) -> bytes:
    buffer = memoryview(bytearray(min(length, piece.size - at)))
    done = 0
    try:
        with folder.open(piece.path) as file:
            while done < len(buffer) and (count := file.read(buffer[done:], at + done)):
                done += count
    except OSError as error:
        raise unreadable(piece.path, error) from error
    return bytes(buffer[:done])


def wrong_size(path: str, found: int, expected: int) -> TooBig | TooSmall:
    kind = TooBig if found > expected else TooSmall
    return kind(path, f"{path} has {found:,} bytes, expected {expected:,}.")


class Disk:
    """A folder of this machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        for entry in self._scan(""):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in FOLDERS:
                    raise Extra(entry.name, f"The folder {entry.name} does not belong to a bundle.")
                found.extend(_piece(one, f"{entry.name}/{one.name}") for one in self._scan(entry.name))
            else:
                found.append(_piece(entry, entry.name))
            if len(found) > MOST_FILES:
                raise Extra(entry.name, f"There are over {MOST_FILES:,} files in this bundle.")
        return sorted(found, key=lambda piece: piece.path)

    def _scan(self, inner: str) -> Iterator["os.DirEntry[str]"]:
        """Entries of the root or of a folder in it; no link is followed on the way."""
        handle = self._folder(inner)
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    if not entry.name.startswith(".") and (inner or entry.name not in SYSTEM):
                        yield entry
        finally:
            os.close(handle)

    def _folder(self, inner: str) -> int:
        root = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if not inner:
            return root
        try:
            return os.open(inner, _PLAIN | os.O_DIRECTORY, dir_fd=root)
        finally:
            os.close(root)

    @contextmanager
    def open(self, path: str) -> Iterator[Readable]:
        """Raises NotAFile for anything but a plain file, whatever it was when it was listed."""
        check_path(path)
        inner, _, name = path.rpartition("/")
        folder = self._folder(inner)
        try:
            handle = os.open(name, _PLAIN, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise _not_a_file(path, "a link") from error
            raise
        finally:
            os.close(folder)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise _not_a_file(path, "no plain file")
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_SEQUENTIAL)
            yield _Handle(handle)
        finally:
            os.close(handle)


@dataclass(frozen=True, slots=True)
class _Handle:
    number: int

    def read(self, into: memoryview, offset: int) -> int:
        return os.preadv(self.number, [into], offset)


def _piece(entry: "os.DirEntry[str]", path: str) -> Piece:
    """Raises NotAFile, or Escapes for a name that no bundle may hold."""
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise Escapes(path, f"{path!r} is not a name in UTF-8.") from error
    state = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(state.st_mode):
        raise _not_a_file(path, _KINDS.get(stat.S_IFMT(state.st_mode), "no plain file"))
    return Piece(path, state.st_size)


_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def _not_a_file(path: str, what: str) -> NotAFile:
    return NotAFile(path, f"{path} is {what}, not a file; a bundle holds files only.")


def unreadable(path: str, error: OSError) -> Lie:
    """What a failing read of a bundle's file is told as."""
    if isinstance(error, FileNotFoundError):
        return Missing(path, f"{path or 'The bundle'} is missing.")
    return Unreadable(
        path,
        f"{path or 'The bundle'} cannot be read: {error.strerror or error}.",
        "Plug the stick in again. If it stays so, the stick is failing.",
    )
