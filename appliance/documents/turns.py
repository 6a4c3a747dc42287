"""The turns of conversations as rows: a question, its answer, the passages that it points to."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from appliance.answer.events import Finished, Passages
from appliance.documents.kept import Kept, Pointer, packed, unpacked
from appliance.errors import TurnConflict
from appliance.retrieval.words import fold
from appliance.sqlite import Connection

Kind = Literal["question", "summary"]
UNFINISHED = ("busy", "broken")  # ends after which the same question may be asked again


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer; `kept` is None while there is none. `asked` as it was typed, `understood`
    as it stands alone, `scope` where it was asked. `kind`: question, or summary of all in its scope."""

    id: int
    conversation: int
    client_turn_id: str
    kind: Kind
    asked: str
    understood: str
    scope: str
    began: str
    kept: Kept | None = None

    @property
    def final(self) -> bool:
        """Whether its answer stays as it is."""
        return self.kept is not None and self.kept.finished.answer.finish not in UNFINISHED


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked, before it is a turn."""

    client_turn_id: str
    asked: str
    understood: str
    scope: str
    kind: Kind = "question"


def rows(connection: Connection, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What a statement gives, of types that its table holds (STRICT)."""
    return connection.execute(sql, tuple(values)).fetchall()


def same(turn: Turn, given: Asking) -> Turn:
    """The turn, when this is what it asks. Raises TurnConflict."""
    if (turn.asked, turn.kind) != (given.asked, given.kind):
        raise TurnConflict(
            "This turn's id belongs to another question.", "Give each question an id of its own."
        )
    return turn


def insert(connection: Connection, conversation: int, given: Asking, now: str) -> Turn:
    """A turn without an answer."""
    (row,) = rows(
        connection,
        "INSERT INTO turn(conversation_id, client_turn_id, kind, asked, understood, scope, began, folded) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (conversation, given.client_turn_id, given.kind, given.asked, given.understood, given.scope, now,
         fold(f"{given.asked}\n{given.understood}")),
    )  # fmt: skip
    return select(connection, "id = ?", row)[0]


def answer(connection: Connection, turn: Turn, passages: Passages, finished: Finished, now: str) -> None:
    """Puts an answer in the place of the one that is there, if any."""
    body, pointers = packed(passages, finished)
    connection.execute("DELETE FROM citation WHERE turn_id = ?", (turn.id,))
    connection.execute(
        "UPDATE turn SET answer = ?, ended = ?, folded = ? WHERE id = ?",
        (body, now, fold(f"{turn.asked}\n{turn.understood}\n{finished.answer.text}"), turn.id),
    )
    for pointer in pointers:
        _point(connection, turn.id, pointer)


def select(
    connection: Connection, where: str, values: Sequence[object], seen: Collection[str] | None = None
) -> list[Turn]:
    """Oldest first, with the words of documents of the owners `seen` (None: all). `where` is ours, never a
    reader's."""
    found = rows(
        connection,
        "SELECT id, conversation_id, client_turn_id, kind, asked, understood, scope, began, answer "
        f"FROM turn WHERE {where} ORDER BY id",
        values,
    )
    pointing = Pointing(connection, seen)
    return [Turn(*(*row[:-1], _kept(row, pointing))) for row in found]


def _kept(row: Sequence[Any], pointing: "Pointing") -> Kept | None:
    turn, understood, body = row[0], row[5], row[-1]
    return None if body is None else unpacked(understood, body, pointing.of(turn))


def _point(connection: Connection, turn: int, pointer: Pointer) -> None:
    """Keeps a pointer; that of an own document holds on to the passage that its place lies in."""
    passage = (
        connection.execute(
            "SELECT id FROM passage WHERE document_id = ? AND start <= ? AND start + length > ? "
            "ORDER BY start DESC LIMIT 1",
            (int(pointer.path), pointer.start, pointer.start),
        ).get
        if pointer.own
        else None
    )
    matches = None if pointer.matches is None else json.dumps(pointer.matches)
    connection.execute(
        "INSERT INTO citation(turn_id, n, passage_id, archive, path, title, headings, anchor, start, length, "
        "score, matches, text) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (turn, pointer.n, passage, pointer.archive, pointer.path, pointer.title, json.dumps(pointer.headings),
         pointer.anchor, pointer.start, pointer.length, pointer.score, matches, pointer.text),
    )  # fmt: skip


class Pointing:
    """Reads pointers with what they point to now. Each own document is read once."""

    def __init__(self, connection: Connection, seen: Collection[str] | None) -> None:
        self._connection, self._seen = connection, seen
        self._texts: dict[int, str] = {}

    def of(self, turn: int) -> list[Pointer]:
        found = rows(
            self._connection,
            "SELECT c.n, c.archive, c.path, coalesce(d.title, c.title), "
            "coalesce(s.heading_path, c.headings), "
            "c.anchor, c.start, c.length, c.score, c.matches, c.text, d.id, d.owner FROM citation c "
            "LEFT JOIN passage p ON p.id = c.passage_id LEFT JOIN document d ON d.id = p.document_id "
            "LEFT JOIN section s ON s.id = p.section_id WHERE c.turn_id = ? ORDER BY c.n",
            (turn,),
        )
        return [self._pointer(row) for row in found]

    def _pointer(self, row: Sequence[Any]) -> Pointer:
        *where, title, headings, anchor, start, length, score, matches, text, document, owner = row
        closed = document is not None and self._seen is not None and owner not in self._seen
        if closed:
            title, headings = "", "[]"
        elif document is not None:
            text = self._text(document)[start : start + length]
        places = None if matches is None else tuple(tuple(match) for match in json.loads(matches))
        told = (title, tuple(json.loads(headings)), anchor, start, length, score, places, text, closed)
        return Pointer(*(*where, *told))

    def _text(self, document: int) -> str:
        if document not in self._texts:
            ((text,),) = rows(self._connection, "SELECT text FROM document WHERE id = ?", (document,))
            self._texts[document] = text
        return self._texts[document]
