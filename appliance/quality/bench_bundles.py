"""Bundles: imports that are killed or whose stick is pulled out, the speed of verifying, what an update
copies, and a switch while people read.

Over the archives of the library that have an index (the starter library's, after a set-up).
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from appliance.bundles import verify
from appliance.bundles.build import build
from appliance.bundles.folder import Disk
from appliance.bundles.install import install
from appliance.bundles.manifest import Definition
from appliance.bundles.room import SPARE
from appliance.bundles.store import Store
from appliance.downloads import require_space
from appliance.errors import ArchiveError, IndexFileError, SetupError
from appliance.log import step
from appliance.quality.bench_switch import switches
from appliance.quality.interrupted import kills, pulls
from appliance.quality.results import Figure
from appliance.services.shelf import open_index
from appliance.settings import Settings
from appliance.sources import folder
from appliance.sources.zim import ZimArchive

PART = "bundles"
POINTS = 200  # kills, and as many pulls
FILLER = 960_000_000  # bytes of a model's file that make it a bundle of 1 GB
LEAST = 3  # archives
ROUNDS = 3  # of each way of hashing, in turn; the median counts
PLAN = Definition("bench", "Measured", "Archives of the library", ("eng",))


def bundles(given: Settings, data: Path) -> list[Figure]:
    """All figures; `data` is not needed."""
    del data
    books = _books(given)
    require_space(given.home, 3 * FILLER + SPARE, "Measuring bundles")
    with tempfile.TemporaryDirectory(prefix="bench-bundles-", dir=given.home) as made:
        place = Path(made)
        small = _bundle(place, "1", books[:1])
        more = _bundle(place, "2", books[:2])
        with step(f"{POINTS} kills and {POINTS} pulls"):
            found = _interrupted(small, more, place)
        with step("Verifying and updating a bundle of 1 GB"):
            found += _large(place, books)
        with step("Switching while people read"):
            found += switches(given, small, more, place)
        return found


def _books(given: Settings) -> list[tuple[Path, Path]]:
    """Archives of the library with their indexes, the smallest first."""
    found = []
    for path in folder.scan((given.library,)).archives:
        try:
            found.append((path, open_index(given, ZimArchive.open(path)).path))
        except (ArchiveError, IndexFileError):
            continue
    if len(found) < LEAST:
        raise SetupError(f"{given.library} has {len(found)} archives with an index; {LEAST} are needed.")
    return sorted(found, key=lambda book: book[0].stat().st_size)[:LEAST]


def _bundle(
    place: Path, version: str, books: Sequence[tuple[Path, Path]], filler: Path | None = None
) -> Path:
    indexes = dict(books)
    models = {"filler": filler} if filler else {}
    build(PLAN, version, list(indexes), models, indexes.__getitem__, place)
    return place / f"{PLAN.name}-{version}"


def _interrupted(old: Path, new: Path, place: Path) -> list[Figure]:
    figures = []
    for name, interrupt in (("killed", kills), ("whose stick was pulled out", pulls)):
        tally = interrupt(old, new, place, POINTS)
        for sentence in tally.broken[:5]:
            print(f"broken: {sentence}")
        figures += [
            Figure(PART, f"imports {name} that end whole, of {POINTS}", tally.whole, "imports", f"{POINTS}"),
            Figure(PART, f"imports {name} that end with the old bundle", tally.old, "imports"),
        ]
    return figures


def _large(place: Path, books: Sequence[tuple[Path, Path]]) -> list[Figure]:
    filler = place / "filler.gguf"
    with filler.open("wb") as out:
        for _ in range(FILLER // 10_000_000):
            out.write(os.urandom(10_000_000))
        os.fsync(out.fileno())
    old = _bundle(place, "3", books[:2], filler)
    new = _bundle(place, "4", (books[0], books[2]), filler)
    filler.unlink()
    store = Store(place / "large")
    ours, theirs = _hashing(old)
    found = verify.quick(Disk(old))
    with store.alone():
        store.switch(install(store, Disk(old), found))
        before, bundle = _written(), verify.quick(Disk(new))
        store.switch(install(store, Disk(new), bundle))
        share = (_written() - before) / bundle.bytes
    shutil.rmtree(store.root)
    return [
        Figure(PART, "a bundle verified", found.bytes / 1e6 / ours, "MB/s"),
        Figure(PART, "the same files by sha256sum", found.bytes / 1e6 / theirs, "MB/s"),
        Figure(PART, "verifying, share of the speed of sha256sum", theirs / ours, "share", "at least 0.8"),
        Figure(
            PART,
            "an update of 1 GB, one archive of two changed: share written",
            share,
            "share",
            "less than 0.05",
        ),
    ]


def _hashing(bundle: Path) -> tuple[float, float]:
    """Seconds that the full level and sha256sum take for the same files, read from the disk: medians."""
    found, disk = verify.quick(Disk(bundle)), Disk(bundle)
    files = [bundle / path for path in found.files]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        _forget(files)
        began = time.perf_counter()
        subprocess.run(["sha256sum", *map(str, files)], check=True, stdout=subprocess.DEVNULL)
        theirs.append(time.perf_counter() - began)
        _forget(files)
        began = time.perf_counter()
        verify.full(disk, found)
        ours.append(time.perf_counter() - began)
    return sorted(ours)[ROUNDS // 2], sorted(theirs)[ROUNDS // 2]


def _forget(files: Iterable[Path]) -> None:
    """Takes the files out of the system's memory, so that they are read from the disk."""
    for file in files:
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def _written() -> int:
    """Bytes that this process has handed to the system to write (proc(5))."""
    return int(Path("/proc/self/io").read_text().split("wchar:")[1].split()[0])
