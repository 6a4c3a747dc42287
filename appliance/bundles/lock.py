"""`appliance bundle lock`: from the names of a definition to exact editions, sizes and hashes.

What is believed is what Kiwix's own servers say over https: the catalogue, and beside each archive its
metalink, or its `.sha256` file where the metalink has no hash. Mirrors are not believed: the lock has what
their bytes must be.
"""

import re
import urllib.parse

from appliance import downloads
from appliance.bundles import catalogue, disk
from appliance.bundles.catalogue import NotInCatalogue
from appliance.bundles.definitions import Defined
from appliance.bundles.lockfile import FILE, Lock, LockedArchive, LockError, read_lock, write_lock
from appliance.bundles.manifest import KiwixArchive
from appliance.bundles.metalink import Metalink, read_metalink, read_sha256
from appliance.downloads import SourceDown
from appliance.errors import BundleError
from appliance.log import step

METALINK_BYTES = 100_000_000  # a metalink of 200 GB in pieces of 4 MiB has 4 MB
SHA256_BYTES = 10_000
METALINK = ".meta4"


def make(defined: Defined, source: str = catalogue.KIWIX) -> Lock:
    """Asks the catalogue for each archive and writes the lock beside the definition. Raises NotInCatalogue
    with all that are not there, BundleError or SourceDown; the lock that was there stays then."""
    wanted = defined.definition.kiwix
    if not wanted:
        raise BundleError(f"{defined.definition.name} has no archive of Kiwix's catalogue: nothing to lock.")
    archives, missing = [], []
    with step(f"Looking up {len(wanted)} archives", len(wanted), "archives") as current:
        for archive in wanted:
            try:
                archives.append(resolve(archive, source))
            except NotInCatalogue as error:
                missing.append(error)
            current.advance()
    if missing:
        raise NotInCatalogue(
            "\n".join(f"{error} {error.hint}" for error in missing), "Change the definition."
        )
    lock = Lock(source, tuple(archives))
    text = write_lock(defined.definition.name, lock)
    read_lock(defined.definition.name, text, wanted)
    disk.write(defined.lock, text.encode())
    return lock


def read(defined: Defined) -> Lock:
    """The lock of a definition. Raises LockError when there is none, or it is of another one."""
    name = defined.definition.name
    try:
        text = defined.lock.read_text("utf-8")
    except FileNotFoundError as error:
        raise LockError(f"{name} is not locked yet.", f"Lock it: appliance bundle lock {name}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise LockError(f"The lock {defined.lock} cannot be read: {error}.") from error
    return read_lock(name, text, defined.definition.kiwix)


def resolve(wanted: KiwixArchive, source: str = catalogue.KIWIX) -> LockedArchive:
    """The newest edition of an archive with all that is needed to fetch and to check it."""
    entry = catalogue.find(wanted, source)
    address = entry.address.removesuffix(METALINK)
    file = urllib.parse.unquote(urllib.parse.urlsplit(address).path.rpartition("/")[2])
    if not re.fullmatch(FILE, file):
        raise BundleError(f"The catalogue leads to {entry.address}, expected a file that ends in .zim.")
    said = _metalink(address, file)
    sha256 = said.sha256 or _sha256(address, file)
    return LockedArchive(
        name=wanted.name,
        flavour=wanted.flavour,
        file=file,
        date=entry.issued,
        uuid=entry.uuid,
        bytes=said.size or _size(address),
        sha256=sha256,
        addresses=tuple(dict.fromkeys((*said.addresses, address))),
        pieces=said.pieces,
    )


def _metalink(address: str, file: str) -> Metalink:
    """An empty one where the server says that it has none."""
    try:
        found, _ = downloads.document(address + METALINK, METALINK_BYTES)
    except SourceDown as error:
        if error.gone:
            return Metalink(file, 0, "", None, ())
        raise
    return read_metalink(found, address + METALINK, file)


def _sha256(address: str, file: str) -> str:
    try:
        found, _ = downloads.document(address + ".sha256", SHA256_BYTES)
    except SourceDown as error:
        raise BundleError(f"The SHA-256 of {file} is not to be had: {error}") from error
    return read_sha256(found, address + ".sha256", file)


def _size(address: str) -> int:
    with downloads.reply(address) as answer:
        if answer.total is None:
            raise SourceDown(f"{address} does not say how large it is.")
        return answer.total
