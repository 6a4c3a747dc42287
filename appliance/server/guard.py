"""What holds for every request and answer: known hosts, bounded bodies, the headers of a strict page.

Pure ASGI, since a wrapper that buffers would hold back the stream of an answer.

Hosts: while the pages listen on this machine only, a request must name it (localhost, 127.0.0.1, ::1 or the
address that was set), so that a page from outside cannot reach the library by pointing its own name here
(DNS rebinding). On a hotspot every name leads to the box on purpose, so other addresses take any host; what
must not be open to such a page (an admin's part) needs its own protection there.
"""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1_000_000  # bytes
# Addresses that take files: they bound each file themselves, while it comes, once they know who sends it.
RESTORE = "/desk/backup/restore"
FILES = ("/documents", "/api/documents", RESTORE)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    # Nothing goes to other places. To this one the address does: without it browsers send the forms of these
    # pages with the origin "null", and the pages could not tell their own forms from those of others.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
# Two servers may see its end in two places, and a second request in what is left (RFC 9112, 6.1).
TWO_ENDS = PlainTextResponse("A request has one end.\n", 400, {"connection": "close"})


def allowed_hosts(host: str) -> frozenset[str]:
    """The hosts that a request may name; empty: any."""
    return frozenset(LOOPBACK) if host in LOOPBACK else frozenset()


class Guard:
    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        if self._hosts and host_name(headers.get("host", "")) not in self._hosts:
            reply = PlainTextResponse(
                "This library listens on this machine only, under http://127.0.0.1.\n"
                "To open it to others, start it with --host and this machine's address.\n",
                421,
            )
            await reply(scope, receive, guarded)
            return
        if "transfer-encoding" in headers and "content-length" in headers:
            await TWO_ENDS(scope, receive, guarded)
            return
        files = scope["method"] == "POST" and scope["path"] in FILES
        await self._app(scope, receive if files else _bounded(receive), guarded)


def host_name(header: str) -> str:
    """`[::1]:8080` -> `::1`, `localhost:8080` -> `localhost`."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()


def own_machine(header: str) -> bool:
    """Whether this `Host` is the browser's own machine: what is sent there goes over no network."""
    name = host_name(header)
    return name in LOOPBACK or name.endswith(".localhost")


def _bounded(receive: Receive) -> Receive:
    """Counts what is received; a body over LARGEST_BODY ends in 413 where it is read."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise HTTPException(413)
        return message

    return counted
