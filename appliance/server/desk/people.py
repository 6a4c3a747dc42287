"""`/desk/people`: who looks after the box, where they are signed in, which programs act for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from appliance.errors import PeopleError
from appliance.people.people import People
from appliance.people.records import ROLES, Person, Program, Role, Session
from appliance.server import render
from appliance.server.desk.frame import Desk
from appliance.server.questions import Number

PAGE = "/desk/people"
Text = Annotated[str, Form(max_length=1_000)]


@dataclass(frozen=True, slots=True)
class Shown:
    """Someone on the page."""

    person: Person
    sessions: list[Session]
    programs: list[Program]


def router(desk: Desk) -> APIRouter:
    routes = desk.routes(PAGE)
    page = _Page(desk)
    persons, sessions = desk.rights.people.persons, desk.rights.people.sessions

    @routes.get(PAGE)
    async def look(request: Request, accepted: render.Accepted = "") -> Response:
        return await page.shown(request, accepted)

    @routes.post(PAGE + "/add")
    async def add(
        request: Request,
        name: Text = "",
        role: Annotated[Role, Form()] = "reader",
        passphrase: Text = "",
        accepted: render.Accepted = "",
    ) -> Response:
        return await page.after(request, accepted, persons.add, name, role, passphrase)

    @routes.post(PAGE + "/{number}/role")
    async def change_role(
        request: Request, number: Number, role: Annotated[Role, Form()], accepted: render.Accepted = ""
    ) -> Response:
        return await page.after(request, accepted, persons.set_role, number, role)

    @routes.post(PAGE + "/{number}/passphrase")
    async def reset(
        request: Request, number: Number, passphrase: Text = "", accepted: render.Accepted = ""
    ) -> Response:
        """Ends their sessions and programs; the session in which it is done goes on."""
        session = desk.rights.known(request).session
        this = session.id if session else 0
        return await page.after(request, accepted, persons.set_passphrase, number, passphrase, this)

    @routes.post(PAGE + "/{number}/remove")
    async def remove(request: Request, number: Number, accepted: render.Accepted = "") -> Response:
        return await page.after(request, accepted, persons.remove, number)

    @routes.post(PAGE + "/sessions/{number}/end")
    async def end(request: Request, number: Number, accepted: render.Accepted = "") -> Response:
        return await page.after(request, accepted, sessions.end, number)

    _programs(routes, desk, page)
    return routes


def _programs(routes: APIRouter, desk: Desk, page: "_Page") -> None:
    programs = desk.rights.people.programs

    @routes.post(PAGE + "/programs")
    async def let_in(
        request: Request,
        name: Text = "",
        role: Annotated[Role, Form()] = "reader",
        accepted: render.Accepted = "",
    ) -> Response:
        """A program that acts for whoever sends the form. Its token is on this page and on none after it."""
        person = desk.rights.person(request)
        try:
            token = await run_in_threadpool(programs.add, person.id if person else 0, name, role)
        except PeopleError as error:
            return await page.shown(request, accepted, error)
        return await page.shown(request, accepted, token=token)

    @routes.post(PAGE + "/programs/{number}/end")
    async def end(request: Request, number: Number, accepted: render.Accepted = "") -> Response:
        return await page.after(request, accepted, programs.end, number)


class _Page:
    """The page, and the way back to it."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._people = desk, desk.rights.people

    async def shown(
        self, request: Request, accepted: str, error: PeopleError | None = None, token: str = ""
    ) -> Response:
        known = self._desk.rights.known(request)
        return await self._desk.page(
            "people.html",
            request,
            accepted,
            409 if error else 200,
            shown=await run_in_threadpool(_look, self._people),
            roles=ROLES,
            error=error,
            program_token=token,
            this=known.session.id if known.session else 0,
        )

    async def after(
        self, request: Request, accepted: str, act: Callable[..., object], *given: object
    ) -> Response:
        """The page again, when that is done; or what was wrong with it."""
        try:
            await run_in_threadpool(act, *given)
        except PeopleError as error:
            return await self.shown(request, accepted, error)
        return RedirectResponse(PAGE, 303)


def _look(people: People) -> list[Shown]:
    sessions, programs = people.sessions.listed(), people.programs.listed()
    return [
        Shown(
            person,
            [one for one in sessions if one.person == person.id],
            [one for one in programs if one.person == person.id],
        )
        for person in people.persons.listed()
    ]
