"""`/desk/network`: the Wi-Fi, the box's name and its label. What is new is on trial until somebody who has
joined again keeps it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.device import radio, verbs
from appliance.device.box import Box, read_box
from appliance.device.network import full_name
from appliance.device.verbs import KeepNetwork, TryNetwork
from appliance.errors import DeviceError, LamplightError
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.desk.trials import LASTS, Trials
from appliance.server.questions import BadRequest
from appliance.server.rights import OWN
from appliance.settings import VISITORS_ADDRESS

PAGE = f"{ROOT}/network"
KEEP = f"{PAGE}/keep"
NO_RADIO = "This is an ordinary computer: it opens no Wi-Fi of its own, and its name is its owner's affair."
UNREAD = "The owner's settings were not read at this start. Start the box again."
SAME = "Nothing was changed."
OVER = "The three minutes are over, and the old network is back. Nothing is lost: try it again."
CHANNELS = {band: sorted(found) for band, found in radio.CHANNELS.items()}


def router(desk: Desk) -> APIRouter:
    """What changes something; `keeping` has the rest."""
    routes = desk.routes(PAGE)
    trials = Trials(desk.settings.runtime)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        box = await run_in_threadpool(_box, desk)
        return await _shown(desk, trials, request, accepted, box)

    @routes.post(PAGE)
    async def begin(request: Request, accepted: render.Accepted = "") -> Response:
        box = await run_in_threadpool(_box, desk)
        if box is None:
            return await _shown(desk, trials, request, accepted, box)
        wanted = read(await desk.form(request))
        if wanted == of(box):
            return await _shown(desk, trials, request, accepted, box, wanted, (SAME,))
        try:
            verbs.parse(verbs.request(wanted).rstrip(b"\n"))
            await desk.ask(wanted)
        except LamplightError as error:
            return await _shown(desk, trials, request, accepted, box, wanted, (str(error), error.hint))
        key = await run_in_threadpool(trials.begin, wanted.ssid, wanted.name)
        return await _begun(desk, request, accepted, box, wanted, key)

    return routes


def _box(desk: Desk) -> Box | None:
    """What this start made of the owner's settings; None off the card, or where they were not read."""
    return read_box(Path(desk.settings.device)) if desk.settings.device else None


async def _shown(
    desk: Desk,
    trials: Trials,
    request: Request,
    accepted: str,
    box: Box | None,
    wanted: TryNetwork | None = None,
    error: Sequence[str] = (),
) -> Response:
    """The form, with what was typed and what is wrong with it; without a box what is not there."""
    if box is None:
        return await desk.absent(request, accepted, UNREAD if desk.settings.device else NO_RADIO)
    going = trials.now()
    return await desk.page(
        "network.html",
        request,
        accepted,
        400 if error else 200,
        box=box,
        wanted=wanted or of(box),
        countries=sorted(radio.COUNTRIES),
        world=radio.WORLD,
        channels=CHANNELS,
        error=error,
        going=going,
        left=trials.left(going) if going else 0,
    )


async def _begun(
    desk: Desk, request: Request, accepted: str, box: Box, wanted: TryNetwork, key: str
) -> Response:
    """How to join again, and the link to confirm: under the new name, since that is on trial, too."""
    renamed = wanted.name != box.name
    host = full_name(wanted.name) if renamed else request.url.netloc
    return await desk.page(
        "trial.html",
        request,
        accepted,
        wanted=wanted,
        opened=not (wanted.passphrase or box.passphrase),
        renamed=renamed,
        keep=f"http://{host}{KEEP}?key={key}",
        number=f"http://{VISITORS_ADDRESS}{KEEP}?key={key}",
        minutes=int(LASTS / 60),
    )


def keeping(desk: Desk) -> APIRouter:
    """For whoever has the key of the trial, or has signed in as an admin."""
    routes = APIRouter(include_in_schema=False, dependencies=[OWN])
    trials = Trials(desk.settings.runtime)

    @routes.get(KEEP)
    async def page(request: Request, key: str = "", accepted: render.Accepted = "") -> Response:
        going = trials.now()
        if not trials.opens(key) and not desk.rights.may(request, "admin"):
            raise BadRequest(OVER, status=403)
        return await desk.page(
            "keep.html",
            request,
            accepted,
            going=going,
            left=trials.left(going) if going else 0,
            key=key,
            over=OVER,
            kept=False,
        )

    @routes.post(KEEP)
    async def keep(request: Request, accepted: render.Accepted = "") -> Response:
        form = await desk.form(request)
        if not trials.opens(form.get("key", "")):
            desk.rights.require(request, "admin", form)
        going = trials.now()
        try:
            await desk.ask(KeepNetwork())
        except DeviceError as error:
            raise BadRequest(str(error), error.hint, status=409) from error
        await run_in_threadpool(trials.end)
        return await desk.page(
            "keep.html", request, accepted, going=going, left=0, key="", over=OVER, kept=True
        )

    return routes


def of(box: Box) -> TryNetwork:
    """The network that is in force; its passphrase stays unless another is given."""
    return TryNetwork(box.name, box.ssid, "", box.country, box.band, box.channel)


def read(form: Mapping[str, str]) -> TryNetwork:
    """What the form says; whether it can be used says the helper's own check."""
    channel = form.get("channel", "")
    return TryNetwork(
        name=form.get("name", "").strip().lower(),
        ssid=form.get("ssid", "").strip(),
        passphrase=form.get("passphrase", ""),
        country=form.get("country", radio.WORLD),
        band=form.get("band", "2.4"),
        channel=int(channel) if channel.isascii() and channel.isdecimal() and len(channel) < 4 else 0,
    )
