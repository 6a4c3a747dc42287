"""One file of a repository: read and cut in the readers' own process, staged with its words."""

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from appliance.documents import keeping, rows
from appliance.documents.ingest import SAMPLE
from appliance.documents.readers import Readers
from appliance.documents.store import Store
from appliance.errors import EntryUnreadable
from appliance.repositories.passages import STAGED, key
from appliance.retrieval.words import told, words
from appliance.sources.formats import EMPTY

ENDINGS = (".md", ".markdown")
MEDIA_TYPE = "text/markdown"
_LFS = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class Reader:
    """Stages files. `most`: bytes of one."""

    store: Store
    readers: Readers
    most: int

    def refused(self, path: str, size: int) -> str:
        """Why a file is not read, as its entry in the tree tells; "" when it is."""
        if not path.isprintable():
            return "Its name has letters that cannot be shown."
        if size > self.most:
            return f"It is larger than {self.most / (1 << 20):,.0f} MiB."
        return ""

    def stage(self, path: str, blob: str, content: bytes) -> int:
        """The number of the document that is made of a file. Raises EntryUnreadable."""
        folder, _, name = path.rpartition("/")
        if content.startswith(_LFS):
            raise EntryUnreadable(f"{name} is kept in Git LFS.", "Files of Git LFS are not fetched.")
        with tempfile.NamedTemporaryFile(prefix="lamplight-", suffix=".md") as file:
            file.write(content)
            file.flush()
            found = self.readers.read(Path(file.name), name)
        reading, document = found.reading, found.reading.document
        if not found.cuts:
            raise EntryUnreadable(f"{name} has no text.", EMPTY)
        new = rows.New(
            key(path, blob), STAGED, folder, name, document.title, MEDIA_TYPE,
            reading.language or told(words(document.text[:SAMPLE])), reading.written,
            datetime.now(UTC).isoformat(timespec="seconds"), document.text, dict(reading.meta),
            document.blocks,
        )  # fmt: skip
        with self.store.write() as connection:
            number = rows.insert(connection, new, found.drafts, found.cuts)
        keeping.add_words(self.store, self.store, number)
        return number
