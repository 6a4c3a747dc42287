"""What runs on the box: each of our units, how often it was started again, what memory it takes; and the
phones.

Control groups tell what lives (cgroup v2), notes of the units how often they were started, dnsmasq's leases
who has an address.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.device import files, said
from appliance.device.box import Box
from appliance.device.watched import Sources
from appliance.records import Check

# Unit -> what it does, in words. Those that end after their work are not here.
OURS = {
    "lamplight-web.service": "the pages",
    "lamplight-embedder.service": "turns questions into vectors",
    "lamplight-llama.service": "the language model",
    "lamplight-kiwix.service": "articles in Kiwix",
    "nginx.service": "what phones talk to",
    "lamplight-dnsmasq.service": "addresses and names",
    "lamplight-hotspot.service": "the Wi-Fi",
    "lamplight-cable.service": "the cable",
    "lamplight-kiosk.service": "the box's own screen",
}
TOLD = ("lamplight-hotspot.service", "lamplight-dnsmasq.service")  # for everybody (checks.UNITS)
OFTEN = 3  # restarts from which somebody should look
RECENT = 3600.0  # s: half of a lease (names.py), when a phone that is there asks for its address again


@dataclass(frozen=True, slots=True)
class Program:
    """One unit: `memory_mb` and `killed` (ended for want of memory) of this start, None where not known."""

    unit: str
    does: str
    runs: bool
    restarts: int | None
    memory_mb: float | None
    killed: int


def listed(sources: Sources, box: Box | None) -> tuple[Program, ...]:
    """Those that this box should have, by its settings."""
    left_out = {
        "lamplight-llama.service": box is not None and not box.model,
        "lamplight-cable.service": box is None or box.ethernet != "serve",
        "lamplight-kiosk.service": box is None or not box.kiosk,
    }
    return tuple(_program(sources, unit, does) for unit, does in OURS.items() if not left_out.get(unit))


def programs(sources: Sources, box: Box | None) -> Iterator[Check]:
    """A line for each that needs a look, or one that says that none does."""
    found = listed(sources, box)
    quiet = True
    for one in found:
        told = {"unit": one.unit, "does": one.does}
        if not one.runs and one.unit in TOLD:
            pass
        elif not one.runs:
            yield Check(said.PROGRAM, "wrong", said.GONE.format(**told), said.LOGS)
        elif one.killed:
            yield Check(said.PROGRAM, "wrong", said.KILLED.format(**told, n=one.killed), said.SMALLER)
        elif one.restarts:
            often = one.restarts >= OFTEN
            sentence = said.RESTARTED.format(**told, n=one.restarts)
            yield Check(said.PROGRAM, "wrong" if often else "noticed", sentence, said.LOGS if often else "")
        else:
            continue
        quiet = False
    if quiet:
        yield Check(said.PROGRAMS, "on", said.ALL_RUN.format(n=len(found)))


def phones(sources: Sources, box: Box | None, now: float) -> Iterator[Check]:
    """About how many are on the Wi-Fi; nothing before the first lease file."""
    text = files.read(sources.leases)
    if text is None or box is None:
        return
    count = present(text.decode("utf-8", "replace"), now)
    sentence = said.ABOUT.format(n=count, most=box.phones)
    if count >= box.phones:
        yield Check(said.PHONES, "noticed", sentence, said.MORE_PHONES)
    else:
        yield Check(said.PHONES, "on", sentence)


def present(leases: str, now: float) -> int:
    """Phones that had or renewed an address within the hour, from dnsmasq's lease file."""
    rows = [line.split() for line in leases.splitlines()]
    return sum(
        len(row) >= 4 and row[0].isdigit() and row[2].count(".") == 3 and int(row[0]) > now + RECENT
        for row in rows
    )


def running(groups: Path, unit: str) -> bool:
    """Whether any process of a unit lives."""
    return b"populated 1" in (files.read(groups / unit / "cgroup.events") or b"")


def _program(sources: Sources, unit: str, does: str) -> Program:
    group = sources.groups / unit
    used = (files.read(group / "memory.current") or b"").strip()
    killed = re.search(rb"^oom_kill (\d+)$", files.read(group / "memory.events") or b"", re.MULTILINE)
    return Program(
        unit,
        does,
        running(sources.groups, unit),
        _restarts(sources.notes / f"{unit.removeprefix('lamplight-').removesuffix('.service')}.json"),
        int(used) / 1e6 if used.isdigit() else None,
        int(killed[1]) if killed else 0,
    )


def _restarts(note: Path) -> int | None:
    """From a unit's note of its process; None for one that writes none."""
    try:
        return int(json.loads(files.read(note) or b"")[0]["restarts"])
    except (ValueError, TypeError, LookupError):
        return None
