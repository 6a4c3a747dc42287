"""First use: who knows the code in the box's file becomes an admin, once for each code.

The file is the device's: `appliance run` makes it and shows it on the terminal, the card's set-up shows it on
the console and on the card. A code that was used stays in the file and opens nothing any more; whoever is at
the device makes another when nobody can sign in.
"""

import hmac
import time
from collections.abc import Callable
from pathlib import Path

from appliance import durable
from appliance.documents.store import Store
from appliance.errors import PeopleError
from appliance.people.code import grouped, plain
from appliance.people.persons import Persons, folded
from appliance.people.records import Person
from appliance.people.sessions import digest


class FirstUse:
    """Of one box. `file` has the code; None where there is none."""

    def __init__(
        self, store: Store, persons: Persons, file: Path | None, clock: Callable[[], float] = time.time
    ) -> None:
        self._store, self._persons, self._file, self._clock = store, persons, file, clock

    def prepare(self) -> None:
        """Where the file is the program's own: makes the code that is missing while there is no admin, and
        takes away one that was used. Raises OSError."""
        if self._file is None:
            return
        if not self._unused():
            self._file.unlink(missing_ok=True)
            if not self._persons.there_is_an_admin():
                make(self._file)

    def open(self) -> bool:
        """Whether there is a code that has not been used."""
        return bool(self._unused())

    def is_code(self, given: str) -> bool:
        """Whether this is the code, and has not been used."""
        right = self._unused()
        return bool(right) and hmac.compare_digest(plain(given).encode(), right.encode())

    def take(self, given: str, name: str, passphrase: str) -> Person:
        """An admin of that name; someone who is there already gets the passphrase and the role. Of two who
        come at once one is too late. Raises PeopleError."""
        if not self.is_code(given):
            raise PeopleError("This is not the code of this box, or it was used.", "See the device.")
        lock = self._persons.lock(name, passphrase)
        with self._store.write() as connection:
            used = digest(plain(given))
            if connection.execute("SELECT 1 FROM used_code WHERE digest = ?", (used,)).get:
                raise PeopleError("The code was used just now.", "Sign in, or ask who was faster.")
            connection.execute("INSERT INTO used_code VALUES(?, ?)", (used, int(self._clock())))
            row = connection.execute(
                "SELECT id, name FROM person WHERE folded = ?", (folded(name),)
            ).fetchone()
            if row is None:
                return self._persons.insert(connection, name, "admin", lock)
            connection.execute("UPDATE person SET lock = ?, role = 'admin' WHERE id = ?", (lock, row[0]))
            connection.execute("DELETE FROM session WHERE person_id = ?", (row[0],))
            connection.execute("DELETE FROM program WHERE person_id = ?", (row[0],))
            return Person(int(row[0]), str(row[1]), "admin")

    def _unused(self) -> str:
        """As typed plainly; "" where there is none."""
        try:
            code = plain(self._file.read_text("utf-8")) if self._file else ""
        except (OSError, UnicodeDecodeError):
            return ""
        if not code:
            return ""
        with self._store.read() as connection:
            used = connection.execute("SELECT 1 FROM used_code WHERE digest = ?", (digest(code),)).get
        return "" if used else code


def make(file: Path) -> str:
    """Writes a new code, for its owner alone; gives it. Raises OSError."""
    code = grouped()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    durable.replace(file, f"{code}\n".encode(), 0o600)
    return code
