"""Everything that a bundle is made of, on this disk: archives that are fetched, own or made; the model."""

from dataclasses import dataclass
from pathlib import Path

from appliance import models
from appliance.bundles import fetch, lock, notes, starter
from appliance.bundles.definitions import Defined
from appliance.errors import BundleError
from appliance.log import say


@dataclass(frozen=True, slots=True)
class Gathered:
    """Archives in the definition's order, and the model's file by its name in the catalogue."""

    archives: tuple[Path, ...]
    models: dict[str, Path]


def folder(home: Path) -> Path:
    """Where fetched archives lie, those of all bundles."""
    return home / "archives"


def gather(defined: Defined, home: Path, parallel: int = fetch.PARALLEL, check: bool = False) -> Gathered:
    """Fetches what is missing; with `check` only says how much that is and how long it takes, and gives
    nothing. Raises BundleError, SetupError, ModelFileError, ArchiveError."""
    plan, place = defined.definition, folder(home)
    if plan.model:
        model = models.catalogue().find(plan.model)
        say(f"The model {model.name}: {model.bytes / 1e6:,.0f} MB, fetched if it is not here.")
    own = own_archives(defined)
    folders = [(folder, defined.beside(folder.path)) for folder in plan.folders]
    for _, path in folders:
        if not path.is_dir():
            raise BundleError(f"There is no folder {path}; the definition {defined.file} names it.")
    archives: list[Path] = []
    if plan.kiwix:
        archives += fetch.fetch(lock.read(defined), place, parallel, check)
    if check:
        return Gathered((), {})
    if plan.texts:
        archives += starter.make(home, place, defined.file)
    made = [notes.make(folder, path, place / f"{folder.name}.zim") for folder, path in folders]
    chosen = {plan.model: models.fetch(home, plan.model)} if plan.model else {}
    return Gathered((*archives, *own, *made), chosen)


def own_archives(defined: Defined) -> tuple[Path, ...]:
    """The files of [[zim]]. Raises BundleError when one is not there."""
    files = tuple(defined.beside(path) for path in defined.definition.zims)
    for file in files:
        if not file.is_file():
            raise BundleError(f"{file} is not there; the definition {defined.file} names it.")
    return files
