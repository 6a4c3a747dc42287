"""Making a stick for the next village: a bundle of this box, whole or some of its archives, onto a disk.

A whole one keeps its lists and its signature, byte by byte. A part is a bundle of its own: it cannot have the
signature of the whole, so it is signed with a key of this box or not at all. What was written is read back.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.bundles import sums
from appliance.bundles.build import Lists, part_of
from appliance.bundles.folder import Disk, Piece, Whole
from appliance.bundles.lies import Changed
from appliance.bundles.manifest import MANIFEST, SIGNATURE, SUMS
from appliance.bundles.pack import PackError, Source, pack
from appliance.bundles.signature import LARGEST
from appliance.bundles.target import piece_bytes
from appliance.bundles.verify import Checked, Progress, full, quick


def export(
    disk: Disk,
    found: Checked,
    stick: Path,
    archives: Sequence[str] = (),
    key: Path | None = None,
    progress: Progress = lambda _: None,
) -> Path:
    """The folder of the bundle on the stick. `archives` names those that go along, all when empty; `progress`
    counts every byte twice: written and read back. Raises PackError, and lies of either bundle."""
    if not stick.is_dir():
        raise PackError(f"{stick} is no folder.", "Plug the stick in and mount it.")
    limit = piece_bytes(stick)
    if archives:
        target = _part(disk, found, stick, archives, key, progress, limit)
    else:
        sources = {path: _source(disk, file) for path, file in found.files.items() if path != MANIFEST}
        target = pack(stick / found.folder_name, sources, _Same(disk, found), progress, limit)
    written = Disk(target)
    full(written, quick(written), progress)
    return target


def _part(
    disk: Disk,
    found: Checked,
    stick: Path,
    archives: Sequence[str],
    key: Path | None,
    progress: Progress,
    limit: int | None,
) -> Path:
    known = {archive.name for archive in found.bundle.archives}
    if unknown := sorted(set(archives) - known):
        raise PackError(f"{found.label} has no archive {unknown[0]}.", f"It has {', '.join(sorted(known))}.")
    bundle = part_of(found.bundle, archives)
    sources = {path: _source(disk, found.files[path]) for path in bundle.sizes}
    lists = Lists(bundle, key)

    def checked(hashes: Mapping[str, str]) -> Mapping[str, bytes]:
        _require_same(found, hashes)
        return lists(hashes)

    target = stick / f"{bundle.name}-{bundle.version}-{bundle.created:%Y%m%d%H%M%S}"
    return pack(target, sources, checked, progress, limit)


class _Same:
    """The lists of the bundle that is copied, when its files are still what they were."""

    def __init__(self, disk: Disk, found: Checked) -> None:
        self._disk, self._found = disk, found

    def __call__(self, hashes: Mapping[str, str]) -> dict[str, bytes]:
        _require_same(self._found, hashes)
        names = [MANIFEST, SUMS, *([SIGNATURE] if self._found.signer.public else [])]
        largest = {MANIFEST: sums.LARGEST_LIST, SUMS: sums.LARGEST_LIST, SIGNATURE: LARGEST}
        return {
            name: Whole(name, (Piece(name, largest[name]),)).read(self._disk, 0, largest[name])
            for name in names
        }


def _require_same(found: Checked, hashes: Mapping[str, str]) -> None:
    for path, sha256 in hashes.items():
        if sha256 != found.hashes[path]:
            raise Changed(
                path, f"{path} of the installed bundle is damaged.", "Copy it from its stick again."
            )


def _source(disk: Disk, file: Whole) -> Source:
    return Source(lambda: file.blocks(disk), file.size)
