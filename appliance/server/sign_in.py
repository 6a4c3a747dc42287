"""`/sign-in`: in, and one's own sessions; `/sign-out`; `/first-use`: the first admin, by the device's code.

A form before signing in is bound to a cookie of its own, so that no other place signs anybody in. Each
signing in begins a new session: what the browser brought is never taken over.
"""

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.errors import LamplightError, PeopleError
from appliance.people.persons import folded
from appliance.people.records import Person, Role, Session, reaches
from appliance.people.sessions import LONGEST
from appliance.server import agents, names, render
from appliance.server.desk.places import ROOT, place
from appliance.server.guard import own_machine
from appliance.server.guesses import set_cookie
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.server.rights import COOKIE, OPEN, VISITOR, Rights
from appliance.settings import Settings

PAGE, FIRST, OUT = "/sign-in", "/first-use", "/sign-out"
CODE = "\0code"  # guessed at like a name, and nobody's
WRONG = "The name or the passphrase is not right."
NOT_THE_PRESENT_ONE = "The present passphrase is not right."
NOT_THE_CODE = "This is not the code of this box, or it was used."
ON_SCREEN = "Nobody signs in on the box's own screen: everybody uses it."
_HERE = re.compile(r"/[a-z0-9-]*(?:/[a-z0-9-]+)*(?:\?[A-Za-z0-9=&_.~-]*)?")
Text = Annotated[str, Form(max_length=1_000)]


@dataclass(frozen=True, slots=True)
class Line:
    """A session of the list; `here` is this one."""

    session: Session
    here: bool


def router(rights: Rights, settings: Settings) -> APIRouter:
    routes = APIRouter(include_in_schema=False)
    people, guesses, needs = rights.people, rights.guesses, rights.needs

    @routes.get(PAGE, dependencies=[OPEN])
    async def page(request: Request, to: str = "", accepted: render.Accepted = "") -> Response:
        if elsewhere := names.elsewhere(request, settings):
            return RedirectResponse(elsewhere, 303)
        if _local(to) and rights.known(request).session:  # was asked for under a number
            return RedirectResponse(to, 303)
        return await _page(rights, request, accepted, to=_local(to))

    @routes.post(PAGE, dependencies=[OPEN])
    async def sign_in(
        request: Request,
        token: Text = "",
        name: Text = "",
        passphrase: Text = "",
        to: Text = "",
        accepted: render.Accepted = "",
    ) -> Response:
        _require(rights, request, token)
        who = folded(name)
        try:
            keys = guesses.keys(request, who)
            person = await guesses.look(keys, lambda: people.persons.check(name, passphrase))
            if person is None:
                raise BadRequest(WRONG, status=403)
        except BadRequest as error:
            return await _page(rights, request, accepted, error, to=_local(to), name=name[:60])
        return await begin(rights, request, person, _local(to))

    @routes.get(FIRST, dependencies=[OPEN])
    async def first(request: Request, accepted: render.Accepted = "") -> Response:
        if elsewhere := names.elsewhere(request, settings):
            return RedirectResponse(elsewhere, 303)
        return await _page(rights, request, accepted, template="first_use.html")

    @routes.post(FIRST, dependencies=[OPEN])
    async def use(
        request: Request,
        token: Text = "",
        code: Text = "",
        name: Text = "",
        passphrase: Text = "",
        accepted: render.Accepted = "",
    ) -> Response:
        _require(rights, request, token)
        try:
            keys = guesses.keys(request, CODE)
            if not await guesses.look(keys, lambda: people.first.is_code(code) or None):
                raise BadRequest(NOT_THE_CODE, status=403)
            person = await run_in_threadpool(people.first.take, code, name, passphrase)
        except (BadRequest, PeopleError) as error:
            return await _page(rights, request, accepted, error, name=name[:60], template="first_use.html")
        return await begin(rights, request, person, "")

    @routes.post(OUT, dependencies=[needs("reader")])
    async def out(request: Request) -> Response:
        session = rights.known(request).session
        if session:
            await run_in_threadpool(people.sessions.end, session.id)
        reply = RedirectResponse("/", 303)
        reply.delete_cookie(COOKIE)
        return reply

    @routes.post(PAGE + "/passphrase", dependencies=[needs("reader")])
    async def change(
        request: Request, now: Text = "", passphrase: Text = "", accepted: render.Accepted = ""
    ) -> Response:
        """Another passphrase of one's own; the present one is asked for, as for signing in."""
        person, session = _signed_in(rights, request)
        try:
            keys = guesses.keys(request, folded(person.name))
            knew = await guesses.look(keys, lambda: people.persons.check(person.name, now))
            if knew is None:
                raise BadRequest(NOT_THE_PRESENT_ONE, status=403)
            await run_in_threadpool(
                people.persons.set_passphrase, person.id, passphrase, session.id, knew.lock
            )
        except (BadRequest, PeopleError) as error:
            return await _page(rights, request, accepted, error)
        return RedirectResponse(f"{PAGE}?changed=yes", 303)

    @routes.post(PAGE + "/end", dependencies=[needs("reader")])
    async def end(request: Request, session: Annotated[int, Form(ge=1, lt=2**53)]) -> Response:
        """Another session of one's own ends."""
        person, _ = _signed_in(rights, request)
        await run_in_threadpool(people.sessions.end, session, person.id)
        return RedirectResponse(PAGE, 303)

    return routes


async def _page(
    rights: Rights,
    request: Request,
    accepted: str,
    error: LamplightError | None = None,
    to: str = "",
    name: str = "",
    template: str = "sign_in.html",
) -> Response:
    """With what was wrong, in the place where it can be tried again."""
    known, people = rights.known(request), rights.people
    token, secret = rights.form(request)
    mine = await run_in_threadpool(people.sessions.listed, known.person.id) if known.person else []
    shown = await render.page(
        template,
        accepted,
        (error.status if isinstance(error, BadRequest) else 400) if error else 200,
        person=known.person,
        desk=known.person is not None and reaches(known.person.role, "editor"),
        sessions=[Line(one, known.session is not None and one.id == known.session.id) for one in mine],
        screen=VISIT in request.scope,
        first=people.first.open(),
        heard=not own_machine(request.headers.get("host", "")),
        changed=request.query_params.get("changed") == "yes",
        token=token,
        error=error,
        to=to,
        name=name,
    )
    rights.keep_form(shown, secret)
    shown.headers["cache-control"] = "no-store"
    return shown


async def begin(rights: Rights, request: Request, person: Person, to: str) -> Response:
    """A new session for this browser, which goes on to `to`; the one that it had ends."""
    sessions, before = rights.people.sessions, rights.known(request).session
    label = agents.label(request.headers.get("user-agent", ""))
    cookie = await run_in_threadpool(sessions.begin, person.id, label, person.lock)
    if before:
        await run_in_threadpool(sessions.end, before.id)
    reply = RedirectResponse(_next(person, to), 303)
    set_cookie(reply, COOKIE, cookie, LONGEST)
    rights.guesses.remember(reply, folded(person.name))
    reply.delete_cookie(VISITOR)
    return reply


def _next(person: Person, to: str) -> str:
    """What somebody sees who has signed in: `to`, unless it is a page of the desk for a larger role."""
    desk = reaches(person.role, "editor")
    if to.startswith(ROOT) and not reaches(person.role, _role(to)):
        return ROOT if desk else PAGE
    return to or (ROOT if desk else "/")


def _role(to: str) -> Role:
    """What an address of the desk takes; one that is no page there takes as much as the desk itself."""
    try:
        return place(to.partition("?")[0]).role
    except KeyError:
        return place(ROOT).role


def _require(rights: Rights, request: Request, token: str) -> None:
    """Raises BadRequest (403) for a form that may not sign anybody in."""
    if VISIT in request.scope:
        raise BadRequest(ON_SCREEN, "Use a phone or a computer.", status=403)
    names.require_name(request)
    rights.require_token(request, {"token": token})


def _signed_in(rights: Rights, request: Request) -> tuple[Person, Session]:
    """Raises BadRequest (403) for a program, which has no session."""
    known = rights.known(request)
    if known.person is None or known.session is None:
        raise BadRequest("This is for people, not for programs.", status=403)
    return known.person, known.session


def _local(to: str) -> str:
    """Where to go after signing in: a page of this box, or ""."""
    return to if _HERE.fullmatch(to) else ""


def address(to: str) -> str:
    """The page of signing in, which leads to `to` afterwards."""
    return f"{PAGE}?to={quote(to, safe='/')}" if _local(to) else PAGE
