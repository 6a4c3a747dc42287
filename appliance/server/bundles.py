"""`/library`: the bundles of this box, on the card and on sticks, and what can be done with them.

Looking changes nothing; every change is a form (POST) of an admin. Works without JavaScript: while
something is being copied the page loads itself again.
"""

from collections.abc import Callable

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.errors import LamplightError
from appliance.server import render
from appliance.server.questions import BadRequest
from appliance.server.rights import OPEN, Rights, texts
from appliance.shelving.librarian import Librarian
from appliance.shelving.sentences import without_paths

PAGE = "/library"
DISK = "Free some space there. If it stays so, it is failing."
Form = dict[str, str]


def router(librarian: Librarian, rights: Rights) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get(PAGE, dependencies=[OPEN])
    async def page(request: Request, accepted: render.Accepted = "") -> Response:
        view = await run_in_threadpool(librarian.view)
        shown = await render.page(
            "library.html",
            accepted,
            view=view,
            card=bool(librarian.live.settings.device),
            watched=bool(librarian.live.settings.sticks),
            may=rights.may(request, "admin"),
            person=rights.person(request),
            token=rights.csrf(request),
        )
        shown.headers["cache-control"] = "no-store"
        return shown

    @routes.post(PAGE + "/{act}", dependencies=[rights.needs("admin")])
    async def change(request: Request, act: str) -> Response:
        async with request.form(max_files=0, max_fields=200) as sent:
            form, archives = texts(sent), [str(name) for name in sent.getlist("archive")]
        acts = _acts(librarian, form, archives)
        if act not in acts:
            raise BadRequest(f"There is nothing called {act[:40]!r} to do here.", status=404)
        try:
            await run_in_threadpool(acts[act])
        except LamplightError as error:
            raise BadRequest(without_paths(str(error)), without_paths(error.hint), status=409) from error
        except OSError as error:  # the card is full, or read-only
            raise BadRequest(f"The card or disk: {error.strerror or error}.", DISK, status=409) from error
        return RedirectResponse(PAGE, 303)

    return routes


def _acts(librarian: Librarian, form: Form, archives: list[str]) -> dict[str, Callable[[], None]]:
    """What can be done, by the last part of the address."""
    stick, yes = form.get("stick", ""), form.get("yes") == "yes"
    return {
        "use": lambda: librarian.use(stick, yes),
        "leave": lambda: librarian.leave(stick),
        "copy": lambda: librarian.copy(stick, yes),
        "roll-back": librarian.roll_back,
        "check": librarian.check,
        "export": lambda: librarian.export(stick, archives),
        "stop": librarian.stop_job,
    }
