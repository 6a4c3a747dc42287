"""Git sources: the questions of tests/cases/runbooks.toml, asked of the runbooks beside them, as synced.

Flags, error strings and names must be found exactly, beside others that look nearly like them; procedures
are asked in other words. Measured as own documents are (`own`): the source first and among the first five,
what is shown, and whether what the runbooks do not say is refused without a language model.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from appliance import models
from appliance.answer.events import Model
from appliance.documents.readers import Readers
from appliance.embedding import Embedder
from appliance.quality import own
from appliance.quality.answers import Desk
from appliance.repositories import passages
from appliance.repositories.book import RepositoryBook, book
from appliance.repositories.reading import Reader
from appliance.repositories.records import Repository
from appliance.repositories.sync import sync
from appliance.retrieval.search import Library
from appliance.retrieval.texts import DocumentCache
from appliance.settings import Settings
from appliance.sources.git import Entry

FILE = Path(__file__).parent.parent.parent / "tests" / "cases" / "runbooks.toml"
ABOUT = Repository("runbooks", "https://example.org/runbooks", "", "", "people", "")
FOUND = ("source@1", "source@5", "in_passages@5", "answered", "abstained")  # what search and gate decide
MOST = 5 << 20  # bytes of a file


class Tree:
    """Files in the place of a commit (sources.git.Mirror)."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    @classmethod
    def of(cls, folder: Path) -> "Tree":
        """All files in a folder."""
        found = sorted(file for file in folder.rglob("*") if file.is_file())
        return cls({file.relative_to(folder).as_posix(): file.read_bytes() for file in found})

    @property
    def commit(self) -> str:
        return _id(repr(sorted(self.files.items())).encode())

    def tree(self, _commit: str) -> list[Entry]:
        return [Entry(path, _id(content), "file", len(content)) for path, content in self.files.items()]

    @contextmanager
    def blobs(self) -> Iterator[Callable[[str], bytes]]:
        known = {_id(content): content for content in self.files.values()}
        yield known.__getitem__


class Texts:
    """The files of a book by their paths (own.Texts)."""

    def __init__(self, opened: RepositoryBook) -> None:
        self._archive = opened.archive
        self.files: Mapping[str, str] = {path: path for path, _ in opened.archive.files()}

    def text(self, path: str) -> str:
        return self._archive.document(path).text


def measure(
    given: Settings,
    library: Library,
    encoder: Embedder,
    model: Model | None,
    of_each: int = 0,
    shown: Path | None = None,
) -> list[tuple[str, int, dict[str, float]]]:
    """As `own.measure`."""
    asked, forbidden = own.questions(FILE)
    with tempfile.TemporaryDirectory(prefix="runbooks-") as made, opened(given, encoder, Path(made)) as there:
        desk = Desk(given, library.with_own(there), model)
        told = asyncio.run(own.tell(desk, Texts(there), own.some(asked, of_each), shown))
        return own.by_kind(told, Texts(there), forbidden)


@contextmanager
def opened(given: Settings, encoder: Embedder, made: Path) -> Iterator[RepositoryBook]:
    """The runbooks, synced into the folder `made`."""
    store = passages.open_passages(made, encoder.model_sha256)
    source = Tree.of(FILE.with_suffix(""))
    with Readers(models.path(given.home, models.EMBEDDING[1])) as readers:
        sync(source, source.commit, Reader(store, readers, MOST), encoder)
    with passages.pinned(store) as now:
        yield book(now, ABOUT, DocumentCache())
    store.close()


def _id(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()
