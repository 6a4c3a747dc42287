"""What all pages of the desk share: who may see one, the navigation around it, and its forms.

A page is a module with a `router(desk, …)` that begins with `routes = desk.routes(ADDRESS)`; its templates
extend `desk/_desk.html`. Looking takes the role of the page's place; a form takes it too, and the session's
token (`desk.form`).
"""

from collections.abc import Sequence

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import UploadFile
from starlette.routing import Match

from appliance.server import render
from appliance.server.desk.places import PLACES, Place, place
from appliance.server.desk.stand_in import Rights
from appliance.server.questions import BadRequest

FIELDS = 200  # of one form


class Desk:
    """Of one running server."""

    def __init__(self, rights: Rights) -> None:
        self.rights = rights

    def routes(self, address: str) -> APIRouter:
        """For the pages at and below this address of `places`; others than its role are refused there."""
        role = place(address).role

        def looking(request: Request) -> None:
            if not self.rights.may(request, role):
                raise BadRequest("The desk is for whoever looks after the box.", "Ask them.", status=403)

        return APIRouter(include_in_schema=False, dependencies=[Depends(looking)])

    async def form(self, request: Request) -> dict[str, str]:
        """What a form says, when it may change something. Raises BadRequest (401, 403, 429)."""
        async with request.form(max_files=0, max_fields=FIELDS) as sent:
            said = {name: value for name, value in sent.items() if not isinstance(value, UploadFile)}
        self.rights.require(request, place(request.url.path).role, said)
        return said

    async def page(
        self, template: str, request: Request, accepted: str, status: int = 200, **values: object
    ) -> HTMLResponse:
        """A page with the navigation around it, which no browser keeps."""
        shown = await render.page(
            f"desk/{template}",
            accepted,
            status,
            here=place(request.url.path).address,
            places=self.places(request),
            person=self.rights.person(request),
            csrf=self.rights.csrf(request),
            **values,
        )
        shown.headers["cache-control"] = "no-store"
        return shown

    def places(self, request: Request) -> Sequence[Place]:
        """What this visitor finds in the navigation: the pages that are there, and open to them."""
        return [one for one in PLACES if self.rights.may(request, one.role) and _there(request, one)]


def _there(request: Request, one: Place) -> bool:
    asked = {"type": "http", "method": "GET", "path": one.address, "headers": []}
    return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)
