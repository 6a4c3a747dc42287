"""People: made, found by name and passphrase, given other roles. Where there was an admin, one stays."""

import re
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from appliance import passphrases
from appliance.documents.store import Store
from appliance.errors import PeopleError
from appliance.passphrases import COST, LONGEST, Cost
from appliance.people.records import ROLES, Person, Role, role_of
from appliance.sqlite import Connection

MOST = 500
CHANGED = "The passphrase was changed just now."
_NAME = re.compile(r"[^\W_][\w .'’-]{0,38}[^\W_]|[^\W_]")


class Persons:
    """Of one box. `cost` is that of their passphrases' hashes."""

    def __init__(self, store: Store, cost: Cost = COST, clock: Callable[[], float] = time.time) -> None:
        self._store, self._cost, self._clock = store, cost, clock

    def listed(self) -> list[Person]:
        with self._store.read() as connection:
            rows = connection.execute("SELECT id, name, role FROM person ORDER BY folded")
            return [_person(row) for row in rows]

    def there_is_an_admin(self) -> bool:
        with self._store.read() as connection:
            return _admins(connection) > 0

    def get(self, number: int) -> Person | None:
        with self._store.read() as connection:
            return _get(connection, number)

    def named(self, name: str) -> Person | None:
        with self._store.read() as connection:
            row = connection.execute(
                "SELECT id, name, role FROM person WHERE folded = ?", (folded(name),)
            ).fetchone()
            return _person(row) if row else None

    def add(self, name: str, role: Role, passphrase: str) -> Person:
        """Raises PeopleError for a name that is taken, or what cannot be used."""
        lock = self.lock(name, passphrase)
        with self._store.write() as connection:
            return self.insert(connection, name, role, lock)

    def lock(self, name: str, passphrase: str) -> str:
        """What will be kept of a passphrase: takes its time, so it is made before a transaction. Raises
        PeopleError."""
        require_usable(passphrase, name)
        return passphrases.locked(passphrase, self._cost)

    def insert(self, connection: Connection, name: str, role: Role, lock: str) -> Person:
        """Within a transaction. Raises PeopleError."""
        name = _usable_name(name)
        if role not in ROLES:
            raise PeopleError(f"There is no role {role!r}.", f"There are {', '.join(ROLES)}.")
        if connection.execute("SELECT 1 FROM person WHERE folded = ?", (folded(name),)).get:
            raise PeopleError(f"There is someone called {name} already.", "Choose another name.")
        if int(str(connection.execute("SELECT count(*) FROM person").get)) >= MOST:
            raise PeopleError(f"There are {MOST} people already.", "Remove some who no longer come.")
        connection.execute(
            "INSERT INTO person(name, folded, role, lock, made) VALUES(?, ?, ?, ?, ?)",
            (name, folded(name), role, lock, int(self._clock())),
        )
        return Person(connection.last_insert_rowid(), name, role)

    def check(self, name: str, passphrase: str) -> Person | None:
        """Who signs in so, with their lock; None for nobody. Takes as long for a name that is not there."""
        with self._store.read() as connection:
            row = connection.execute(
                "SELECT id, name, role, lock FROM person WHERE folded = ?", (folded(name),)
            ).fetchone()
        lock = str(row[3]) if row else passphrases.nobodys(self._cost)
        if not passphrases.opens(lock, passphrase[:LONGEST]) or not row:
            return None
        if passphrases.outdated(lock, self._cost):
            again = passphrases.locked(passphrase, self._cost)
            with self._store.write() as connection:  # unless it was changed meanwhile
                connection.execute(
                    "UPDATE person SET lock = ? WHERE id = ? AND lock = ?", (again, row[0], lock)
                )
                lock = again if connection.changes() else lock
        return replace(_person(row), lock=lock)

    def set_role(self, number: int, role: Role) -> None:
        """In force with their next request. Raises PeopleError for the last admin, and for nobody."""
        if role not in ROLES:
            raise PeopleError(f"There is no role {role!r}.", f"There are {', '.join(ROLES)}.")
        with self._store.write() as connection:
            _require(connection, number)
            connection.execute("UPDATE person SET role = ? WHERE id = ?", (role, number))
            _require_admin(connection)

    def set_passphrase(self, number: int, passphrase: str, but: int = 0, given: str = "") -> None:
        """Ends all their sessions except `but`, and their programs'. `given` is the lock of the passphrase
        that was asked for before, if any: another one since then stays. Raises PeopleError."""
        found = self.get(number)
        lock = self.lock(found.name if found else "", passphrase)
        with self._store.write() as connection:
            _require(connection, number)
            connection.execute(
                "UPDATE person SET lock = ? WHERE id = ? AND ? IN ('', lock)", (lock, number, given)
            )
            if not connection.changes():
                raise PeopleError(CHANGED, "Sign in again.")
            connection.execute("DELETE FROM session WHERE person_id = ? AND id <> ?", (number, but))
            connection.execute("DELETE FROM program WHERE person_id = ?", (number,))

    def remove(self, number: int) -> None:
        """With their sessions and programs. Raises PeopleError for the last admin."""
        with self._store.write() as connection:
            _require(connection, number)
            connection.execute("DELETE FROM person WHERE id = ?", (number,))
            _require_admin(connection)


def folded(name: str) -> str:
    """Names that differ only in how they are typed are one."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())[:100]


def require_usable(passphrase: str, name: str = "") -> None:
    """Raises PeopleError for a passphrase that would not keep anybody out."""
    if reason := passphrases.refusal(passphrase, name):
        raise PeopleError(reason, "Use a few words.")


def _usable_name(name: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8")).split())
    if not _NAME.fullmatch(text):
        raise PeopleError(f"“{text[:40]}” is no name here.", "Use up to 40 letters, digits and spaces.")
    return text


def _get(connection: Connection, number: int) -> Person | None:
    row = connection.execute("SELECT id, name, role FROM person WHERE id = ?", (number,)).fetchone()
    return _person(row) if row else None


def _require(connection: Connection, number: int) -> None:
    if _get(connection, number) is None:
        raise PeopleError("There is no such person.", "They may have been removed; load the page again.")


def _admins(connection: Connection) -> int:
    return int(str(connection.execute("SELECT count(*) FROM person WHERE role = 'admin'").get))


def _require_admin(connection: Connection) -> None:
    if not _admins(connection):
        raise PeopleError("This is the last admin.", "Make somebody else admin first.")


def _person(row: tuple[object, ...]) -> Person:
    return Person(int(str(row[0])), str(row[1]), role_of(row[2]))
