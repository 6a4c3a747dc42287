"""Measured figures as data: one JSON line for each, and a table made from the newest of each.

A line says what was measured, the figure, its unit, and on what: machine (without names or paths), commit,
SHA-256 of the embedding model, date. A figure that was not measured has no line.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from appliance import models
from appliance.errors import SetupError

PROJECT = Path(__file__).parent.parent.parent
FILE = PROJECT / "docs" / "benchmarks" / "results.jsonl"


@dataclass(frozen=True, slots=True)
class Figure:
    """`what` is a name that stays the same from run to run; `bound` is what it must reach, as a sentence."""

    part: str
    what: str
    figure: float
    unit: str
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A figure with what it was measured on; one line of the file."""

    part: str
    what: str
    figure: float
    unit: str
    bound: str
    machine: str
    commit: str
    model_sha256: str
    date: str


def lines(figures: Iterable[Figure]) -> list[Line]:
    """The figures of a run that happens now, on this machine, with this software."""
    here, now = machine(), datetime.now(UTC).strftime("%Y-%m-%d")
    version, model = commit(), models.catalogue().find(models.EMBEDDING[0]).sha256
    return [
        Line(one.part, one.what, _rounded(one.figure), one.unit, one.bound, here, version, model, now)
        for one in figures
    ]


def append(file: Path, found: Sequence[Line]) -> None:
    """Adds lines to the file and makes the table beside it (README.md) anew from all that it holds."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as results:
        results.writelines(json.dumps(asdict(line), ensure_ascii=False) + "\n" for line in found)
    file.with_name("README.md").write_text(table(read(file)), encoding="utf-8")


def read(file: Path) -> list[Line]:
    """All lines, oldest first. Raises SetupError, with the line's number, for one that is no result."""
    found = []
    for number, text in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            row: dict[str, Any] = json.loads(text)
            found.append(Line(**row))
        except (ValueError, TypeError) as error:
            raise SetupError(f"Line {number} of {file.name} is not a result: {error}.") from error
    return found


def table(found: Sequence[Line]) -> str:
    """Markdown: for each machine the newest line of each figure, part by part."""
    newest = {(line.machine, line.part, line.what): line for line in found}
    text = [
        "# Benchmarks",
        "",
        "Made by `appliance bench` from `results.jsonl`, not by hand: the newest figure of each.",
    ]
    for name in dict.fromkeys(line.machine for line in newest.values()):
        text += ["", f"## {name}"]
        mine = [line for line in newest.values() if line.machine == name]
        for part in dict.fromkeys(line.part for line in mine):
            text += ["", f"### {part}", "", "| what | figure | unit | to reach | commit | date |"]
            text += ["|---|---:|---|---|---|---|"]
            text += [_row(line) for line in mine if line.part == part]
    return "\n".join(text) + "\n"


def _row(line: Line) -> str:
    cells = (line.what, f"{line.figure:,g}", line.unit, line.bound, line.commit, line.date)
    return f"| {' | '.join(cells)} |"


def machine() -> str:
    """Processor, cores and memory, in words that name no owner."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}"
    )


def commit() -> str:
    """The commit of the software, with `+` when the software differs from it; `unknown` outside git."""
    try:
        short = _git("rev-parse", "--short", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", "appliance", "models")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return short + ("+" if changed else "")


def _git(*words: str) -> str:
    command = ["git", "-C", str(PROJECT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() in ("model name", "Model"):
            return value.strip()
    return platform.machine()


def _rounded(figure: float) -> float:
    """Three or more significant digits, and whole numbers as they are."""
    return round(figure, 3) if abs(figure) < 10 else round(figure, 1)
