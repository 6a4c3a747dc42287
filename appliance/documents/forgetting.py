"""What conversations say in a document's own words goes with it: sentences that an answer or summary quotes,
and its title where a summary is called by it. What the language model wrote in words of its own stays."""

import json
from collections.abc import Sequence
from typing import Any

from appliance.answer.prompt import quoted
from appliance.retrieval.words import fold
from appliance.sqlite import Connection

GONE = "…"


def forget(connection: Connection, document: int) -> None:
    """Before the document is deleted, in the same transaction."""
    about: Any = connection.execute("SELECT text, title FROM document WHERE id = ?", (document,)).fetchone()
    if about is None:
        return
    text, title = about
    quotes: dict[int, list[str]] = {}
    cited: Any = connection.execute(
        "SELECT turn_id, matches FROM citation WHERE matches IS NOT NULL "
        "AND passage_id IN (SELECT id FROM passage WHERE document_id = ?)",
        (document,),
    ).fetchall()
    for turn, matches in cited:
        places = (match[2:4] for match in json.loads(matches))
        quotes.setdefault(turn, []).extend(quoted(text[start : start + length]) for start, length in places)
    for turn, found in quotes.items():
        _unquote(connection, turn, found)
    _unname(connection, f"document:{document}", title)


def _unquote(connection: Connection, turn: int, quotes: Sequence[str]) -> None:
    """Takes sentences out of an answer's text; figures alone, which `calculation` keeps too, stay."""
    row: Any = connection.execute(
        "SELECT asked, understood, answer FROM turn WHERE id = ?", (turn,)
    ).fetchone()
    asked, understood, answer = row
    body = json.loads(answer) if answer else {}
    told = body.get("text", "")
    for quote in sorted({one for one in quotes if " " in one}, key=len, reverse=True):
        told = told.replace(quote, GONE)
    if told != body.get("text", ""):
        packed = json.dumps({**body, "text": told, "stressed": []}, ensure_ascii=False, separators=(",", ":"))
        connection.execute(
            "UPDATE turn SET answer = ?, folded = ? WHERE id = ?",
            (packed, fold(f"{asked}\n{understood}\n{told}"), turn),
        )


def _unname(connection: Connection, scope: str, title: str) -> None:
    """Takes the title out of the names of its summaries, and of the conversations that are called so."""
    summaries: Any = connection.execute(
        "SELECT id, conversation_id, asked, understood, answer FROM turn "
        "WHERE kind = 'summary' AND scope = ?",
        (scope,),
    ).fetchall()
    for turn, conversation, asked, understood, answer in summaries:
        plain, alone = asked.replace(title, GONE), understood.replace(title, GONE)
        said = json.loads(answer)["text"] if answer else ""
        connection.execute(
            "UPDATE turn SET asked = ?, understood = ?, folded = ? WHERE id = ?",
            (plain, alone, fold(f"{plain}\n{alone}\n{said}"), turn),
        )
        connection.execute(
            "UPDATE conversation SET title = ?, folded = ? WHERE id = ? AND title = ?",
            (plain, fold(plain), conversation, asked),
        )
