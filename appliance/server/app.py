"""The web application: pages, API, static files and Kiwix under one address.

Every answer carries a strict Content-Security-Policy; every error becomes a calm page, or for programs JSON
in OpenAI's shape; nothing that a reader sends ends in a traceback. No question is logged.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.staticfiles import StaticFiles

from appliance import __version__
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
    refusals,
    render,
    sign_in,
    sources,
    sources_api,
    timeline,
)
from appliance.server.desk import pages as desk_pages
from appliance.server.desk import sources as git_desk
from appliance.server.desk.choosing import Choosing
from appliance.server.desk.frame import Desk
from appliance.server.git_sources import GitSources
from appliance.server.own import OwnDocuments
from appliance.server.parts import Appliance
from appliance.server.rights import Rights, include
from appliance.server.talk import Talk
from appliance.settings import Settings
from appliance.shelving.librarian import Librarian
from appliance.usage.usage import Usage


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
    refusals.add_to(app)
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
    app.add_middleware(fair.Fair, refuse=refusals.slower)
    hosts = frozenset() if settings.portal else guard.allowed_hosts(settings.host)
    app.add_middleware(guard.Guard, hosts=hosts)
    if settings.kiosk:
        over = talk.forget_visit if talk else None
        app.add_middleware(kiosk.Kiosk, language=settings.language, over=over)
