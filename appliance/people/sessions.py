"""Sessions: a browser's cookie is a random token with a signature; the file has only the token's SHA-256.

Whoever reads the file cannot become anyone, a cookie that is not ours costs no look into the file, and the
token of a session's forms comes from the same key. Where the clock of the box was wrong, a session may end
early, never late: one that was made or seen more than a day from now is none.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable

from appliance.documents.store import Store
from appliance.errors import PeopleError
from appliance.people.records import Person, Session, role_of

DAY = 86_400  # seconds
IDLE, LONGEST = 14 * DAY, 90 * DAY  # without a request, and in all
FRESH = 600  # seconds in which `seen` is not written again: cards wear
KEY = 32  # bytes, at least
MOST = 50  # of one person; the one that was seen longest ago goes
_LABEL = 60  # letters


class Sessions:
    """Of one box. `clock` gives seconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def begin(self, person: int, label: str, lock: str = "") -> str:
        """A new session; gives its cookie. Ends those that are too old. `lock` is that of the passphrase for
        which it begins, if any. Raises PeopleError where that, or the person, is another by now."""
        token = secrets.token_urlsafe(32)
        now = int(self._clock())
        with self._store.write() as connection:
            connection.execute("DELETE FROM session WHERE seen < ? OR made < ?", (now - IDLE, now - LONGEST))
            connection.execute(
                "DELETE FROM session WHERE person_id = ? AND id NOT IN (SELECT id FROM session "
                "WHERE person_id = ? ORDER BY seen DESC, id DESC LIMIT ?)",
                (person, person, MOST - 1),
            )
            connection.execute(
                "INSERT INTO session(person_id, token, label, made, seen) "
                "SELECT id, ?, ?, ?, ? FROM person WHERE id = ? AND ? IN ('', lock)",
                (digest(token), label[:_LABEL], now, now, person, lock),
            )
            if not connection.changes():
                raise PeopleError("This was changed just now.", "Sign in again.")
        return f"{token}.{self.signature('session', token)}"

    def find(self, cookie: str) -> tuple[Person, Session] | None:
        """Whose session a cookie is; None for one that is not ours, has ended or is too old."""
        token = self.token(cookie)
        if not token:
            return None
        now = int(self._clock())
        with self._store.read() as connection:
            row = connection.execute(
                "SELECT p.id, p.name, p.role, s.id, s.label, s.made, s.seen FROM session s "
                "JOIN person p ON p.id = s.person_id WHERE s.token = ? "
                "AND s.seen BETWEEN ? AND ? AND s.made BETWEEN ? AND ?",
                (digest(token), now - IDLE, now + DAY, now - LONGEST, now + DAY),
            ).fetchone()
        if row is None:
            return None
        person = Person(int(row[0]), str(row[1]), role_of(row[2]))
        return person, Session(int(row[3]), person.id, str(row[4]), int(row[5]), int(row[6]))

    def touch(self, session: Session) -> None:
        """Notes that a session was seen, where that was not noted lately."""
        now = int(self._clock())
        if session.seen <= now < session.seen + FRESH:
            return
        with self._store.write() as connection:
            connection.execute("UPDATE session SET seen = ? WHERE id = ?", (now, session.id))

    def stale(self, session: Session) -> bool:
        """Whether `touch` has something to write."""
        return not session.seen <= int(self._clock()) < session.seen + FRESH

    def listed(self, person: int | None = None) -> list[Session]:
        """Those that go on, of one person or of all, the latest first."""
        now = int(self._clock())
        with self._store.read() as connection:
            rows = connection.execute(
                "SELECT id, person_id, label, made, seen FROM session "
                "WHERE seen BETWEEN ? AND ? AND made BETWEEN ? AND ? AND (? IS NULL OR person_id = ?) "
                "ORDER BY seen DESC, id DESC",
                (now - IDLE, now + DAY, now - LONGEST, now + DAY, person, person),
            )
            return [Session(int(r[0]), int(r[1]), str(r[2]), int(r[3]), int(r[4])) for r in rows]

    def end(self, number: int, person: int | None = None) -> bool:
        """Ends a session (of that person alone, where one is given). Whether it was there."""
        with self._store.write() as connection:
            connection.execute(
                "DELETE FROM session WHERE id = ? AND (? IS NULL OR person_id = ?)", (number, person, person)
            )
            return connection.changes() > 0

    def end_all(self, person: int | None = None, but: int = 0) -> None:
        with self._store.write() as connection:
            connection.execute(
                "DELETE FROM session WHERE id <> ? AND (? IS NULL OR person_id = ?)", (but, person, person)
            )

    def token(self, cookie: str) -> str:
        """The token of a cookie of ours; "" for any other."""
        token, _, given = cookie.partition(".")
        return token if token and self.signed("session", token, given) else ""

    def signed(self, use: str, text: str, signature: str) -> bool:
        """Whether a signature is ours."""
        given = signature.encode("utf-8", "replace")
        return hmac.compare_digest(given, self.signature(use, text).encode())

    def signature(self, use: str, text: str) -> str:
        """HMAC-SHA-256 of a text for one use."""
        with self._store.read() as connection:  # a backup that was put in place brings its own
            key = connection.execute("SELECT value FROM about WHERE key = 'signing'").get
        if not isinstance(key, bytes) or len(key) < KEY:
            raise PeopleError("The file of people has no key.", "Restore a backup: docs/backup.md.")
        return hmac.new(key, f"{use}\0{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def digest(token: str) -> bytes:
    """What is kept of a token; it is random, so it needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
