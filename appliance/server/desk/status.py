"""`/desk`: how the box is. What needs somebody comes first."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.parts import Appliance


def router(desk: Desk, appliance: Appliance) -> APIRouter:
    routes = desk.routes(ROOT)

    @routes.get(ROOT)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        health = await run_in_threadpool(appliance.health)
        return await desk.page("status.html", request, accepted, health=health)

    return routes
