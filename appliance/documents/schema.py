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

CONVERSATIONS: Final = (
    """CREATE TABLE conversation(
        id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, client_id TEXT NOT NULL,
        title TEXT NOT NULL, scope TEXT NOT NULL, begun TEXT NOT NULL, changed TEXT NOT NULL,
        folded TEXT NOT NULL, UNIQUE(owner, client_id)) STRICT""",
    "CREATE INDEX conversation_changed ON conversation(owner, changed)",
    """CREATE TABLE turn(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
        client_turn_id TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('question', 'summary')),
        asked TEXT NOT NULL, understood TEXT NOT NULL, scope TEXT NOT NULL, began TEXT NOT NULL, ended TEXT,
        answer TEXT, folded TEXT NOT NULL, UNIQUE(conversation_id, client_turn_id)) STRICT""",
    # A document that goes takes its passages with it, and a citation of one then points nowhere.
    """CREATE TABLE citation(
        turn_id INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE, n INTEGER NOT NULL,
        passage_id INTEGER REFERENCES passage ON DELETE SET NULL, archive TEXT NOT NULL, path TEXT NOT NULL,
        title TEXT NOT NULL, headings TEXT NOT NULL, anchor TEXT NOT NULL, start INTEGER NOT NULL,
        length INTEGER NOT NULL, score REAL NOT NULL, matches TEXT, text TEXT,
        PRIMARY KEY(turn_id, n)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX citation_passage ON citation(passage_id) WHERE passage_id IS NOT NULL",
)

# What was read in the texts: dates for the timeline, claims and where two of them differ. `reading` says how
# far that has come with each document, so that it goes on where it ended.
READINGS: Final = (
    """CREATE TABLE reading(
        document_id INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
        dates INTEGER NOT NULL DEFAULT 0, claims INTEGER NOT NULL DEFAULT 0) STRICT""",
    """CREATE TABLE mention(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
        passage_id INTEGER REFERENCES passage ON DELETE CASCADE, start INTEGER NOT NULL,
        length INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, grain TEXT NOT NULL,
        kind TEXT NOT NULL CHECK(kind IN ('document', 'entry', 'mentioned')),
        resolved INTEGER NOT NULL) STRICT""",
    "CREATE INDEX mention_first ON mention(first, last)",
    "CREATE INDEX mention_document ON mention(document_id)",
    """CREATE TABLE claim(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
        passage_id INTEGER NOT NULL REFERENCES passage ON DELETE CASCADE, start INTEGER NOT NULL,
        length INTEGER NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('number', 'date', 'place', 'owner')),
        value TEXT NOT NULL, place INTEGER NOT NULL) STRICT""",
    "CREATE INDEX claim_document ON claim(document_id)",
    """CREATE TABLE claim_name(
        name TEXT NOT NULL, claim_id INTEGER NOT NULL REFERENCES claim ON DELETE CASCADE,
        PRIMARY KEY(name, claim_id)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX claim_name_claim ON claim_name(claim_id)",
    """CREATE TABLE disagreement(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        one INTEGER NOT NULL REFERENCES claim ON DELETE CASCADE,
        other INTEGER NOT NULL REFERENCES claim ON DELETE CASCADE, sure REAL NOT NULL, found TEXT NOT NULL,
        dismissed TEXT, UNIQUE(one, other)) STRICT""",
    "CREATE INDEX disagreement_other ON disagreement(other)",
)

ABOUT: Final = (
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO about VALUES('identity', lower(hex(randomblob(16))))",
    # Of people who keep documents of their own; `lock` is what is kept of the passphrase.
    "CREATE TABLE area(owner TEXT PRIMARY KEY, lock TEXT NOT NULL, made TEXT NOT NULL) STRICT, WITHOUT ROWID",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (DOCUMENTS, CONVERSATIONS, READINGS, ABOUT)
