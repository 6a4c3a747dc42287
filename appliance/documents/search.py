"""Own documents opened for searching: the truth, what is derived of it, and one scope after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.documents import derived, keeping, rows
from appliance.documents import store as stored
from appliance.documents.index import OwnArchive, OwnIndex
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.retrieval.texts import DocumentCache

FOLDER = "documents"  # in LAMPLIGHT_HOME


@dataclass(frozen=True, slots=True)
class OwnBook:
    """The documents of a scope as the library searches an archive (retrieval.candidates.Searched)."""

    archive: OwnArchive
    index: OwnIndex | None
    phrases: OwnIndex

    def without_index(self) -> "OwnBook":
        return replace(self, index=None)


class Documents:
    """One archive of own documents, open. Threads may share it. `model`: the SHA-256 of the embedding model,
    whose vectors never meet another's."""

    def __init__(self, store: Store, made: Store) -> None:
        self.store, self.made = store, made
        self._cache = DocumentCache()

    @classmethod
    def open(cls, folder: Path | None, model: str) -> "Documents":
        """The archive in a folder, made where there is none; in memory without one. Raises DocumentError."""
        store = Store.open(folder / stored.FILE if folder else None)
        with store.read() as connection:
            identity = rows.identity(connection)
        made = derived.open_derived(folder / derived.FILE if folder else None, identity, model)
        keeping.update_words(store, made)
        return cls(store, made)

    def book(self, scope: Scope) -> OwnBook:
        """What a question in this scope searches. Sees the scope as it is now; make it for each question."""
        index = OwnIndex(self.store, self.made, scope)
        return OwnBook(OwnArchive(self.store, scope, self._cache), index, index)

    def remove(self, ids: Sequence[int], scope: Scope) -> int:
        """Deletes documents in scope: rows are overwritten, files shrink. Gives how many there were."""
        with self.store.write() as connection:
            count = rows.remove(connection, ids, scope)
        if count:
            self._cache = DocumentCache()
            keeping.update_words(self.store, self.made)
            self.store.vacuum()
            self.made.vacuum()
        return count

    def close(self) -> None:
        self.store.close()
        self.made.close()
