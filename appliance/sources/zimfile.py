"""The outside of a ZIM file: its header, its parts, whether it is whole. Needs no libzim, reads no entry.

Format: https://wiki.openzim.org/wiki/ZIM_file_format. A split archive is `NAME.zimaa`, `NAME.zimab`, …
"""

import struct
import uuid
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import ArchiveError

_HEADER = struct.Struct("<I2H16s2I4Q2IQ")
HEADER_BYTES = _HEADER.size
_MAGIC = 0x044D495A
_CHECKSUM_BYTES = 16


@dataclass(frozen=True, slots=True)
class Header:
    """What the header promises: counts, the size in bytes of the whole archive, and which archive it is."""

    entries: int
    clusters: int
    size: int
    uuid: str


def archive_name(path: Path) -> str:
    """`x.zim` -> `x`; `x.zimaa` -> `x`. A folder's archive is known by this name everywhere."""
    return path.name.removesuffix("aa").removesuffix(".zim")


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive or of the first part of a split one."""
    return path.name.endswith((".zim", ".zimaa")) and not path.name.startswith(".")


def is_part(path: Path) -> bool:
    """Whether the name is that of any part of a split archive."""
    suffix = path.suffix
    return len(suffix) == 6 and suffix.startswith(".zim") and suffix[4:].isalpha() and suffix[4:].islower()


def parts(path: Path) -> list[Path]:
    """The files of an archive, in order: itself, or the parts of a split one up to the first gap."""
    base = path.with_name(path.name.removesuffix("aa")) if path.name.endswith(".zimaa") else path
    if base.is_file():
        return [base]
    found: list[Path] = []
    for first in "abcdefghijklmnopqrstuvwxyz":
        for second in "abcdefghijklmnopqrstuvwxyz":
            part = base.with_name(f"{base.name}{first}{second}")
            if not part.is_file():
                return found
            found.append(part)
    return found


def check_whole(path: Path) -> Header:
    """Reads the header and compares the size it promises with the files. Raises ArchiveError that says
    what is missing: the file, its beginning, its end, or parts."""
    files = parts(path)
    name = path.name
    if path.is_dir():
        raise ArchiveError(
            f"{path} is a folder, not an archive.",
            "Give the file that ends in .zim; a whole folder is given with --library.",
        )
    if is_part(path) and not name.endswith("aa"):
        raise ArchiveError(
            f"{name} is one part of a split archive.",
            f"Give its first part, {name[:-2]}aa: the others are found beside it.",
        )
    if not files:
        raise ArchiveError(f"There is no archive {name} in {path.parent}.", "Check the name and the folder.")
    try:
        size = sum(file.stat().st_size for file in files)
        with files[0].open("rb") as file:
            beginning = file.read(_HEADER.size)
    except OSError as error:
        raise ArchiveError(
            f"{name} cannot be read: {error.strerror}.", "Check the file's permissions."
        ) from error
    header = read_header(name, size, beginning)
    if header.size > size:
        what = f"{name} is not whole: it has {size:,} of {header.size:,} bytes"
        if len(files) > 1 or files[0].name.endswith("aa"):
            raise ArchiveError(f"{what} in {len(files)} parts.", "Copy the missing parts beside the others.")
        raise ArchiveError(f"{what}.", "Let the copy finish, or copy the file again.")
    return header


def read_header(name: str, size: int, beginning: bytes) -> Header:
    """The header of an archive of `size` bytes, from its first HEADER_BYTES. Raises ArchiveError."""
    if size == 0:
        raise ArchiveError(f"{name} is empty (0 bytes).", "Copy the file again.")
    if len(beginning) < _HEADER.size or size < _HEADER.size:
        raise ArchiveError(
            f"{name} has {size} bytes, too few for a ZIM archive ({_HEADER.size} for its header alone).",
            "Copy the file again.",
        )
    magic, _major, _minor, own, entries, clusters, *_pointers, _main, _layout, checksum = _HEADER.unpack(
        beginning
    )
    if magic != _MAGIC:
        raise ArchiveError(
            f"{name} is not a ZIM archive: its first bytes are others.", "Copy the file again."
        )
    return Header(entries, clusters, checksum + _CHECKSUM_BYTES, str(uuid.UUID(bytes=own)))
