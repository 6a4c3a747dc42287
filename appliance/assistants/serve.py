"""The two ways in: over this process's own input and output, or over HTTP on this machine alone.

Over HTTP a request must name this machine and this port, and a page that a browser has open elsewhere is
refused by its origin, so that none can reach the library by pointing its own name here (DNS rebinding). The
client's token goes on to the box with each call, so it sees what that person sees.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp

from appliance.assistants.box import Box
from appliance.assistants.tools import make_server
from appliance.errors import BoxError
from appliance.log import say
from appliance.server.guard import LARGEST_BODY, LOOPBACK, Guard
from appliance.services.process import serve
from appliance.services.run import LOCAL, require_free

PATH = "/mcp"
SESSIONS, IDLE = 50, 3600.0  # at once, and seconds after which one that is not used ends


def over_stdio(box: Box) -> None:
    """Until the client closes its end."""

    async def run() -> None:
        async with box:
            await make_server(box).run_stdio_async()

    anyio.run(run)


def over_http(box: Box, port: int, open_to_all: bool) -> None:
    """Until SIGTERM or SIGINT. Raises SetupError for a port that is taken."""
    require_free(LOCAL, port)
    say(f"For assistants: http://{LOCAL}:{port}{PATH}, over the box at {box.address}. Ctrl-C ends it.")
    serve(application(box, port, open_to_all), (LOCAL, port))


class Tokens(TokenVerifier):
    """The box says whether a token is good, and whom it acts for: here nobody is known."""

    def __init__(self, box: Box) -> None:
        self._box = box

    async def verify_token(self, token: str) -> AccessToken | None:
        """None for one that is none, and while the box does not answer."""
        try:
            me = await self._box.get("/api/me", token)
        except BoxError:
            return None
        if not me.get("program"):
            return None
        return AccessToken(token=token, client_id=me["program"], subject=me["name"], scopes=[me["role"]])


def application(box: Box, port: int, open_to_all: bool = False) -> ASGIApp:
    """Each client brings a token of the box's people page, unless it is `open_to_all`. The box is closed with
    it."""
    names = [f"{_bracketed(name)}:{port}" for name in LOOPBACK]
    app = make_server(box, None if open_to_all else Tokens(box)).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_BODY,
        session_idle_timeout=IDLE,
        max_sessions=SESSIONS,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )
    _close_at_the_end(app, box)
    return Guard(app, LOOPBACK)


def _close_at_the_end(app: Starlette, box: Box) -> None:
    sessions = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: Starlette) -> AsyncIterator[None]:
        async with box, sessions(of):
            yield

    app.router.lifespan_context = lifespan


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
