"""An archive while it comes: `NAME.zim.part`, checked piece by piece as it grows, renamed once it is whole.

What is in the file up to `good` has been checked against the lock; the bytes after it belong to the piece
that is coming. Where the lock has no pieces, the whole archive is one. Ended at any moment, by whatever, the
next run reads the file again and goes on behind the last piece that is right.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from appliance import durable
from appliance.bundles.lockfile import LockedArchive
from appliance.bundles.metalink import Pieces
from appliance.errors import BundleError

BLOCK = 1 << 20


class BadPiece(Exception):
    """A piece came whole and is not what the lock says; it has been cut off again."""


class Part:
    """`size` and `good` are bytes. Used as a context, which keeps the file open."""

    _file: BinaryIO

    def __init__(self, target: Path, archive: LockedArchive) -> None:
        self.target, self.path, self.archive = target, target.with_name(target.name + ".part"), archive
        self._pieces = archive.pieces or Pieces(archive.bytes, "sha-256", (bytes.fromhex(archive.sha256),))
        self.size = self.good = 0
        self._restart(hashlib.sha256())

    @contextmanager
    def opened(self) -> Iterator[None]:
        with self.path.open("ab"):  # makes it
            pass
        with self.path.open("r+b") as self._file:
            yield

    def recover(self) -> Iterator[None]:
        """Checks what an earlier run left, a block at each step, and cuts off what cannot be right."""
        self._file.truncate(min(self._file.seek(0, os.SEEK_END), self.archive.bytes))
        self._file.seek(0)
        try:
            while block := self._file.read(BLOCK):
                for part in self._split(block):
                    self._take(part)
                yield
        except BadPiece:
            return

    def write(self, block: bytes) -> None:
        """Appends. Raises BadPiece."""
        for part in self._split(block):
            self._file.write(part)
            self._take(part)

    def finish(self) -> Path:
        """Gives the file its name. Raises BundleError when its pieces are right and the whole is not."""
        if (found := self._whole.hexdigest()) != self.archive.sha256:
            self.path.unlink()
            raise BundleError(
                f"{self.archive.file} has right pieces but the SHA-256 {found}, not {self.archive.sha256}.",
                "The lock contradicts itself: lock again.",
            )
        self._file.flush()
        os.fsync(self._file.fileno())
        self.path.replace(self.target)
        durable.flush(self.target.parent)
        return self.target

    def _split(self, block: bytes) -> Iterator[memoryview]:
        """The block cut where pieces end."""
        rest = memoryview(block)
        while rest:
            part = rest[: min(self.good + self._pieces.length, self.archive.bytes) - self.size]
            yield part
            rest = rest[len(part) :]

    def _take(self, part: memoryview) -> None:
        self._whole.update(part)
        self._piece.update(part)
        self.size += len(part)
        if self.size < min(self.good + self._pieces.length, self.archive.bytes):
            return
        if self._piece.digest() != self._pieces.digests[self.good // self._pieces.length]:
            self.back()
            raise BadPiece
        self.good = self.size
        self._restart(self._whole)

    def back(self) -> None:
        """Cuts off everything after the last right piece."""
        self._file.seek(self.good)
        self._file.truncate()
        self.size = self.good
        self._restart(self._whole_at_good)

    def _restart(self, whole: "hashlib._Hash") -> None:
        self._whole_at_good, self._whole = whole, whole.copy()
        self._piece = hashlib.new(self._pieces.algorithm.replace("-", ""), usedforsecurity=False)
