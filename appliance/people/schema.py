"""The form of `people.db`. What has landed is never changed: another form is another step at the end."""

from typing import Final

from appliance.documents.store import Form

FIRST: Final = (
    """CREATE TABLE person(
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL CHECK(role IN ('reader', 'editor', 'admin')), lock TEXT NOT NULL,
        made INTEGER NOT NULL) STRICT""",
    # `token` is the SHA-256 of what the browser or the program has.
    """CREATE TABLE session(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        person_id INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, token BLOB NOT NULL UNIQUE,
        label TEXT NOT NULL, made INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT""",
    "CREATE INDEX session_person ON session(person_id)",
    """CREATE TABLE program(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        person_id INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, token BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL, role TEXT NOT NULL CHECK(role IN ('reader', 'editor', 'admin')),
        made INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT""",
    "CREATE INDEX program_person ON program(person_id)",
    # Codes that have made an admin: SHA-256, so that none does it twice.
    "CREATE TABLE used_code(digest BLOB PRIMARY KEY, used INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE about(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO about VALUES('signing', randomblob(32))",
)

PEOPLE = Form(
    "a file of people",
    0x4C414D50,  # "LAMP"
    (FIRST,),
    remedy="See docs/people.md: when nobody can sign in.",
    busy=5_000,
)
