"""One archive from its mirrors, in the order of the lock.

A mirror that sends a wrong piece, another file or nothing is dropped for this archive, one that breaks off is
asked again a few times, a slow one comes last, and so does one that cannot begin in the middle. Only pieces
that are right stay, so nothing that was right is fetched twice.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from appliance import downloads
from appliance.bundles.lockfile import LockedArchive
from appliance.bundles.part import BadPiece, Part
from appliance.downloads import Reply, SourceDown
from appliance.errors import BundleError


@dataclass(frozen=True, slots=True)
class Patience:
    """How much is borne. Of a mirror, `tries` that each gained under `gain` bytes, or `longer` of them once
    anything has come in this run (the network may be away for some minutes); `wait` seconds before the
    second, twice as long before each further one, at most `pause`; under `slow` bytes a second over `seconds`
    while another mirror is left."""

    tries: int = 3
    longer: int = 9
    wait: float = 1.0
    pause: float = 60.0
    gain: int = 1_000_000
    slow: float = 50_000
    seconds: float = 20.0


class NotFetched(BundleError):
    """No mirror gives an archive."""


class Stopped(Exception):
    """The transfer was told to stop; what came is kept."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What all transfers of a run share: `stop` tells them to end, `flowing` that something has come."""

    stop: threading.Event = field(default_factory=threading.Event)
    flowing: threading.Event = field(default_factory=threading.Event)


@dataclass(slots=True)
class _Mirror:
    address: str
    failures: int = 0
    slow: bool = False
    all_only: bool = False  # sends all of a file whatever is asked
    dropped: str = ""  # why

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc


class Transfer:
    """`run` does the work; other threads may read `state`, `came` and `part.size` meanwhile.
    `say` gets a sentence on whatever went wrong and did not end it."""

    def __init__(
        self,
        archive: LockedArchive,
        target: Path,
        signs: "Signs",
        say: Callable[[str], None],
        patience: Patience,
    ) -> None:
        self.archive, self.part, self._signs, self._say = archive, Part(target, archive), signs, say
        self._mirrors = [_Mirror(address) for address in archive.addresses]
        self._patience = patience
        self._givers: set[str] = set()  # who gave the piece that is coming; "" is an earlier run
        self._farthest = self._began_at = 0  # bytes: the most there was, and that when the last try began
        self.state = "waiting"
        self.came = 0  # bytes over the network

    def run(self) -> Path:
        """The whole, checked archive. Raises NotFetched, Stopped, OSError for the disk's own faults."""
        with self.part.opened():
            self.state = "checking"
            for _ in self.part.recover():
                self._heed()
            self._givers = {""} if self.part.size > self.part.good else set()
            self._farthest = self.part.size
            self.state = "coming"
            while self.part.good < self.archive.bytes:
                self._ask(self._next())
            found = self.part.finish()
        self.state = "here"
        return found

    def _heed(self) -> None:
        if self._signs.stop.is_set():
            raise Stopped

    def _next(self) -> _Mirror:
        """The best mirror that is left, after the pause that its failures ask for."""
        left = [mirror for mirror in self._mirrors if not mirror.dropped]
        if not left:
            reasons = " ".join(mirror.dropped for mirror in self._mirrors)
            raise NotFetched(
                f"{self.archive.file} could not be fetched: {reasons}",
                "Try again later: what has come is kept. If no mirror has it any more, lock again.",
            )
        best = min(left, key=lambda m: (m.all_only and self.part.size > 0, m.slow, m.failures))
        pause = min(self._patience.wait * 2 ** (best.failures - 1), self._patience.pause)
        if best.failures and self._signs.stop.wait(pause):
            raise Stopped
        return best

    def _ask(self, mirror: _Mirror) -> None:
        self._began_at = self._farthest
        try:
            with downloads.reply(mirror.address, self.part.size) as answer:
                self._receive(mirror, answer)
        except SourceDown as error:
            self._fail(mirror, str(error), error.gone)
        except BadPiece:
            self._blame(mirror)

    def _receive(self, mirror: _Mirror, answer: Reply) -> None:
        if answer.total not in (None, self.archive.bytes):
            found = (
                f"{mirror.host} has another file: {answer.total:,} bytes, expected {self.archive.bytes:,}."
            )
            self._fail(mirror, found, gone=True)
            return
        skip = self.part.size - answer.start
        mirror.all_only = mirror.all_only or skip > 0
        if skip and any(not m.dropped and not m.all_only for m in self._mirrors):
            return
        pace = _Pace(self._patience)
        for block in answer.blocks:
            self._heed()
            self.came += len(block)
            self._signs.flowing.set()
            self._keep(mirror, block[skip:])
            skip = max(0, skip - len(block))
            if self.part.size == self.archive.bytes:
                return
            if pace.is_slow(len(block)) and any(not m.dropped and not m.slow for m in self._others(mirror)):
                mirror.slow = True
                self._say(f"{mirror.host} is slow; {self.archive.file} comes from another mirror.")
                return
        self._fail(
            mirror, f"{mirror.host} broke off after {self.part.size:,} of {self.archive.bytes:,} bytes."
        )

    def _others(self, mirror: _Mirror) -> list[_Mirror]:
        return [other for other in self._mirrors if other is not mirror]

    def _keep(self, mirror: _Mirror, block: bytes) -> None:
        if not block:
            return
        self._givers.add(mirror.address)
        good = self.part.good
        try:
            self.part.write(block[: self.archive.bytes - self.part.size])
        finally:
            if self.part.good > good:  # whatever follows came with this block
                self._givers = {mirror.address}
        if self.part.size == self.part.good:
            self._givers.clear()
        self._farthest = max(self._farthest, self.part.size)

    def _blame(self, mirror: _Mirror) -> None:
        """A wrong piece drops the mirror that gave all of it; where several had a hand in it, it is fetched
        again from this one alone."""
        alone, self._givers = self._givers == {mirror.address}, set()
        if alone:
            place = f"at byte {self.part.good:,} of {self.archive.file}"
            self._fail(mirror, f"{mirror.host} sends wrong bytes {place}.", gone=True)

    def _fail(self, mirror: _Mirror, sentence: str, gone: bool = False) -> None:
        gained = self._farthest - self._began_at >= self._patience.gain
        mirror.failures = 1 if gained else mirror.failures + 1
        tries = self._patience.longer if self._signs.flowing.is_set() else self._patience.tries
        if gone or mirror.failures >= tries:
            mirror.dropped = sentence
            self._say(f"{sentence} It is not asked for {self.archive.file} any more.")


class _Pace:
    """Whether the bytes come too slowly, judged once in every `patience.seconds`."""

    def __init__(self, patience: Patience) -> None:
        self._patience, self._came, self._since = patience, 0, time.monotonic()

    def is_slow(self, count: int) -> bool:
        self._came += count
        took = time.monotonic() - self._since
        if took < self._patience.seconds:
            return False
        slow = self._came < self._patience.slow * took
        self._came, self._since = 0, time.monotonic()
        return slow
