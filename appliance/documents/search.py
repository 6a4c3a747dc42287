"""Own documents opened for searching: the truth, what is derived of it, and one scope after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.documents import derived, keeping, room, rows
from appliance.documents import store as stored
from appliance.documents.index import OwnArchive, OwnIndex
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.log import say
from appliance.retrieval.texts import DocumentCache
from appliance.sqlite import FullError

FOLDER = "documents"  # in LAMPLIGHT_HOME


@dataclass(frozen=True, slots=True)
class OwnBook:
    """The documents of a scope as the library searches an archive (retrieval.candidates.Searched)."""

    archive: OwnArchive
    index: OwnIndex | None
    phrases: OwnIndex

    def without_index(self) -> "OwnBook":
        return replace(self, index=None)


@dataclass(frozen=True, slots=True)
class Removed:
    """How many documents were deleted, and whether they are out of all files, which are smaller now; what is
    left of that is made up for with the next deletion."""

    count: int
    cleaned: bool


class Documents:
    """One archive of own documents, open. Threads may share it. `model`: the SHA-256 of the embedding model,
    whose vectors never meet another's."""

    def __init__(self, store: Store, made: Store) -> None:
        self.store, self.made = store, made
        self._folder = store.path.parent if store.path else None
        self._cache = DocumentCache()
        if self._folder:
            room.keep(self._folder)

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

    def remove(self, ids: Sequence[int], scope: Scope) -> Removed:
        """Deletes documents in scope: rows are overwritten, files shrink. Where the disk is full, the room
        that is kept for this is given up. Raises DocumentError when none was deleted."""

        def delete() -> int:
            with self.store.write() as connection:
                return rows.remove(connection, ids, scope)

        count = self._with_room(delete)
        self._cache = DocumentCache()
        return Removed(count, not count or self._cleaned())

    def _cleaned(self) -> bool:
        """Takes what is gone out of what was made of it and out of the logs, and makes the files smaller."""

        def overwrite() -> int:
            self.store.checkpoint()  # first, since it gives back room
            waiting = keeping.update_words(self.store, self.made)
            self.made.checkpoint()
            return waiting

        try:
            self._with_room(overwrite)
            self.store.vacuum()
            self.made.vacuum()
        except DocumentError as error:
            say(f"Own documents: what was deleted is gone, its room is not given back yet. {error}")
            return False
        if self._folder:
            room.keep(self._folder)
        return True

    def _with_room(self, act: Callable[[], int]) -> int:
        """What it gives; done again with the room that is kept for it, where the disk is full."""
        try:
            return act()
        except DocumentError as error:
            full = isinstance(error.__cause__, FullError) and self._folder is not None
            if not (full and self._folder and room.give_up(self._folder)):
                raise
        return act()

    def close(self) -> None:
        self.store.close()
        self.made.close()
