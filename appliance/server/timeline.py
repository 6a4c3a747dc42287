"""`/timeline`: the dates of own documents, from centuries down to a day, each leading to its passage.

Looking only. Every step is a link, so it works without JavaScript, and the bars are a list of links too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.documents import calendar, periods, timeline
from appliance.documents.periods import Period
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.documents.timeline import KINDS, Kind, Line, Moment
from appliance.server import days, questions, render
from appliance.server.phrases import spoken
from appliance.server.questions import BadRequest
from appliance.server.rights import OWN

PAGE = "/timeline"
SHOWN = 40  # dates on one page
LONGEST = 200  # letters of the words that filter
TENTHS = 10  # heights of a bar
MANY = 14  # bars from which on empty ones are left out

Owners = Callable[[Request], tuple[str, ...]]
"""Whose documents a visitor may see. Raises BadRequest (403) where that is nobody's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a visitor looks at; `url` gives the address of another stretch or page of the same."""

    period: Period
    words: str
    kinds: tuple[Kind, ...]
    folder: str
    document: int | None
    skip: int = 0

    def url(self, period: Period | None = None, skip: int = 0) -> str:
        fields = [("at", (period or self.period).key), ("q", self.words), ("folder", self.folder)]
        fields += [("document", str(self.document or "")), ("skip", str(skip or ""))]
        fields += [("kind", kind) for kind in self.kinds] if self.kinds != KINDS else []
        given = urlencode([(name, value) for name, value in fields if value], quote_via=quote)
        return f"{PAGE}?{given}" if given else PAGE

    def scope(self, owners: tuple[str, ...]) -> Scope:
        return Scope(owners, self.folder or None, self.document)


def router(store: Store, owners: Owners) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])

    @routes.get(PAGE)
    async def page(
        request: Request,
        at: str = "",
        q: str = "",
        kind: Annotated[list[str] | None, Query(max_length=10)] = None,
        folder: Annotated[str, Query(max_length=1000)] = "",
        document: Annotated[int | None, Query(ge=1, lt=2**62)] = None,
        skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        accepted: render.Accepted = "",
    ) -> Response:
        asked = _asked(at, q, kind or [], folder, document, skip)
        scope = asked.scope(owners(request))
        line = await run_in_threadpool(
            timeline.line, store, scope, asked.period, asked.words, asked.kinds, skip, SHOWN
        )
        return await _page(asked, line, accepted)

    return routes


def _asked(at: str, q: str, kinds: list[str], folder: str, document: int | None, skip: int) -> Asked:
    period = periods.read(questions.clean(at))
    if period is None:
        raise BadRequest(
            f"“{questions.clean(at)[:40]}” is no stretch of time.",
            "Write 1923, 1923-04, 1923-04-12, 1920s or c20.",
            "at",
        )
    chosen = tuple(kind for kind in get_args(Kind) if kind in kinds) or KINDS
    return Asked(period, questions.clean(q)[:LONGEST], chosen, questions.clean(folder), document, skip)


async def _page(asked: Asked, line: Line, accepted: str) -> Response:
    language = spoken("", accepted)
    end = asked.skip + len(line.moments)
    return await render.page(
        "timeline.html",
        accepted,
        here=days.name(asked.period, language),
        key=asked.period.key,
        words=asked.words,
        kinds=asked.kinds,
        folder=asked.folder,
        document=asked.document,
        narrowed=bool(asked.folder or asked.document or asked.words or asked.kinds != KINDS),
        place=asked.folder or (line.moments[0].title if asked.document and line.moments else ""),
        path=[_step(asked, period, language) for period in asked.period.path],
        beside=[_step(asked, asked.period.beside(step), language) for step in (-1, 1)],
        line=line,
        bars=_bars(asked, line, language),
        unit=line.bars[0].period.unit if line.bars else "",
        groups=_groups(line.moments, language),
        wider=_groups(line.wider, language),
        earlier=asked.url(skip=max(0, asked.skip - SHOWN)) if asked.skip else "",
        later=asked.url(skip=end) if end < line.count else "",
    )


def _bars(asked: Asked, line: Line, language: str) -> list[dict[str, object]]:
    """What the chart shows; of many stretches those without a date are left out, and a gap is told."""
    most = max((bar.count for bar in line.bars), default=1)
    found: list[dict[str, object]] = []
    for bar in line.bars:
        if bar.count or line.bars[0].period.unit == "day" or len(line.bars) <= MANY:
            found.append(
                {
                    "name": days.name(bar.period, language),
                    "short": days.short(bar.period, language),
                    "count": bar.count,
                    "tenths": max(1, round(bar.count / max(most, 1) * TENTHS)),
                    "url": asked.url(bar.period),
                    "gap": False,
                }
            )
        elif found and not found[-1]["gap"]:
            found.append({"short": "⋯", "count": 0, "gap": True})
    return found


def _step(asked: Asked, period: Period | None, language: str) -> dict[str, str] | None:
    return {"name": days.name(period, language), "url": asked.url(period)} if period else None


def _groups(moments: Iterable[Moment], language: str) -> list[dict[str, object]]:
    """Dates that are written alike stand under one heading."""
    found: list[dict[str, object]] = []
    for span, of_span in groupby(moments, key=lambda moment: moment.span):
        iso = calendar.written(span) if span.grain in ("day", "month", "year") and span.first > 0 else ""
        items = [{"moment": moment, "url": place(moment)} for moment in of_span]
        found.append({"name": days.shown(span, language), "iso": iso, "moments": items})
    return found


def place(moment: Moment) -> str:
    """The address of the document at the date's place."""
    fields = {"id": moment.document, "start": moment.start, "length": moment.length}
    if not moment.length:
        return f"/document?id={moment.document}" + (
            f"&start={moment.start}&length=1#passage" if moment.start else ""
        )
    return f"/document?{urlencode(fields)}#passage"
