"""Copying a bundle into the store: only what differs, checked while it is read and again as it was written.

A file that an installed bundle has already (by its hash) becomes another name of the same bytes, once they
were read again and are right. The others are copied aside, flushed, read back from the disk and compared, and
only then get their names. A copy that was interrupted is gone on with, after what it brought was read again.
The bundle's folder gets its own name last, when it is whole. A bundle that is installed already is read
through; where it is damaged, a whole one comes beside it, of what is right in it and the rest from the stick.
"""

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path

from appliance import durable
from appliance.bundles import disk, room, sums
from appliance.bundles.folder import Disk, Folder, Piece, Whole
from appliance.bundles.lies import Changed
from appliance.bundles.manifest import SIGNATURE, SUMS
from appliance.bundles.signature import LARGEST
from appliance.bundles.store import COMING, Store, StoreError
from appliance.bundles.verify import Checked, Progress, Running, fits, quick, require_hash
from appliance.errors import BundleError

PART = ".part"


@dataclass(slots=True)
class Plan:
    """What an installation would do: paths to copy with their bytes, paths that lie on the card already (the
    file that has the same hash), and paths that an interrupted copy has brought. `known`: bytes of the last
    two."""

    copied: dict[str, int] = field(default_factory=dict)
    linked: dict[str, Path] = field(default_factory=dict)
    there: list[str] = field(default_factory=list)
    known: int = 0

    @property
    def bytes(self) -> int:
        return sum(self.copied.values())

    @property
    def work(self) -> int:
        """Bytes that `install` counts, unless something on the card is damaged: what is copied is read from
        the stick and read back from the card, what is there is read once."""
        return 2 * self.bytes + self.known


def plan(store: Store, found: Checked) -> Plan:
    """What of a bundle has to be copied."""
    coming = store.root / f"{COMING}{found.folder_name}"
    known = _known(store, found)
    made = Plan()
    for path, file in found.files.items():
        source = known.get(found.hashes[path])
        if (coming / path).is_file():
            made.there.append(path)
        elif source is not None and _size(source) == file.size:
            made.linked[path] = source
        else:
            made.copied[path] = file.size
    made.known = found.bytes - made.bytes
    return made


def install(store: Store, folder: Folder, found: Checked, progress: Progress = lambda _: None) -> Path:
    """The installed folder of a bundle that passed `quick`; `progress` counts bytes that were copied or read
    again.

    Raises StoreError when there is no room, a lie when the stick is not what it says or is pulled out; what
    was copied is kept for the next try. Switches nothing; the caller holds the store (`alone`).
    """
    store.root.mkdir(parents=True, exist_ok=True)
    right: set[Path] = set()
    for copy in store.copies(found.folder_name):
        if _is_whole(copy, found, right, progress):
            return copy
    coming = store.root / f"{COMING}{found.folder_name}"
    for left in coming.rglob(f"*{PART}"):
        left.unlink()
    made = plan(store, found)
    room.require(store, found.label, made.bytes, coming, made.linked.values())
    try:
        _make_folders(coming, found)
        _link(made, found, coming, right, progress)
        room.make(store, found.label, made.bytes, coming)
        _bring(folder, found, made, coming, progress)
        checked = quick(Disk(coming))
        fits(Disk(coming), checked)
        final = store.free_name(found.folder_name)
        os.replace(coming, final)
        durable.flush(store.root)
    except OSError as error:
        raise _failed(store, error) from error
    return final


def _is_whole(copy: Path, found: Checked, right: set[Path], progress: Progress) -> bool:
    """Whether an installed copy is the bundle, every byte of it; adds its files that are to `right`."""
    files = {copy / path: sha256 for path, sha256 in found.hashes.items()}
    right |= {file for file, sha256 in files.items() if _is_right(file, sha256, progress)}
    try:
        lists = quick(Disk(copy))
    except BundleError:
        return False
    same = (lists.digest, lists.signer.public) == (found.digest, found.signer.public)
    return same and right >= files.keys()


def _is_right(file: Path, sha256: str, progress: Progress) -> bool:
    """Whether the disk, not the memory, has these bytes under this name."""
    try:
        disk.forget(file)
        read = Running(disk.read_blocks(file), progress)
        for _ in read:
            pass
    except OSError:  # missing, or a card that fails: it comes from the stick
        return False
    return read.digest == sha256


def _make_folders(coming: Path, found: Checked) -> None:
    coming.mkdir(exist_ok=True)
    for name in sums.FOLDERS:
        if any(path.startswith(f"{name}/") for path in found.files):
            (coming / name).mkdir(exist_ok=True)


def _link(made: Plan, found: Checked, coming: Path, right: set[Path], progress: Progress) -> None:
    """Takes what is on the card already, and moves to `made.copied` what of it is not what it should be."""
    for path, source in made.linked.items():
        try:
            os.link(source, coming / path)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            made.copied[path] = found.files[path].size  # a disk without hard links, or with too many of one
    for path in (*made.linked, *made.there):
        if path in made.copied or made.linked.get(path) in right:
            continue
        if not _is_right(coming / path, found.hashes[path], progress):
            (coming / path).unlink()
            made.copied[path] = found.files[path].size


def _bring(folder: Folder, found: Checked, made: Plan, coming: Path, progress: Progress) -> None:
    for path in made.copied:
        _copy(folder, found, path, coming, progress)
    _copy_lists(folder, found, coming)
    for inner in (*(coming / name for name in sums.FOLDERS if (coming / name).is_dir()), coming):
        durable.flush(inner)


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


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _known(store: Store, found: Checked) -> dict[str, Path]:
    """SHA-256 -> a file of an installed bundle that should have it."""
    known: dict[str, Path] = {}
    copies = store.copies(found.folder_name)
    for folder in store.installed():
        try:
            listed = found.hashes if folder in copies else sums.parse((folder / SUMS).read_text("utf-8"))
        except (OSError, ValueError, BundleError):
            continue
        known |= {sha256: folder / path for path, sha256 in listed.items()}
    return known


def _failed(store: Store, error: OSError) -> StoreError:
    if error.errno == errno.ENOSPC:
        return StoreError(f"The disk of {store.root} is full.", "Free some space; the copy then goes on.")
    return StoreError(
        f"The disk of {store.root} cannot be written to: {error.strerror or error}.",
        "What was in use goes on. If it stays so, the card or disk is failing.",
    )
