"""Where a question is asked: everything, the library, the own documents, one folder of them, or one; pure.

`Searching` answers `search` for one scope, so that all that makes an answer of passages (`answer.ask`) never
sees a passage from elsewhere.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from appliance.documents.records import ARCHIVE, Scope
from appliance.errors import ScopeError
from appliance.records import Found, Judgement, Verdict

Kind = Literal["everything", "library", "documents", "folder", "document"]
WHOLE: tuple[Kind, ...] = ("everything", "library", "documents")
NONE = "No document is here to be searched."
HINT = "A scope is everything, library, documents, folder:NAME or document:NUMBER."
_BETTER: dict[Verdict, int] = {"nothing": 0, "near": 1, "answer": 2}


class Searcher(Protocol):
    """The archives of the library (retrieval.search.Library)."""

    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...


class OwnSearcher(Protocol):
    """The own documents; what is outside of `scope` is never found."""

    def search(self, question: str, limit: int, scope: Scope) -> Found: ...


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
    own: OwnSearcher | None
    reach: Reach
    owners: tuple[str, ...] = ()

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        """At most `limit` passages of the scope, best first. `archives` narrows the library's part."""
        scope = self.reach.documents(self.owners)
        parts = []
        if self.reach.library:
            parts.append(self.library.search(question, limit, archives))
        if scope is not None and self.own is not None:
            parts.append(_within(self.own.search(question, limit, scope), scope))
        if not parts:
            return Found(question, (), Judgement("nothing", 0.0, NONE))
        return parts[0] if len(parts) == 1 else _together(parts, limit)


def _within(found: Found, scope: Scope) -> Found:
    """What a search gives, without what is surely not of the scope: a second look, should the first fail."""
    path = str(scope.document) if scope.document is not None else None
    kept = tuple(one for one in found.evidence if one.archive == ARCHIVE and path in (None, one.path))
    return found if len(kept) == len(found.evidence) else replace(found, evidence=kept)


def _together(parts: list[Found], limit: int) -> Found:
    """Two searches of one question as one: scores mean the same in both."""
    best = max(parts, key=lambda one: (_BETTER[one.judgement.verdict], one.judgement.probability))
    evidence = sorted((one for part in parts for one in part.evidence), key=lambda one: -one.score)[:limit]
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    suggestion = "" if best.judgement.verdict == "answer" else best.suggestion
    return Found(best.question, tuple(evidence), best.judgement, notes, suggestion)
