"""Who has opened an area with its passphrase: a cookie for some hours, known to this start of the box."""

import hashlib
import secrets
import time
from collections.abc import Callable

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from appliance.documents import areas
from appliance.documents.store import Store
from appliance.passphrases import COST, Cost
from appliance.server import names, render
from appliance.server.guesses import Guesses, set_cookie
from appliance.server.origin import by_number
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.server.rights import AREA as COOKIE
from appliance.server.rights import FIELD, OWN, Rights
from appliance.settings import Settings

PAGE = "/documents/area"
HOURS = 8  # that an area stays open
MOST = 500  # open at once
WRONG = "The name or the passphrase is not right."


class Areas:
    """The areas of one running box."""

    def __init__(
        self,
        store: Store,
        guesses: Guesses,
        cost: Cost = COST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._guesses, self._cost, self._clock = store, guesses, cost, clock
        self._open: dict[str, tuple[str, float, str]] = {}

    def owner(self, request: Request) -> str:
        """Whose area this visitor has opened; "" for none. On the box's own screen nobody opens one, nor
        under a number, where programs of articles run. One whose passphrase has changed since is closed,
        whoever changed it."""
        if VISIT in request.scope or by_number(request):
            return ""
        owner, until, lock = self._open.get(_hashed(request.cookies.get(COOKIE, "")), ("", 0.0, ""))
        return owner if self._clock() < until and areas.kept(self._store, owner) == lock else ""

    def there_are(self) -> bool:
        return bool(areas.listed(self._store))

    async def open(self, request: Request, owner: str, passphrase: str) -> str:
        """The value of the cookie. Raises BadRequest (403, 429)."""

        def look() -> str | None:
            return areas.opened(self._store, owner, passphrase, self._cost) or None

        lock = await self._guesses.look(self._guesses.keys(request, guessed(owner)), look)
        if not lock:
            raise BadRequest(WRONG, "Try again.", "passphrase", 403)
        return self._opened(owner, lock)

    def _opened(self, owner: str, lock: str) -> str:
        now = self._clock()
        self._open = {key: found for key, found in self._open.items() if found[1] > now}
        while len(self._open) >= MOST:
            del self._open[next(iter(self._open))]
        value = secrets.token_urlsafe(32)
        self._open[_hashed(value)] = (owner, now + HOURS * 3600, lock)
        return value

    def close(self, request: Request) -> None:
        self._open.pop(_hashed(request.cookies.get(COOKIE, "")), None)


def router(opened: Areas, rights: Rights, settings: Settings) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        if elsewhere := names.elsewhere(request, settings):
            return RedirectResponse(elsewhere, 303)
        return await _page(opened, rights, request, accepted)

    @routes.post(PAGE)
    async def enter(
        request: Request,
        owner: str = Form("", max_length=100),
        passphrase: str = Form("", max_length=1000),
        token: str = Form("", max_length=200),
        accepted: render.Accepted = "",
    ) -> Response:
        names.require_name(request)
        rights.require_token(request, {FIELD: token})
        try:
            value = await opened.open(request, owner.strip(), passphrase)
        except BadRequest as error:
            return await _page(opened, rights, request, accepted, error, owner.strip())
        reply = RedirectResponse("/documents", 303)
        set_cookie(reply, COOKIE, value, HOURS * 3600)
        rights.guesses.remember(reply, guessed(owner.strip()))
        return reply

    @routes.post(PAGE + "/close")
    async def leave(request: Request, token: str = Form("", max_length=200)) -> Response:
        rights.require_token(request, {FIELD: token})
        opened.close(request)
        reply = RedirectResponse("/", 303)
        reply.delete_cookie(COOKIE)
        return reply

    return routes


async def _page(
    opened: Areas,
    rights: Rights,
    request: Request,
    accepted: str,
    error: BadRequest | None = None,
    typed: str = "",
) -> Response:
    token, secret = rights.form(request)
    shown = await render.page(
        "area.html",
        accepted,
        error.status if error else 200,
        owner=opened.owner(request),
        token=token,
        error=error,
        typed=typed,
    )
    rights.keep_form(shown, secret)
    shown.headers["cache-control"] = "no-store"
    return shown


def guessed(owner: str) -> str:
    """What is guessed at when somebody tries an area; nobody's name is like that."""
    return f"\0area {owner}"


def _hashed(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()
