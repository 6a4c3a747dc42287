"""From a file to a kept document: told at once if it is known, read, cut, written. What `add` gives back is
kept, whatever happens after."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from appliance.documents import keeping, rows
from appliance.documents.parts import Divided, divided, estimate
from appliance.documents.readers import Readers
from appliance.documents.search import Documents
from appliance.errors import DocumentError, EntryUnreadable, ServiceDown
from appliance.indexer.chunk import Count
from appliance.log import say
from appliance.retrieval.words import told, words
from appliance.sources.formats import EMPTY, format_of
from appliance.sources.reading import Reading
from appliance.vectors import Encoder

SAMPLE = 20_000  # letters that tell a text's language


@dataclass(frozen=True, slots=True)
class Added:
    """`known`: the same content was here already, as this document."""

    document: int
    title: str
    name: str
    folder: str
    passages: int
    known: bool = False


def counting(encoder: Encoder) -> Count:
    """The encoder's own count of tokens; an estimate while it is not there."""

    def count(texts: list[str]) -> list[int]:
        try:
            return encoder.count(texts)
        except ServiceDown:
            return estimate(texts)

    return count  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Ingest:
    """Adds files to an archive."""

    documents: Documents
    readers: Readers
    count: Count

    def known(self, sha256: bytes, owner: str) -> Added | None:
        """The document of the same bytes in this area, if there is one."""
        with self.documents.store.read() as connection:
            found = rows.known(connection, owner, sha256)
        return Added(found.id, found.title, found.name, found.folder, found.passages, True) if found else None

    def add(self, file: Path, sha256: bytes, name: str, folder: str = "", owner: str = "") -> Added:
        """Raises EntryUnreadable for a file that cannot be read, DocumentError when it cannot be kept."""
        if found := self.known(sha256, owner):
            return found
        return self._keep(self.readers.read(file, name), sha256, name, folder, owner)

    def keep(self, reading: Reading, sha256: bytes, name: str, folder: str = "", owner: str = "") -> Added:
        """A text that was read already, cut in this process. Raises as `add`."""
        return self._keep(divided(reading, self.count), sha256, name, folder, owner)

    def _keep(self, found: Divided, sha256: bytes, name: str, folder: str, owner: str) -> Added:
        reading, document = found.reading, found.reading.document
        if not found.cuts:
            raise EntryUnreadable(f"{name} has no text.", EMPTY)
        language = reading.language or told(words(document.text[:SAMPLE]))
        new = rows.New(
            sha256, owner, folder, name, document.title, format_of(name).media_type, language,
            reading.written, datetime.now(UTC).isoformat(timespec="seconds"), document.text,
            dict(reading.meta), document.blocks,
        )  # fmt: skip
        with self.documents.store.write() as connection:
            twin = rows.known(connection, owner, sha256)  # two uploads of one file at once
            number = twin.id if twin else rows.insert(connection, new, found.drafts, found.cuts)
        try:
            keeping.add_words(self.documents.store, self.documents.made, number)
        except DocumentError as error:  # it is kept; its words are made when derived.db can be written again
            say(f"{error} {error.hint}")
        return Added(number, document.title, name, folder, len(found.cuts), twin is not None)
