"""`repositories.db`: which repositories are sources, and how the last sync of each ended."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from appliance.documents.store import Form, Store
from appliance.errors import GitError
from appliance.repositories.records import Outcome, Repository, Seen, Tally
from appliance.sources.remotes import FORMS, branch, form, remote

FILE = "repositories.db"
MOST = 50
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_SCHEMA = (
    """CREATE TABLE repository(
        name TEXT PRIMARY KEY, address TEXT NOT NULL, branch TEXT NOT NULL, looks TEXT NOT NULL,
        seen TEXT NOT NULL CHECK(seen IN ('everyone', 'people')), added TEXT NOT NULL,
        tried TEXT NOT NULL DEFAULT '', synced TEXT NOT NULL DEFAULT '', head TEXT NOT NULL DEFAULT '',
        kind TEXT NOT NULL DEFAULT '', sentence TEXT NOT NULL DEFAULT '', hint TEXT NOT NULL DEFAULT '',
        failures INTEGER NOT NULL DEFAULT 0, tally TEXT NOT NULL DEFAULT '{}') STRICT, WITHOUT ROWID""",
)
REGISTER = Form("the list of repositories", 0x4C414D52, (_SCHEMA,))  # "LAMR"
_COLUMNS = (
    "name, address, branch, looks, seen, added, tried, synced, head, kind, sentence, hint, failures, tally"
)


def utc() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def listed(store: Store) -> list[Repository]:
    """All, by name."""
    with store.read() as connection:
        found: list[Any] = connection.execute(f"SELECT {_COLUMNS} FROM repository ORDER BY name").fetchall()
    return [_repository(row) for row in found]


def find(store: Store, name: str) -> Repository:
    """Raises GitError where there is none of this name."""
    with store.read() as connection:
        sql = f"SELECT {_COLUMNS} FROM repository WHERE name = ?"
        row: Any = next(iter(connection.execute(sql, (name,))), None)
    if row is None:
        raise GitError(
            f"There is no source “{name[:40]}”.", "The list of sources has their names.", "refused"
        )
    return _repository(row)


def forget_outcomes(store: Store) -> None:
    """As if none had ever been synced: a list that comes from a backup has nothing of what was fetched."""
    with store.write() as connection:
        connection.execute(
            "UPDATE repository SET tried = '', synced = '', head = '', kind = '', sentence = '', hint = '', "
            "failures = 0, tally = '{}'"
        )


def add(store: Store, given: Repository) -> Repository:
    """Keeps a new one, checked by `new`. Raises GitError when its name is taken, or there are too many."""
    with store.write() as connection:
        if int(str(connection.execute("SELECT count(*) FROM repository").get)) >= MOST:
            raise GitError(f"There are {MOST} sources.", "Remove one first.", "refused")
        if connection.execute("SELECT 1 FROM repository WHERE name = ?", (given.name,)).get:
            raise GitError(f"There is a source “{given.name}” already.", "Give another name.", "refused")
        connection.execute(
            "INSERT INTO repository(name, address, branch, looks, seen, added) VALUES(?, ?, ?, ?, ?, ?)",
            (given.name, given.address, given.branch, given.looks, given.seen, given.added),
        )
    return given


def new(address: str, name: str = "", of: str = "", looks: str = "", seen: str = "people") -> Repository:
    """What is kept of a source that somebody adds: the branch `of` the repository at an address. Raises
    GitError for what cannot be used."""
    where = remote(address)
    called = name.strip().lower() or re.sub(r"[^a-z0-9]+", "-", where.name.lower()).strip("-")[:40].strip("-")
    if not _NAME.fullmatch(called):
        raise GitError(
            f"“{called[:40]}” is no name for a source.",
            "Use up to 40 small letters, digits and dashes.",
            "refused",
        )
    told = next((one for one in FORMS if one == looks), "" if looks == "none" else form(where.host))
    who: Seen = "everyone" if seen == "everyone" else "people"
    return Repository(called, where.url, branch(of), told, who, utc())


def remove(store: Store, name: str) -> None:
    with store.write() as connection:
        connection.execute("DELETE FROM repository WHERE name = ?", (name,))


def show(store: Store, name: str, seen: Seen) -> None:
    """From now on it is seen by these."""
    with store.write() as connection:
        connection.execute("UPDATE repository SET seen = ? WHERE name = ?", (seen, name))


def went_well(store: Store, name: str, commit: str, tally: Tally) -> None:
    now = utc()
    with store.write() as connection:
        connection.execute(
            "UPDATE repository SET tried = ?, synced = ?, head = ?, kind = '', sentence = '', hint = '', "
            "failures = 0, tally = ? WHERE name = ?",
            (now, now, commit, json.dumps(asdict(tally)), name),
        )


def failed(store: Store, name: str, error: GitError) -> None:
    """The state stays what it was."""
    with store.write() as connection:
        connection.execute(
            "UPDATE repository SET tried = ?, kind = ?, sentence = ?, hint = ?, failures = failures + 1 "
            "WHERE name = ?",
            (utc(), error.kind, str(error), error.hint, name),
        )


def _repository(row: Sequence[Any]) -> Repository:
    name, address, of, looks, seen, added, tried, synced, commit, kind, sentence, hint, failures, tally = row
    counts = json.loads(tally)
    counts["modules"] = tuple(counts.get("modules", ()))
    outcome = Outcome(tried, synced, commit, kind, sentence, hint, failures, Tally(**counts))
    return Repository(name, address, of, looks, seen, added, outcome)
