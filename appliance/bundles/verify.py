"""Is a bundle what it says? Two levels, and a third look; every lie is an error of its own (`lies`).

`quick`, for a stick that was just plugged in: the lists, the signature over them, every file there with its
size, and the head of every archive and index. Reads some kilobytes of each file, opens nothing with libzim or
SQLite. `fits`, after it: each index was made from the archive beside it. `full`: the hash of every file, at
the disk's speed.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance import indexformat
from appliance.bundles import manifest, sums
from appliance.bundles.folder import Disk, Folder, Piece, Whole, arrange, unreadable
from appliance.bundles.lies import Changed, Missing, NewerFormat, NotABundle, NotTrusted, Unsigned, WrongIndex
from appliance.bundles.manifest import MANIFEST, MANIFEST_BYTES, SIGNATURE, SUMS, Bundle, BundleArchive
from appliance.bundles.signature import LARGEST, Signer, TrustedKey, signer
from appliance.errors import ArchiveError, IndexFileError
from appliance.indexfile import Index
from appliance.sources import zimfile

NAMED = 32  # digits of the digest in a folder's name: two bundles never meet in one
Progress = Callable[[int], None]  # bytes that were hashed since the last call


@dataclass(frozen=True, slots=True)
class Checked:
    """A bundle that passed `quick`. `hashes` and `files` are by path, bundle.toml among them; `digest` is the
    SHA-256 of SHA256SUMS: of two bundles with the same, every file is the same."""

    bundle: Bundle
    hashes: Mapping[str, str]
    files: Mapping[str, Whole]
    signer: Signer
    digest: str

    @property
    def label(self) -> str:
        return f"{self.bundle.name} {self.bundle.version}"

    @property
    def folder_name(self) -> str:
        """What its folder is called where several bundles lie: different for any difference."""
        return f"{self.bundle.name}-{self.bundle.version}-{self.digest[:NAMED]}"

    @property
    def bytes(self) -> int:
        """Of all files whose hashes are listed."""
        return sum(file.size for file in self.files.values())


def quick(folder: Folder, trusted: Sequence[TrustedKey] = ()) -> Checked:
    """Raises the first lie that sizes, heads, lists and signature show."""
    text = _small(folder, MANIFEST, MANIFEST_BYTES)
    if text is None:
        raise NotABundle(MANIFEST, f"There is no {MANIFEST} here.")
    bundle = _manifest(text)
    lists = _small(folder, SUMS, sums.LARGEST_LIST)
    if lists is None:
        raise Missing(SUMS, f"{SUMS} is missing.")
    word = signer(lists, _small(folder, SIGNATURE, LARGEST), trusted)
    hashes = sums.parse(_text(SUMS, lists))
    if hashlib.sha256(text).hexdigest() != hashes[MANIFEST]:
        raise Changed(MANIFEST, f"{MANIFEST} is not the one that {SUMS} lists.")
    if odd := set(hashes) ^ {MANIFEST, *bundle.sizes}:
        raise NotABundle(SUMS, f"{SUMS} and {MANIFEST} do not list the same: {min(odd)} is in one of them.")
    files = arrange({**bundle.sizes, MANIFEST: len(text)}, _listing(folder))
    for archive in bundle.archives:
        _check_heads(folder, archive, files)
    return Checked(bundle, hashes, files, word, hashlib.sha256(lists).hexdigest())


def require_trusted(found: Checked) -> None:
    """Raises Unsigned or NotTrusted unless a trusted key stands for the bundle."""
    if not found.signer.public:
        raise Unsigned(SIGNATURE, f"The bundle {found.label} is not signed.", YES)
    if not found.signer.trusted:
        key = found.signer.public
        raise NotTrusted(SIGNATURE, f"The bundle {found.label} is signed with {key}, an unknown key.", YES)


YES = "Use it only if you know where it comes from; then say so, or add the key to the trusted ones."


def fits(disk: Disk, found: Checked) -> None:
    """Raises WrongIndex for an index of another archive than the one that it lies with. One that this version
    cannot read is none: its archive is served without."""
    for archive in found.bundle.archives:
        if not archive.index or len(found.files[archive.index].pieces) > 1:
            continue
        try:
            made_from = Index.open(disk.root / archive.index).meta
        except IndexFileError:
            continue
        whole = _joined(archive, found.files)
        checksum = whole.read(disk, whole.size - 16, 16).hex()
        if (made_from.archive_uuid, made_from.archive_checksum) != (archive.uuid, checksum):
            raise WrongIndex(
                archive.index,
                f"{archive.index} was made from another archive ({made_from.archive_name}) than "
                f"{archive.files[0]}.",
            )


def full(folder: Folder, found: Checked, progress: Progress = lambda _: None) -> None:
    """Hashes every file. Raises Changed, or Unreadable when the stick is gone."""
    for path, file in found.files.items():
        require_hash(path, digest(folder, file, progress), found.hashes[path])


def digest(folder: Folder, file: Whole, progress: Progress = lambda _: None) -> str:
    """SHA-256 of a file, in hexadecimal."""
    running = Running(file.blocks(folder), progress)
    for _ in running:
        pass
    return running.digest


class Running:
    """Blocks on their way, hashed as they pass."""

    def __init__(self, blocks: Iterable[memoryview], progress: Progress) -> None:
        self._blocks, self._progress, self._hash = blocks, progress, hashlib.sha256()

    def __iter__(self) -> Iterator[memoryview]:
        for block in self._blocks:
            self._hash.update(block)  # lets other threads work meanwhile
            self._progress(len(block))
            yield block

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def require_hash(path: str, found: str, expected: str) -> None:
    if found != expected:
        raise Changed(path, f"{path} was changed: its SHA-256 is {found[:12]}…, expected {expected[:12]}….")


def _small(folder: Folder, path: str, largest: int) -> bytes | None:
    """A file that is read whole; None when it is not there. Raises NotABundle when it is too large."""
    try:
        content = Whole(path, (Piece(path, largest + 1),)).read(folder, 0, largest + 1)
    except Missing:
        return None
    if len(content) > largest:
        raise NotABundle(path, f"{path} has over {largest:,} bytes.")
    return content


def _text(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise NotABundle(path, f"{path} is not text in UTF-8.") from error


def _manifest(content: bytes) -> Bundle:
    try:
        return manifest.read_bundle(_text(MANIFEST, content))
    except manifest.NewerFormat as error:
        raise NewerFormat(MANIFEST, f"{MANIFEST}: {error}", error.hint) from error
    except manifest.ManifestError as error:
        raise NotABundle(MANIFEST, str(error), error.hint) from error


def _listing(folder: Folder) -> list[Piece]:
    try:
        found = folder.pieces()
    except OSError as error:
        raise unreadable("", error) from error
    return [piece for piece in found if piece.path not in (SUMS, SIGNATURE)]


def _joined(archive: BundleArchive, files: Mapping[str, Whole]) -> Whole:
    pieces = [piece for path in archive.files for piece in files[path].pieces]
    return Whole(archive.files[0], tuple(pieces))


def _check_heads(folder: Folder, archive: BundleArchive, files: Mapping[str, Whole]) -> None:
    """An archive begins like one, is as long as it says and is the one that is meant; so for its index."""
    whole = _joined(archive, files)
    try:
        head = zimfile.read_header(whole.path, whole.size, whole.read(folder, 0, zimfile.HEADER_BYTES))
    except ArchiveError as error:
        raise Changed(whole.path, f"{whole.path} is no archive: {error}") from error
    if head.size != whole.size:
        raise Changed(whole.path, f"{whole.path} has {whole.size:,} bytes and says {head.size:,} itself.")
    if archive.uuid != head.uuid:
        raise Changed(
            whole.path, f"{whole.path} is another archive: its UUID is {head.uuid}, expected {archive.uuid}."
        )
    if archive.index:
        index = files[archive.index]
        head_of_index = index.read(folder, 0, indexformat.HEADER_BYTES)
        try:
            indexformat.check_beginning(index.path, head_of_index, index.size)
        except IndexFileError as error:
            raise Changed(index.path, str(error)) from error
