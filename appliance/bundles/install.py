"""Copying a bundle into the store: only what differs, checked while it is read and again as it was written.

A file that an installed bundle has already (by its hash) becomes another name of the same bytes. The others
are copied aside, flushed, read back from the disk and compared, and only then get their names. A copy that
was interrupted is gone on with. The bundle's folder gets its own name last, when it is whole.
"""

import errno
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from appliance.bundles import disk, sums
from appliance.bundles.folder import Disk, Folder, Piece, Whole
from appliance.bundles.lies import Changed
from appliance.bundles.manifest import SIGNATURE, SUMS
from appliance.bundles.signature import LARGEST
from appliance.bundles.store import COMING, Store, StoreError
from appliance.bundles.verify import Checked, Progress, Running, fits, quick, require_hash
from appliance.errors import BundleError

PART = ".part"
SPARE = 64 * 2**20  # bytes that stay free on the disk


@dataclass(slots=True)
class Plan:
    """What an installation would do: paths to copy with their bytes, paths that lie on the card already (the
    file that has the same hash), and paths that an interrupted copy has brought."""

    copied: dict[str, int] = field(default_factory=dict)
    linked: dict[str, Path] = field(default_factory=dict)
    there: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return sum(self.copied.values())

    @property
    def work(self) -> int:
        """Bytes that `install` counts: each is read from the stick, and read back from the card."""
        return 2 * self.bytes


def plan(store: Store, found: Checked) -> Plan:
    """What of a bundle has to be copied."""
    coming = store.root / f"{COMING}{found.folder_name}"
    known = _known(store)
    made = Plan()
    for path, file in found.files.items():
        if (coming / path).is_file():
            made.there.append(path)
        elif _size(known.get(found.hashes[path])) == file.size:
            made.linked[path] = known[found.hashes[path]]
        else:
            made.copied[path] = file.size
    return made


def install(store: Store, folder: Folder, found: Checked, progress: Progress = lambda _: None) -> Path:
    """The installed folder of a bundle that passed `quick`; `progress` counts bytes that were copied.

    Raises StoreError when there is no room, a lie when the stick is not what it says or is pulled out; what
    was copied is kept for the next try. Switches nothing; the caller holds the store (`alone`).
    """
    store.root.mkdir(parents=True, exist_ok=True)
    final = store.root / found.folder_name
    if final in store.installed():
        return final
    coming = store.root / f"{COMING}{found.folder_name}"
    for left in coming.rglob(f"*{PART}"):
        left.unlink()
    made = plan(store, found)
    _make_room(store, found, made)
    coming.mkdir(exist_ok=True)
    for name in sums.FOLDERS:
        if any(path.startswith(f"{name}/") for path in found.files):
            (coming / name).mkdir(exist_ok=True)
    try:
        _bring(folder, found, made, coming, progress)
    except OSError as error:
        raise _failed(store, error) from error
    checked = quick(Disk(coming))
    fits(Disk(coming), checked)
    os.replace(coming, final)
    disk.sync(store.root)
    return final


def _bring(folder: Folder, found: Checked, made: Plan, coming: Path, progress: Progress) -> None:
    for path, source in made.linked.items():
        try:
            os.link(source, coming / path)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            made.copied[path] = found.files[path].size  # a disk without hard links, or with too many of one
    for path in made.copied:
        _copy(folder, found, path, coming, progress)
    _copy_lists(folder, found, coming)
    for inner in (*(coming / name for name in sums.FOLDERS if (coming / name).is_dir()), coming):
        disk.sync(inner)


def _copy(folder: Folder, found: Checked, path: str, coming: Path, progress: Progress) -> None:
    part = coming / f"{path}{PART}"
    read = Running(found.files[path].blocks(folder), progress)
    disk.write_blocks(part, read)
    require_hash(path, read.digest, found.hashes[path])
    written = Running(disk.read_blocks(part), progress)
    for _ in written:
        pass
    if written.digest != found.hashes[path]:
        part.unlink()
        raise StoreError(
            f"{path} was written to {coming.parent} and is read back as something else.",
            "The card or disk is failing: replace it. What was in use goes on.",
        )
    part.chmod(0o444)
    os.replace(part, coming / path)


def _copy_lists(folder: Folder, found: Checked, coming: Path) -> None:
    """SHA256SUMS last: it must still be the list that was checked, and its signature with it."""
    for name, largest in ((SIGNATURE, LARGEST), (SUMS, sums.LARGEST_LIST)):
        if name == SIGNATURE and not found.signer.public:
            continue
        content = Whole(name, (Piece(name, largest),)).read(folder, 0, largest)
        disk.write(coming / name, content)
    again = quick(Disk(coming))
    if again.digest != found.digest or again.signer.public != found.signer.public:
        raise Changed(SUMS, f"{SUMS} or {SIGNATURE} was changed while the bundle was copied.")


def _size(path: Path | None) -> int | None:
    return path.stat().st_size if path and path.is_file() else None


def _known(store: Store) -> dict[str, Path]:
    """SHA-256 -> a file of an installed bundle: each was read back when it was copied, and is read-only."""
    known: dict[str, Path] = {}
    for folder in store.installed():
        try:
            listed = sums.parse((folder / SUMS).read_text("utf-8"))
        except (OSError, ValueError, BundleError):
            continue
        known |= {sha256: folder / path for path, sha256 in listed.items()}
    return known


def _make_room(store: Store, found: Checked, made: Plan) -> None:
    """Raises StoreError unless the disk has room; gives up the bundle before for it, if that is enough."""
    needed = made.bytes + SPARE
    free = shutil.disk_usage(store.root).free
    spare = [path for path in store.installed() if path != store.current]
    if free + sum(map(_own_bytes, spare)) < needed:
        raise StoreError(
            f"{found.label} needs {needed / 1e6:,.0f} MB on the card; {free / 1e6:,.0f} MB are free.",
            "Use it from the stick, take a larger card, or make a smaller bundle.",
        )
    for path in spare:
        if shutil.disk_usage(store.root).free < needed:
            store.remove(path)


def _own_bytes(folder: Path) -> int:
    """What removing a bundle would give back: files that no other bundle has under a name of its own."""
    states = (path.stat() for path in folder.rglob("*") if path.is_file())
    return sum(state.st_size for state in states if state.st_nlink == 1)


def _failed(store: Store, error: OSError) -> StoreError:
    if error.errno == errno.ENOSPC:
        return StoreError(f"The disk of {store.root} is full.", "Free some space; the copy then goes on.")
    return StoreError(
        f"The disk of {store.root} cannot be written to: {error.strerror or error}.",
        "What was in use goes on. If it stays so, the card or disk is failing.",
    )
