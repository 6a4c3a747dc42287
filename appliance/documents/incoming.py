"""A file on its way in: written aside piece by piece while its SHA-256 runs, no larger than it may be."""

import hashlib
import os
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from appliance.errors import DocumentError, DocumentTooLarge, EntryUnreadable
from appliance.settings import Settings
from appliance.sources.formats import format_of

MEBIBYTE = 1 << 20
FOLDERS, LONGEST = 12, 120  # folders in each other; letters of a name
PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of one file."""

    text: int
    other: int

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        return cls(settings.document_text * MEBIBYTE, settings.document_file * MEBIBYTE)


@dataclass(slots=True)
class Incoming:
    """`write` it piece by piece, then `done`; `name` and `folder` are safe to keep and to show."""

    path: Path
    name: str
    folder: str
    most: int
    _file: "Sink"
    _hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    size: int = 0

    def write(self, piece: bytes) -> None:
        """Raises DocumentTooLarge, DocumentError where the disk takes no more."""
        self.size += len(piece)
        if self.size > self.most:
            raise DocumentTooLarge(
                f"{self.name} is larger than {self.most / MEBIBYTE:,.0f} MiB.",
                "Split it; whoever looks after the box can raise the limit.",
            )
        self._hash.update(piece)
        with _told(self.name):
            self._file.write(piece)

    def done(self) -> bytes:
        """The SHA-256 of all of it."""
        with _told(self.name):
            self._file.flush()
        return self._hash.digest()


@contextmanager
def incoming(folder: Path | None, name: str, into: str, limits: Limits) -> Iterator[Incoming]:
    """A place for a file in `folder` (the system's where None), gone at the end. Raises EntryUnreadable for a
    kind that is not read, or a name that is none, DocumentError where the disk takes no more."""
    known = plain_name(name)
    most = limits.text if format_of(known).text else limits.other
    with _told(known), ExitStack() as opened:
        if folder:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = opened.enter_context(tempfile.NamedTemporaryFile(dir=folder, prefix="incoming-"))
        yield Incoming(Path(file.name), known, plain_folder(into), most, file.file)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """What the disk says, as an error of ours; also what closing a file says that could not be written."""
    try:
        yield
    except OSError as error:
        raise DocumentError(
            f"{name} cannot be taken in: {error.strerror}.", "Delete what is not needed, then add it again."
        ) from error


def whole(file: Path, name: str, into: str, limits: Limits) -> tuple[Path, bytes]:
    """A file of this machine, read where it lies: its path and SHA-256. Raises as `incoming` does, and
    EntryUnreadable for what is no file, as a pipe or a link to itself, or may not be read."""
    taken = Incoming(file, name, into, limits.text if format_of(name).text else limits.other, _Nowhere())
    if not file.is_file():
        raise EntryUnreadable(f"{name} is no file with an end.", "Give plain files.")
    try:
        with file.open("rb") as opened:
            while piece := opened.read(PIECE):
                taken.write(piece)
    except OSError as error:
        raise EntryUnreadable(
            f"{name} cannot be read: {error.strerror}.", "Look at who may read it."
        ) from error
    return file, taken.done()


class Sink(Protocol):
    """Where the pieces go."""

    def write(self, piece: bytes, /) -> int: ...
    def flush(self) -> None: ...


class _Nowhere:
    """What is read where it lies is not written again."""

    def write(self, piece: bytes, /) -> int:
        return len(piece)

    def flush(self) -> None:
        pass


def plain_name(name: str) -> str:
    """The last part of a path, without control characters. Raises EntryUnreadable when nothing is left."""
    last = _parts(name)[-1:] or [""]
    if not last[0]:
        raise EntryUnreadable(
            "The file has no name.", "Give it one that ends in .txt, .md, .pdf or the like."
        )
    return last[0]


def plain_folder(path: str) -> str:
    """A folder's path with single slashes, without steps upwards."""
    return "/".join(_parts(path)[:FOLDERS])


def _parts(path: str) -> list[str]:
    path = unicodedata.normalize("NFC", path.encode("utf-8", "replace").decode())
    clean = "".join(letter for letter in path.replace("\\", "/") if letter.isprintable())
    parts = (" ".join(part.split()) for part in clean.split("/"))
    return [_short(part) for part in parts if part.strip(". ")]


def _short(part: str) -> str:
    """No longer than LONGEST; the ending stays."""
    if len(part) <= LONGEST:
        return part
    stem, ending = os.path.splitext(part)
    return stem[: LONGEST - min(len(ending), 20)] + ending[:20]
