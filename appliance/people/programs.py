"""Programs that act for someone: each has a token (RFC 6750) that is shown once and kept as a hash."""

import secrets
import time
from collections.abc import Callable

from appliance.documents.store import Store
from appliance.errors import PeopleError
from appliance.people.records import ROLES, Person, Program, Role, role_of
from appliance.people.sessions import FRESH, digest

MARK = "lamp_"  # so that a token is known for one where it was left lying about
MOST = 100
_NAME = 60  # letters


class Programs:
    """Of one box."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def add(self, person: int, name: str, role: Role) -> str:
        """A new token, which nobody can be shown again. Raises PeopleError."""
        name = " ".join(name.split())[:_NAME]
        if not name or role not in ROLES:
            raise PeopleError("A program needs a name and a role.", "Say what it is for.")
        token = MARK + secrets.token_urlsafe(32)
        now = int(self._clock())
        with self._store.write() as connection:
            if int(str(connection.execute("SELECT count(*) FROM program").get)) >= MOST:
                raise PeopleError(f"There are {MOST} programs already.", "Take some away first.")
            if not connection.execute("SELECT 1 FROM person WHERE id = ?", (person,)).get:
                raise PeopleError("There is no such person.", "Load the page again.")
            connection.execute(
                "INSERT INTO program(person_id, token, name, role, made, seen) VALUES(?, ?, ?, ?, ?, 0)",
                (person, digest(token), name, role, now),
            )
        return token

    def find(self, token: str) -> tuple[Person, Program] | None:
        """Whom a program acts for, with the smaller of both roles; None for a token that is none."""
        if not token.startswith(MARK):
            return None
        with self._store.read() as connection:
            row = connection.execute(
                "SELECT p.id, p.name, p.role, g.id, g.name, g.role, g.made, g.seen FROM program g "
                "JOIN person p ON p.id = g.person_id WHERE g.token = ?",
                (digest(token),),
            ).fetchone()
        if row is None:
            return None
        role = ROLES[min(ROLES.index(row[2]), ROLES.index(row[5]))]
        program = Program(int(row[3]), int(row[0]), str(row[4]), role, int(row[6]), int(row[7]))
        return Person(int(row[0]), str(row[1]), role), program

    def stale(self, program: Program) -> bool:
        return not program.seen <= int(self._clock()) < program.seen + FRESH

    def touch(self, program: Program) -> None:
        """Notes that a program was seen."""
        with self._store.write() as connection:
            connection.execute("UPDATE program SET seen = ? WHERE id = ?", (int(self._clock()), program.id))

    def listed(self) -> list[Program]:
        with self._store.read() as connection:
            rows = connection.execute("SELECT id, person_id, name, role, made, seen FROM program ORDER BY id")
            return [
                Program(int(r[0]), int(r[1]), str(r[2]), role_of(r[3]), int(r[4]), int(r[5])) for r in rows
            ]

    def end(self, number: int) -> bool:
        with self._store.write() as connection:
            connection.execute("DELETE FROM program WHERE id = ?", (number,))
            return connection.changes() > 0
