"""The web application: pages, API, static files and Kiwix under one address.

Every answer carries a strict Content-Security-Policy; every error becomes a calm page, or for programs JSON
in OpenAI's shape; nothing that a reader sends ends in a traceback. No question is logged.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from appliance import __version__
from appliance.errors import (
    ConversationMissing,
    DocumentTooLarge,
    EntryMissing,
    EntryUnreadable,
    LamplightError,
    PeopleError,
    QueueFull,
    ScopeError,
    ServiceDown,
    TurnConflict,
)
from appliance.people.people import open_people
from appliance.server import (
    api,
    area,
    bundles,
    chat,
    conversations,
    conversations_api,
    counting,
    disagreements,
    documents,
    documents_api,
    embeddings,
    fair,
    git_files,
    guard,
    held,
    kiosk,
    labels,
    me_api,
    pages,
    portal,
    read,
    render,
    sign_in,
    sources,
    sources_api,
    stream,
    timeline,
)
from appliance.server.desk import pages as desk_pages
from appliance.server.desk import sources as git_desk
from appliance.server.desk.choosing import Choosing
from appliance.server.desk.frame import Desk
from appliance.server.git_sources import GitSources
from appliance.server.own import OwnDocuments
from appliance.server.parts import Appliance
from appliance.server.questions import BadRequest, error_body
from appliance.server.rights import SAFE, Rights, include
from appliance.server.talk import Talk
from appliance.settings import Settings
from appliance.shelving.librarian import Librarian
from appliance.usage.usage import Usage

PROGRAMS = ("/api/", "/v1/", "/healthz", "/openapi.json")
TITLES: dict[int | str, str] = {
    "too_fast": "Not so fast",
    400: "This cannot be used",
    401: "Sign in first",
    403: "Not for everyone",
    404: "There is no such page",
    405: "This cannot be done here",
    409: "Not now",
    413: "This is too much at once",
    429: "Many people are asking",
    503: "Not available just now",
}
TOO_FAST = "This device asks faster than this library answers."
AGAIN = "Try again in {n} seconds."
BUSY = 60  # seconds after which a question may find room in the queue


def create_app(
    appliance: Appliance,
    librarian: Librarian | None = None,
    talk: Talk | None = None,
    own: OwnDocuments | None = None,
    usage: Usage | None = None,
    git: GitSources | None = None,
    rights: Rights | None = None,
) -> FastAPI:
    """The application over an open appliance; whoever made the appliance closes it. With a librarian its
    archives may change: the appliance is then the one that the librarian replaces. With `talk` conversations
    are kept, with `own` people's own documents, with `usage` its counts beyond this process, and with `git`
    Git repositories are sources. `rights` are those of `own`, if any; without either nobody has signed in.
    Raises RuntimeError where a route does not say whom it is for."""
    rights = rights or (own.rights if own else Rights(open_people()))
    kiwix, usage = read.client(), usage or Usage(None, appliance.settings.usage)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if librarian:
            librarian.start()
        if talk:
            await run_in_threadpool(talk.tidy)
        if own:
            await run_in_threadpool(own.start)
        await run_in_threadpool(usage.start)
        if git:
            git.start()
        yield
        await run_in_threadpool(usage.stop)
        if talk:
            await talk.close()
        if git:
            await run_in_threadpool(git.stop)
        if own:
            await run_in_threadpool(own.stop)
        if librarian:
            await run_in_threadpool(librarian.stop)
        await kiwix.aclose()

    app = FastAPI(
        title="Lamplight",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # both pages load their parts from outside
        redoc_url=None,
    )
    if librarian:
        app.add_middleware(held.Held, live=librarian.live)
        include(app, bundles.router(librarian, rights))
    app.add_middleware(
        counting.Counting,
        usage=usage,
        archives=lambda: [book.archive.name for book in appliance.library.books],
    )
    _add_doors(app, appliance.settings, talk, rights)
    app.mount("/static", StaticFiles(directory=render.WEB / "static"))
    include(app, pages.router(appliance, librarian, own, git))
    include(app, sources.router(appliance, git))
    include(app, me_api.router(rights))
    include(app, api.router(appliance, own, git))
    include(app, sources_api.router(appliance, own, git))
    include(app, chat.router(appliance, git))
    include(app, embeddings.router(appliance))
    include(app, conversations.router(talk) if talk else conversations.none_kept())
    if talk:
        include(app, conversations_api.router(talk))
    if own:
        include(app, documents.router(own))
        include(app, area.router(own.areas, rights, appliance.settings))
        include(app, documents_api.router(own))
        include(app, timeline.router(own.store, own.owners))
        include(app, disagreements.router(own.store, own))
    choosing = Choosing(lambda: appliance.settings)
    choosing.told += [librarian.live.choose] if librarian else []
    choosing.told += [own.choose] if own else []
    choosing.told.append(lambda given: usage.switch(given.usage))
    desk = Desk(rights, appliance.settings)
    for routes in desk_pages.routers(desk, appliance, choosing, usage):
        include(app, routes)
    if git:
        git.opened_to(rights, talk)
        include(app, git_files.router(git))
        include(app, git_desk.router(desk, git))
    include(app, sign_in.router(rights, appliance.settings))
    include(app, read.router(appliance, kiwix))
    app.state.rights = rights
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(LamplightError, _ours)
    app.add_exception_handler(Exception, _unexpected)
    return app


def _add_doors(app: FastAPI, settings: Settings, talk: Talk | None, rights: Rights) -> None:
    """What every request passes before the pages, the outermost last. A portal serves the box's own names
    alone, so the guard has no names left to check."""
    if settings.portal:
        known = portal.visitors(settings)
        include(app, portal.router(settings, known))
        app.add_middleware(portal.Portal, name=settings.portal, visitors=known)
    if settings.device:
        include(app, labels.router(settings, rights))
    app.add_middleware(fair.Fair, refuse=slower)
    hosts = frozenset() if settings.portal else guard.allowed_hosts(settings.host)
    app.add_middleware(guard.Guard, hosts=hosts)
    if settings.kiosk:
        over = talk.forget_visit if talk else None
        app.add_middleware(kiosk.Kiosk, language=settings.language, over=over)


async def _ours(request: Request, error: Exception) -> Response:
    reply = await _told(request, error)
    if isinstance(error, QueueFull):
        reply.headers["retry-after"] = str(BUSY)
    return reply


async def _told(request: Request, error: Exception) -> Response:
    hint = error.hint if isinstance(error, LamplightError) else ""
    match error:
        case BadRequest(status=401) if request.method in SAFE and not _by_program(request):
            asked = f"{request.url.path}?{request.url.query}".rstrip("?")
            return RedirectResponse(sign_in.address(asked), 303, {"cache-control": "no-store"})
        case BadRequest(status=status, field=field, code=code):
            pass
        case PeopleError():
            status, field, code = 409, "", ""
        case EntryMissing() | EntryUnreadable():
            status, field, code = 404, "path", ""
        case DocumentTooLarge():
            status, field, code = 413, "", "too_large"
        case ConversationMissing():
            status, field, code = 404, "", ""
        case ScopeError():
            status, field, code = 400, "scope", ""
        case TurnConflict():
            status, field, code = 409, "client_turn_id", "conflict"
        case QueueFull():
            status, field, code = 429, "", "queue_full"
        case ServiceDown():
            status, field, code = 503, "", "service_down"
        case _:
            status, field, code = 503, "", ""
    return await _reply(request, status, str(error), hint, field, code)


async def slower(request: Request, seconds: int) -> Response:
    """To a visitor who sends more than people do."""
    reply = await _reply(request, 429, TOO_FAST, AGAIN.format(n=seconds), "", "too_fast")
    reply.headers["retry-after"] = str(seconds)
    return reply


async def _invalid(request: Request, error: Exception) -> Response:
    """A parameter of the wrong type or out of its bounds: which one, and what was expected."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    field = str(next(iter(first.get("loc", ())[1:]), ""))
    sentence = f"{field or 'The request'}: {first.get('msg', 'not valid')}."
    return await _reply(request, 400, sentence, "", field, "")


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = {
        404: "Nothing in this library has this address.",
        405: f"This address does not take {request.method}.",
        413: "What was sent is larger than this library reads.",
    }.get(status, str(getattr(error, "detail", "")))
    hint = "Go to the start page and ask, or look along the shelf."
    reply = await _reply(request, status, sentence, hint, "", "")
    reply.headers.update(getattr(error, "headers", None) or {})
    return reply


async def _unexpected(request: Request, error: Exception) -> Response:
    """The last handler: a defect of ours. The log gets the traceback without the question."""
    told = stream.defect(error)
    return await _reply(request, 500, str(told), told.hint, "", "")


async def _reply(request: Request, status: int, sentence: str, hint: str, field: str, code: str) -> Response:
    if _by_program(request):
        kind = "rate_limit_error" if status == 429 else "server_error" if status >= 500 else ""
        body = error_body(f"{sentence} {hint}".strip(), kind or "invalid_request_error", field, code)
        return JSONResponse(body, status, {"www-authenticate": "Bearer"} if status == 401 else None)
    title = TITLES.get(code) or TITLES.get(status, "Something went wrong")
    return await render.page(
        "error.html",
        request.headers.get("accept-language", ""),
        status,
        title=title,
        sentence=sentence,
        hint=hint,
        account=status == 403,
    )


def _by_program(request: Request) -> bool:
    return request.url.path.startswith(PROGRAMS) or "authorization" in request.headers
