"""Imports of a bundle that are interrupted: a process killed outright at a random moment, a stick pulled out
at a random byte. After each the store must hold the old bundle or the new one, whole, and the next try must
end with the new one.
"""

import errno
import multiprocessing
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from appliance.bundles.folder import Disk, Folder, Piece, Readable
from appliance.bundles.install import install
from appliance.bundles.store import Store
from appliance.bundles.verify import fits, full, quick
from appliance.errors import LamplightError


@dataclass(slots=True)
class Tally:
    """How the tries ended: the old or the new bundle in use, whole; or otherwise, and how."""

    old: int = 0
    new: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def whole(self) -> int:
        return self.old + self.new


def kills(old: Path, new: Path, scratch: Path, points: int, seed: int = 1) -> Tally:
    """Kills a process that copies and switches, `points` times, at moments spread over its whole run."""
    draw, took = random.Random(seed), _run(_fresh(old, scratch), new, None)

    def interrupt(store: Path) -> None:
        _run(store, new, draw.uniform(0, took * 1.1))

    return _tally(old, new, scratch, points, interrupt)


def pulls(old: Path, new: Path, scratch: Path, points: int, seed: int = 1) -> Tally:
    """Pulls the stick out `points` times, each after another number of bytes read."""
    draw = random.Random(seed)
    most = 2 * quick(Disk(new)).bytes  # `quick` reads heads and lists before the copy reads it all

    def interrupt(store: Path) -> None:
        try:
            _bring(store, Pulled(new, draw.randrange(most)))
        except LamplightError:
            return

    return _tally(old, new, scratch, points, interrupt)


def _tally(old: Path, new: Path, scratch: Path, points: int, interrupt: Callable[[Path], None]) -> Tally:
    digests = [quick(Disk(bundle)).digest for bundle in (old, new)]
    found = Tally()
    for _ in range(points):
        store = _fresh(old, scratch)
        interrupt(store)
        try:
            place = digests.index(_whole(store))
            _bring(store, Disk(new))
            if _whole(store) != digests[1]:
                found.broken.append("the next try did not end with the new bundle")
                continue
        except (LamplightError, ValueError, AttributeError) as error:
            found.broken.append(str(error))
            continue
        found.old, found.new = found.old + (place == 0), found.new + (place == 1)
    return found


def _fresh(old: Path, scratch: Path) -> Path:
    """A store with the old bundle in use."""
    root = scratch / "store"
    shutil.rmtree(root, ignore_errors=True)
    _bring(root, Disk(old))
    store = Store(root)
    if store.current is not None:
        store.answered(store.current)
    return root


def _whole(root: Path) -> str:
    """The digest of the bundle in use, every byte of which is right. Raises a lie when one is not."""
    current = Store(root).current
    if current is None:
        raise LamplightError("No bundle is in use.")
    found = quick(Disk(current))
    fits(Disk(current), found)
    full(Disk(current), found)
    return found.digest


def _bring(root: Path, stick: Folder) -> None:
    store = Store(root)
    with store.alone():
        store.switch(install(store, stick, quick(stick)))


def _run(store: Path, new: Path, kill_after: float | None) -> float:
    """A process of its own copies and switches; SIGKILL ends it after so many seconds. Gives its run time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["appliance.quality.interrupted"])
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(store, new, theirs), daemon=True)
    process.start()
    ours.recv()
    began = time.perf_counter()
    if kill_after is not None:
        process.join(kill_after)
        process.kill()
    process.join()
    return time.perf_counter() - began


def _work(store: Path, new: Path, started: Connection) -> None:
    started.send(True)
    _bring(store, Disk(new))


class Pulled(Disk):
    """A stick that is pulled out after `left` bytes have been read from it: from then on nothing can be."""

    def __init__(self, root: Path, left: int) -> None:
        super().__init__(root)
        self.left = left

    def pieces(self) -> list[Piece]:
        self.require_there()
        return super().pieces()

    @contextmanager
    def open(self, path: str) -> Iterator[Readable]:
        self.require_there()
        with super().open(path) as file:
            yield _Counted(self, file)

    def require_there(self) -> None:
        if self.left < 0:
            raise OSError(errno.EIO, "Input/output error")


@dataclass(frozen=True, slots=True)
class _Counted:
    stick: Pulled
    file: Readable

    def read(self, into: memoryview, offset: int) -> int:
        count = self.file.read(into, offset)
        self.stick.left -= count
        self.stick.require_there()
        return count
