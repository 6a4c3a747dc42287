"""`/desk/clock`: the box's clock, which has no battery, set by the visitor's."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from appliance.device import clock
from appliance.device.verbs import LATEST, SetClock
from appliance.errors import LamplightError
from appliance.server import render, sign_in
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT

PAGE = f"{ROOT}/clock"
NO_CLOCK = "This is an ordinary computer: it keeps its own clock, which is set there."
NO_TIME = "This is no time. Choose a day and an hour."


def router(desk: Desk) -> APIRouter:
    routes = desk.routes(PAGE)

    async def shown(request: Request, accepted: str, error: Sequence[str] = ()) -> Response:
        if not desk.settings.device:
            return await desk.absent(request, accepted, NO_CLOCK)
        now = time.time()
        return await desk.page(
            "clock.html",
            request,
            accepted,
            400 if error else 200,
            seconds=int(now),
            told=time.strftime("%Y-%m-%d %H:%M", time.localtime(now)),
            zone=time.strftime("%Z", time.localtime(now)),
            local=time.strftime("%Y-%m-%dT%H:%M", time.localtime(now)),
            said=clock.STANDS.format(now=clock.told(now)) if "set" in request.query_params else "",
            error=error,
        )

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        return await shown(request, accepted)

    @routes.post(PAGE)
    async def set_clock(request: Request, accepted: render.Accepted = "") -> Response:
        wanted = read(await desk.form(request))
        if wanted is None:
            return await shown(request, accepted, error=(NO_TIME,))
        try:
            await desk.ask(SetClock(wanted))
        except LamplightError as error:
            return await shown(request, accepted, error=(str(error), error.hint))
        return await _renewed(desk, request)

    return routes


async def _renewed(desk: Desk, request: Request) -> Response:
    """By the new time the session of who set it may have ended: they get another one."""
    known, to = desk.rights.known(request), f"{PAGE}?set"
    if known.session is None or known.person is None:
        return RedirectResponse(to, 303)
    return await sign_in.begin(desk.rights, request, known.person, to)


def read(form: Mapping[str, str]) -> int | None:
    """Seconds since 1970: those of the visitor's own clock where its script sent them, else what was typed,
    in the box's time zone; None for no time at all."""
    seconds = form.get("seconds", "")
    if seconds.isascii() and seconds.isdecimal() and len(seconds) < 14:
        return int(seconds) if int(seconds) < LATEST else None
    try:
        found = datetime.fromisoformat(form.get("local", "")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return int(found) if 0 <= found < LATEST else None
