"""A thread that keeps the sources in step: each after its time, one after the other, later and later while
one cannot be reached. What it does not reach goes on being served as it is."""

import random
import threading
import time
from collections.abc import Callable
from typing import Protocol

from appliance.errors import LamplightError
from appliance.log import say
from appliance.repositories.records import Repository

SOON = (5.0, 40.0)  # seconds after the start, by chance, so that many boxes do not ask at once
FIRST = 120.0  # seconds after a first failure; twice as long after each other one
LONGEST = 6 * 3600.0
JITTER = 0.1
LOOK = 60.0  # seconds until it is looked for what another process has added
Chance = Callable[[float, float], float]


class Synced(Protocol):
    """What the thread needs of the sources (repositories.Repositories)."""

    def listed(self) -> list[Repository]: ...
    def sync(self, name: str, stopped: Callable[[], bool]) -> Repository: ...


def wait(failures: int, minutes: int, chance: Chance = random.uniform) -> float:
    """Seconds until a source is synced again: `minutes` after it went well, else as `FIRST` says."""
    usual = minutes * 60.0
    pause = usual if not failures else min(FIRST * 2.0 ** min(failures - 1, 20), max(LONGEST, usual))
    return pause * chance(1 - JITTER, 1 + JITTER)


class Timer:
    """`minutes` between two syncs of a source; 0: only those that were asked for."""

    def __init__(
        self,
        sources: Synced,
        minutes: int,
        clock: Callable[[], float] = time.monotonic,
        chance: Chance = random.uniform,
    ) -> None:
        self._sources, self._minutes, self._clock, self._chance = sources, minutes, clock, chance
        self._due: dict[str, float] = {}
        self._asked: list[str] = []
        self._lock = threading.Lock()
        self._woken, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="sources", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends a sync that runs: what it has done is kept for the next one."""
        self._ended.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def ask(self, name: str) -> None:
        """Syncs a source as soon as the thread is free."""
        with self._lock:
            if name not in self._asked:
                self._asked.append(name)
        self._woken.set()

    def waiting(self, name: str) -> bool:
        """Whether it was asked for and has not begun."""
        return name in self._asked

    def due(self, name: str) -> float | None:
        """Seconds until it is synced by itself; None where it is not."""
        at = self._due.get(name)
        return max(0.0, at - self._clock()) if at is not None and self._minutes else None

    def next(self, names: list[str]) -> tuple[str, float]:
        """Which source comes next and in how many seconds; ("", LOOK) when none is due before."""
        now = self._clock()
        with self._lock:
            while self._asked:
                if self._asked[0] in names:
                    return self._asked[0], 0.0
                self._asked.pop(0)
        if not self._minutes:
            return "", LOOK
        for name in names:
            self._due.setdefault(name, now + self._chance(*SOON))
        for name in self._due.keys() - set(names):
            del self._due[name]
        first = min(names, key=self._due.__getitem__, default="")
        left = max(0.0, self._due[first] - now) if first else LOOK
        return (first, left) if left < LOOK else ("", LOOK)

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                names = [one.name for one in self._sources.listed()]
                name, seconds = self.next(names)
            except LamplightError as error:
                say(f"Sources: {error} {error.hint}")
                name, seconds = "", LOOK
            if seconds > 0:
                self._woken.wait(seconds)
                self._woken.clear()
                continue
            self._sync(name)

    def _sync(self, name: str) -> None:
        with self._lock:
            if name in self._asked:
                self._asked.remove(name)
        failures = 1
        try:
            failures = self._sources.sync(name, self._ended.is_set).outcome.failures
        except LamplightError as error:
            say(f"Source {name}: {error} {error.hint}")
        self._due[name] = self._clock() + wait(failures, self._minutes or 60, self._chance)
