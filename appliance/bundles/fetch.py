"""`appliance bundle fetch`: sizes first, then several archives at once, each piece checked as it comes.

Archives of all bundles lie in one folder under the names of their editions, so that what two bundles share is
fetched once. A file has its own name there only when it is whole and its SHA-256 is the lock's.
"""

import fcntl
import queue
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance import downloads
from appliance.bundles.lockfile import Lock, LockedArchive
from appliance.bundles.transfer import NotFetched, Patience, Signs, Stopped, Transfer
from appliance.errors import BundleError, LamplightError
from appliance.log import Step, duration, say, step

PARALLEL = 4
MEASURED_SECONDS = 3.0  # before the time that the rest takes is told
BEAT = 0.2  # seconds between two looks at the transfers
LINGER = 2.0  # seconds that transfers have to end once they are told to
TENTH = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """What a lock asks of a folder: archives still to come, with what is there of each in bytes, and the
    number of those that are here."""

    folder: Path
    todo: tuple[tuple[LockedArchive, int], ...]
    here: int

    @property
    def needed(self) -> int:
        """Bytes of the disk that the rest takes, and of the network."""
        return sum(archive.bytes - came for archive, came in self.todo)


def plan(lock: Lock, folder: Path) -> Plan:
    """Looks at names and sizes only. Raises BundleError for a file that only has an archive's name."""
    todo = []
    for archive in lock.archives:
        target = folder / archive.file
        if not target.exists():
            part = target.with_name(target.name + ".part")
            todo.append((archive, min(part.stat().st_size, archive.bytes) if part.exists() else 0))
        elif (found := target.stat().st_size) != archive.bytes:
            raise BundleError(
                f"{target} has {found:,} bytes, expected {archive.bytes:,}: it is another file.",
                "Move it away, then fetch again.",
            )
    return Plan(folder, tuple(todo), len(lock.archives) - len(todo))


def tell(found: Plan) -> None:
    """Says the size of each archive, what the disk must have and what it has."""
    for archive, came in found.todo:
        there = f", {came / 1e6:,.0f} MB of it are here" if came else ""
        say(f"{archive.file}: {archive.bytes / 1e6:,.0f} MB{there}")
    if found.here:
        say(f"{found.here} more are here already.")
    free = shutil.disk_usage(
        next(place for place in (found.folder, *found.folder.parents) if place.exists())
    ).free
    say(f"To fetch: {found.needed / 1e6:,.0f} MB, into {found.folder}; {free / 1e6:,.0f} MB are free there.")


def fetch(
    lock: Lock,
    folder: Path,
    parallel: int = PARALLEL,
    check: bool = False,
    patience: Patience | None = None,
) -> list[Path]:
    """The archives of a lock in `folder`, in its order, what is missing fetched now; with `check` only for as
    long as it takes to tell how long the rest would. Raises SetupError when the disk is too full, NotFetched
    when no mirror has an archive any more; what has come is kept then, and after Ctrl-C and a kill too."""
    found = plan(lock, folder)
    tell(found)
    if found.todo:
        downloads.require_space(folder, found.needed, "What is to be fetched")
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            _Run(found, parallel, check, patience or Patience()).run()
    return [] if check else here(lock, folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two runs would write into the same files. The lock goes with the process, however that ends."""
    with (folder / ".fetching").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BundleError(
                f"Another process fetches into {folder}.", "Wait until it has ended."
            ) from error
        yield


class _Run:
    """The transfers in threads of their own, and this thread, which alone prints.

    The threads are daemons: a server that hangs must not hold up the end of the process, and a file that is
    cut off in the middle of a write is what `Part` is made for.
    """

    def __init__(self, found: Plan, parallel: int, check: bool, patience: Patience) -> None:
        self._check, self._signs, self._moved = check, Signs(), threading.Event()
        self._notes: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._transfers = [
            Transfer(archive, found.folder / archive.file, self._signs, self._notes.put, patience)
            for archive, _ in found.todo
        ]
        self._waiting: queue.SimpleQueue[Transfer] = queue.SimpleQueue()
        for transfer in self._transfers:
            self._waiting.put(transfer)
        self._failed: list[Exception] = []
        self._tenths = dict.fromkeys(self._transfers, 0)
        self._threads = [
            threading.Thread(target=self._work, daemon=True)
            for _ in range(min(parallel, len(self._transfers)))
        ]

    def run(self) -> None:
        total = sum(transfer.archive.bytes for transfer in self._transfers)
        name = f"Fetching {len(self._transfers)} archive{'s' if len(self._transfers) > 1 else ''}"
        with step(name, total / 1e6, "MB") as current:
            try:
                for thread in self._threads:
                    thread.start()
                self._watch(current)
            finally:
                self._signs.stop.set()
                latest = time.monotonic() + LINGER
                for thread in self._threads:
                    thread.join(max(0.0, latest - time.monotonic()))
        self._report()

    def _work(self) -> None:
        while not self._signs.stop.is_set():
            try:
                transfer = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                transfer.run()
            except Stopped:
                return
            except (LamplightError, OSError) as error:
                transfer.state = "failed"
                self._failed.append(error)
            self._moved.set()

    def _watch(self, current: Step) -> None:
        began, told = time.monotonic(), False
        while self._unfinished():
            self._moved.wait(BEAT)
            self._moved.clear()
            self._show(current)
            came = sum(transfer.came for transfer in self._transfers)
            if not told and came and time.monotonic() - began >= MEASURED_SECONDS:
                told = True
                self._estimate(came / (time.monotonic() - began))
                if self._check:
                    return
            if any(isinstance(error, OSError) for error in self._failed):
                return
        self._show(current)

    def _unfinished(self) -> bool:
        over = all(transfer.state in ("here", "failed") for transfer in self._transfers)
        return not over and any(thread.is_alive() for thread in self._threads)

    def _estimate(self, speed: float) -> None:
        left = sum(transfer.archive.bytes - transfer.part.size for transfer in self._transfers)
        say(f"At {speed / 1e6:,.1f} MB/s the rest takes {duration(left / speed)}.")

    def _show(self, current: Step) -> None:
        while not self._notes.empty():
            say(self._notes.get())
        for transfer in self._transfers:
            size, came = transfer.archive.bytes, transfer.part.size
            here = transfer.state == "here"
            tenth = TENTH if here else min(TENTH * came // size, TENTH - 1)
            if tenth != self._tenths[transfer] and (here or transfer.state == "coming"):
                self._tenths[transfer] = tenth
                said = "whole" if here else f"{came / 1e6:,.0f} of {size / 1e6:,.0f} MB"
                say(f"{transfer.archive.file}: {100 * came // size} %, {said}")
        done = sum(transfer.part.size for transfer in self._transfers) / 1e6
        if any(transfer.came for transfer in self._transfers):
            current.advance(done - current.done)
        else:
            current.resume_at(done)

    def _report(self) -> None:
        """Raises what went wrong: the disk's own fault first, else all archives that no mirror gave."""
        for error in self._failed:
            if isinstance(error, OSError):
                raise error
        if self._failed:
            first = self._failed[0]
            hint = first.hint if isinstance(first, LamplightError) else ""
            raise NotFetched(" ".join(map(str, self._failed)), hint)


def here(lock: Lock, folder: Path) -> list[Path]:
    """The archives of a lock; asks for nothing. Raises NotFetched when one is missing."""
    found = plan(lock, folder)
    if found.todo:
        names = ", ".join(archive.file for archive, _ in found.todo)
        raise NotFetched(f"Not fetched yet: {names}.", "Fetch them: appliance bundle fetch NAME")
    return [folder / archive.file for archive in lock.archives]
