"""`/desk/answers`: how the box answers, and for whom. Which language model, how sure it must be, the
language, its own screen, own documents, conversations; each with where it is from and when it takes effect.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response
from starlette.background import BackgroundTask

from appliance import models
from appliance.device import board
from appliance.errors import SettingsError
from appliance.retrieval.gate import LEVELS, Gate, Rate
from appliance.server import render
from appliance.server.desk.choosing import ROWS, Choosing, Row
from appliance.server.desk.frame import Desk
from appliance.server.desk.places import ROOT
from appliance.server.parts import Appliance
from appliance.server.questions import BadRequest
from appliance.services import language
from appliance.settings import Settings
from appliance.wiring import gate_file

PAGE = f"{ROOT}/answers"
AUTO, NONE = "auto", "none"
SCREEN = Path("/usr/bin/cage")  # what the unit of the card's own screen needs (lamplight-kiosk.service)
MOMENT = 0.5  # seconds for the answer to reach the browser before its process ends
LANGUAGES = {"en": "English", "fr": "Français", "es": "Español", "ar": "العربية", "hi": "हिन्दी"}
MEANT = {
    "strict": "Answers only what the library says plainly. Refuses more than it must.",
    "balanced": "Weighs both mistakes alike.",
    "open": "Answers more, and is wrong more often.",
}
NAMES = {"strict": "Strict", "balanced": "Balanced", "open": "Open"}
LABELS = {
    "gate": "How sure the box must be",
    "model": "Language model",
    "search_only": "Language model",
    "language": "Language of the box",
    "documents": "Who may see own documents",
    "conversations": "Conversations",
    "kiosk": "The box’s own screen",
    "usage": "Usage",
}
SEEN = {
    "here": "Who sits at the box, and who has signed in; others only their areas",
    "everyone": "Everyone on the network of this box",
    "nobody": "Nobody, areas with a passphrase neither",
}


@dataclass(frozen=True, slots=True)
class Model:
    """A language model that lies here; `carried`: this machine has the memory for it beside everything
    else, of which `needed` (MB) is the least."""

    name: str
    about: str
    bytes: int
    carried: bool
    needed: int


@dataclass(frozen=True, slots=True)
class Level:
    """A setting of the gate with its two rates of error over the sets of questions, in per cent: `4–10`; ""
    where none were measured."""

    name: str
    label: str
    meant: str
    false_answers: str
    false_refusals: str


def router(desk: Desk, appliance: Appliance, choosing: Choosing) -> APIRouter:
    routes = desk.routes(PAGE)

    @routes.get(PAGE)
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        found = await run_in_threadpool(_shown, appliance, choosing)
        return await desk.page(
            "answers.html", request, accepted, saved="saved" in request.query_params, **found
        )

    @routes.post(PAGE)
    async def choose(request: Request) -> Response:
        form = await desk.form(request)
        try:
            await run_in_threadpool(choosing.choose, _wanted(form))
        except SettingsError as error:
            raise BadRequest(str(error), error.hint, status=400) from error
        return RedirectResponse(f"{PAGE}?saved", 303)

    @routes.post(f"{PAGE}/again")
    async def again(request: Request, accepted: render.Accepted = "") -> Response:
        await desk.form(request)
        if not choosing.way():
            raise BadRequest("Nobody would start Lamplight again.", "Start it again by hand.", status=409)
        shown = await desk.page("again.html", request, accepted, back=PAGE)
        shown.background = BackgroundTask(_soon, choosing)
        return shown

    return routes


async def _soon(choosing: Choosing) -> None:
    await asyncio.sleep(MOMENT)
    choosing.again()


def _shown(appliance: Appliance, choosing: Choosing) -> dict[str, Any]:
    rows, now = choosing.rows(), appliance.settings
    model = NONE if rows["search_only"].value else rows["model"].value or AUTO
    gate = Gate.load(gate_file(now))
    return {
        "rows": rows,
        "model": model,
        "model_row": _of_model(rows["model"], rows["search_only"]),
        "models": here(now),
        "loaded": appliance.model.name if appliance.model else "",
        "levels": levels(gate.rates),
        "languages": LANGUAGES,
        "seen": SEEN,
        "labels": list(dict.fromkeys(LABELS[row.name] for row in rows.values() if row.waits)),
        "waits": {ROWS[row.name].desk for row in rows.values() if row.waits},
        "way": choosing.way(),
        "card": bool(now.device),
        "screen": not now.device or SCREEN.exists(),
    }


def _of_model(*rows: Row) -> Row:
    """Of the two rows that are one choice here, the one that says more of it."""
    return max(rows, key=lambda row: (row.fixed, row.waits, row.origin == "desk"))


def _wanted(form: dict[str, str]) -> dict[str, object]:
    """The choices of the form; a row that is not on it is not touched, except the box to be ticked, whose row
    says that it is there."""
    found: dict[str, object] = {
        name: form[name] for name in ("gate", "language", "documents", "conversations") if name in form
    }
    if "model" in form:
        found["search_only"] = form["model"] == NONE
        found["model"] = "" if form["model"] in (AUTO, NONE) else _known(form["model"])
    if "kiosk-row" in form:
        found["kiosk"] = form.get("kiosk") == "yes"
    return found


def _known(name: str) -> str:
    model = models.catalogue().files.get(name)
    if model is None or not model.file.endswith(language.GGUF):
        raise BadRequest("There is no such language model here.", "Choose one of the list.", "model")
    return name


def here(given: Settings) -> list[Model]:
    """The language models whose files lie on this machine, the smallest first."""
    machine = board.look()
    return [
        Model(one.name, one.about, one.bytes, board.carries(machine, one), board.needed_mb(one))
        for one in sorted(models.catalogue().files.values(), key=lambda one: one.bytes)
        if one.file.endswith(language.GGUF) and models.is_here(given.home, one)
    ]


def levels(rates: Sequence[Rate]) -> list[Level]:
    """Each setting in plain words with what it costs."""
    found = []
    for name in LEVELS:
        own = [rate for rate in rates if rate.level == name]
        answers, refusals = (rate.false_answers for rate in own), (rate.false_refusals for rate in own)
        found.append(Level(name, NAMES[name], MEANT[name], _per_cent(answers), _per_cent(refusals)))
    return found


def _per_cent(shares: Iterable[float]) -> str:
    rounded = sorted({round(share * 100) for share in shares})
    return "–".join(map(str, dict.fromkeys((*rounded[:1], *rounded[-1:]))))
