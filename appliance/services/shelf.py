"""The index of an archive: where it lies, and whether it fits.

Beside the archive (in a bundle: in its folder of indexes), or in the library folder when the archive's folder
is not to be written to. What an index
must fit is one list here: the archive, the embedding model, the extractor and the chunker of this software.
"""

import os
from pathlib import Path

from appliance import models
from appliance.errors import IndexFileError, SetupError
from appliance.indexer.chunk import CHUNKER
from appliance.indexfile import Index
from appliance.services.holdings import indexes_of
from appliance.settings import Settings
from appliance.sources.html import EXTRACTOR
from appliance.sources.zim import ZimArchive
from appliance.sources.zimfile import archive_name


class NoPlace(SetupError):
    """A new index has no folder that can be written to; the archive is served without."""


def open_index(settings: Settings, archive: ZimArchive) -> Index:
    """The archive's index. Raises IndexFileError when it is missing, damaged, or does not fit."""
    beside, own = _places(settings, archive.path)
    if beside == own or not own.exists():
        return _fitting(beside, archive)
    try:
        return _fitting(own, archive)
    except IndexFileError:
        if not beside.exists():
            raise
        return _fitting(beside, archive)


def place_to_make(settings: Settings, archive: Path) -> Path:
    """Where a new index of the archive goes. Raises NoPlace when no folder for it can be written to."""
    for place in _places(settings, archive):
        if _writable(place.parent):
            return place
    raise NoPlace(
        f"No index of {archive.name} can be made: {archive.parent} cannot be written to.",
        "It is searched by its own words. For an index, give a --library of your own, and --archive.",
    )


def _places(settings: Settings, archive: Path) -> tuple[Path, Path]:
    name = f"{archive_name(archive)}.index"
    return indexes_of(archive) / name, settings.library / name


def _fitting(place: Path, archive: ZimArchive) -> Index:
    index = Index.open(place)
    index.require(
        archive_uuid=archive.uuid,
        archive_checksum=archive.checksum,
        model_sha256=models.catalogue().find(models.EMBEDDING[0]).sha256,
        extractor=EXTRACTOR,
        chunker=CHUNKER,
    )
    return index


def _writable(folder: Path) -> bool:
    """Root may write anywhere, but a folder that nobody may write to is meant to stay as it is."""
    return folder.is_dir() and os.access(folder, os.W_OK) and bool(folder.stat().st_mode & 0o222)
