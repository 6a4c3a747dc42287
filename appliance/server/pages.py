"""The pages: home with the shelf, question and answer, status. All GETs, none of them changes anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from appliance.answer.ask import ask as ask_of
from appliance.answer.followup import understood
from appliance.answer.topic import telling
from appliance.documents.known import known
from appliance.documents.records import ARCHIVE
from appliance.repositories.repositories import Source
from appliance.server import asking, labels, phrases, questions, render, stream
from appliance.server.counting import counted
from appliance.server.git_sources import GitSources, open_to
from appliance.server.languages import tag
from appliance.server.own import OwnDocuments
from appliance.server.parts import STATES, Appliance, Book
from appliance.server.portal_visitors import visitor
from appliance.server.rights import OPEN
from appliance.shelving.librarian import Librarian

NO_QUESTION = "Type a question first."
STREAMED = {
    "cache-control": "private, no-cache",
    "vary": "accept-language",
    "x-accel-buffering": "no",  # nginx in front must not hold back what is written word by word
}
PRIVATE = {**STREAMED, "cache-control": "private, no-store"}
OWN = "Own documents"


def router(
    appliance: Appliance,
    librarian: Librarian | None = None,
    own: OwnDocuments | None = None,
    git: GitSources | None = None,
) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])

    def seen(request: Request) -> tuple[str, ...]:
        """Whose own documents this visitor may see."""
        return own.seen(request) if own else ()

    def documents(request: Request) -> str:
        """Where their own documents are; "" where none are open to them."""
        return "/documents" if seen(request) else "/documents/area" if own and own.offers_areas() else ""

    @routes.get("/")
    async def home(request: Request, accepted: render.Accepted = "") -> Response:
        sources = await open_to(git, request)
        page = _Home(documents=documents(request), sources=sources, own=bool(seen(request)))
        return await _home(appliance, accepted, librarian, page)

    @routes.get("/ask")
    async def ask(
        request: Request,
        q: str = "",
        archive: Annotated[list[str] | None, Query(max_length=200)] = None,
        before: str = "",
        about: str = "",
        said: str = "",
        literal: bool = False,
        scope: Annotated[str, Query(max_length=200)] = "",
        accepted: render.Accepted = "",
    ) -> Response:
        """`scope`: the library, own documents, or everything. `before`, `about` and `said` are the question
        before this one, the title of the page that answered it and its answer; `literal`: this one is asked
        as it was typed."""
        sources, owners = await open_to(git, request), seen(request)
        books: dict[str, object] = {book.archive.name: book.archive for book in appliance.library.books}
        books |= {one.name: _named(one.name, one.title) for one in sources}
        reach, chosen = asking.whole(scope, owners), questions.chosen(archive or [], books)
        if not questions.clean(q):
            page = _Home(NO_QUESTION, chosen or (), documents(request), sources, bool(owners), str(reach))
            return await _home(appliance, accepted, librarian, page, 400)
        typed, notes = questions.question(q)
        question = typed if literal else understood(typed, questions.earlier(before, about, said))
        say = phrases.Phrases(phrases.spoken(question, accepted))
        if reach.own:
            books = (books if reach.library else {}) | {ARCHIVE: _named(ARCHIVE, say(OWN))}
        desk = asking.desk(appliance, sources, own.documents if own else None, reach, owners)
        told = known(own.store, appliance.read) if own and reach.own and appliance.read else None
        answering = counted(ask_of(desk, question, chosen, known=told))
        pieces = render.pieces(
            "answer.html",
            say=say,
            question=question,
            typed=typed,
            archives=chosen or (),
            books=books,
            kiwix=bool(appliance.settings.reader),
            notes=notes,
            topic=questions.topic,
            telling=telling,
            asked_in=str(reach) if reach.own else "",
            events=stream.shown(appliance, answering, reach.library),
        )
        return StreamingResponse(pieces, media_type="text/html", headers=PRIVATE if reach.own else STREAMED)

    @routes.get("/favicon.ico")  # asked for by browsers where a page names none, as articles do
    async def icon() -> Response:
        return RedirectResponse("/static/lamp.svg", 301)

    @routes.get("/status")
    async def status(request: Request, accepted: render.Accepted = "") -> Response:
        health = await run_in_threadpool(appliance.health)
        return await render.page(
            "status.html",
            accepted,
            health=health,
            words=STATES,
            inner=sum(check.state in ("wrong", "failing") for check in health.within),
            label=bool(appliance.settings.device) and labels.on_wifi(visitor(request.scope)),
            books=appliance.library.books,
            bundles=librarian is not None,
        )

    return routes


@dataclass(frozen=True, slots=True)
class _Home:
    """What the home page shows of its visitor: `documents` is where their own are, `own` whether they may be
    asked, `scope` what was chosen."""

    note: str = ""
    archives: tuple[str, ...] = ()
    documents: str = ""
    sources: tuple[Source, ...] = ()
    own: bool = False
    scope: str = "everything"


def _named(name: str, title: str) -> dict[str, str]:
    """What is no archive of the shelf, as the page knows archives."""
    return {"name": name, "title": title, "language": ""}


def _in_order(books: Sequence[Book], language: str) -> list[Book]:
    """Those in the reader's language first."""
    return sorted(
        books,
        key=lambda book: (tag(book.archive.language) != language, book.archive.title.casefold()),
    )


async def _home(
    appliance: Appliance, accepted: str, librarian: Librarian | None, page: _Home, status: int = 200
) -> Response:
    return await render.page(
        "home.html",
        accepted,
        status,
        books=_in_order(appliance.library.books, phrases.spoken("", accepted)),
        kiwix=bool(appliance.settings.reader),
        answers=appliance.model is not None,
        talks=appliance.settings.conversations > 0,
        note=page.note,
        bundles=librarian is not None,
        documents=page.documents,
        notice=librarian.notice() if librarian else "",
        archives=page.archives,
        sources=[one.about for one in page.sources],
        own=page.own,
        scope=page.scope,
    )
