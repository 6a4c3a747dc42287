"""Where a question is asked: everything, the library, the own documents, one folder of them, or one; pure.

`Searching` answers `search` for one scope, so that all that makes an answer of passages (`answer.ask`) never
sees a passage from elsewhere.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

from appliance.documents.records import Scope
from appliance.errors import ScopeError
from appliance.records import Found, Judgement
from appliance.retrieval.candidates import Searched

Kind = Literal["everything", "library", "documents", "folder", "document"]
WHOLE: tuple[Kind, ...] = ("everything", "library", "documents")
NONE = "No document is here to be searched."
HINT = "A scope is everything, library, documents, folder:NAME or document:NUMBER."


class Searcher(Protocol):
    """Archives that are searched together (retrieval.search.Library)."""

    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...
    def with_own(self, own: Searched, archives: Collection[str] | None = ...) -> "Searcher": ...


class Own(Protocol):
    """The own documents (documents.search.Documents). What is outside of the scope is in no book."""

    def book(self, scope: Scope) -> Searched: ...


@dataclass(frozen=True, slots=True)
class Reach:
    """A scope as it is chosen; `folder` and `document` (an id) only for their kinds."""

    kind: Kind
    folder: str = ""
    document: int = 0

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
        raise ScopeError(f"There is no scope “{text[:80]}”.", HINT)

    def __str__(self) -> str:
        match self.kind:
            case "folder":
                return f"folder:{self.folder}"
            case "document":
                return f"document:{self.document}"
        return self.kind

    @property
    def library(self) -> bool:
        return self.kind in ("everything", "library")

    @property
    def own(self) -> bool:
        return self.kind != "library"

    def documents(self, owners: tuple[str, ...]) -> Scope | None:
        """The own documents that it takes in, of these owners; None where it takes in none."""
        if not self.own or not owners:
            return None
        return Scope(owners, self.folder or None, self.document or None)


@dataclass(frozen=True, slots=True)
class Searching:
    """One scope of one visitor, searched like a library. `owners` are those whose documents they may see."""

    library: Searcher
    own: Own | None
    reach: Reach
    owners: tuple[str, ...] = ()

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        """At most `limit` passages of the scope, best first. `archives` narrows the library's part."""
        scope = self.reach.documents(self.owners) if self.own else None
        if scope is not None and self.own:
            of_library = archives if self.reach.library else ()
            return self.library.with_own(self.own.book(scope), of_library).search(question, limit)
        if self.reach.library:
            return self.library.search(question, limit, archives)
        return Found(question, (), Judgement("nothing", 0.0, NONE))
