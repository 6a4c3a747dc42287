"""`/disagreements`: where own documents differ, both passages side by side; each pair can be put aside.

Looking changes nothing; putting aside is a form (POST) of an editor, or of whoever has opened the area.
No verdict on who is right.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.documents import contradictions
from appliance.documents.contradictions import Side
from appliance.documents.records import COMMON, Scope
from appliance.documents.store import Store
from appliance.server import render
from appliance.server.own import OwnDocuments
from appliance.server.questions import BadRequest, Number
from appliance.server.rights import FIELD, OWN

PAGE = "/disagreements"
SHOWN = 20  # on one page
KINDS = {"date": "A date", "number": "A number", "place": "A place", "owner": "An owner"}


def router(store: Store, own: OwnDocuments) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def page(
        request: Request,
        aside: bool = False,
        skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        accepted: render.Accepted = "",
    ) -> Response:
        scope = Scope(own.owners(request))
        found, count = await run_in_threadpool(contradictions.listed, store, scope, aside, skip, SHOWN)
        other = (await run_in_threadpool(contradictions.listed, store, scope, not aside, 0, 1))[1]
        shown = await render.page(
            "disagreements.html",
            accepted,
            found=[
                {
                    "one": one,
                    "label": KINDS[one.kind],
                    "sides": [{"side": s, "url": place(s)} for s in one.sides],
                }
                for one in found
            ],
            count=count,
            aside=aside,
            other=other,
            may=own.may_change(request),
            token=own.rights.csrf(request),
            earlier=_url(aside, max(0, skip - SHOWN)) if skip else "",
            later=_url(aside, skip + SHOWN) if skip + SHOWN < count else "",
        )
        shown.headers["cache-control"] = "no-store"
        return shown

    @routes.post(PAGE + "/{number}")
    async def put(
        request: Request,
        number: Number,
        aside: Annotated[bool, Form()] = True,
        token: Annotated[str, Form(max_length=200)] = "",
    ) -> Response:
        """Puts a pair aside, or takes it back: an editor any that they see, others one of their own area."""
        own.require_change(request, {FIELD: token})
        seen = Scope(own.owners(request))
        but = Scope(() if own.rights.may(request, "editor") else (COMMON,))
        if not await run_in_threadpool(contradictions.dismiss, store, seen, number, aside, but):
            raise BadRequest("There is no such pair here.", "Load the page again.", "number", 404)
        return RedirectResponse(_url(not aside, 0), 303)

    return routes


def place(side: Side) -> str:
    """The address of the document at the claim's sentence."""
    return f"/document?id={side.document}&start={side.start}&length={side.length}#passage"


def _url(aside: bool, skip: int) -> str:
    fields = [*(["aside=true"] if aside else []), *([f"skip={skip}"] if skip else [])]
    return f"{PAGE}?{'&'.join(fields)}" if fields else PAGE
