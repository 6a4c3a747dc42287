"""`/desk`: how the box is, what needs somebody first."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.device import checks_units
from appliance.device.box import read_box
from appliance.device.watched import Sources
from appliance.records import SEVERITY, Severity
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.parts import Appliance, Check, Health

# The headline, by the gravest thing found.
SOUND: dict[Severity, str] = {
    "fine": "All is well",
    "notice": "All is well, with something worth knowing",
    "warning": "Working, with something to look at",
    "critical": "Something needs help now",
}
WORDS: dict[Severity, str] = {
    "fine": "fine",
    "notice": "worth knowing",
    "warning": "needs a look",
    "critical": "needs help now",
}


@dataclass(frozen=True, slots=True)
class Sorted:
    """The lines of a health by severity; `worst` is the gravest of them."""

    critical: Sequence[Check]
    warning: Sequence[Check]
    notice: Sequence[Check]
    fine: Sequence[Check]

    @property
    def worst(self) -> Severity:
        grave: tuple[Severity, ...] = ("critical", "warning", "notice")
        return next((one for one in grave if getattr(self, one)), "fine")


def by_severity(health: Health) -> Sorted:
    """All lines, each group in the order in which it was found."""
    found: dict[Severity, list[Check]] = {severity: [] for severity in SOUND}
    for check in (*health.checks, *health.within):
        found[SEVERITY[check.state]].append(check)
    return Sorted(**found)


def router(desk: Desk, appliance: Appliance) -> APIRouter:
    routes = desk.routes(ROOT)
    device = appliance.settings.device

    def programs() -> tuple[checks_units.Program, ...]:
        return checks_units.listed(Sources(Path(device)), read_box(Path(device))) if device else ()

    @routes.get(ROOT)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        health = await run_in_threadpool(appliance.health)
        return await desk.page(
            "status.html",
            request,
            accepted,
            found=by_severity(health),
            facts=health.facts,
            programs=await run_in_threadpool(programs),
            device=bool(device),
            sound=SOUND,
            words=WORDS,
        )

    return routes
