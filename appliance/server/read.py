"""`/read/…`: Kiwix behind the pages' own address, so that there is one origin and one port.

Reads only (GET, HEAD, ranges), passes bodies on as they come, never follows a redirect itself and never
sends one to another host. Articles bring their own styles and scripts, so their policy is wider than that
of the pages, but nothing from outside is ever loaded (`POLICY`). Those scripts must not act as somebody who
has signed in, so articles are read under a number of the box, where nobody is signed in; where none is
known, in a sandbox that is no place at all (docs/decisions/0012). One script of ours is put behind each HTML
page: it leads links to the internet to a calm page, which kiwix-serve from 3.4 on does in its frame only.
"""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from appliance.server import guard, names, questions, render
from appliance.server.origin import by_number
from appliance.server.parts import Appliance
from appliance.server.reader import VISIT
from appliance.server.rights import OPEN

POLICY = (
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' data: blob:; "
    "form-action 'self'; frame-ancestors 'self'; base-uri 'self'; object-src 'none'"
)
SANDBOX = "; sandbox allow-scripts allow-popups allow-forms allow-modals"
SCRIPT = b'<script src="/static/reader.js"></script>'
SENT = (
    "accept",
    "accept-language",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "range",
)
GIVEN = (
    "accept-ranges",
    "cache-control",
    "content-length",
    "content-range",
    "content-type",
    "etag",
    "last-modified",
    "vary",
)
LONGEST, FIELDS = 4_000, 100  # bytes and fields of a query; kiwix-serve hangs up on more than it takes
OFF = "The passages on answer pages still open in their own text."


def client() -> httpx.AsyncClient:
    """One client for the life of the app: at most 40 open requests, 20 s without a byte ends one."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(20, connect=2, pool=5),
        limits=httpx.Limits(max_connections=40, max_keepalive_connections=10),
        follow_redirects=False,
        trust_env=False,
        verify=False,  # plain http within this machine: no certificates to load
    )


def router(appliance: Appliance, kiwix: httpx.AsyncClient) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])

    @routes.api_route("/read", methods=["GET", "HEAD"])
    async def root() -> Response:
        return RedirectResponse("/read/", 301)

    @routes.get("/read/catch/external")
    async def outside(source: str = "", accepted: render.Accepted = "") -> Response:
        address = source if source.startswith(("http://", "https://")) else ""
        page = await render.page("outside.html", accepted, address=questions.clean(address)[:2000])
        page.headers["content-security-policy"] = guard.POLICY.replace(
            "frame-ancestors 'none'", "frame-ancestors 'self'"
        )
        return page

    @routes.api_route("/read/{path:path}", methods=["GET", "HEAD"])
    async def read(request: Request, accepted: render.Accepted = "") -> Response:
        reader = appliance.settings.reader
        if not reader:
            return await _sorry(
                accepted, "Reading in Kiwix is off.", "kiwix-serve is not running on this machine.", 503
            )
        if len(request.scope["query_string"]) > LONGEST or request.scope["query_string"].count(b"&") > FIELDS:
            sentence = "Kiwix has no page whose address says so much."
            return await _sorry(accepted, "This address is too long.", sentence, 414)
        named = VISIT not in request.scope and not by_number(request)
        if named and (number := names.number(request, appliance.settings)):
            return RedirectResponse(
                number + _asked(request).decode("latin-1"), 302, {"cache-control": "no-store"}
            )
        try:
            upstream = await kiwix.send(_question(request, reader, kiwix), stream=True)
        except httpx.TimeoutException:
            return await _sorry(
                accepted, "Kiwix takes too long to answer.", "Wait a moment, then load the page again.", 504
            )
        except httpx.TransportError:
            return await _sorry(
                accepted, "Kiwix does not answer.", "It is started again by itself; try in a moment.", 502
            )
        return await _answer(upstream, reader, accepted, POLICY + SANDBOX if named else POLICY)

    return routes


def _question(request: Request, reader: str, kiwix: httpx.AsyncClient) -> httpx.Request:
    """The same request to kiwix-serve; the path goes on as it was encoded (`C%2B%2B`, `AS/400`, `%23`)."""
    target = httpx.URL(reader).copy_with(raw_path=_asked(request))
    given = [(name, value) for name, value in request.headers.raw if name.decode("latin-1") in SENT]
    # from this machine to itself; a page can be added to
    headers = [*given, (b"accept-encoding", b"identity")]
    return kiwix.build_request(request.method, target, headers=headers)


def _asked(request: Request) -> bytes:
    """Path and query as they came."""
    raw_path: bytes = request.scope.get("raw_path") or request.url.path.encode()
    query: bytes = request.scope["query_string"]
    return raw_path + (b"?" + query if query else b"")


async def _answer(upstream: httpx.Response, reader: str, accepted: str, policy: str) -> Response:
    if upstream.status_code >= 500:
        await upstream.aclose()
        return await _sorry(
            accepted, "Kiwix could not make this page.", "Go back, or open the start page.", 502
        )
    headers = {name: upstream.headers[name] for name in GIVEN if name in upstream.headers}
    headers["content-security-policy"] = policy
    if "location" in upstream.headers:
        location = _local(upstream.headers["location"], reader)
        if location is None:
            await upstream.aclose()
            return await _sorry(
                accepted, "This leads to the internet.", "This library has no way there.", 502
            )
        headers["location"] = location
    added = SCRIPT if _is_page(upstream) else b""
    if "content-length" in headers:
        headers["content-length"] = str(int(headers["content-length"]) + len(added))

    async def body() -> AsyncIterator[bytes]:
        try:
            async for chunk in upstream.aiter_raw(65536):
                yield chunk
            if added and upstream.request.method != "HEAD":
                yield added
        except httpx.TransportError:
            return  # the length that was promised is missed, so the browser knows that it broke off
        finally:
            await upstream.aclose()

    return StreamingResponse(body(), upstream.status_code, headers)


def _is_page(upstream: httpx.Response) -> bool:
    """A whole HTML page, as against a part of one, a redirect or an answer without a body."""
    return upstream.headers.get("content-type", "").startswith("text/html") and upstream.status_code in (
        200,
        404,
    )


def _local(location: str, reader: str) -> str | None:
    """A redirect as a path under /read/; None when it leads elsewhere."""
    given, own = urlsplit(location), urlsplit(reader)
    if given.netloc and given.netloc != own.netloc:
        return None
    if given.netloc:
        location = given._replace(scheme="", netloc="").geturl()
    return location if location.startswith("/read") or not location.startswith(("/", "\\")) else None


async def _sorry(accepted: str, title: str, sentence: str, status: int) -> Response:
    return await render.page(
        "error.html", accepted, status,
        title=title, sentence=sentence, hint=OFF, account=False, back=None,
    )  # fmt: skip
