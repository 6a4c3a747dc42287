"""`/documents`: own documents, and a form that takes more; `/document`: one of them, with a passage marked.

Works without JavaScript; with it, files are dropped on the page and sent one by one (`documents.js`).
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.documents import keeping, rows
from appliance.documents.folders import above, within
from appliance.documents.records import Listed, Scope
from appliance.records import Document
from appliance.server import intake, render
from appliance.server.intake import Outcome
from appliance.server.layout import filled, lay_out, plain_headings
from appliance.server.own import OwnDocuments
from appliance.server.questions import BadRequest
from appliance.server.rights import OWN, texts
from appliance.sources.formats import FORMATS

PAGE = "/documents"
SHOWN = 100  # documents on one page
MOST_FOLDERS = 200


def router(own: OwnDocuments) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def page(
        request: Request,
        folder: Annotated[str, Query(max_length=1000)] = "",
        skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        full: bool = False,
        accepted: render.Accepted = "",
    ) -> Response:
        """`full`: a deletion has just ended here, on a full disk."""
        return await _page(own, request, accepted, folder, skip, full=full)

    @routes.post(PAGE)
    async def take(request: Request, accepted: render.Accepted = "") -> Response:
        """Files of the form. The reply is the page, with what became of each."""
        outcomes = await intake.form(own, request)
        if not outcomes:
            raise BadRequest("No file was chosen.", "Choose one or more, then send the form.", "file")
        return await _page(own, request, accepted, outcomes=outcomes)

    @routes.post(PAGE + "/delete")
    async def delete(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=2000) as sent:
            ids = [int(str(one)) for one in sent.getlist("id") if str(one).isdecimal() and len(str(one)) < 16]
            changeable = own.require_change(request, texts(sent))
        removed = await run_in_threadpool(own.documents.remove, ids, changeable)
        own.tell_changed()
        return RedirectResponse(PAGE if removed.cleaned else f"{PAGE}?full=1", 303)

    @routes.get("/document")
    async def document(
        request: Request,
        number: Annotated[int, Query(alias="id", ge=1, lt=2**53)],
        start: Annotated[int, Query(ge=0, le=2**31)] = 0,
        length: Annotated[int, Query(ge=0, le=2**31)] = 0,
        accepted: render.Accepted = "",
    ) -> Response:
        return await _document(own, request, number, (start, start + length), accepted)

    return routes


async def _page(
    own: OwnDocuments,
    request: Request,
    accepted: str,
    folder: str = "",
    skip: int = 0,
    outcomes: Sequence[Outcome] = (),
    *,
    full: bool = False,
) -> Response:
    scope = own.scope(request, folder)
    found, count, folders, step = await run_in_threadpool(_look, own, scope, skip)
    shown = await render.page(
        "documents.html",
        accepted,
        found=[(name, list(some)) for name, some in groupby(found, key=lambda one: one.folder)],
        count=count,
        first=skip + 1,
        last=skip + len(found),
        names=[name for name in folders if name][:MOST_FOLDERS],
        within=within(folders, folder)[:MOST_FOLDERS],
        above=above(folder),
        folder=folder,
        earlier=_url(folder, max(0, skip - SHOWN)) if skip else "",
        later=_url(folder, skip + SHOWN) if skip + SHOWN < count else "",
        full=full,
        outcomes=outcomes,
        waiting=step.total - step.done,
        may=own.may_change(request),
        person=own.rights.person(request),
        area=own.area(request),
        areas=own.offers_areas(),
        token=own.rights.csrf(request),
        accept=",".join(FORMATS),
        limits=own.limits,
        kinds=[ending.removeprefix(".") for ending in FORMATS if ending not in (".text", ".htm", ".xhtml")],
    )
    shown.headers["cache-control"] = "no-store"
    return shown


def _look(
    own: OwnDocuments, scope: Scope, skip: int
) -> tuple[list[Listed], int, dict[str, int], keeping.Step]:
    with own.store.read() as connection:
        found, count = rows.listed(connection, scope, skip, SHOWN), rows.count(connection, scope)
        folders = rows.folders(connection, replace(scope, folder=None))
    return found, count, folders, keeping.progress(own.documents.made)


def _url(folder: str, skip: int) -> str:
    fields = [*([("folder", folder)] if folder else []), *([("skip", str(skip))] if skip else [])]
    return f"{PAGE}?{urlencode(fields, quote_via=quote, safe='')}#list" if fields else f"{PAGE}#list"


async def _document(
    own: OwnDocuments, request: Request, number: int, place: tuple[int, int], accepted: str
) -> Response:
    scope = own.scope(request)

    def read() -> tuple[Document, Listed]:
        document = own.documents.book(scope).archive.document(str(number))
        with own.store.read() as connection:
            return document, rows.listed(connection, replace(scope, document=number))[0]

    document, about = await run_in_threadpool(read)
    start, end = place
    parts = list(plain_headings(lay_out(filled(document), start, end)))
    passage = document.text[start:end].strip()
    shown = await render.page(
        "document.html",
        accepted,
        document=document,
        written_in=about.language,
        about=about,
        parts=parts,
        headings=[part for part in parts if part.id],
        passage=passage,
        outdated=end > start and not passage,
        may=own.may_change(request) and about.owner == own.area(request),
        token=own.rights.csrf(request),
        scope=f"document:{number}",
        asks=bool(own.settings.conversations),
    )
    shown.headers["cache-control"] = "no-store"
    return shown
