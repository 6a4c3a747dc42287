"""Where a question is asked: everything, the library with the sources beside it, one source, the own
documents, one folder of them, or one; pure.

`Searching` answers `search` for one scope, so that all that makes an answer of passages (`answer.ask`) never
sees a passage from elsewhere.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from appliance.documents.records import Scope
from appliance.errors import DocumentError, ScopeError
from appliance.records import Found, Judgement
from appliance.retrieval.candidates import Searched

Kind = Literal["everything", "library", "documents", "folder", "document", "source"]
WHOLE: tuple[Kind, ...] = ("everything", "library", "documents")
NONE = "No document is here to be searched."
UNREADABLE = "The source {name} cannot be read just now; the status page says why."
HINT = "A scope is everything, library, documents, folder:NAME, document:NUMBER or source:NAME."


class Searcher(Protocol):
    """Archives that are searched together (retrieval.search.Library)."""

    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...
    def with_own(self, own: Searched, archives: Collection[str] | None = ...) -> "Searcher": ...


class Own(Protocol):
    """The own documents (documents.search.Documents). What is outside of the scope is in no book."""

    def book(self, scope: Scope) -> Searched: ...


class Source(Protocol):
    """A source that changes by itself (repositories.repositories.Source); `name` is an archive's. What is
    opened is as it was at that moment, until it is closed."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def opened(self) -> AbstractContextManager[Searched]: ...


@dataclass(frozen=True, slots=True)
class Reach:
    """A scope as it is chosen; `folder`, `document` (an id) and `source` (a title) only for their kinds."""

    kind: Kind
    folder: str = ""
    document: int = 0
    source: str = ""

    @classmethod
    def read(cls, text: str) -> "Reach":
        """Reads what `str` wrote. Raises ScopeError."""
        if text in WHOLE:
            return cls(text)
        kind, _, name = text.partition(":")
        if kind == "folder" and name:
            return cls("folder", folder=name)
        if kind == "document" and name.isascii() and name.isdigit() and len(name) < 16:
            return cls("document", document=int(name))
        if kind == "source" and name:
            return cls("source", source=name)
        raise ScopeError(f"There is no scope “{text[:80]}”.", HINT)

    def __str__(self) -> str:
        match self.kind:
            case "folder":
                return f"folder:{self.folder}"
            case "document":
                return f"document:{self.document}"
            case "source":
                return f"source:{self.source}"
        return self.kind

    @property
    def library(self) -> bool:
        return self.kind in ("everything", "library")

    @property
    def own(self) -> bool:
        return self.kind not in ("library", "source")

    def documents(self, owners: tuple[str, ...]) -> Scope | None:
        """The own documents that it takes in, of these owners; None where it takes in none."""
        if not self.own or not owners:
            return None
        return Scope(owners, self.folder or None, self.document or None)


@dataclass(frozen=True, slots=True)
class Searching:
    """One scope of one visitor, searched like a library. `owners` are those whose documents they may see,
    `sources` those that are open to them."""

    library: Searcher
    own: Own | None
    reach: Reach
    owners: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        """At most `limit` passages of the scope, best first. `archives` narrows the library's part and the
        sources."""
        scope, notes = self.reach.documents(self.owners) if self.own else None, list[str]()
        with ExitStack() as until:
            books = [self.own.book(scope)] if scope is not None and self.own else []
            for source in self._asked(archives):
                try:
                    books.append(until.enter_context(source.opened()))
                except DocumentError:
                    notes.append(UNREADABLE.format(name=source.title))
            if books:
                found = self._beside(books, archives if self.reach.library else ()).search(question, limit)
            elif self.reach.library:
                found = self.library.search(question, limit, archives)
            else:
                found = Found(question, (), Judgement("nothing", 0.0, NONE))
        return replace(found, notes=(*found.notes, *notes)) if notes else found

    def _asked(self, archives: Collection[str] | None) -> Iterator[Source]:
        for source in self.sources:
            if self.reach.kind == "source":
                wanted = source.title == self.reach.source
            else:
                wanted = self.reach.library and (archives is None or source.name in archives)
            if wanted:
                yield source

    def _beside(self, books: Sequence[Searched], archives: Collection[str] | None) -> Searcher:
        """The library's archives of these names (None: all) with the books."""
        library = self.library
        for place, book in enumerate(books):
            library = library.with_own(book, None if place else archives)
        return library
