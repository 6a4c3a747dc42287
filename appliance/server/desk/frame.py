"""What all pages of the desk share: who may see one, the navigation around it, and its forms.

A page is a module with a `router(desk, …)` that begins with `routes = desk.routes(ADDRESS)`; its templates
extend `desk/_desk.html`. Looking takes the role of the page's place; a form takes it too, and the session's
token. Where the box is no card, a page that needs one is `desk.absent`.
"""

from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse
from starlette.routing import Match

from appliance.device import client
from appliance.device.verbs import Verb
from appliance.errors import DeviceError
from appliance.server import render
from appliance.server.desk.places import PLACES, Place, place
from appliance.server.rights import Rights, texts
from appliance.settings import Settings

NO_HELPER = "This is an ordinary computer: it has no helper."


class Desk:
    """Of one running server."""

    def __init__(self, rights: Rights, settings: Settings) -> None:
        self.rights, self.settings = rights, settings

    def routes(self, address: str, form: bool = True) -> APIRouter:
        """For the pages at and below this address of `places`, for its role alone. With `form` False a page
        takes files, and asks `rights.require` itself when it has read the token."""
        needs = self.rights.needs(place(address).role, form)
        return APIRouter(include_in_schema=False, dependencies=[needs])

    async def form(self, request: Request) -> dict[str, str]:
        """What a form says; that it may say it was checked in front of the route."""
        async with request.form(max_files=0) as sent:
            return texts(sent)

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

    async def absent(self, request: Request, accepted: str, sentence: str) -> HTMLResponse:
        """Instead of a page that needs a card: what is not here, in a sentence of the phrases."""
        return await self.page("absent.html", request, accepted, sentence=sentence)

    async def ask(self, verb: Verb) -> str:
        """What the root helper did, as a sentence. Raises DeviceError with its refusal, ServiceDown."""
        if not self.settings.device:
            raise DeviceError(NO_HELPER, "This works on the card alone.")
        return await run_in_threadpool(client.ask, Path(self.settings.device), verb)

    def places(self, request: Request) -> Sequence[Place]:
        """What this visitor finds in the navigation: the pages that are there, and open to them."""
        return [one for one in PLACES if self.rights.may(request, one.role) and _there(request, one)]


def _there(request: Request, one: Place) -> bool:
    asked = {"type": "http", "method": "GET", "path": one.address, "headers": []}
    return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)
