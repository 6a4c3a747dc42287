"""`/conversations`: those of this browser, and one with its turns, the last as it is being answered.

Looking changes nothing; every change is a form (POST) from a page of this box. Works without JavaScript: a
question is a form, its answer comes word by word in the page that the form leads to.
"""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from appliance.documents.choices import Choices
from appliance.documents.conversations import Conversation
from appliance.documents.records import ARCHIVE
from appliance.documents.scope import Reach
from appliance.documents.turns import Turn
from appliance.repositories.records import PREFIX
from appliance.server import phrases, questions, reader, render, stream
from appliance.server.pages import STREAMED
from appliance.server.questions import BadRequest, Number
from appliance.server.rights import OWN
from appliance.server.talk import Talk, Visitor

PAGE = "/conversations"
LABELS = {"everything": "Everything", "library": "The library", "documents": "Own documents"}
SUMMARY = "Summary: {name}"
SOURCES, FOLDERS, DOCUMENTS = "Sources", "Folders", "Documents"
CHOSEN, DELETED = "Chosen", "A document that was deleted"
Text = Annotated[str, Form(max_length=10_000)]
Short = Annotated[str, Form(max_length=500)]
Id = Annotated[str, Form(alias="id", max_length=60)]


def router(talk: Talk) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def listed(
        request: Request,
        q: Annotated[str, Query(max_length=200)] = "",
        scope: str = "",
        accepted: render.Accepted = "",
    ) -> Response:
        visitor = talk.visitor(request)
        words = questions.clean(q)
        found = await run_in_threadpool(talk.conversations.listed, visitor.owner, words)
        say = phrases.Phrases(phrases.spoken("", accepted))
        chosen = str(talk.reach(scope, visitor))
        shown = await render.page(
            "conversations.html",
            accepted,
            conversations=found,
            words=words,
            kiosk=reader.on_screen(visitor.owner),
            labels={one.scope: await _label(talk, visitor, one.scope, say) for one in found},
            **await _choices(talk, visitor, chosen, say),
        )
        return _private(shown)

    @routes.post(PAGE)
    async def begin(request: Request, q: Text = "", given: Id = "", scope: Short = "") -> Response:
        owner, cookie = reader.known(request)
        visitor = talk.visitor(request, owner)
        asked, _ = questions.question(q)
        reach = talk.reach(scope, visitor)
        name = turn_id(given, asked)
        made = await run_in_threadpool(talk.begin, visitor, name, asked, reach)
        await talk.ask(visitor, made.id, name, asked)
        return _there(made.id, cookie)

    @routes.post(PAGE + "/summary")
    async def sum_up(
        request: Request, given: Id = "", scope: Short = "", accepted: render.Accepted = ""
    ) -> Response:
        """A conversation that begins with a summary of what its scope has of own documents."""
        owner, cookie = reader.known(request)
        visitor = talk.visitor(request, owner)
        reach = _summable(talk.reach(scope, visitor))
        asked = await _summary_of(talk, visitor, reach, accepted)
        made = await run_in_threadpool(talk.begin, visitor, turn_id(given, asked), asked, reach)
        await talk.ask(visitor, made.id, turn_id(given, asked), asked, kind="summary")
        return _there(made.id, cookie)

    @routes.post(PAGE + "/{number}/summary")
    async def sum_up_here(
        request: Request, number: Number, given: Id = "", scope: Short = "", accepted: render.Accepted = ""
    ) -> Response:
        visitor = talk.visitor(request)
        reach = _summable(talk.reach(scope, visitor))
        await run_in_threadpool(talk.conversations.widen, visitor.owner, number, str(reach))
        asked = await _summary_of(talk, visitor, reach, accepted)
        await talk.ask(visitor, number, turn_id(given, asked), asked, kind="summary")
        return _there(number)

    @routes.get(PAGE + "/{number}")
    async def page(request: Request, number: Number, accepted: render.Accepted = "") -> Response:
        visitor = talk.visitor(request)
        here = await run_in_threadpool(talk.conversations.get, visitor.owner, number)
        turns = await talk.turns(visitor, number)
        say = phrases.Phrases(phrases.spoken(turns[-1].understood if turns else "", accepted))
        pieces = render.pieces("conversation.html", say=say, **await _shown(talk, visitor, here, turns, say))
        return _private(StreamingResponse(pieces, media_type="text/html", headers=STREAMED))

    @routes.post(PAGE + "/{number}/turns")
    async def ask(
        request: Request,
        number: Number,
        q: Text = "",
        given: Id = "",
        scope: Short = "",
        literal: bool = False,
    ) -> Response:
        """`id` with the question's own letters names the turn: a form that is sent twice asks once, one that
        was changed and sent again from the browser's history asks anew."""
        visitor = talk.visitor(request)
        asked, _ = questions.question(q)
        if scope:
            reach = str(talk.reach(scope, visitor))
            await run_in_threadpool(talk.conversations.widen, visitor.owner, number, reach)
        await talk.ask(visitor, number, turn_id(given, asked), asked, literal)
        return _there(number)

    @routes.post(PAGE + "/{number}/{act}")
    async def change(
        request: Request, number: Number, act: str, title: Short = "", turn: Short = ""
    ) -> Response:
        visitor, kept = talk.visitor(request), talk.conversations
        match act:
            case "rename":
                await run_in_threadpool(kept.rename, visitor.owner, number, questions.clean(title))
            case "delete":
                await run_in_threadpool(kept.delete, visitor.owner, number)
                return RedirectResponse(PAGE, 303)
            case "again" | "stop":
                found = await run_in_threadpool(kept.turn, visitor.owner, number, turn)
                if act == "stop":
                    await talk.answering.stop(found.id)
                else:
                    await talk.ask(visitor, number, turn, found.asked, kind=found.kind)
            case _:
                raise BadRequest(f"There is nothing called {act[:40]!r} to do here.", status=404)
        return _there(number)

    return routes


def none_kept() -> APIRouter:
    """In the place of `router` where no conversations are kept."""
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def listed() -> Response:
        raise BadRequest("This box keeps no conversations.", "Ask from the start page.", status=404)

    return routes


def turn_id(given: str, asked: str) -> str:
    """The id of a turn that a form asks for."""
    mark = hashlib.sha256(asked.encode()).hexdigest()[:12]
    return f"{given or secrets.token_urlsafe(12)}-{mark}"


class Books(dict[str, Any]):
    """Archives by name; one that is no longer here is shown by its name alone."""

    def __missing__(self, name: str) -> Mapping[str, str]:
        return {"name": name, "title": name.removeprefix(PREFIX), "language": ""}


async def _shown(
    talk: Talk, visitor: Visitor, here: Conversation, turns: list[Turn], say: phrases.Phrases
) -> dict[str, Any]:
    """What the page of one conversation says. The last turn may still be on its way."""
    run = talk.answering.run(turns[-1].id) if turns else None
    past = turns[:-1] if run else turns
    labels = {
        scope: await _label(talk, visitor, scope, say) for scope in {t.scope for t in turns} | {here.scope}
    }
    return {
        "here": here,
        "turns": [
            (turn, stream.kept(turn.kept.passages, turn.kept.finished) if turn.kept else None)
            for turn in past
        ],
        "live": run and run.turn,
        "events": stream.shown(talk.appliance, run.follow(), Reach.read(run.turn.scope).library)
        if run
        else (),
        "labels": labels,
        "label": labels[here.scope],
        "books": _books(talk, say),
        "kiosk": reader.on_screen(visitor.owner),
        "kiwix": bool(talk.appliance.settings.reader),
        "archives": (),
        "question": run.turn.understood if run else "",
        **await _choices(talk, visitor, here.scope, say),
    }


def _books(talk: Talk, say: phrases.Phrases) -> Books:
    own = {"name": ARCHIVE, "title": say(LABELS["documents"]), "language": ""}
    return Books({ARCHIVE: own} | {book.archive.name: book.archive for book in talk.appliance.library.books})


async def _choices(talk: Talk, visitor: Visitor, scope: str, say: phrases.Phrases) -> dict[str, Any]:
    """What the question's form lets choose from, by groups: (value, label)."""
    opened = talk.documents_open(visitor)
    if not opened and not visitor.sources:
        return {"groups": [], "scope": scope, "sums": False}
    found = await run_in_threadpool(talk.choices, visitor) if opened else Choices()
    kinds = ("everything", "library", "documents") if opened else ("library",)
    whole = [(kind, await _label(talk, visitor, kind, say)) for kind in kinds]
    groups = [
        ("", whole),
        (say(SOURCES), [(f"source:{one.title}", one.title) for one in visitor.sources]),
        (say(FOLDERS), [(f"folder:{name}", name) for name in found.folders]),
        (say(DOCUMENTS), [(f"document:{number}", title) for number, title in found.documents]),
    ]
    if scope not in {value for _, group in groups for value, _ in group}:
        groups.append((say(CHOSEN), [(scope, await _label(talk, visitor, scope, say))]))
    return {"groups": [group for group in groups if group[1]], "scope": scope, "sums": opened}


async def _label(talk: Talk, visitor: Visitor, scope: str, say: phrases.Phrases) -> str:
    reach = Reach.read(scope)
    if reach.kind in LABELS:
        return say(LABELS[reach.kind])
    if reach.kind in ("folder", "source"):
        return reach.folder or reach.source
    return await run_in_threadpool(talk.title, visitor, reach.document) or say(DELETED)


async def _summary_of(talk: Talk, visitor: Visitor, reach: Reach, accepted: str) -> str:
    say = phrases.Phrases(phrases.spoken("", accepted))
    return say(SUMMARY).format(name=await _label(talk, visitor, str(reach), say))


def _summable(reach: Reach) -> Reach:
    """Own documents alone are summed up."""
    if not reach.own:
        raise BadRequest("The library is too large to be summed up.", "Choose own documents.", "scope")
    return Reach("documents") if reach.kind == "everything" else reach


def _there(number: int, cookie: str = "") -> Response:
    found = RedirectResponse(f"{PAGE}/{number}#now", 303)
    reader.remember(found, cookie)
    return found


def _private(response: Response) -> Response:
    response.headers["cache-control"] = "private, no-store"
    return response
