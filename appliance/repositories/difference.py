"""What has to be done to come from one tree of files to another, by the ids of their blobs; pure.

A file that has only moved keeps its passages and vectors; what has not changed is not touched.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

Tree = Mapping[str, str]
"""Path of each file -> id of its blob."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`fresh` are to be read (new or changed), `moved` new path -> old path, `gone` are no longer there. A
    changed file is in `fresh` alone."""

    fresh: tuple[str, ...]
    moved: Mapping[str, str]
    gone: tuple[str, ...]


def difference(old: Tree, new: Tree, titled: Collection[str] = ()) -> Difference:
    """From `old` to `new`. Of several files with one content, any may be the one that moved. Those of `old`
    that are `titled` by their own name move only where that stays."""
    lost: dict[str, list[str]] = defaultdict(list)
    for path in sorted(old.keys() - new.keys(), reverse=True):
        lost[old[path]].append(path)
    moved: dict[str, str] = {}
    fresh = []
    for path in sorted(new):
        if old.get(path) == new[path]:
            continue
        before = None if path in old else _before(path, lost[new[path]], titled)
        if before is None:
            fresh.append(path)
        else:
            lost[new[path]].remove(before)
            moved[path] = before
    taken = set(moved.values())
    gone = sorted(path for path in old.keys() - new.keys() if path not in taken)
    return Difference(tuple(fresh), moved, tuple(gone))


def _before(path: str, lost: Sequence[str], titled: Collection[str]) -> str | None:
    """Where a file was that has the same content; one of the same name first."""
    name = _name(path)
    same = [one for one in lost if _name(one) == name]
    return next(iter((*same, *(one for one in lost if one not in titled))), None)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
