"""Who has opened an area with its passphrase: a cookie for some hours, known to this start of the box."""

import hashlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.documents import areas
from appliance.documents.store import Store
from appliance.server import render
from appliance.server.door import own_page
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT

COOKIE = "lamplight_area"
PAGE = "/documents/area"
HOURS = 8  # that an area stays open
TRIES, WHILE = 10, 600.0  # wrong passphrases in so many seconds, by all together
MOST = 500  # open at once


class Areas:
    """The areas of one running box."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._open: dict[str, tuple[str, float]] = {}
        self._wrong = deque[float](maxlen=TRIES)
        self._trying = threading.Lock()

    def owner(self, request: Request) -> str:
        """Whose area this visitor has opened; "" for none. On the box's own screen nobody opens one."""
        if VISIT in request.scope:
            return ""
        owner, until = self._open.get(_hashed(request.cookies.get(COOKIE, "")), ("", 0.0))
        return owner if self._clock() < until else ""

    def there_are(self) -> bool:
        return bool(areas.listed(self._store))

    def open(self, owner: str, passphrase: str) -> str:
        """The value of the cookie. One try after the other, since each takes memory, and so that no number of
        them at once is let past the count. Raises BadRequest (403, 429)."""
        with self._trying:
            return self._opened(owner, passphrase)

    def _opened(self, owner: str, passphrase: str) -> str:
        if len(self._wrong) == TRIES and self._clock() - self._wrong[0] < WHILE:
            raise BadRequest(
                "A passphrase was wrong too often.", f"Wait {WHILE / 60:.0f} minutes.", status=429
            )
        if not areas.opens(self._store, owner, passphrase):
            self._wrong.append(self._clock())
            raise BadRequest("The name or the passphrase is not right.", "Try again.", "passphrase", 403)
        now = self._clock()
        self._open = {key: found for key, found in self._open.items() if found[1] > now}
        while len(self._open) >= MOST:
            del self._open[next(iter(self._open))]
        value = secrets.token_urlsafe(32)
        self._open[_hashed(value)] = (owner, now + HOURS * 3600)
        return value

    def close(self, request: Request) -> None:
        self._open.pop(_hashed(request.cookies.get(COOKIE, "")), None)


def router(opened: Areas) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        shown = await render.page("area.html", accepted, owner=opened.owner(request))
        shown.headers["cache-control"] = "no-store"
        return shown

    @routes.post(PAGE)
    async def enter(
        request: Request, owner: str = Form("", max_length=100), passphrase: str = Form("", max_length=1000)
    ) -> Response:
        _from_here(request)
        value = await run_in_threadpool(opened.open, owner.strip(), passphrase)
        reply = RedirectResponse("/documents", 303)
        reply.set_cookie(COOKIE, value, max_age=HOURS * 3600, httponly=True, samesite="strict")
        return reply

    @routes.post(PAGE + "/close")
    async def leave(request: Request) -> Response:
        _from_here(request)
        opened.close(request)
        reply = RedirectResponse("/", 303)
        reply.delete_cookie(COOKIE)
        return reply

    return routes


def _from_here(request: Request) -> None:
    if not own_page(request):
        raise BadRequest("This form is of another place.", "Open the page here, then try again.", status=403)


def _hashed(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()
