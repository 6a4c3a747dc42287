"""Opens what is measured: an archive with its index (made first when there is none), the search's models.

The models run in this process, so that the search is measured and not the way to another process.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import models, setup, wiring
from appliance.embedding import Embedder
from appliance.errors import SetupError
from appliance.retrieval.rerank import Reader
from appliance.retrieval.search import Book
from appliance.settings import Settings
from appliance.sources.folder import Problem


@dataclass(frozen=True, slots=True)
class InProcess:
    """The embedding model and the reader as one, as the embedder's process is (wiring.Embedding)."""

    encoder: Embedder
    reader: Reader

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encoder.encode(texts)

    def count(self, texts: Sequence[str]) -> list[int]:
        return self.encoder.count(texts)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        return self.reader.read(question, passages)


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
