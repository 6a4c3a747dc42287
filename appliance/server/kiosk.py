"""The box's own screen, which anybody may use: each visit has a host name of its own, and ends with it.

The screen's browser opens `http://kiosk.localhost/` and is led to `http://VISIT.kiosk.localhost/`, where
the pages are as for everyone, with a little added: buttons, since that browser has none, a keyboard, and
the way back to the start after two quiet minutes (`web/static/kiosk.js`). The way to the start begins a new
visit, with a new name. Under the names of earlier ones there is nothing but the way to the present one, and
the browser is told to keep no page, so that its history shows nothing of who was there before; cookies,
storage and what was typed belong to a name anyhow. Without scripts a page goes back by itself, two minutes
after it was opened.

Browsers look up names below `localhost` in themselves (RFC 6761). They count for requests of this machine
only; for phones they are names like any other. The visit's name is no secret that protects anything from
outside.
"""

import secrets
import time
from collections.abc import Callable
from ipaddress import ip_address

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.server import render
from appliance.server.guard import host_name
from appliance.server.phrases import Phrases
from appliance.server.portal_visitors import visitor
from appliance.server.reader import VISIT

HOST = "kiosk.localhost"
HERE = "/kiosk/here"  # what the page posts while somebody touches it, and the start page every minute
ALIVE = "/kiosk/alive"  # what the unit asks, to start a browser again that shows something else
QUIET = 120.0  # seconds without a touch or a key after which the screen is nobody's
SLACK = 30.0  # the page tells of touches every 20 s at most, so the server waits a bit longer
NOT_KEPT = {"cache-control": "no-store"}


class Visits:
    """The one visit that is going on; it is over when nothing was heard of it for `quiet` seconds and a
    little more. `clock` gives seconds that never run backwards."""

    def __init__(self, quiet: float = QUIET, clock: Callable[[], float] = time.monotonic) -> None:
        self.quiet, self._clock = quiet, clock
        self._name, self._touched = "", clock()

    @property
    def name(self) -> str:
        """Of the last visit; "" before the first."""
        return self._name

    def begin(self) -> str:
        """A new visit; the one before is over. Gives its name, a label of a host name."""
        self._name, self._touched = secrets.token_hex(8), self._clock()
        return self._name

    def current(self) -> str:
        """The visit that is going on, or a new one when the last has been quiet for too long."""
        return self._name if self._name and self.alive() else self.begin()

    def alive(self) -> bool:
        """Whether a page of the visit was heard of lately; so are all that the browser should show."""
        return self._clock() - self._touched <= self.quiet + SLACK

    def touch(self) -> None:
        self._touched = self._clock()


class Kiosk:
    """In front of everything else; requests that do not come from the box's own screen pass unchanged. `over`
    is told the name of each visit that has ended."""

    def __init__(
        self,
        app: ASGIApp,
        language: str,
        visits: Visits | None = None,
        over: Callable[[str], None] | None = None,
    ) -> None:
        self._app, self._language, self._over = app, language, over
        self._visits = visits or Visits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "") if scope["type"] == "http" else ""
        visit = visit_of(host)
        if visit is None or not _of_this_machine(scope):
            await self._app(scope, receive, send)
            return
        port = "".join(host.partition(":")[1:])
        before = self._visits.name
        reply = self._reply(scope, visit, port)
        if self._over and before and (before != self._visits.name or not self._visits.alive()):
            await run_in_threadpool(self._over, before)
        if reply:
            await reply(scope, receive, send)
            return
        more = await added(self._language, f"http://{HOST}{port}/", self._visits.quiet)
        page = _Page(send, scope, more)
        await self._app({**_plain(scope, self._language), VISIT: visit}, receive, page.send)

    def _reply(self, scope: Scope, visit: str, port: str) -> Response | None:
        """None: the pages answer."""
        if not visit and scope["path"] == ALIVE:
            return Response(status_code=204 if self._visits.alive() else 503, headers=NOT_KEPT)
        current = self._visits.current() if visit else self._visits.begin()
        if visit != current:
            return RedirectResponse(f"http://{current}.{HOST}{port}/", 303, NOT_KEPT)
        self._visits.touch()
        if (scope["method"], scope["path"]) == ("POST", HERE):
            return Response(status_code=204, headers=NOT_KEPT)
        return None


def visit_of(host: str) -> str | None:
    """The visit that a Host header names; "": the way to the start; None: it is not the screen's."""
    name = host_name(host)
    if name == HOST:
        return ""
    return name.removesuffix(f".{HOST}") if name.endswith(f".{HOST}") else None


async def added(language: str, start: str, quiet: float) -> bytes:
    """What each page has more on the screen; `start` is the address of the way to the start, to which it goes
    after `quiet` seconds."""
    say = Phrases(language)
    return (await render.part("_kiosk.html", say=say, start=start, seconds=f"{quiet:g}")).encode()


def _of_this_machine(scope: Scope) -> bool:
    address = visitor(scope)
    return bool(address) and ip_address(address).is_loopback


def _plain(scope: Scope, language: str) -> Scope:
    """The request as the pages know it: under this machine's name, in the language of the box. A form that
    was on a page of the visit stays one of an own page."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    if headers.get("origin") == f"http://{headers['host']}":
        headers["origin"] = "http://localhost"
    headers["host"], headers["accept-language"] = "localhost", language
    return {**scope, "headers": headers.raw}


class _Page:
    """One answer on its way to the screen: not kept by the browser, and a page with `added` in its head, or
    at its end where the end of the head is not found in one piece."""

    def __init__(self, send: Send, scope: Scope, added: bytes) -> None:
        self._send, self._added = send, added
        self._body = scope["method"] != "HEAD"
        self._static = scope["path"].startswith("/static/")
        self._missing = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and not self._static:
            self._start(MutableHeaders(scope=message), message["status"])
        elif message["type"] == "http.response.body" and self._missing:
            body, more = message.get("body", b""), message.get("more_body", False)
            message = {**message, "body": self._with_added(body, more)}
        await self._send(message)

    def _start(self, headers: MutableHeaders, status: int) -> None:
        headers["cache-control"] = "no-store"
        html = headers.get("content-type", "").startswith("text/html")
        self._missing = html and self._body and status not in (204, 206, 304)
        if self._missing and "content-length" in headers:
            headers["content-length"] = str(int(headers["content-length"]) + len(self._added))

    def _with_added(self, body: bytes, more: bool) -> bytes:
        head, end, rest = body.partition(b"</head>")
        if not end and more:
            return body
        self._missing = False
        return head + self._added + end + rest
