"""Work that takes long, one at a time, beside the pages: how far it is, how it ended, and its end before
time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from appliance.bundles.verify import Progress
from appliance.errors import BundleError
from appliance.shelving.sentences import told


@dataclass(frozen=True, slots=True)
class Job:
    """Work that runs now: `done` of `total` bytes since `began` (seconds of a clock that never runs back)."""

    title: str
    total: int
    began: float
    done: int = 0

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def left(self) -> float | None:
        """Seconds left at the speed so far; None until that can be told."""
        took = time.monotonic() - self.began
        return took / self.share - took if took > 3 and self.share > 0.01 else None


class Stopped(BundleError):
    """Somebody ended the work before it was done."""


class Jobs:
    """One at a time. `told` gets the sentence with which each ends."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told = told
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="bundle-job")
        self._lock = threading.Lock()
        self._now: Job | None = None
        self._stop = threading.Event()

    @property
    def now(self) -> Job | None:
        return self._now

    def begin(self, title: str, total: int, work: Callable[[Progress], str]) -> None:
        """Starts `work`, which counts its bytes and gives the sentence to end with. Raises BundleError while
        another one runs."""
        with self._lock:
            if self._now is not None:
                raise BundleError(
                    f"{self._now.title} is still going on.", "Wait until it is done, or stop it."
                )
            self._now = Job(title, total, time.monotonic())
            self._stop.clear()
        self._pool.submit(self._run, work)

    def stop(self) -> None:
        """Ends the work at its next block."""
        self._stop.set()

    def close(self) -> None:
        self.stop()
        self._pool.shutdown()

    def _run(self, work: Callable[[Progress], str]) -> None:
        try:
            said = work(self._count)
        except Exception as error:  # noqa: BLE001 (whatever it was, the next work can begin)
            said = told(error)
        try:
            self._told(said)  # first: whoever sees that the work is over must find how it ended
        finally:
            self._now = None

    def _count(self, count: int) -> None:
        if self._stop.is_set():
            raise Stopped("Stopped.", "What was copied is kept: it goes on from there.")
        if self._now is not None:
            self._now = replace(self._now, done=self._now.done + count)
