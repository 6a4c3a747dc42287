"""The welcome page of the hotspot, and what phones are told that ask whether this network leads anywhere.

A device that joins asks its maker's address (`portal_probes`). Until its visitor has tapped the button on
the welcome page the answer leads there, so the phone opens the page by itself; from then on it is the one
that the phone knows for "online", so that it stays on this network. All other addresses lead to the box,
whatever was typed: to the welcome page before the tap, to the start page after it. Under its own names and
numbers the box answers as always, agreed or not: nobody who found the way is sent back, and no redirect
leads to another.

Plain HTTP, no cookies, no script: the sheet that a phone opens has none of these. Only where the setting
`portal` gives the box a name: a desktop has none of these paths.
"""

from collections.abc import Collection
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from appliance.device.network import ADDRESSES
from appliance.server import portal_probes, render
from appliance.server.guard import LOOPBACK, host_name
from appliance.server.phrases import Phrases, spoken
from appliance.server.phrases_portal import LANGUAGES
from appliance.server.portal_visitors import Leases, Visitors, visitor
from appliance.server.rights import OPEN
from appliance.settings import VISITORS_ADDRESS, Settings

WELCOME = "/welcome"
NOT_KEPT = {"cache-control": "no-store"}  # a phone that kept an answer would not notice the tap


def visitors(settings: Settings) -> Visitors:
    return Visitors(Leases(Path(settings.leases) if settings.leases else None))


def own_names(name: str) -> frozenset[str]:
    """What the box is called: its full name and the first part of it, its numbers on its own networks, and
    this machine's own names."""
    full = host_name(name)
    numbers = (VISITORS_ADDRESS, *(str(address.ip) for address in ADDRESSES.values()))
    return frozenset((full, full.partition(".")[0], *numbers, *LOOPBACK))


class Portal:
    """In front of the pages. `name` is the box's host, with a port where that is not 80."""

    def __init__(self, app: ASGIApp, name: str, visitors: Visitors) -> None:
        self._app, self._visitors = app, visitors
        self._box = f"http://{name}"
        self._own: Collection[str] = own_names(name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        """None: the pages answer."""
        host = host_name(Headers(scope=scope).get("host", "")).rstrip(".")
        probe = portal_probes.find(host, scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if probe is None and host in self._own:
            return None
        if not self._visitors.welcomed(visitor(scope)):
            return self._lead(WELCOME)
        if probe is None or probe.page:
            return self._lead("/")
        headers = {**NOT_KEPT, **dict(probe.headers)}
        reply = Response(probe.body, probe.status, headers)
        if probe.body or probe.status == 200:
            reply.headers["content-type"] = probe.type  # as the makers write it, without a charset
        return reply

    def _lead(self, path: str) -> Response:
        return RedirectResponse(self._box + path, 302, NOT_KEPT)


def router(settings: Settings, known: Visitors) -> APIRouter:
    """The welcome page. Asking for it changes nothing; its button does."""
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])
    short = host_name(settings.portal).partition(".")[0]

    @routes.get(WELCOME)
    async def welcome(request: Request, accepted: render.Accepted = "", agent: render.Agent = "") -> Response:
        page = await render.page(
            "portal.html",
            accepted,
            say=Phrases(spoken("", accepted, LANGUAGES, settings.language)),
            joined=known.welcomed(visitor(request.scope)),
            sheet=in_sheet(agent),
            address=f"http://{short}",
            number=f"http://{VISITORS_ADDRESS}",
        )
        page.headers.update(NOT_KEPT)
        return page

    @routes.post(WELCOME)
    async def stay(request: Request) -> Response:
        known.welcome(visitor(request.scope))
        return RedirectResponse(WELCOME, 303, NOT_KEPT)

    return routes


def in_sheet(agent: str) -> bool:
    """Whether the page is shown in the sheet that a phone opens for it: there a link would open the library
    inside the sheet, which forgets and closes. Apple's calls itself no Safari, Android's is a WebView."""
    apple = ("iPhone" in agent or "iPad" in agent or "Macintosh" in agent) and "AppleWebKit" in agent
    return (apple and "Safari/" not in agent) or "; wv)" in agent
