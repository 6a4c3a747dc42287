"""Documents for tests, put into the archive as an import puts them."""

import hashlib

from appliance.documents import keeping, rows
from appliance.documents.parts import cut, estimate
from appliance.documents.search import Documents
from appliance.sources import markdown
from appliance.sqlite import Connection
from appliance.vectors import Encoder, HashEncoder


def add(documents: Documents, text: str, name: str = "a.md", folder: str = "", owner: str = "") -> int:
    """Keeps a Markdown text; gives its id. Its words and vectors are made by `ready`."""
    reading = markdown.read(text, name)
    drafts, cuts = cut(reading.document, estimate)
    new = rows.New(
        hashlib.sha256(text.encode()).digest(), owner, folder, name, reading.document.title, "text/markdown",
        reading.language, reading.written, "2024-01-01T00:00:00Z", text, {}, reading.document.blocks,
    )  # fmt: skip
    with documents.store.write() as connection:
        return rows.insert(connection, new, drafts, cuts)


def ready(documents: Documents, encoder: Encoder | None = None) -> Documents:
    keeping.update_words(documents.store, documents.made)
    keeping.update_vectors(documents.store, documents.made, encoder or HashEncoder())
    return documents


def whole(connection: Connection, document: int, text: str) -> None:
    """One section and one passage of all the text of a document that a test has put in by hand."""
    connection.execute(
        "INSERT INTO section(document_id, ordinal, start, length, kind) VALUES(?, 0, 0, ?, 'body')",
        (document, len(text)),
    )
    connection.execute(
        "INSERT INTO passage(document_id, section_id, ordinal, start, length) VALUES(?, ?, 0, 0, ?)",
        (document, connection.last_insert_rowid(), len(text)),
    )
