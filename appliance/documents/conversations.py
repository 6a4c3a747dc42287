"""Conversations that stay: whose they are, their turns, and the answers with their citations.

A conversation is seen by its owner alone; for everybody else it does not exist. A turn is named by the id
that its asker gave it (`client_turn_id`): the same id again is the same turn, whenever it comes. What a
method has returned is on the disk. An answer is written once and stays, unless it says that it broke off.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from appliance.answer.events import Finished, Passages
from appliance.documents import turns
from appliance.documents.store import Store
from appliance.documents.turns import Asking, Turn
from appliance.errors import ConversationMissing, TurnConflict
from appliance.retrieval.words import fold
from appliance.sqlite import Connection

LONGEST_TITLE = 120  # letters
MOST_TURNS = 500  # of one conversation
MOST = 1000  # conversations of one owner

MISSING = "There is no such conversation here."
AGAIN = "Look at the list of your conversations."


@dataclass(frozen=True, slots=True)
class Conversation:
    """`scope` as `scope.Reach` writes it; `begun` and `changed` are UTC (ISO, seconds); `turns` counts."""

    id: int
    owner: str
    title: str
    scope: str
    begun: str
    changed: str
    turns: int = 0


def utc() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Conversations:
    """`clock` gives the time as it is written. Safe from several threads."""

    def __init__(self, store: Store, clock: Callable[[], str] = utc) -> None:
        self._store, self._clock = store, clock

    def begin(self, owner: str, client_id: str, title: str, scope: str) -> Conversation:
        """A new conversation; the one that this owner began with the same id, when there is one."""
        with self._store.write() as connection:
            known = turns.rows(
                connection,
                "SELECT id FROM conversation WHERE owner = ? AND client_id = ?",
                (owner, client_id),
            )
            new = known or self._new(connection, owner, client_id, _named(title), scope)
            return _conversation(connection, owner, new[0][0])

    def _new(
        self, connection: Connection, owner: str, client_id: str, title: str, scope: str
    ) -> list[tuple[int]]:
        ((count,),) = turns.rows(connection, "SELECT count(*) FROM conversation WHERE owner = ?", (owner,))
        if count >= MOST:
            raise TurnConflict(f"You have {MOST:,} conversations.", "Delete some of them.")
        now = self._clock()
        return turns.rows(
            connection,
            "INSERT INTO conversation(owner, client_id, title, scope, begun, changed, folded) "
            "VALUES(?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (owner, client_id, title, scope, now, now, fold(title)),
        )

    def listed(self, owner: str, words: str = "", limit: int = 200) -> list[Conversation]:
        """The owner's, the last changed first; with `words`, those in whose title or turns each stands."""
        wanted = [f"%{_escaped(word)}%" for word in fold(words).split()]
        where = "".join(
            " AND (c.folded LIKE ? ESCAPE '\\' OR EXISTS(SELECT 1 FROM turn t "
            "WHERE t.conversation_id = c.id AND t.folded LIKE ? ESCAPE '\\'))"
            for _ in wanted
        )
        values = [value for word in wanted for value in (word, word)]
        with self._store.read() as connection:
            found = turns.rows(
                connection,
                f"{_SELECT} WHERE c.owner = ?{where} ORDER BY c.changed DESC, c.id DESC LIMIT ?",
                (owner, *values, limit),
            )
        return [Conversation(*row) for row in found]

    def get(self, owner: str, conversation: int) -> Conversation:
        """Raises ConversationMissing, also for one of another owner."""
        with self._store.read() as connection:
            return _conversation(connection, owner, conversation)

    def rename(self, owner: str, conversation: int, title: str) -> None:
        with self._store.write() as connection:
            named = _named(title) or _conversation(connection, owner, conversation).title
            _changed(connection, owner, conversation, "title = ?, folded = ?", (named, fold(named)))

    def widen(self, owner: str, conversation: int, scope: str) -> None:
        """From now on its questions are asked there."""
        with self._store.write() as connection:
            _changed(connection, owner, conversation, "scope = ?", (scope,))

    def delete(self, owner: str, conversation: int) -> None:
        with self._store.write() as connection:
            _conversation(connection, owner, conversation)
            connection.execute("DELETE FROM conversation WHERE id = ?", (conversation,))
        self._store.checkpoint()

    def forget(self, owner: str) -> int:
        """Deletes all of an owner; gives how many there were."""
        return self._deleted("owner = ?", owner)

    def forget_where(self, beginning: str) -> int:
        """Deletes all whose owner's name begins so."""
        return self._deleted("owner LIKE ? ESCAPE '\\'", f"{_escaped(beginning)}%")

    def forget_older(self, days: int) -> int:
        """Deletes those in which nothing was said for so many days."""
        before = datetime.fromisoformat(self._clock()) - timedelta(days=days)
        return self._deleted("changed < ?", before.isoformat(timespec="seconds"))

    def _deleted(self, where: str, value: str) -> int:
        with self._store.write() as connection:
            connection.execute(f"DELETE FROM conversation WHERE {where}", (value,))
            count = connection.changes()
        if count:
            self._store.checkpoint()
        return count

    def ask(self, owner: str, conversation: int, given: Asking) -> Turn:
        """The turn of this id: the one that is there, else a new one, from now on kept. Raises TurnConflict
        where the id is that of another question."""
        with self._store.write() as connection:
            here = _conversation(connection, owner, conversation)
            if found := _of_id(connection, conversation, given.client_turn_id):
                return turns.same(found, given)
            if here.turns >= MOST_TURNS:
                raise TurnConflict(f"This conversation has {MOST_TURNS} turns.", "Begin another one.")
            now = self._clock()
            _changed(connection, owner, conversation, "changed = ?", (now,))
            return turns.insert(connection, conversation, given, now)

    def answer(self, turn: int, passages: Passages, finished: Finished) -> bool:
        """Keeps the answer of a turn; False when it has one that stays, or was deleted meanwhile."""
        with self._store.write() as connection:
            found = turns.select(connection, "id = ?", (turn,))
            if not found or found[0].final:
                return False
            turns.answer(connection, found[0], passages, finished, self._clock())
            return True

    def turns(self, owner: str, conversation: int, seen: Collection[str] | None = None) -> list[Turn]:
        """Oldest first, each with its answer, and with the words of documents of the owners `seen` alone."""
        with self._store.read() as connection:
            _conversation(connection, owner, conversation)
            return turns.select(connection, "conversation_id = ?", (conversation,), seen)

    def turn(
        self, owner: str, conversation: int, client_turn_id: str, seen: Collection[str] | None = None
    ) -> Turn:
        """Raises ConversationMissing where there is none of this id."""
        with self._store.read() as connection:
            _conversation(connection, owner, conversation)
            found = _of_id(connection, conversation, client_turn_id, seen)
        if found is None:
            raise ConversationMissing("This conversation has no such turn.", AGAIN)
        return found


_SELECT = (
    "SELECT c.id, c.owner, c.title, c.scope, c.begun, c.changed, "
    "(SELECT count(*) FROM turn WHERE conversation_id = c.id) FROM conversation c"
)


def _conversation(connection: Connection, owner: str, conversation: int) -> Conversation:
    found = turns.rows(connection, f"{_SELECT} WHERE c.owner = ? AND c.id = ?", (owner, conversation))
    if not found:
        raise ConversationMissing(MISSING, AGAIN)
    return Conversation(*found[0])


def _changed(
    connection: Connection, owner: str, conversation: int, what: str, values: Sequence[object]
) -> None:
    connection.execute(
        f"UPDATE conversation SET {what} WHERE owner = ? AND id = ?",  # `what` is ours, never a reader's
        (*values, owner, conversation),
    )
    if not connection.changes():
        raise ConversationMissing(MISSING, AGAIN)


def _of_id(
    connection: Connection, conversation: int, client_turn_id: str, seen: Collection[str] | None = None
) -> Turn | None:
    named = (conversation, client_turn_id)
    found = turns.select(connection, "conversation_id = ? AND client_turn_id = ?", named, seen)
    return found[0] if found else None


def _named(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE].strip()


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
