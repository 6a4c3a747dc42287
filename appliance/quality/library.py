"""Opens what is measured: an archive with its index (made first when there is none), and the embedding model.

The model runs in this process, so that the search is measured and not the way to another process.
"""

from pathlib import Path

from appliance import models, setup, wiring
from appliance.embedding import Embedder
from appliance.errors import SetupError
from appliance.retrieval.search import Book
from appliance.settings import Settings
from appliance.sources.folder import Problem


def open_encoder(given: Settings) -> Embedder:
    """The embedding model. Raises ModelFileError when its files are not here."""
    model, tokenizer = (models.path(given.home, name) for name in models.EMBEDDING)
    return Embedder(model, tokenizer, given.threads)


def open_book(given: Settings, archive: Path) -> Book:
    """An archive with an index that fits. Raises ArchiveError, IndexingError, SetupError."""
    given.library.mkdir(parents=True, exist_ok=True)
    setup.index(given, archive)
    problems: list[Problem] = []
    book = wiring.open_book(given, archive, problems)
    if book is None or book.index is None:
        raise SetupError(book.problem if book else problems[0].sentence)
    return book
