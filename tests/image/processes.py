"""Runs inside the box (`python3 - < processes.py`): prints the fair share of memory (PSS, bytes) of each
unit's processes as JSON, by the unit's name."""

import json
import re
from pathlib import Path


def share(process: Path) -> int:
    found = re.search(r"^Pss:\s+(\d+) kB", (process / "smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def unit(process: Path) -> str:
    path = (process / "cgroup").read_text().strip()
    names = re.findall(r"[^/]+\.(?:service|scope)", path)
    return names[-1] if names else path.rpartition("/")[2] or "(kernel)"


def shares() -> dict[str, int]:
    found: dict[str, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found[unit(process)] = found.get(unit(process), 0) + share(process)
        except OSError:
            continue  # it has ended, or it is one of the kernel's
    return found


print(json.dumps(shares()))
