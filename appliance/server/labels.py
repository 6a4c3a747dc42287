"""`/label.pdf`, `/label.png`: the box's printed label, for phones on its Wi-Fi and for admins.

It has the passphrase, which whoever is on the Wi-Fi knows; the box's own screen and the cable get none. It
is made by a process of its own (`appliance label`), since its libraries would stay in the pages' memory,
and kept beside the sockets until the box's settings change or it starts again. One is made at a time; a label
that cannot be made is not tried again, so that no phone can keep a core busy by asking.
"""

import asyncio
import hashlib
import os
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException

from appliance import settings
from appliance.device.box import Box, read_box
from appliance.device.network import ADDRESSES, WIFI
from appliance.errors import LabelError
from appliance.label import NAME
from appliance.server.portal_visitors import visitor
from appliance.server.rights import OPEN, Rights
from appliance.settings import Settings

KINDS = {"pdf": "application/pdf", "png": "image/png"}
LONGEST = 120.0  # seconds that a slow board may take
WAITING = 4  # phones that may wait for the label at once


def router(given: Settings, rights: Rights) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])
    one_at_a_time = asyncio.Lock()
    waiting: set[asyncio.Task[Any] | None] = set()
    failed: dict[Path, LabelError] = {}  # of the settings in force

    @routes.get("/label.{kind}")
    async def label(request: Request, kind: str) -> Response:
        box = read_box(Path(given.device))
        may = on_wifi(visitor(request.scope)) or rights.may(request, "admin")
        if box is None or kind not in KINDS or not may:
            raise HTTPException(404)
        folder = given.runtime / f"label-{_facts(box)}"
        file = folder / f"{NAME}.{kind}"
        if not file.exists():
            if len(waiting) == WAITING:
                raise LabelError("The label is being made.", "Ask again in a minute.")
            waiting.add(asyncio.current_task())
            try:
                async with one_at_a_time:
                    await _made(given, folder, file, failed)
            finally:
                waiting.discard(asyncio.current_task())
        return FileResponse(file, media_type=KINDS[kind], headers={"cache-control": "no-store"})

    return routes


def on_wifi(address: str) -> bool:
    """Whether this visitor has an address of the box's own Wi-Fi."""
    return bool(address) and ip_address(address) in ADDRESSES[WIFI].network


def _facts(box: Box) -> str:
    """Short for what the label says, so that a change makes a new one."""
    told = "\0".join((box.ssid, box.passphrase, box.name, box.language))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


async def _made(given: Settings, folder: Path, file: Path, failed: dict[Path, LabelError]) -> None:
    """Makes the label unless another has made it meanwhile, or failed to. Raises LabelError."""
    if folder in failed:
        raise failed[folder]
    if file.exists():
        return
    try:
        await _make(given, folder)
    except LabelError as error:
        failed.clear()
        failed[folder] = error
        raise


async def _make(given: Settings, folder: Path) -> None:
    """Raises LabelError with what the verb says."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "appliance", "label", "--to", str(folder)),
        env={**os.environ, **settings.environment(given)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await asyncio.wait_for(process.communicate(), LONGEST)
    except TimeoutError as error:
        process.kill()
        await process.wait()
        raise LabelError(f"The label was not made within {LONGEST:.0f} s.", "Ask again later.") from error
    if process.returncode:
        raise LabelError("The label cannot be made.", said.decode("utf-8", "replace").strip()[:500])
