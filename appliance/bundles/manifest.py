"""What a bundle is, in two files: its definition (bundles/NAME.toml: what should travel) and the manifest of
a made one (bundle.toml: what does). bundles/README.md has both, field by field.

Pure: text in, values or typed errors out. Nothing is read from a disk here, and nothing said in a file is
believed: whoever opens a bundle compares what lies there with this. Hashes are not here but in SHA256SUMS,
which covers bundle.toml too, so that one signature covers all.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, islice, product
from string import ascii_lowercase
from typing import Any

import tomli_w

from appliance.bundles.paths import safe_path
from appliance.bundles.table import Table, each
from appliance.errors import BundleError

FORMAT = 1  # of bundle.toml; a number is added when an older program would misunderstand a newer bundle
BOARDS = ("pi4", "pi5", "desktop")  # the profiles of appliance/settings.py, the weakest first
MANIFEST, SUMS, SIGNATURE = "bundle.toml", "SHA256SUMS", "bundle.sig"
MANIFEST_BYTES = 4_000_000  # nobody needs to read more: 10,000 files are under 2 MB
NAME = r"[a-z0-9][a-z0-9._-]{0,63}"
_NAME_IS = "1 to 64 of the letters a to z, digits, . _ -"
ARCHIVE = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}"
ARCHIVE_IS = "a name of letters, digits, . _ + -"
_LANGUAGE = r"[a-z]{3}"
_LANGUAGE_IS = "a code of three letters (ISO 639-3), such as eng"
_FILES = 10_000


class DefinitionError(BundleError):
    """A definition, bundles/NAME.toml, has something that cannot be used."""


class ManifestError(BundleError):
    """A bundle's bundle.toml has something that cannot be used."""


class NewerFormat(ManifestError):
    """The bundle was made by a newer version of this program."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a bundle asks of the box: one of `boards`, a card or disk of `disk_gb` (10^9 bytes, 0: any)."""

    boards: tuple[str, ...] = BOARDS
    disk_gb: int = 0


@dataclass(frozen=True, slots=True)
class KiwixArchive:
    """An archive of Kiwix's catalogue. An empty `flavour` stands for the only one that there is."""

    name: str
    flavour: str
    about_mb: int

    def __str__(self) -> str:
        return f"{self.name} ({self.flavour})" if self.flavour else self.name


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """A folder of Markdown files that becomes an archive; `path` counts from the definition's folder."""

    path: str
    name: str
    title: str
    language: str


@dataclass(frozen=True, slots=True)
class Definition:
    """bundles/NAME.toml. `texts` is what appliance/bundles/starter.py makes archives from."""

    name: str
    title: str
    description: str
    languages: tuple[str, ...]
    needs: Needs = Needs()
    model: str = ""
    kiwix: tuple[KiwixArchive, ...] = ()
    zims: tuple[str, ...] = ()
    folders: tuple[OwnFolder, ...] = ()
    texts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def about_bytes(self) -> int:
        """What the archives of Kiwix's catalogue took when the definition was written; approximate, without
        the `unsized`."""
        return sum(archive.about_mb for archive in self.kiwix) * 1_000_000

    @property
    def unsized(self) -> int:
        """How many archives of Kiwix's catalogue the definition says no size of."""
        return sum(not archive.about_mb for archive in self.kiwix)


@dataclass(frozen=True, slots=True)
class BundleArchive:
    """An archive in a bundle; several `files` are the parts of a split one in order. `index` is empty where
    there is nothing to index. `name` is the archive's name on a box: its file's stem."""

    name: str
    files: tuple[str, ...]
    index: str
    title: str
    language: str
    date: str
    uuid: str
    licence: str
    source: str


@dataclass(frozen=True, slots=True)
class BundleModel:
    """A language model in a bundle; `name` is the catalogue's (models/catalogue.toml)."""

    name: str
    file: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """bundle.toml. `sizes` has every file of the bundle but bundle.toml, SHA256SUMS and bundle.sig: its path
    below the bundle's folder, its bytes. Of two bundles of one name the one `created` later is the newer."""

    name: str
    version: str
    title: str
    description: str
    languages: tuple[str, ...]
    created: datetime
    needs: Needs
    archives: tuple[BundleArchive, ...]
    models: tuple[BundleModel, ...]
    sizes: Mapping[str, int]

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())


def read_definition(name: str, text: str) -> Definition:
    """The definition in `text`, the content of NAME.toml. Raises DefinitionError."""
    top = Table.parse(f"The definition {name}.toml", text, DefinitionError)
    Table(top.where, {"name": name}, DefinitionError).text("name", pattern=NAME, expected=_NAME_IS)
    texts = top.table("texts")
    found = Definition(
        name=name,
        title=top.text("title"),
        description=top.text("description"),
        languages=top.texts("languages", pattern=_LANGUAGE, expected=_LANGUAGE_IS),
        needs=_needs(top),
        model=top.text("model", ""),
        kiwix=each(top.tables("kiwix"), _kiwix),
        zims=each(top.tables("zim"), lambda row: row.text("path")),
        folders=each(top.tables("folder"), _folder),
        texts=texts.rest() if texts else {},
    )
    top.close()
    if not (found.kiwix or found.zims or found.folders or found.texts):
        raise DefinitionError(f"{top.where} has nothing to read: no [[kiwix]], [[zim]], [[folder]], [texts].")
    for key, times in Counter([*map(str, found.kiwix), *(own.name for own in found.folders)]).items():
        if times > 1:
            raise DefinitionError(f"{top.where} names {key} {times} times.")
    return found


def read_bundle(text: str) -> Bundle:
    """The manifest in `text`, the content of bundle.toml. Raises NewerFormat or ManifestError."""
    top = Table.parse(f"The bundle's {MANIFEST}", text, ManifestError)
    made_with = top.number("format", low=1)
    if made_with > FORMAT:
        raise NewerFormat(
            f"The bundle has format {made_with}; this box reads up to {FORMAT}.",
            "Update the box, or make the bundle with the box's version.",
        )
    sizes = each(top.tables("file"), lambda row: (row.text("path"), row.number("bytes")))
    found = Bundle(
        name=top.text("name", pattern=NAME, expected=_NAME_IS),
        version=top.text("version", pattern=r"[0-9A-Za-z.+-]{1,40}", expected="letters, digits, . + -"),
        title=top.text("title"),
        description=top.text("description"),
        languages=top.texts("languages", pattern=_LANGUAGE, expected=_LANGUAGE_IS),
        created=top.moment("created"),
        needs=_needs(top),
        archives=each(top.tables("archive"), _archive),
        models=each(top.tables("model"), _model),
        sizes=dict(sizes),
    )
    top.close()
    _require_whole(found, top.where, [path for path, _ in sizes])
    return found


def write_bundle(bundle: Bundle) -> str:
    """The text of bundle.toml, the same for the same bundle. Raises ManifestError for what no box reads."""
    rows = {
        "format": FORMAT,
        "name": bundle.name,
        "version": bundle.version,
        "title": bundle.title,
        "description": bundle.description,
        "languages": list(bundle.languages),
        "created": bundle.created.astimezone(UTC).replace(microsecond=0),
        "needs": {"boards": list(bundle.needs.boards), "disk_gb": bundle.needs.disk_gb},
        "archive": [_written(archive) for archive in bundle.archives],
        "model": [{"name": model.name, "file": model.file} for model in bundle.models],
        "file": [{"path": path, "bytes": size} for path, size in sorted(bundle.sizes.items())],
    }
    text = tomli_w.dumps(rows)
    read_bundle(text)
    return text


def _written(archive: BundleArchive) -> dict[str, Any]:
    """Only what is known: an empty field is left out."""
    row = {key: getattr(archive, key) for key in BundleArchive.__slots__}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items() if value}


def _needs(top: Table) -> Needs:
    row = top.table("needs")
    if row is None:
        return Needs()
    boards = row.texts("boards", BOARDS, "|".join(BOARDS), f"one of {', '.join(BOARDS)}")
    found = Needs(boards, row.number("disk_gb", 0, high=100_000))
    row.close()
    return found


def _kiwix(row: Table) -> KiwixArchive:
    return KiwixArchive(
        name=row.text("name", pattern=ARCHIVE, expected=ARCHIVE_IS),
        flavour=row.text("flavour", "", pattern=ARCHIVE, expected=ARCHIVE_IS),
        about_mb=row.number("about_mb", 0),
    )


def _folder(row: Table) -> OwnFolder:
    return OwnFolder(
        path=row.text("path"),
        name=row.text("name", pattern=ARCHIVE, expected=ARCHIVE_IS),
        title=row.text("title"),
        language=row.text("language", pattern=_LANGUAGE, expected=_LANGUAGE_IS),
    )


def _archive(row: Table) -> BundleArchive:
    """Its files lie under its own name where a box looks for them. A box opens whatever it finds in
    archives/, so nothing may lie there that was not looked at as an archive."""
    name = row.text("name", pattern=ARCHIVE, expected=ARCHIVE_IS)
    whole, index = f"archives/{name}.zim", f"indexes/{name}.index"
    files = row.texts("files", expected="a path below the bundle's folder")
    letters = islice(product(ascii_lowercase, repeat=2), len(files))
    if files not in ((whole,), tuple(f"{whole}{first}{second}" for first, second in letters)):
        row.complain("files", list(files), f"{whole}, or {whole}aa and so on")
    rest = [key for key in BundleArchive.__slots__ if key not in ("name", "files", "index")]
    return BundleArchive(
        name,
        files,
        row.text("index", "", re.escape(index), index),
        **{key: row.text(key, "") for key in rest},
    )


def _model(row: Table) -> BundleModel:
    return BundleModel(
        row.text("name"), row.text("file", pattern=f"models/{ARCHIVE}", expected="models/NAME")
    )


def _require_whole(bundle: Bundle, where: str, listed: list[str]) -> None:
    """Every path is safe and listed once, and is used by exactly one archive or model."""
    if len(listed) > _FILES:
        raise ManifestError(f"{where} lists {len(listed):,} files, expected at most {_FILES:,}.")
    for path in listed:
        if not safe_path(path) or path in (MANIFEST, SUMS, SIGNATURE):
            raise ManifestError(f"{where}: {path!r} is no path that a file of a bundle can have.")
    used = [*chain.from_iterable(archive.files for archive in bundle.archives)]
    used += [archive.index for archive in bundle.archives if archive.index]
    used += [model.file for model in bundle.models]
    archives = [archive.name for archive in bundle.archives]
    for what, names in (("archive", archives), ("file", listed), ("file in use", used)):
        # FAT, exFAT and NTFS take two names that differ in case for one.
        for name, times in Counter(map(str.casefold, names)).items():
            if times > 1:
                raise ManifestError(f"{where} has the {what} {name} {times} times.")
    for path in sorted(set(used) ^ set(listed)):
        said = "is used but not listed as a [[file]]" if path in used else "is of no archive and no model"
        raise ManifestError(f"{where}: the file {path} {said}.")
