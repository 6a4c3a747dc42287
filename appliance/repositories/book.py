"""A repository as the library searches an archive (retrieval.candidates.Searched): own documents' archive and
index over its passages, with files named by their paths."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from appliance.documents.index import OwnArchive, OwnIndex
from appliance.documents.records import COMMON, Scope
from appliance.errors import EntryMissing
from appliance.indexfile import Pointer
from appliance.records import Document
from appliance.repositories.passages import Pinned
from appliance.repositories.records import Repository
from appliance.retrieval.texts import DocumentCache

SCOPE = Scope((COMMON,))


class RepositoryArchive(OwnArchive):
    """The files of a repository that could be read."""

    def __init__(self, store: Pinned, about: Repository, cache: DocumentCache) -> None:
        super().__init__(store, SCOPE, cache)
        self._pinned = store
        self.name, self.title, self.language = about.archive, about.name, ""

    def document(self, path: str) -> Document:
        """A file by its path. Raises EntryMissing."""
        with self._pinned.read() as connection:
            number = connection.execute("SELECT document_id FROM file WHERE path = ?", (path,)).get
        if number is None:
            raise EntryMissing(
                f"The source {self.title} has no such file.", "It may have been moved or deleted there."
            )
        return super().document(str(number))

    def files(self) -> list[tuple[str, str]]:
        """(path, title) of all, folder by folder."""
        sql = "SELECT f.path, d.title FROM file f JOIN document d ON d.id = f.document_id"
        with self._pinned.read() as connection:
            rows: list[Any] = connection.execute(f"{sql} ORDER BY d.folder, f.path").fetchall()
        return rows

    def suggest(self, text: str, limit: int) -> list[tuple[str, str]]:
        found = super().suggest(text, limit)
        named = paths(self._pinned, [int(number) for _, number in found])
        return [(title, named[int(number)]) for title, number in found if int(number) in named]


class RepositoryIndex(OwnIndex):
    """The passages of a repository."""

    def __init__(self, store: Pinned) -> None:
        super().__init__(store, store, SCOPE)
        self._pinned = store

    def pointers(self, ids: Sequence[int]) -> list[Pointer]:
        found = super().pointers(ids)
        named = paths(self._pinned, [pointer.document for pointer in found])
        return [replace(one, path=named[one.document]) for one in found if one.document in named]


@dataclass(frozen=True, slots=True)
class RepositoryBook:
    archive: RepositoryArchive
    index: RepositoryIndex | None
    phrases: RepositoryIndex

    def without_index(self) -> "RepositoryBook":
        return replace(self, index=None)


def book(store: Pinned, about: Repository, cache: DocumentCache) -> RepositoryBook:
    index = RepositoryIndex(store)
    return RepositoryBook(RepositoryArchive(store, about, cache), index, index)


def paths(store: Pinned, documents: Sequence[int]) -> dict[int, str]:
    """The path of each document."""
    sql = "SELECT document_id, path FROM file WHERE document_id IN (SELECT value FROM json_each(?))"
    with store.read() as connection:
        rows: Iterable[Any] = connection.execute(sql, (json.dumps(list(documents)),))
        return dict(rows)
