"""`/desk`: how the box is, what needs somebody first."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance import records
from appliance.device import checks_card, checks_units, journal, said
from appliance.device.box import read_box
from appliance.device.verbs import Journal
from appliance.device.watched import Sources
from appliance.errors import LamplightError
from appliance.records import SEVERITY, Severity
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.parts import Appliance, Check, Health

ERROR = 3  # of syslog's severities
WHILE = 60.0  # seconds that the helper's word holds
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


class Helper:
    """What the helper adds: the kernel's errors with the card, and whether it answers at all. Asked once in a
    while, since it has to be started for it."""

    def __init__(self, desk: Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk, self._clock = desk, clock
        self._found: Sequence[records.Check] = ()
        self._until = -math.inf

    async def checks(self) -> Sequence[records.Check]:
        if self._desk.settings.device and self._clock() >= self._until:
            self._found = await self._look()
            self._until = self._clock() + WHILE
        return self._found

    async def _look(self) -> Sequence[records.Check]:
        try:
            lines = journal.read(await self._desk.ask(Journal(journal.KERNEL, ERROR, journal.MOST)))
        except LamplightError as error:
            return (records.Check(said.HELPER, "wrong", str(error), error.hint),)
        return tuple(checks_card.logged([line.message for line in lines]))


def by_severity(health: Health, more: Sequence[Check] = ()) -> Sorted:
    """All lines, each group in the order in which it was found."""
    found: dict[Severity, list[Check]] = {severity: [] for severity in SOUND}
    for check in (*health.checks, *health.within, *more):
        found[SEVERITY[check.state]].append(check)
    return Sorted(**found)


def router(desk: Desk, appliance: Appliance) -> APIRouter:
    routes = desk.routes(ROOT)
    device, helper = appliance.settings.device, Helper(desk)

    def programs() -> tuple[checks_units.Program, ...]:
        return checks_units.listed(Sources(Path(device)), read_box(Path(device))) if device else ()

    @routes.get(ROOT)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        health = await run_in_threadpool(appliance.health)
        return await desk.page(
            "status.html",
            request,
            accepted,
            found=by_severity(health, await helper.checks()),
            facts=health.facts,
            programs=await run_in_threadpool(programs),
            device=bool(device),
            sound=SOUND,
            words=WORDS,
        )

    return routes
