"""`/desk/backup`: the whole box as one file, to the browser or to a stick, and back from either.

A file that comes in is checked while it comes and held nowhere. What is whole is put in place at a start,
which the page asks for where somebody would start Lamplight again.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import iterate_in_threadpool, run_in_threadpool
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from starlette.background import BackgroundTask

from appliance.backups import settling
from appliance.backups.coming import Coming, receive
from appliance.backups.container import Contents
from appliance.backups.saving import NAME, Saved, file_name, save, save_into
from appliance.bundles import mounts, sticks
from appliance.errors import LamplightError
from appliance.server import render, uploads
from appliance.server.desk.answers import MOMENT
from appliance.server.desk.choosing import Choosing
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.guard import RESTORE
from appliance.server.questions import BadRequest
from appliance.server.uploads import Begin, Field, Piece
from appliance.settings import Settings
from appliance.shelving.sentences import without_paths
from appliance.shelving.writing import writable
from appliance.usage.usage import Usage

PAGE = f"{ROOT}/backup"
MOST_OUT = 2  # copies at once: each takes room on the disk until it is there
UNSURE = "Say first that everything may be replaced."


def routers(desk: Desk, settings: Settings, choosing: Choosing, usage: Usage) -> Iterator[APIRouter]:
    yield _browser(desk, settings, usage)
    yield _sticks(desk, settings, choosing, usage)
    yield _upload(desk, settings, choosing)


def _browser(desk: Desk, settings: Settings, usage: Usage) -> APIRouter:
    routes = desk.routes(PAGE)
    out: set[Path] = set()  # copies on their way to browsers

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        there = await run_in_threadpool(plugged, settings)
        return await desk.page(
            "backup.html", request, accepted, sticks=there, written="written" in request.query_params,
            said=settling.said(settings.home), waits=settling.waits(settings.home),
        )  # fmt: skip

    @routes.post(f"{PAGE}/file")
    async def download() -> Response:
        if len(out) >= MOST_OUT:
            raise BadRequest("Backups are on their way already.", "Wait until they are there.", status=429)
        await run_in_threadpool(usage.write)
        with _told():
            saved = await run_in_threadpool(save, settings.home)
        out.add(saved.folder)
        headers = {
            "content-disposition": f'attachment; filename="{file_name(saved.contents)}"',
            "content-length": str(saved.contents.bytes),
            "cache-control": "no-store",
        }
        over = BackgroundTask(_over, saved, out)
        return StreamingResponse(_sent(saved, out), 200, headers, "application/x-tar", over)

    return routes


def _sticks(desk: Desk, settings: Settings, choosing: Choosing, usage: Usage) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.post(f"{PAGE}/stick")
    async def to_stick(request: Request) -> Response:
        stick = _stick(settings, (await desk.form(request)).get("stick", ""))
        await run_in_threadpool(usage.write)
        with _told():
            await run_in_threadpool(_written, settings, stick.path)
        return RedirectResponse(f"{PAGE}?written", 303)

    @routes.post(f"{PAGE}/from-stick")
    async def from_stick(request: Request, accepted: render.Accepted = "") -> Response:
        form = await desk.form(request)
        _require_sure(form)
        stick, name = _stick(settings, form.get("stick", "")), form.get("file", "")
        if name not in stick.files:
            raise BadRequest("This backup is no longer on the stick.", "Load the page again.", status=404)
        with _told():
            contents = await run_in_threadpool(receive, settings.home, stick.path / name)
        return await _ready(desk, request, accepted, choosing, contents)

    return routes


def _upload(desk: Desk, settings: Settings, choosing: Choosing) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[desk.rights.needs("admin", form=False)])

    @routes.post(RESTORE)
    async def restore(request: Request, accepted: render.Accepted = "") -> Response:
        """The fields stand in front of the file: who may not restore sends none of it."""
        fields: dict[str, str] = {}
        coming: Coming | None = None
        try:
            with _told():
                async for event in uploads.parts(request.headers.get("content-type", ""), request.stream()):
                    match event:
                        case Field(name, text):
                            fields[name] = text
                        case Begin() if coming is None:
                            desk.rights.require_token(request, fields)
                            _require_sure(fields)
                            coming = await run_in_threadpool(Coming, settings.home)
                        case Piece(data) if coming is not None:
                            await run_in_threadpool(coming.feed, data)
                if coming is None:
                    raise BadRequest("No file came.", "Choose the backup's file.", "file")
                contents = await run_in_threadpool(coming.ready)
        finally:
            if coming is not None:
                await run_in_threadpool(coming.close)
        return await _ready(desk, request, accepted, choosing, contents)

    return routes


async def _ready(
    desk: Desk, request: Request, accepted: str, choosing: Choosing, contents: Contents
) -> Response:
    """What came is whole; the start that puts it in place begins when this page is on its way."""
    way = choosing.way()
    shown = await desk.page("restored.html", request, accepted, contents=contents, way=way, back=PAGE)
    if way:
        shown.background = BackgroundTask(_soon, choosing)
    return shown


async def _soon(choosing: Choosing) -> None:
    await asyncio.sleep(MOMENT)
    choosing.again()


async def _sent(saved: Saved, out: set[Path]) -> AsyncIterator[bytes]:
    try:
        async for piece in iterate_in_threadpool(saved.pieces()):
            yield piece
    finally:
        _over(saved, out)


def _over(saved: Saved, out: set[Path]) -> None:
    """After the last byte, or when the browser has left; twice is once."""
    saved.close()
    out.discard(saved.folder)


@dataclass(frozen=True, slots=True)
class Stick:
    """`label` is its name as a person reads it; `files` its backups, the newest first."""

    path: Path
    label: str
    files: tuple[str, ...]


def plugged(settings: Settings) -> list[Stick]:
    """The sticks that are there."""
    if not settings.sticks:
        return []
    return [
        Stick(
            path, mounts.label_of(path), tuple(sorted((file.name for file in _backups(path)), reverse=True))
        )
        for path in sticks.plugged(Path(settings.sticks))
    ]


def _backups(stick: Path) -> Iterator[Path]:
    with suppress(OSError):
        for file in stick.glob(NAME.format(made="*")):
            if file.is_file() and not file.is_symlink():
                yield file


def _stick(settings: Settings, name: str) -> Stick:
    """Raises BadRequest (404) for one that is not there."""
    there = {stick.path.name: stick for stick in plugged(settings)}
    if name not in there:
        raise BadRequest("This stick is no longer there.", "Plug it in again.", status=404)
    return there[name]


def _written(settings: Settings, stick: Path) -> str:
    with writable(settings.device, stick):
        return save_into(settings.home, stick)


def _require_sure(form: dict[str, str]) -> None:
    if form.get("yes") != "yes":
        raise BadRequest(UNSURE, "Tick the box on the page.", "yes")


@contextmanager
def _told() -> Iterator[None]:
    """What went wrong, as an answer without the box's own paths."""
    try:
        yield
    except BadRequest:
        raise
    except LamplightError as error:
        raise BadRequest(without_paths(str(error)), without_paths(error.hint), status=409) from error
