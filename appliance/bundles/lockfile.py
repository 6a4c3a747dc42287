"""NAME.lock.toml: for each archive of a definition the exact edition, its size, its hashes and where it is to
be had. Pure. The same lock gives the same text, so that it can be kept under version control.
"""

import base64
import binascii
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import tomli_w

from appliance.bundles.manifest import ARCHIVE, ARCHIVE_IS, KiwixArchive
from appliance.bundles.metalink import ADDRESS, HASHES, Pieces
from appliance.bundles.table import Table, each
from appliance.errors import BundleError

FORMAT = 1
FILE, _FILE_IS = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}\.zim", "a name that ends in .zim"
_HEAD = (
    "# Made by `appliance bundle lock {name}`, not by hand: what `appliance bundle fetch {name}` fetches.\n\n"
)


class LockError(BundleError):
    """A lock file cannot be read, or is of another definition."""


@dataclass(frozen=True, slots=True)
class LockedArchive:
    """One edition of an archive: `date` is its day (YYYY-MM-DD), `addresses` begin with the one to be
    preferred, `pieces` is None where its servers have none."""

    name: str
    flavour: str
    file: str
    date: str
    uuid: str
    bytes: int
    sha256: str
    addresses: tuple[str, ...]
    pieces: Pieces | None


@dataclass(frozen=True, slots=True)
class Lock:
    """The archives in the definition's order, and the catalogue that was asked."""

    catalogue: str
    archives: tuple[LockedArchive, ...]

    @property
    def bytes(self) -> int:
        return sum(archive.bytes for archive in self.archives)


def write_lock(name: str, lock: Lock) -> str:
    """The text of NAME.lock.toml."""
    rows = {"format": FORMAT, "catalogue": lock.catalogue}
    text = _HEAD.format(name=name) + tomli_w.dumps(rows)
    for archive in lock.archives:
        text += "\n[[archive]]\n" + tomli_w.dumps(_written(archive), multiline_strings=True)
    return text


def _written(archive: LockedArchive) -> dict[str, object]:
    keys = ("name", "flavour", "file", "date", "uuid", "bytes", "sha256")
    row: dict[str, object] = {key: value for key in keys if (value := getattr(archive, key))}
    row["addresses"] = list(archive.addresses)
    if archive.pieces:
        row["piece_bytes"], row["piece_hash"] = archive.pieces.length, archive.pieces.algorithm
        packed = base64.b64encode(b"".join(archive.pieces.digests)).decode()
        row["pieces"] = "\n".join(textwrap.wrap(packed, 100)) + "\n"
    return row


def read_lock(name: str, text: str, wanted: Sequence[KiwixArchive]) -> Lock:
    """The lock in `text`, which must be of exactly the archives that the definition `name` has. Raises
    LockError."""
    top = Table.parse(f"The lock {name}.lock.toml", text, LockError)
    if (found := top.number("format", low=1)) > FORMAT:
        raise LockError(f"{top.where} has format {found}; this version reads up to {FORMAT}.", _again(name))
    lock = Lock(
        catalogue=top.text("catalogue", pattern="https?://.+", expected="an address"),
        archives=each(top.tables("archive"), _archive),
    )
    top.close()
    locked = {(archive.name, archive.flavour) for archive in lock.archives}
    defined = {(archive.name, archive.flavour) for archive in wanted}
    for changed in sorted(locked ^ defined):
        said = "lacks" if changed in defined else "has"
        shown = KiwixArchive(*changed, 0)
        raise LockError(f"{top.where} {said} {shown}; the definition says otherwise.", _again(name))
    if len({archive.file for archive in lock.archives}) < len(lock.archives):
        raise LockError(f"{top.where} has two archives in one file.", _again(name))
    return lock


def _again(name: str) -> str:
    return f"Make it again: appliance bundle lock {name}"


def _archive(row: Table) -> LockedArchive:
    found = LockedArchive(
        name=row.text("name", pattern=ARCHIVE, expected=ARCHIVE_IS),
        flavour=row.text("flavour", "", pattern=ARCHIVE, expected=ARCHIVE_IS),
        file=row.text("file", pattern=FILE, expected=_FILE_IS),
        date=row.text("date", "", pattern=r"\d{4}-\d\d-\d\d", expected="a day such as 2026-11-30"),
        uuid=row.text("uuid", ""),
        bytes=row.number("bytes", low=1),
        sha256=row.text("sha256", pattern="[0-9a-f]{64}", expected="64 hexadecimal digits"),
        addresses=row.texts("addresses", pattern=ADDRESS, expected="an address of the web"),
        pieces=_pieces(row),
    )
    if found.pieces and not found.pieces.fit(found.bytes):
        row.complain("pieces", len(found.pieces.digests), f"as many as make {found.bytes:,} bytes")
    return found


def _pieces(row: Table) -> Pieces | None:
    length = row.number("piece_bytes", 0)
    algorithm = row.text("piece_hash", "", pattern="|".join(HASHES), expected=f"one of {', '.join(HASHES)}")
    packed = row.block("pieces", "")
    if not (length and algorithm and packed):
        return None
    try:
        digests = base64.b64decode("".join(packed.split()), validate=True)
    except (binascii.Error, ValueError):
        row.complain("pieces", packed[:20], "hashes as Base64")
    size = HASHES[algorithm]
    if len(digests) % size:
        row.complain("pieces", f"{len(digests)} bytes", f"a multiple of {size}")
    parts = tuple(digests[place : place + size] for place in range(0, len(digests), size))
    return Pieces(length, algorithm, parts)
