"""What is said beside an archive of its content: a metalink (RFC 5854) and a `.sha256` file. Pure."""

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from appliance.bundles import xml
from appliance.errors import BundleError

_NAMESPACE = "{urn:ietf:params:xml:ns:metalink}"
HASHES = {
    "sha-1": 20,
    "sha-256": 32,
    "sha-512": 64,
}  # that a piece may have: its bytes, by the metalink's name
ADDRESS = r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?/\S+"  # of a file on the web
_LAST = 999_999  # RFC 5854: the priority of an address that has none


@dataclass(frozen=True, slots=True)
class Pieces:
    """The hashes of a file's pieces in order, each of `length` bytes but the last."""

    length: int
    algorithm: str
    digests: tuple[bytes, ...]

    def fit(self, size: int) -> bool:
        return len(self.digests) == -(-size // self.length)


@dataclass(frozen=True, slots=True)
class Metalink:
    """Of one file; `size` 0, `sha256` empty and `pieces` None where it does not say. `addresses` begin with
    the one to be preferred; only http and https."""

    name: str
    size: int
    sha256: str
    pieces: Pieces | None
    addresses: tuple[str, ...]


def read_metalink(found: bytes, address: str, name: str) -> Metalink:
    """What the metalink at `address` says of the file `name`. Raises BundleError."""
    where = f"The metalink {address}"
    root = xml.parse(found, where, _NAMESPACE + "metalink")
    files = [file for file in root.findall(_NAMESPACE + "file") if file.get("name") == name]
    if len(files) != 1:
        raise BundleError(f"{where} has {len(files)} files named {name}, expected one.")
    (file,) = files
    size = xml.text(file, _NAMESPACE + "size")
    hashes = {child.get("type"): (child.text or "").strip() for child in file.findall(_NAMESPACE + "hash")}
    sha256 = hashes.get("sha-256", "").lower()
    if (size and not re.fullmatch(r"[1-9]\d{0,14}", size)) or (sha256 and not _hex(sha256, 32)):
        raise BundleError(f"{where} has the size {size!r} and the SHA-256 {sha256!r}, which cannot be.")
    pieces = _pieces(file, where)
    if pieces and size and not pieces.fit(int(size)):
        raise BundleError(f"{where} has {len(pieces.digests):,} pieces, which do not make {size} bytes.")
    return Metalink(name, int(size or 0), sha256, pieces, _addresses(file))


def _pieces(file: Element, where: str) -> Pieces | None:
    """The pieces with the strongest hash that is known here."""
    known = [row for row in file.findall(_NAMESPACE + "pieces") if row.get("type") in HASHES]
    if not known:
        return None
    row = max(known, key=lambda row: HASHES[row.get("type", "")])
    algorithm, length = row.get("type", ""), row.get("length", "")
    digests = [(child.text or "").strip() for child in row.findall(_NAMESPACE + "hash")]
    if not re.fullmatch(r"[1-9]\d{3,10}", length) or not all(_hex(d, HASHES[algorithm]) for d in digests):
        raise BundleError(f"{where} has pieces of {length} bytes with {algorithm} that cannot be.")
    return Pieces(int(length), algorithm, tuple(map(bytes.fromhex, digests))) if digests else None


def _addresses(file: Element) -> tuple[str, ...]:
    rows = sorted(file.findall(_NAMESPACE + "url"), key=lambda row: xml.number(row.get("priority")) or _LAST)
    addresses = [(row.text or "").strip() for row in rows]
    return tuple(dict.fromkeys(one for one in addresses if re.fullmatch(ADDRESS, one)))


def read_sha256(found: bytes, address: str, name: str) -> str:
    """The SHA-256 in a `.sha256` file, as sha256sum writes it. Raises BundleError if it is not of `name`."""
    line = re.fullmatch(rb"([0-9A-Fa-f]{64})(?:[ \t]+\*?(\S+))?\s*", found)
    if not line or (line[2] and line[2].decode("utf-8", "replace").rpartition("/")[2] != name):
        raise BundleError(f"{address} is {found[:100]!r}, expected the SHA-256 of {name}.")
    return line[1].decode().lower()


def _hex(text: str, size: int) -> bool:
    return bool(re.fullmatch(rf"[0-9A-Fa-f]{{{2 * size}}}", text))
