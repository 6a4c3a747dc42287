"""What `appliance run` does first: models, starter library, indexes. All of it is kept and gone on with.

Asks nothing of a network for what is here already.
"""

from pathlib import Path

from appliance import models
from appliance.backups.settling import at_start
from appliance.bundles import starter
from appliance.errors import ArchiveError, IndexFileError, SetupError
from appliance.indexer.build import Report, build
from appliance.indexer.workers import minilm
from appliance.log import say
from appliance.services.holdings import places
from appliance.services.shelf import NoPlace, open_index, place_to_make
from appliance.settings import Settings
from appliance.sources import folder
from appliance.sources.zim import ZimArchive
from appliance.sources.zimfile import archive_name


def set_up(settings: Settings) -> None:
    """Everything that the processes need. Raises SetupError, ModelFileError or IndexingError; an archive that
    cannot be opened is said and left out, unless it was named; one without a place for its index has none.
    A backup of the box that is ready is put in place first."""
    settings = at_start(settings)
    for archive in settings.archive:
        ZimArchive.open(archive)
    models.fetch_all(settings.home, settings.profile, language=not settings.search_only)
    settings.library.mkdir(parents=True, exist_ok=True)
    empty = not folder.scan(places(settings)).archives
    if not settings.archive and (empty or starter.unfinished(settings.library)):
        starter.make(settings.home, settings.library)
    shelf = folder.scan(settings.places)
    for problem in shelf.problems:
        say(problem.sentence)
    for number, path in enumerate(shelf.archives, 1):
        place = f"archive {number} of {len(shelf.archives)}, " if len(shelf.archives) > 1 else ""
        try:
            index(settings, path, title=place + archive_name(path))
        except (ArchiveError, NoPlace) as error:
            say(f"{error} {error.hint}")


def index(
    settings: Settings, path: Path, target: Path | None = None, title: str = "", cluster: str = ""
) -> Report:
    """Makes the index of an archive unless one that fits is there; `title` and `cluster` as in `build`.
    Raises as `build` and ZimArchive do."""
    archive = ZimArchive.open(path)
    place = target or _place(settings, archive)
    if target is not None and target.exists() and (target.is_dir() or target.suffix != ".index"):
        raise SetupError(
            f"{target} is there already and is no index; it is not overwritten.",
            "Give --to a new file, or one that ends in .index.",
        )
    if not place.parent.is_dir():
        raise SetupError(
            f"There is no folder {place.parent} for the index.", "Make it, or give another --to."
        )
    model, tokenizer = (models.verify(settings.home, name) for name in models.EMBEDDING)
    return build(archive, place, minilm(model, tokenizer), settings.threads, title=title, cluster=cluster)


def index_of(settings: Settings, path: Path, cluster: str = "") -> Path | None:
    """The index of an archive, made unless one that fits is there; None where there is nothing to index."""
    archive = ZimArchive.open(path)
    report = index(settings, path, title=archive.name, cluster=cluster)
    return open_index(settings, archive).path if report.passages else None


def _place(settings: Settings, archive: ZimArchive) -> Path:
    try:
        return open_index(settings, archive).path
    except IndexFileError:
        return place_to_make(settings, archive.path)
