"""The two ways in: over this process's own input and output, or over HTTP on this machine alone.

Over HTTP a request must name this machine and this port, and a page that a browser has open elsewhere is
refused by its origin, so that none can reach the library by pointing its own name here (DNS rebinding).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp

from appliance.assistants.box import Box
from appliance.assistants.tools import make_server
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


def over_http(box: Box, port: int) -> None:
    """Until SIGTERM or SIGINT. Raises SetupError for a port that is taken."""
    require_free(LOCAL, port)
    say(f"For assistants: http://{LOCAL}:{port}{PATH}, over the box at {box.address}. Ctrl-C ends it.")
    serve(application(box, port), (LOCAL, port))


def application(box: Box, port: int) -> ASGIApp:
    """The box is closed with it."""
    names = [f"{_bracketed(name)}:{port}" for name in LOOPBACK]
    app = make_server(box).streamable_http_app(
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
