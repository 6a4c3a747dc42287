"""`/desk/power`: the box starts again or stops, each asked for twice; and when its plug may be pulled."""

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response

from appliance.device.verbs import PowerOff, Restart
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT

PAGE = f"{ROOT}/power"
NO_POWER = "This is an ordinary computer: it is started again and stopped where it stands."
# Seconds until a box has stopped: 4 until it begins, 20 for the slowest unit (DefaultTimeoutStopSec), a few
# for the rest.
STOPPED = 30
What = Literal["restart", "stop"]


def router(desk: Desk) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        if not desk.settings.device:
            return await desk.absent(request, accepted, NO_POWER)
        return await desk.page("power.html", request, accepted, step="choose", what="")

    @routes.get(PAGE + "/{what}")
    async def sure(request: Request, what: What, accepted: render.Accepted = "") -> Response:
        """The second step; nothing has happened yet."""
        if not desk.settings.device:
            return await desk.absent(request, accepted, NO_POWER)
        return await desk.page("power.html", request, accepted, step="sure", what=what)

    @routes.post(PAGE + "/{what}")
    async def act(request: Request, what: What, accepted: render.Accepted = "") -> Response:
        await desk.ask(Restart() if what == "restart" else PowerOff())
        return await desk.page("power.html", request, accepted, step="done", what=what, stopped=STOPPED)

    return routes
