"""`/desk/logs`: what the units and the kernel have logged since this start, without questions and addresses.

The journal lies in memory. The helper reads it, since only root may, and takes out what others may have
logged of visitors (`device/journal.py`).
"""

import time
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from appliance.device import journal
from appliance.device.verbs import Journal
from appliance.errors import LamplightError
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT

PAGE = f"{ROOT}/logs"
NO_JOURNAL = "This is an ordinary computer: what the programs log stands in the terminal where they run."
SHOWN = 100  # lines
NAMES = {
    "all": "Everything of ours",
    "pages": "Pages",
    "search": "Search by meaning",
    "model": "Language model",
    "reading": "Reading in Kiwix",
    "wifi": "Wi-Fi and addresses",
    "sticks": "Sticks",
    "start": "The start of the box",
    "helper": "Helper",
    "screen": "The box's own screen",
    "kernel": "Kernel",
}
# Up to which of syslog's severities.
LEVELS = {7: "All lines", 4: "Warnings and errors", 3: "Errors"}
ERROR, WARNING = 3, 4


def router(desk: Desk) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.get(PAGE)
    async def page(
        request: Request,
        source: Annotated[str, Query(max_length=20)] = journal.ALL,
        level: Annotated[int, Query(ge=0, le=journal.LEAST)] = journal.LEAST,
        accepted: render.Accepted = "",
    ) -> Response:
        if not desk.settings.device:
            return await desk.absent(request, accepted, NO_JOURNAL)
        source = source if source in journal.SOURCES else journal.ALL
        error: tuple[str, ...] = ()
        lines: tuple[journal.Line, ...] = ()
        try:
            lines = journal.read(await desk.ask(Journal(source, level, SHOWN)))
        except LamplightError as refused:
            error = (str(refused), refused.hint)
        return await desk.page(
            "logs.html",
            request,
            accepted,
            lines=[(_told(line.time), line, _grave(line.severity)) for line in reversed(lines)],
            source=source,
            level=level,
            names=NAMES,
            levels=LEVELS,
            error=error,
        )

    return routes


def _told(seconds: int) -> str:
    return time.strftime("%m-%d %H:%M:%S", time.localtime(seconds))


def _grave(severity: int) -> str:
    return "error" if severity <= ERROR else "warning" if severity == WARNING else ""
