"""Writing a bundle's folder: aside, every file flushed, the lists last, one rename at the end.

Files that lie on the same disk become another name of the same bytes; others are copied, in pieces where the
file system (FAT32) holds none so large. All are hashed on the way.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance import durable
from appliance.bundles import disk
from appliance.bundles.verify import Progress, Running
from appliance.errors import BundleError

PIECE_BYTES = 4_000_000_000  # FAT32 holds at most 2**32 - 1
MAKING = ".making-"
SPARE = 16 * 2**20
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class PackError(BundleError):
    """A bundle's folder cannot be written."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that goes into a bundle: its bytes, how many, and where it lies whole, if it does."""

    blocks: Callable[[], Iterable[memoryview]]
    size: int
    path: Path | None = None

    @classmethod
    def of(cls, path: Path) -> "Source":
        return cls(lambda: disk.read_blocks(path), path.stat().st_size, path)


Lists = Callable[[Mapping[str, str]], Mapping[str, bytes]]
"""From the hashes of all files to the lists of the bundle: name -> content."""


def pack(
    target: Path,
    sources: Mapping[str, Source],
    lists: Lists,
    progress: Progress = lambda _: None,
    piece_bytes: int | None = None,
) -> Path:
    """Writes the folder `target`, which must not be there. `piece_bytes`: larger files go in pieces of that
    size. Raises PackError when it is there, cannot be written or has no room, and whatever `lists` raises."""
    if os.path.lexists(target):
        raise PackError(f"{target} is there already.", "Remove it, or give another folder or edition.")
    aside = target.with_name(f"{MAKING}{target.name}")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        _require_room(aside, sources)
        for inner in {path.rpartition("/")[0] for path in sources} - {""}:
            (aside / inner).mkdir()
        bring = _Bringing(progress, piece_bytes)
        hashes = {path: bring(source, aside / path) for path, source in sources.items()}
        for name, content in lists(hashes).items():
            disk.write(aside / name, content)
        for folder in (*filter(Path.is_dir, aside.iterdir()), aside):
            durable.flush(folder)
        os.replace(aside, target)
        durable.flush(target.parent)
    except OSError as error:
        raise PackError(
            f"{target} cannot be written: {error.strerror or error}.",
            "Check that the disk or stick is there, has room and may be written to.",
        ) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


@dataclass(frozen=True, slots=True)
class _Bringing:
    """Puts one file into the folder and gives its SHA-256."""

    progress: Progress
    piece_bytes: int | None

    def __call__(self, source: Source, target: Path) -> str:
        running = Running(source.blocks(), self.progress)
        if source.path is not None and _linked(source.path, target):
            for _ in running:
                pass
        elif self.piece_bytes is None or source.size <= self.piece_bytes:
            disk.write_blocks(target, running)
        else:
            _write_pieces(target, iter(running), self.piece_bytes)
        return running.digest


def _linked(path: Path, target: Path) -> bool:
    try:
        os.link(path.resolve(), target)
    except OSError:  # another disk, or one without hard links
        return False
    return True


def _write_pieces(target: Path, blocks: Iterator[memoryview], size: int) -> None:
    """`NAMEaa`, `NAMEab`, …: each of `size` bytes, the last of what is left."""
    rest = memoryview(b"")
    for number in range(len(_LETTERS) ** 2):
        first, second = divmod(number, len(_LETTERS))
        name = target.with_name(f"{target.name}{_LETTERS[first]}{_LETTERS[second]}")
        piece = _Piece(rest, blocks, size)
        disk.write_blocks(name, piece)
        rest = piece.rest
        if piece.ended:
            return
    raise PackError(f"{target.name} is too large for {len(_LETTERS) ** 2} pieces.")


class _Piece:
    """The next `size` bytes of a run of blocks; `rest` is what of the last block comes after them."""

    def __init__(self, rest: memoryview, blocks: Iterator[memoryview], size: int) -> None:
        self.rest, self.ended, self._blocks, self._left = rest, False, blocks, size

    def __iter__(self) -> Iterator[memoryview]:
        while self._left:
            block = self.rest if self.rest else next(self._blocks, None)
            if block is None:
                self.ended = True
                return
            taken, self.rest = block[: self._left], block[self._left :]
            self._left -= len(taken)
            yield taken
        if not self.rest:  # look whether anything follows: no empty piece is written
            following = next(self._blocks, None)
            self.rest, self.ended = following or memoryview(b""), following is None


def _require_room(folder: Path, sources: Mapping[str, Source]) -> None:
    needed = sum(source.size for source in sources.values() if not _same_disk(source.path, folder)) + SPARE
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise PackError(
            f"The bundle needs {needed / 1e6:,.0f} MB on the disk of {folder.parent}; "
            f"{free / 1e6:,.0f} MB are free.",
            "Free some space, take a larger stick, or leave archives out.",
        )


def _same_disk(path: Path | None, folder: Path) -> bool:
    return path is not None and path.stat().st_dev == folder.stat().st_dev
