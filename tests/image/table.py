"""Times and memory of each unit, from systemd and /proc, as rows and as a table to print."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import testdisk
from guest import Guest

MB = 1_000_000
PROPERTIES = (
    "Id", "ActiveState", "Result", "NRestarts", "MemoryCurrent", "MemoryPeak",
    "InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """`begun` and `ready` in seconds since the kernel started, `memory` and `peak` in bytes of its control
    group (page cache included), `share` in bytes of PSS; None where systemd has no figure."""

    name: str
    state: str
    result: str
    restarts: int
    begun: float | None
    ready: float | None
    memory: int | None
    peak: int | None
    share: int

    @property
    def of_the_test(self) -> bool:
        return self.name == testdisk.UNIT_NAME


def units(guest: Guest) -> list[Unit]:
    """Every service that has run, by the time at which it was started."""
    words = [f"--property={','.join(PROPERTIES)}", "--all", "*.service"]
    text = guest.run("systemctl", "show", *words, seconds=120)
    shares = memory_shares(guest)
    found = []
    for block in text.strip().split("\n\n"):
        row = dict(line.split("=", 1) for line in block.splitlines())
        begun = _seconds(row["InactiveExitTimestampMonotonic"])
        if begun is not None:
            found.append(_unit(row, begun, shares))
    return sorted(found, key=lambda unit: unit.begun or 0)


def memory_shares(guest: Guest) -> dict[str, int]:
    """PSS in bytes of each unit's processes."""
    script = Path(__file__).with_name("processes.py").read_text("utf-8")
    found: dict[str, int] = json.loads(guest.run("python3", "-", text=script, seconds=120))
    return found


def without_model(shares: dict[str, int]) -> int:
    """Bytes of everything but the language model's unit and the test's own."""
    left_out = ("lamplight-llama.service", testdisk.UNIT_NAME)
    return sum(share for name, share in shares.items() if name not in left_out)


def _unit(row: dict[str, str], begun: float, shares: dict[str, int]) -> Unit:
    return Unit(
        row["Id"],
        row["ActiveState"],
        row["Result"],
        int(row["NRestarts"]),
        begun,
        _seconds(row["ActiveEnterTimestampMonotonic"]),
        _bytes(row["MemoryCurrent"]),
        _bytes(row["MemoryPeak"]),
        shares.get(row["Id"], 0),
    )


def _seconds(text: str) -> float | None:
    return int(text) / 1e6 if text != "0" else None


def _bytes(text: str) -> int | None:
    """systemd says `[not set]`, or the largest number, where it has none."""
    return int(text) if re.fullmatch(r"\d{1,18}", text) else None


def printed(rows: Sequence[Unit]) -> str:
    """The table of all units, the test's own marked as such; `-` where systemd has no figure."""
    head = _row("unit", "state", "begun s", "ready s", "MB", "peak MB", "PSS MB", "restarts")
    lines = [head, "-" * len(head)]
    for unit in rows:
        name = unit.name + (" (the test's)" if unit.of_the_test else "")
        times = (_figure(unit.begun), _figure(unit.ready))
        sizes = (_figure(unit.memory, MB), _figure(unit.peak, MB), _figure(unit.share or None, MB))
        lines.append(_row(name, unit.state, *times, *sizes, str(unit.restarts)))
    return "\n".join(lines)


def _figure(value: float | None, unit: float = 1) -> str:
    return "-" if value is None else f"{value / unit:.1f}"


def _row(name: str, state: str, *figures: str) -> str:
    return f"{name:<44} {state:<10}" + "".join(f"{figure:>9}" for figure in figures)
