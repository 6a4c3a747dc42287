"""The form of `archive.db`: a list of steps, each made once, in order. What has landed is never changed:
another form is another step at the end."""

from typing import Final

DOCUMENTS: Final = (
    """CREATE TABLE document(
        id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 BLOB NOT NULL, owner TEXT NOT NULL DEFAULT '',
        folder TEXT NOT NULL DEFAULT '', name TEXT NOT NULL, title TEXT NOT NULL, media_type TEXT NOT NULL,
        language TEXT NOT NULL DEFAULT '', written TEXT, added TEXT NOT NULL, meta TEXT NOT NULL DEFAULT '{}',
        blocks TEXT NOT NULL DEFAULT '[]', text TEXT NOT NULL, UNIQUE(owner, sha256)) STRICT""",
    "CREATE INDEX document_folder ON document(owner, folder)",
    """CREATE TABLE section(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, ordinal INTEGER NOT NULL,
        heading_path TEXT NOT NULL DEFAULT '[]', start INTEGER NOT NULL, length INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK(kind IN ('heading', 'label', 'entry', 'body')), date TEXT,
        UNIQUE(document_id, ordinal)) STRICT""",
    """CREATE TABLE passage(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
        section_id INTEGER NOT NULL REFERENCES section ON DELETE CASCADE, ordinal INTEGER NOT NULL,
        start INTEGER NOT NULL, length INTEGER NOT NULL, UNIQUE(document_id, ordinal)) STRICT""",
    "CREATE INDEX passage_section ON passage(section_id)",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (DOCUMENTS,)
