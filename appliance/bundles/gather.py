"""Everything that a bundle is made of, on this disk: archives that are fetched, own or made; the model."""

from dataclasses import dataclass
from pathlib import Path

from appliance import models
from appliance.bundles import fetch, lock, starter
from appliance.bundles.definitions import Defined
from appliance.errors import BundleError


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
    nothing. Raises BundleError, SetupError, ModelFileError."""
    plan, place = defined.definition, folder(home)
    if plan.model:
        models.catalogue().find(plan.model)
    own = own_archives(defined)
    archives: list[Path] = []
    if plan.kiwix:
        archives += fetch.fetch(lock.read(defined), place, parallel, check)
    if check:
        return Gathered((), {})
    if plan.texts:
        archives += starter.make(home, place, defined.file)
    chosen = {plan.model: models.fetch(home, plan.model)} if plan.model else {}
    return Gathered((*archives, *own), chosen)


def own_archives(defined: Defined) -> tuple[Path, ...]:
    """The files of [[zim]]. Raises BundleError when one is not there."""
    files = tuple(defined.beside(path) for path in defined.definition.zims)
    for file in files:
        if not file.is_file():
            raise BundleError(f"{file} is not there; the definition {defined.file} names it.")
    return files
