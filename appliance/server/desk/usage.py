"""`/desk/usage`: how much the box is used, by the day, in small charts and a table; as CSV too; the switch.

Looking takes an editor, the switch an admin.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.errors import SettingsError
from appliance.server import render
from appliance.server.desk.chart import chart
from appliance.server.desk.choosing import Choosing
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.questions import BadRequest
from appliance.usage.counts import OTHERS, SLOW, WHATS, Key, is_day, listed
from appliance.usage.usage import Usage

PAGE = f"{ROOT}/usage"
RECENT = 30  # days in the charts
CSV = {"content-disposition": 'attachment; filename="lamplight-usage.csv"', "cache-control": "no-store"}


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table; `period` a day or a month."""

    period: str
    question: int
    refusal: int
    slow: int
    article: int


def router(desk: Desk, usage: Usage, choosing: Choosing) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        counts = await run_in_threadpool(usage.counts)
        shown = drawn(counts, date.today())
        row, admin = choosing.row("usage"), desk.rights.may(request, "admin")
        shown |= {"on": usage.on, "problem": usage.problem, "row": row, "admin": admin, "slow": int(SLOW)}
        return await desk.page("usage.html", request, accepted, **shown)

    @routes.get(f"{PAGE}/counts.csv")
    async def download() -> Response:
        counts = await run_in_threadpool(usage.counts)
        return Response(as_csv(counts), media_type="text/csv; charset=utf-8", headers=CSV)

    @routes.post(PAGE)
    async def switch(request: Request) -> Response:
        form = await desk.form(request)
        if not desk.rights.may(request, "admin"):
            raise BadRequest("Only an admin switches the counting.", "Ask one.", status=403)
        try:
            await run_in_threadpool(choosing.choose, {"usage": form.get("usage") == "on"})
        except SettingsError as error:
            raise BadRequest(str(error), error.hint, status=409) from error
        return RedirectResponse(PAGE, 303)

    return routes


def drawn(counts: Mapping[Key, int], today: date) -> dict[str, Any]:
    """What the page shows of these counts, on this day."""
    lines = {line.period: line for line in table(counts)}
    days = [(today - timedelta(back)).isoformat() for back in reversed(range(RECENT))]
    recent = [lines.get(day, Line(day, 0, 0, 0, 0)) for day in days]
    return {
        "questions": chart(days, [one.question for one in recent], [one.refusal for one in recent]),
        "slows": chart(days, [one.slow for one in recent]),
        "articles": chart(days, [one.article for one in recent]),
        "archives": _by_archive(counts, set(days)),
        "lines": list(lines.values()),
        "later": any(is_day(period) and period > days[-1] for period in lines),
        "recent": RECENT,
    }


def table(counts: Mapping[Key, int]) -> Sequence[Line]:
    """Each period that has counts, the newest first; a month comes after its days."""
    found: dict[str, dict[str, int]] = {}
    for (period, what, _), number in counts.items():
        line = found.setdefault(period, dict.fromkeys(WHATS, 0))
        line[what] += number
    return [Line(period, **found[period]) for period in sorted(found, reverse=True)]


def as_csv(counts: Mapping[Key, int]) -> str:
    """A row for each count. What a spreadsheet would take for a formula gets an apostrophe."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(("period", "what", "archive", "number"))
    for one in listed(counts):
        name = one.archive
        rows.writerow(
            (one.period, one.what, f"'{name}" if name[:1] in "=+-@\t\r" and name else name, one.number)
        )
    return out.getvalue()


def _by_archive(counts: Mapping[Key, int], days: set[str]) -> list[tuple[str, int, float]]:
    """Archives of these days with their articles, and each as a share (0 to 100) of the first."""
    found: dict[str, int] = {}
    for (period, what, name), number in counts.items():
        if what == "article" and period in days:
            found[name] = found.get(name, 0) + number
    order = sorted(found.items(), key=lambda one: (one[0] == OTHERS, -one[1], one[0]))
    most = max(found.values(), default=1)
    return [(name, number, round(100 * number / most, 1)) for name, number in order]
