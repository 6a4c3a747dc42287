"""Step 4: what the box reads: models, and the starter library with its indexes. Both are those of
LAMPLIGHT_HOME, made there when they are missing, as `./build.sh run` makes them.
"""

from dataclasses import dataclass
from pathlib import Path

from appliance import models, settings
from appliance.bundles import starter
from appliance.errors import LamplightError, SetupError
from appliance.setup import index
from recipe.plan import NO_MODEL, Plan

PROFILE = "pi4"  # the boards that most boxes have; a board with less memory leaves the model off by itself


@dataclass(frozen=True, slots=True)
class Content:
    """Files for /opt/lamplight/models and /opt/lamplight/library."""

    models: tuple[Path, ...]
    library: tuple[Path, ...]


def language_models(plan: Plan) -> tuple[str, ...]:
    """Names of the catalogue to try, best first; empty without a model. Raises ModelFileError for another
    name."""
    known = models.catalogue()
    if plan.model == NO_MODEL:
        return ()
    return (known.find(plan.model).name,) if plan.model else known.languages[PROFILE]


def sizes(plan: Plan) -> dict[str, int]:
    """Bytes of the models, before anything is fetched."""
    known = models.catalogue().files
    chosen = language_models(plan)[:1]
    return {
        "embedder": sum(known[name].bytes for name in models.EMBEDDING),
        **{name: known[name].bytes for name in chosen},
    }


def make(plan: Plan) -> Content:
    """Raises ModelFileError when a model cannot be had, SetupError or IndexingError as the set-up does."""
    files = [models.fetch(plan.home, name) for name in models.EMBEDDING]
    if names := language_models(plan):
        files.append(models.fetch_first(plan.home, names))
    return Content(tuple(files), tuple(_library(plan)))


def _library(plan: Plan) -> list[Path]:
    given = settings.load({"home": plan.home}, environment={})
    files = []
    for archive in starter.make(plan.home, given.library):
        try:
            index(given, archive, title=archive.stem)
        except LamplightError as error:
            raise SetupError(f"The index of {archive.name} cannot be made: {error}", error.hint) from error
        files += [archive, archive.with_suffix(".index")]
    return files
