"""From archives to a bundle: each with its index, a manifest, the list of hashes, and a signature.

Making an index is handed in, since bundles know nothing of the indexer.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from appliance.bundles import signature, sums
from appliance.bundles.folder import Disk
from appliance.bundles.manifest import (
    MANIFEST,
    SIGNATURE,
    SUMS,
    Bundle,
    BundleArchive,
    BundleModel,
    Definition,
)
from appliance.bundles.manifest import write_bundle as manifest_text
from appliance.bundles.pack import Source, pack
from appliance.bundles.table import Table, is_line
from appliance.bundles.verify import Checked, Progress, fits, quick
from appliance.sources.zim import ZimArchive
from appliance.sources.zimfile import parts

Index = Callable[[Path], Path | None]
"""Gives the index of an archive, made if need be; None where there is nothing to index."""


def build(
    plan: Definition,
    version: str,
    archives: Sequence[Path],
    models: Mapping[str, Path],
    index: Index,
    to: Path,
    key: Path | None = None,
    progress: Progress = lambda _: None,
    piece_bytes: int | None = None,
) -> Checked:
    """Writes the bundle `to`/NAME-VERSION and gives it checked. `models` are language models by their name in
    the catalogue; files larger than `piece_bytes` go in pieces of that size. Raises ArchiveError,
    IndexingError, BundleError."""
    sources: dict[str, Source] = {}
    listed = [_archive(path, index(path), sources) for path in archives]
    for file in models.values():
        sources[f"models/{file.name}"] = Source.of(file)
    bundle = Bundle(
        name=plan.name,
        version=version,
        title=plan.title,
        description=plan.description,
        languages=plan.languages,
        created=datetime.now(UTC).replace(microsecond=0),
        needs=plan.needs,
        archives=tuple(listed),
        models=tuple(BundleModel(name, f"models/{file.name}") for name, file in models.items()),
        sizes={path: source.size for path, source in sources.items()},
    )
    made = pack(to / f"{plan.name}-{version}", sources, Lists(bundle, key), progress, piece_bytes)
    found = quick(Disk(made))
    fits(Disk(made), found)
    return found


def require_key(key: Path | None) -> None:
    """Raises BundleError for a key that cannot be used: before hours of work, not after them."""
    if key is not None:
        signature.sign(b"", key)


class Lists:
    """The three lists of a new bundle, from its manifest and the hashes of its files."""

    def __init__(self, bundle: Bundle, key: Path | None) -> None:
        self._manifest = manifest_text(bundle).encode()
        self._key = key
        require_key(key)

    def __call__(self, hashes: Mapping[str, str]) -> dict[str, bytes]:
        own = hashlib.sha256(self._manifest).hexdigest()
        lists = sums.render({**hashes, MANIFEST: own}).encode()
        made = {MANIFEST: self._manifest, SUMS: lists}
        if self._key is not None:
            made[SIGNATURE] = signature.sign(lists, self._key).encode()
        return made


def part_of(bundle: Bundle, names: Sequence[str]) -> Bundle:
    """The manifest of a part: the archives of these names with their indexes, no model. It is another bundle,
    with a name of its own."""
    chosen = tuple(archive for archive in bundle.archives if archive.name in names)
    files = [path for archive in chosen for path in (*archive.files, archive.index) if path]
    return replace(
        bundle,
        name=f"{bundle.name[:59]}-part",
        title=f"{bundle.title} (a part)",
        created=datetime.now(UTC).replace(microsecond=0),
        archives=chosen,
        models=(),
        sizes={path: bundle.sizes[path] for path in files},
    )


def _archive(path: Path, index: Path | None, sources: dict[str, Source]) -> BundleArchive:
    archive = ZimArchive.open(path)
    files = {f"archives/{file.name}": Source.of(file) for file in parts(path)}
    sources |= files
    place = f"indexes/{archive.name}.index" if index else ""
    if index:
        sources[place] = Source.of(index)
    return BundleArchive(
        name=archive.name,
        files=tuple(files),
        index=place,
        title=_line(archive.title),
        language=archive.language,
        date=str(archive.date or ""),
        uuid=archive.uuid,
        licence=_line(archive.licence),
        source=_line(archive.source),
    )


def _line(text: str) -> str:
    """What an archive says of itself, as a manifest may say it: one line without control characters."""
    return "".join(filter(is_line, " ".join(text.split())))[: Table.TEXT]
