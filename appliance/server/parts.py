"""What the pages and the API need of an appliance; `wiring.Appliance` has it, tests bring small fakes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from appliance.documents.scope import Searcher
from appliance.records import CheckState, Document, Found
from appliance.retrieval.candidates import Searched
from appliance.settings import Settings
from appliance.sources.folder import Shelf

if TYPE_CHECKING:
    from appliance.answer.events import Model
    from appliance.answer.quick import Quick
    from appliance.retrieval.rerank import Read
    from appliance.vectors import Encoder


class BookArchive(Protocol):
    """What a shelf shows of one archive (sources.zim.ZimArchive)."""

    name: str
    title: str
    language: str
    description: str
    licence: str
    source: str
    size: int
    article_count: int
    has_fulltext: bool
    has_titles: bool

    @property
    def date(self) -> object: ...  # of the edition; shown as it is, None when the archive does not say


class Book(Protocol):
    """An archive with its index (retrieval.search.Book); `problem` is a sentence, empty when all is well."""

    @property
    def archive(self) -> BookArchive: ...
    @property
    def index(self) -> object | None: ...
    @property
    def problem(self) -> str: ...


class Library(Protocol):
    """Searching and reading (retrieval.search.Library)."""

    def with_own(self, own: Searched, archives: Collection[str] | None = ...) -> Searcher: ...

    @property
    def books(self) -> Sequence[Book]: ...
    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...
    def suggest(self, text: str, limit: int = ...) -> list[tuple[str, str, str]]: ...
    def document(self, archive: str, path: str) -> Document: ...


STATES: dict[CheckState, str] = {  # as a status page says them, in sentences of the phrases
    "on": "on",
    "off": "off",
    "starting": "starting",
    "noticed": "worth knowing",
    "wrong": "needs a look",
    "failing": "needs help now",
}


class Check(Protocol):
    """One line of the status page: a part, whether it is on, and in plain words what to do if not."""

    @property
    def name(self) -> str: ...  # "Kiwix", "Language model", "Index of wikipedia_en_2025-06", …
    @property
    def state(self) -> CheckState: ...
    @property
    def sentence(self) -> str: ...
    @property
    def remedy(self) -> str: ...


class Health(Protocol):
    """What is on and what is wrong. `ready` is False only when no question can be searched at all."""

    @property
    def ready(self) -> bool: ...
    @property
    def checks(self) -> Sequence[Check]: ...
    @property
    def facts(self) -> Sequence[tuple[str, str]]: ...  # ("Version", "0.1.0"), ("Archives", "3")
    @property
    def within(self) -> Sequence[Check]: ...  # for whoever looks after the box


class Appliance(Protocol):
    """One box, open. `settings.reader` is kiwix-serve's address, empty when reading in Kiwix is off."""

    @property
    def settings(self) -> Settings: ...
    @property
    def library(self) -> Library: ...
    @property
    def model(self) -> Model | None: ...
    @property
    def quick(self) -> Quick | None: ...
    @property
    def read(self) -> Read | None: ...
    @property
    def encoder(self) -> Encoder | None: ...
    @property
    def shelf(self) -> Shelf: ...
    def health(self) -> Health: ...
