"""What a reader sent, made safe to search for; pure. Says in a sentence what cannot be used."""

import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any

from fastapi import Path

from appliance.answer.topic import Turn
from appliance.documents.records import ARCHIVE
from appliance.errors import LamplightError
from appliance.records import Evidence

CUT = "Your question was cut to its first {n} letters."
EARLIER = 500  # letters of each part of an earlier turn
Number = Annotated[int, Path(ge=1, lt=2**53)]
"""Of a conversation, a document or the like, in an address; larger ones fit into no row."""

LONGEST = 4000  # letters; the search itself cuts at what the embedder reads and says so


class BadRequest(LamplightError):
    """Something that a reader or a program sent cannot be used; becomes a 4xx, never a 500.

    `field` names the parameter, `status` is the HTTP status, `code` OpenAI's word for it where it has one."""

    def __init__(
        self, message: str, hint: str = "", field: str = "", status: int = 400, code: str = ""
    ) -> None:
        super().__init__(message, hint)
        self.field, self.status, self.code = field, status, code


def clean(text: str) -> str:
    """Control letters and broken surrogates out, white space single. "" when nothing is left."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip()


def question(text: str, field: str = "q") -> tuple[str, tuple[str, ...]]:
    """The question to search for, and notes for the reader. Raises BadRequest when nothing is asked."""
    asked = clean(text)
    if not asked:
        raise BadRequest("There is no question.", "Type a question in plain words, then ask again.", field)
    if len(asked) <= LONGEST:
        return asked, ()
    return asked[:LONGEST].rstrip(), (CUT.format(n=f"{LONGEST:,}"),)


def earlier(question: str, title: str, answer: str) -> tuple[Turn, ...]:
    """The turn that a form or a message carries, cut to what a follow-up needs; none without a question."""
    asked = clean(question)[:EARLIER]
    return (Turn(asked, clean(title)[:EARLIER], clean(answer)[:EARLIER]),) if asked else ()


def topic(source: Evidence, question: str) -> str:
    """The title of what answered a question, where it may be what the question was about: an article's,
    that of someone's letters or ledger only where the question says it."""
    said = source.archive != ARCHIVE or source.title.casefold() in question.casefold()
    return source.title if said else ""


def chosen(names: Sequence[str], known: Collection[str]) -> tuple[str, ...] | None:
    """The archives to search; None: all. Raises BadRequest for a name that is not on the shelf."""
    wanted = tuple(dict.fromkeys(name for name in names if name))
    for name in wanted:
        on_shelf(name, known)
    return wanted or None


def on_shelf(name: str, known: Collection[str]) -> None:
    """Raises BadRequest (404) for a name that is not on the shelf, "" among them."""
    if name not in known:
        raise BadRequest(
            f"There is no archive “{clean(name)[:80]}” on the shelf.",
            "The home page lists the archives that can be searched.",
            "archive",
            404,
        )


def model_named(model: str, names: Sequence[str]) -> None:
    """Raises BadRequest (404) unless `model` is one of `names`."""
    if model not in names:
        raise BadRequest(
            f"There is no model “{clean(model)[:80]}” here.",
            f"Use {' or '.join(names)}.",
            "model",
            404,
            "model_not_found",
        )


def error_body(message: str, kind: str, field: str = "", code: str = "") -> dict[str, Any]:
    """OpenAI's shape of an error; all JSON errors of this server have it."""
    return {"error": {"message": message, "type": kind, "param": field or None, "code": code or None}}
