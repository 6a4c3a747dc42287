"""Folders of own documents as people open them: those within one, with how many documents; pure."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folder:
    """`count`: documents in it and below."""

    path: str
    name: str
    count: int


def within(found: Mapping[str, int], here: str) -> list[Folder]:
    """The folders directly within `here` ("": above all), by name; `found` as `rows.folders` gives it."""
    front = f"{here}/" if here else ""
    counts: Counter[str] = Counter()
    for path, count in found.items():
        if path and path.startswith(front):
            counts[path[len(front) :].partition("/")[0]] += count
    return [Folder(front + name, name, counts[name]) for name in sorted(counts, key=_as_counted)]


def _as_counted(name: str) -> list[tuple[int, str]]:
    """For sorting: "box 2" comes before "box 10"."""
    parts = re.split(r"([0-9]{1,9})", name.casefold())
    return [(int(part), "") if n % 2 else (0, part) for n, part in enumerate(parts)]


def above(here: str) -> list[Folder]:
    """The folders that one lies in, the outermost first, without counts."""
    parts = here.split("/")[:-1] if here else []
    return [Folder("/".join(parts[: n + 1]), name, 0) for n, name in enumerate(parts)]
