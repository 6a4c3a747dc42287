"""What a backup has: five parts, where each lies, how a copy is made and how one that came is checked.

Not in it: deploy keys of repositories and what was fetched with them, sessions and tokens of programs, words
and vectors (made again), archives, bundles and models. So a backup that is lost lets nobody in.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance import chosen
from appliance.documents import backup
from appliance.documents import search as documents
from appliance.documents.store import ARCHIVE, FILE, Form, Store
from appliance.errors import BackupError, LamplightError
from appliance.people import code, people
from appliance.people.schema import PEOPLE
from appliance.repositories import register, repositories
from appliance.repositories.register import REGISTER
from appliance.settings import CHOICES
from appliance.sqlite import BusyError, Error, connect
from appliance.usage import usage

SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
CODE = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')"
IN_USE = "Another program has {place} open."


@dataclass(frozen=True, slots=True)
class Part:
    """`name` in the backup, `place` below LAMPLIGHT_HOME; `form` None: the text of what was chosen. `clean`
    takes out of a copy what must not travel, or not come back."""

    name: str
    place: str
    form: Form | None
    clean: Callable[[Path], None] = lambda _file: None


def _no_sessions(file: Path) -> None:
    """Nobody is signed in by a backup; who may sign in is in it."""
    found = people.open_people(file.parent)
    try:
        people.restored(found)
        with found.store.read() as connection:
            key = connection.execute("SELECT value FROM about WHERE key = 'signing'").get
        if not isinstance(key, bytes) or len(key) < 32:
            raise BackupError("people.db of this backup has no place for the key of sessions.")
        found.store.vacuum()
    finally:
        found.store.close()


def _never_synced(file: Path) -> None:
    """What was fetched is not in a backup."""
    store = Store.open(file, REGISTER)
    try:
        register.forget_outcomes(store)
    finally:
        store.close()


PARTS = (
    Part("documents.db", f"{documents.FOLDER}/{FILE}", ARCHIVE),
    Part(people.FILE, f"{code.FOLDER}/{people.FILE}", PEOPLE, _no_sessions),
    Part("repositories.db", f"{repositories.FOLDER}/{register.FILE}", REGISTER, _never_synced),
    Part("usage.db", f"{usage.FOLDER}/{usage.FILE}", usage.USAGE),
    Part("chosen.toml", chosen.FILE, None),
)
NAMES = tuple(part.name for part in PARTS)


def copy(part: Part, home: Path, file: Path) -> None:
    """Writes the part as it is now to a new file; an empty one where the box has none. Raises
    DocumentError, OSError."""
    live = home / part.place
    if part.form is None:
        file.write_bytes(live.read_bytes() if live.exists() else b"")
        return
    store = Store.open(live, part.form) if live.exists() else Store.open(None, part.form)
    try:
        store.copy_to(file)
    finally:
        store.close()
    file.chmod(0o600)
    part.clean(file)
    alone(file)


def check(part: Part, file: Path) -> None:
    """Makes of a file that came in one that can be put in place: whole, of this program's form, without
    anything that runs. Raises BackupError for what is none, and changes the file."""
    try:
        if part.form is None:
            chosen.parse(file.read_bytes(), CHOICES)
            return
        _require_plain(part, file)
        backup.require_whole(file, part.form)
        store = Store.open(file, part.form)
        try:
            _require_schema(part, store)
            if part.form is ARCHIVE:
                backup.become_another(store)
        finally:
            store.close()
        part.clean(file)
        alone(file)
    except BackupError:
        raise
    except (LamplightError, Error, ValueError) as error:
        raise BackupError(f"{part.name} of this backup cannot be used: {error}") from error


def opens(part: Part, home: Path) -> None:
    """Raises LamplightError unless the part can be opened where it lies now."""
    file = home / part.place
    if part.form is None:
        chosen.parse(file.read_bytes(), CHOICES)
        return
    store = Store.open(file, part.form)
    try:
        with store.read() as connection:
            connection.execute("PRAGMA quick_check").fetchall()
    finally:
        store.close()


def alone(file: Path) -> None:
    """Brings what stands in the log of a database into its file, which then is all of it. Raises BackupError
    while another program has it open."""
    try:
        connection = connect(file, "write")
        try:
            connection.set_busy_timeout(2_000)
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        finally:
            connection.close()
    except BusyError as error:
        raise BackupError(IN_USE.format(place=file.name), "End it, then try again.") from error


def _require_plain(part: Part, file: Path) -> None:
    """Before anything of ours works with it: no trigger and no view, which would run with our own steps."""
    if not stat.S_ISREG(os.lstat(file).st_mode):
        raise BackupError(f"{part.name} of this backup is no file.")
    connection = connect(file, "read")
    try:
        if connection.execute(CODE).get:
            raise BackupError(f"{part.name} of this backup has parts that run, which ours never has.")
    finally:
        connection.close()


def _require_schema(part: Part, store: Store) -> None:
    """Exactly the tables that this program makes. Raises BackupError."""
    fresh = Store.open(None, part.form or ARCHIVE)
    try:
        with fresh.read() as ours, store.read() as theirs:
            if ours.execute(SCHEMA).fetchall() != theirs.execute(SCHEMA).fetchall():
                raise BackupError(f"{part.name} of this backup has other tables than this version's.")
    finally:
        fresh.close()
