"""The pages: home with the shelf, question and answer, status. All GETs, none of them changes anything."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from appliance.answer.ask import ask as ask_of
from appliance.answer.followup import understood
from appliance.repositories.repositories import Source
from appliance.server import labels, phrases, questions, render, stream
from appliance.server.asking import desk
from appliance.server.counting import counted
from appliance.server.git_sources import GitSources, open_to
from appliance.server.own import OwnDocuments
from appliance.server.parts import Appliance
from appliance.server.portal_visitors import visitor
from appliance.server.rights import OPEN
from appliance.shelving.librarian import Librarian

NO_QUESTION = "Type a question first."
STREAMED = {
    "cache-control": "private, no-cache",
    "vary": "accept-language",
    "x-accel-buffering": "no",  # nginx in front must not hold back what is written word by word
}


def router(
    appliance: Appliance,
    librarian: Librarian | None = None,
    own: OwnDocuments | None = None,
    git: GitSources | None = None,
) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])

    def seen(request: Request) -> str:
        """Where this visitor's own documents are; "" where none are open to them."""
        if own is None:
            return ""
        return "/documents" if own.seen(request) else "/documents/area" if own.offers_areas() else ""

    @routes.get("/")
    async def home(request: Request, accepted: render.Accepted = "") -> Response:
        sources = await open_to(git, request)
        return await _home(appliance, accepted, librarian, documents=seen(request), sources=sources)

    @routes.get("/ask")
    async def ask(
        request: Request,
        q: str = "",
        archive: Annotated[list[str] | None, Query(max_length=200)] = None,
        before: str = "",
        about: str = "",
        said: str = "",
        literal: bool = False,
        accepted: render.Accepted = "",
    ) -> Response:
        """`before`, `about` and `said` are the question before this one, the title of the page that answered
        it and its answer; `literal`: this one is asked as it was typed."""
        sources = await open_to(git, request)
        books: dict[str, object] = {book.archive.name: book.archive for book in appliance.library.books}
        books |= {one.name: {"name": one.name, "title": one.title, "language": ""} for one in sources}
        chosen = questions.chosen(archive or [], books)
        if not questions.clean(q):
            return await _home(
                appliance, accepted, librarian, 400, NO_QUESTION, chosen or (), seen(request), sources
            )
        typed, notes = questions.question(q)
        question = typed if literal else understood(typed, questions.earlier(before, about, said))
        pieces = render.pieces(
            "answer.html",
            say=phrases.Phrases(phrases.spoken(question, accepted)),
            question=question,
            typed=typed,
            archives=chosen or (),
            books=books,
            kiwix=bool(appliance.settings.reader),
            notes=notes,
            events=stream.shown(appliance, counted(ask_of(desk(appliance, sources), question, chosen))),
        )
        return StreamingResponse(pieces, media_type="text/html", headers=STREAMED)

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
            inner=sum(check.state in ("wrong", "failing") for check in health.within),
            label=bool(appliance.settings.device) and labels.on_wifi(visitor(request.scope)),
            books=appliance.library.books,
            bundles=librarian is not None,
        )

    return routes


async def _home(
    appliance: Appliance,
    accepted: str,
    librarian: Librarian | None,
    status: int = 200,
    note: str = "",
    archives: tuple[str, ...] = (),
    documents: str = "",
    sources: tuple[Source, ...] = (),
) -> Response:
    return await render.page(
        "home.html",
        accepted,
        status,
        books=sorted(appliance.library.books, key=lambda book: book.archive.title.casefold()),
        kiwix=bool(appliance.settings.reader),
        answers=appliance.model is not None,
        talks=appliance.settings.conversations > 0,
        note=note,
        bundles=librarian is not None,
        documents=documents,
        notice=librarian.notice() if librarian else "",
        archives=archives,
        sources=[one.about for one in sources],
    )
