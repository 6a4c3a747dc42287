"""Counts as they come: gathered in memory, written every few minutes and at the end, since cards wear.

The file (SQLite) holds rows of a day, what was counted, an archive's name from the box's own shelf, and a
number; nothing else ever reaches this module. Switched off, it counts nothing and deletes what there is. What
cannot be written stays in memory, and is told; no page waits for it or fails with it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, cast

from appliance.documents.store import Form, Store
from appliance.errors import DocumentError
from appliance.log import say
from appliance.records import Check
from appliance.usage.counts import ARCHIVES, DAYS, MONTHS, Key, What, bounded, folded, summed

FOLDER, FILE = "usage", "usage.db"
EVERY = 300.0  # seconds between two writes
STEPS = (
    (
        """CREATE TABLE counted(
            period TEXT NOT NULL CHECK(length(period) IN (7, 10)),
            what TEXT NOT NULL CHECK(what IN ('question', 'refusal', 'slow', 'article')),
            archive TEXT NOT NULL, number INTEGER NOT NULL CHECK(number > 0),
            PRIMARY KEY(period, what, archive)) STRICT, WITHOUT ROWID""",
    ),
)
ALL = "SELECT period, what, archive, number FROM counted"
OVER = """SELECT (SELECT count(DISTINCT period) FROM counted WHERE length(period) = 10) > ?
    OR (SELECT count(DISTINCT period) FROM counted WHERE length(period) = 7) > ?
    OR EXISTS (SELECT 1 FROM counted WHERE what = 'article' AND archive <> '' GROUP BY period
        HAVING count(*) > ?)"""
ADD = """INSERT INTO counted VALUES (?, ?, ?, ?)
    ON CONFLICT(period, what, archive) DO UPDATE SET number = number + excluded.number"""
USAGE = Form(
    "counts of usage",
    0x4C414D55,  # "LAMU"
    STEPS,
    synchronous="NORMAL",  # a power cut may cost the last minutes
    remedy="Switch counting off and on again at /desk/usage: that begins anew.",
    busy=2_000,
)


class Usage:
    """Of one box; threads may share it. Nothing is kept beyond the process without a `home`."""

    def __init__(self, home: Path | None, on: bool = True, today: Callable[[], date] = date.today) -> None:
        self.file = home / FOLDER / FILE if home else None
        self.problem = ""
        self._on, self._today = on, today
        self._gathered: dict[Key, int] = {}
        self._store: Store | None = None
        self._counting, self._writing = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def on(self) -> bool:
        return self._on

    def count(self, what: What, archive: str = "") -> None:
        """One more today. `archive`: the name of one on the shelf, never what a visitor sent."""
        if self._on:
            key = (self._today().isoformat(), what, archive)
            with self._counting:
                self._gathered[key] = self._gathered.get(key, 0) + 1
                if len(self._gathered) > 10_000:  # nothing can be written, and the clock runs wild
                    self._gathered = folded(self._gathered)

    def checks(self) -> tuple[Check, ...]:
        """A line for the status page, where nothing can be counted."""
        return (Check("Usage", "wrong", self.problem, USAGE.remedy),) if self.problem else ()

    def start(self) -> None:
        """Begins to write now and then; what was counted goes when counting is off."""
        if not self._on:
            self.forget()
        self._thread = threading.Thread(target=self._run, daemon=True, name="usage")
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()
        self.write()
        with self._writing:
            self._close()

    def switch(self, on: bool) -> None:
        """On, or off for good: then what was counted is deleted."""
        self._on = on
        if not on:
            self.forget()

    def forget(self) -> None:
        """Deletes all counts, and their file."""
        with self._writing:
            with self._counting:
                self._gathered = {}
            self._close()
            self.problem = ""
            for suffix in ("", "-wal", "-shm") if self.file else ():
                cast(Path, self.file).with_name(FILE + suffix).unlink(missing_ok=True)

    def write(self) -> None:
        """Adds what was gathered to the file."""
        with self._writing:
            with self._counting:
                gathered, self._gathered = self._gathered, {}
            if not gathered or self.file is None:
                self._put_back(gathered)
                return
            try:
                self._add(gathered)
            except DocumentError as error:
                self._put_back(gathered)
                self._tell(str(error))
            else:
                self.problem = ""

    def counts(self) -> Mapping[Key, int]:
        """All, the latest too."""
        with self._writing:
            try:
                stored = self._stored() if self.file and self.file.exists() else {}
            except DocumentError as error:
                self._tell(str(error))
                stored = {}
            with self._counting:
                return folded(bounded(summed((*stored.items(), *self._gathered.items()))))

    def _stored(self) -> dict[Key, int]:
        with self._opened().read() as connection:
            return _counts(connection.execute(ALL).fetchall())

    def _add(self, gathered: Mapping[Key, int]) -> None:
        """Touches the rows of today; all of them only when there are too many."""
        with self._opened().write() as connection:
            connection.executemany(ADD, [(*key, number) for key, number in gathered.items()])
            over: Any = connection.execute(OVER, (DAYS, MONTHS, ARCHIVES)).get
            if over:
                kept = folded(bounded(_counts(connection.execute(ALL).fetchall())))
                connection.execute("DELETE FROM counted")
                connection.executemany(ADD, [(*key, number) for key, number in kept.items()])
        self._opened().checkpoint()

    def _opened(self) -> Store:
        if self._store is None:
            self._store = Store.open(self.file, USAGE)
        return self._store

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _put_back(self, gathered: Mapping[Key, int]) -> None:
        with self._counting:
            self._gathered = summed((*gathered.items(), *self._gathered.items()))

    def _tell(self, sentence: str) -> None:
        if sentence != self.problem:
            say(f"Usage cannot be counted: {sentence}")
        self.problem = sentence

    def _run(self) -> None:
        while not self._over.wait(EVERY):
            self.write()


def _counts(rows: Iterable[Sequence[object]]) -> dict[Key, int]:
    return {(str(p), cast(What, what), str(archive)): int(str(n)) for p, what, archive, n in rows}
