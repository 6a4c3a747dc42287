"""5,000 bad requests against a running box: what they are answered, and what they leave behind.

Everything that they could change is in a folder made for them. What runs at once, what is asked and in which
order are seeded; how long each takes is not.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from appliance import settings as table
from appliance.errors import SetupError
from appliance.log import say, step
from appliance.people import code
from appliance.people.people import open_people
from appliance.quality import hostile_sent
from appliance.quality.box import Box, memory, running
from appliance.quality.hostile import Attempt, Attempts
from appliance.quality.results import Figure
from appliance.settings import Settings

PART = "hostile"
COUNT = 5_000
BEFORE = COUNT  # sent before the first measurement, so that what is kept is there: a leak would grow again
AT_ONCE = 8  # connections
SETTLES = 12.0  # seconds after which what was cut is gone, and threads that nobody needs may go
SEED = 20_261_130
SHOWN = 20
DATABASE = re.compile(r"\.db(-wal|-shm)?$")
ENDS = ("POST", "/desk/answers/again")  # an admin's way to start the box again: it does what it says


@dataclass(frozen=True, slots=True)
class Held:
    """What a process has: descriptors without those of databases, those of databases, threads, MB of memory
    (RSS)."""

    descriptors: int
    databases: int
    threads: int
    memory: float


@dataclass(slots=True)
class Tally:
    """`wrong`: (what, of which attempt)."""

    statuses: Counter[int]
    wrong: list[tuple[str, Attempt]]
    slowest: float = 0.0


def hostile(given: Settings, _: Path) -> list[Figure]:
    """All figures. Raises SetupError when the box does not start, or does not live to the end."""
    with throwaway(given) as beside:
        targets = [one for one in addresses(beside) if one != ENDS]
        signed_in = [("authorization", f"Bearer {admin(beside)}")]
        with running(beside) as box:
            where = ("127.0.0.1", box.settings.port)
            private = [os.fsencode(beside.home), os.fsencode(Path(table.__file__).parents[1])]
            volley(where, islice(Attempts(SEED - 1, targets, signed_in), BEFORE), private)
            before = held(box)
            with step(f"{COUNT:,} bad requests over {len(targets)} addresses"):
                tally = volley(where, islice(Attempts(SEED, targets, signed_in), COUNT), private)
            after = held(box)
            if box.http.get("/api/archives").status_code != 200:
                raise SetupError("After the bad requests the box does not answer.")
    for what, attempt in tally.wrong[:SHOWN]:
        say(f"Wrong: {what}. {attempt.what}: {attempt.sent[:400]!r}")
    return figures(tally, before, after)


@contextmanager
def throwaway(given: Settings) -> Iterator[Settings]:
    """The same library and models, and everything that is written in a new folder."""
    with tempfile.TemporaryDirectory(prefix="bench-hostile-") as folder:
        home = Path(folder)
        (home / "models").symlink_to(given.home / "models")
        yield replace(
            given,
            home=home,
            runtime=home / "run",
            store=home / "installed",
            trusted_keys=home / "trusted-keys.txt",
            documents="everyone",
            search_only=True,
        )


def admin(given: Settings) -> str:
    """The token of a program that acts for an admin. There are more of them, since requests remove some."""
    people = open_people(given.home / code.FOLDER)
    ids = [people.persons.add(f"Admin {n}", "admin", f"tides and the moon {n}").id for n in range(6)]
    token = people.programs.add(ids[4], "bench", "admin")
    people.store.close()
    return token


def addresses(given: Settings) -> list[tuple[str, str]]:
    """(method, path) of all that the box answers at, as it says itself."""
    done = subprocess.run(
        [sys.executable, "-m", "appliance", "web", "--list"],
        env={**os.environ, **table.environment(given)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SetupError(f"The box does not list its addresses: {done.stderr.strip()[-300:]}")
    return [(method, path) for method, _, path in (line.partition(" ") for line in done.stdout.splitlines())]


def volley(where: tuple[str, int], attempts: Iterable[Attempt], private: list[bytes]) -> Tally:
    """Sends them all, some at once."""
    tally = Tally(Counter(), [])
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for attempt, reply in pool.map(lambda one: (one, hostile_sent.send(where, one)), attempts):
            tally.statuses[reply.status] += 1
            if reply.status and not reply.late:
                tally.slowest = max(tally.slowest, reply.seconds)
            if what := hostile_sent.wrong(attempt, reply, private):
                tally.wrong.append((what, attempt))
    return tally


def held(box: Box) -> Held:
    """Of the pages' process, once it is quiet. Threads that are idle go when the next one is needed."""
    time.sleep(SETTLES)
    box.http.get("/healthz")
    time.sleep(1)
    process = Path(f"/proc/{box.states()['web'].pid}")
    threads = len(list((process / "task").iterdir()))
    return Held(*descriptors(int(process.name)), threads, memory(int(process.name))[1])


def descriptors(pid: int) -> tuple[int, int]:
    """How many a process has, and how many of databases beside them. Connections to a database are kept for
    whoever asks next, as many as have asked at once: they are no leak."""
    found = [_of(one) for one in Path(f"/proc/{pid}/fd").iterdir()]
    databases = sum(bool(DATABASE.search(one)) for one in found)
    return len(found) - databases, databases


def _of(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except FileNotFoundError:  # closed meanwhile
        return ""


def figures(tally: Tally, before: Held, after: Held) -> list[Figure]:
    kinds = Counter[str]()
    for status, count in tally.statuses.items():
        kinds[f"{status // 100}xx" if status else "without an answer: no HTTP, or cut by the sender"] += count
    of = f"of {COUNT:,} bad requests"
    return [
        *(Figure(PART, f"{kind}, {of}", count, "requests") for kind, count in sorted(kinds.items())),
        Figure(PART, f"wrong: a status of 500, a leak or no answer, {of}", len(tally.wrong), "requests", "0"),
        Figure(PART, "slowest answer", tally.slowest, "s"),
        Figure(PART, "descriptors more than before", after.descriptors - before.descriptors, "", "0"),
        Figure(
            PART, "kept connections to databases, descriptors more", after.databases - before.databases, ""
        ),
        Figure(PART, "threads more than before", after.threads - before.threads, "", "0"),
        Figure(PART, "memory of web before", before.memory, "MB RSS"),
        Figure(PART, "memory of web more than before", after.memory - before.memory, "MB RSS", "at most 50"),
    ]
