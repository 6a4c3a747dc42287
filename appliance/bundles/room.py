"""Room on the store's disk: what may be given up for a copy, in which order, and how much that gives.

First what earlier copies left, then bundles that are not in use. What a copy shares with one of these has its
own name in the copy by the time that anything is removed, so nothing is lost that the copy was to take.
"""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from appliance.bundles.store import COMING, GOING, Store, StoreError

SPARE = 64 * 2**20  # bytes that stay free on the disk


def require(store: Store, label: str, needed: int, coming: Path, taken: Iterable[Path] = ()) -> None:
    """Raises StoreError unless the disk has room for `needed` bytes of the bundle `label`, or can be given
    it. `coming` is the copy's own folder; `taken` are files that it shares. Removes nothing."""
    free = shutil.disk_usage(store.root).free
    if free + _gain(_spare(store, coming), taken) < needed + SPARE:
        raise StoreError(
            f"{label} needs {(needed + SPARE) / 1e6:,.0f} MB on the disk; {free / 1e6:,.0f} MB are free.",
            "Use it from the stick, take a larger card or disk, or make a smaller bundle.",
        )


def make(store: Store, label: str, needed: int, coming: Path) -> None:
    """Gives up as much as is needed for that, and no more. Raises StoreError as `require` does."""
    require(store, label, needed, coming)
    for path in _spare(store, coming):
        if shutil.disk_usage(store.root).free >= needed + SPARE:
            return
        store.remove(path)


def _spare(store: Store, coming: Path) -> list[Path]:
    """What may be removed, in this order: what was being removed, other copies, bundles not in use (the one
    before at last)."""
    if not store.root.is_dir():
        return []
    left = [path for path in sorted(store.root.iterdir()) if path.name.startswith((GOING, COMING))]
    left.sort(key=lambda path: path.name.startswith(COMING))
    bundles = [path for path in store.installed() if path != store.current]
    bundles.sort(key=lambda path: path == store.previous)
    return [path for path in (*left, *bundles) if path != coming]


def _gain(folders: Sequence[Path], taken: Iterable[Path]) -> int:
    """Bytes that removing all of these would give back: of files that have no name anywhere else."""
    kept = {path.stat().st_ino for path in taken}
    names: Counter[tuple[int, int, int]] = Counter()
    for file in _files(folders):
        state = file.lstat()
        names[state.st_ino, state.st_nlink, state.st_size] += 1
    return sum(size for (ino, links, size), count in names.items() if count >= links and ino not in kept)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
