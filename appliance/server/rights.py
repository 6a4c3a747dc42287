"""Who may do what: each route says whom it is for, and what it says is what is checked.

    routes = APIRouter(dependencies=[OPEN])                     # everyone
    @routes.post("/x", dependencies=[rights.needs("editor")])   # who has signed in as an editor or an admin

`OPEN` checks nothing. `OWN` says that the route itself asks whose something is, by the visitor's own cookie
(conversations, areas) or with `require`; what is sent to it must come from a page of this box. `needs` checks
the role and, where something is changed, that a page of this box sent it in this very session: the session's
token stands in the form's field `token` or in the header `X-Form-Token`. A program's bearer token is sent by
no browser on its own, so it needs none. An application takes no route that says nothing, or two things
(`include`).
"""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import RouteContext
from starlette.datastructures import FormData, UploadFile
from starlette.routing import BaseRoute

from appliance.errors import DocumentError
from appliance.log import say
from appliance.people import code
from appliance.people.people import People, open_people
from appliance.people.records import Person, Program, Role, Session, reaches
from appliance.records import Check
from appliance.server.guesses import Guesses, set_cookie
from appliance.server.origin import by_number, require_own_page
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.settings import Settings

COOKIE = "lamplight_session"
AREA, VISITOR = "lamplight_area", "lamplight_form"  # of visitors: an open area; a form before signing in
FIELD, HEADER = "token", "x-form-token"
SAFE = ("GET", "HEAD", "OPTIONS")
FORM_AGE = 3_600  # seconds in which a visitor's form is sent
MOST_FIELDS = 2_000  # of one form
REMEDY = "See docs/people.md: when nobody can sign in."
_KNOWN = "lamplight.known"  # in the request's scope

Right = Literal["open", "own", "reader", "editor", "admin"]


@dataclass(frozen=True, slots=True)
class Known:
    """Whose a request is: a session's or a program's; neither for nobody."""

    person: Person | None = None
    session: Session | None = None
    program: Program | None = None


NOBODY = Known()


class Declared:
    """What a route says of itself that is for everyone; a dependency of it."""

    def __init__(self, right: Right) -> None:
        self.right = right

    async def __call__(self, request: Request) -> None:
        """Nobody is sent from another place to do something with what is their own."""
        if self.right == "own" and request.method not in SAFE:
            require_own_page(request)


class Needs:
    """The same, for those who have signed in. With `form` False the route reads what was sent itself, and
    asks `Rights.require` when it knows the token."""

    def __init__(self, rights: "Rights", role: Role, form: bool) -> None:
        self.right: Right = role
        self._rights, self._role, self._form = rights, role, form

    async def __call__(self, request: Request) -> None:
        self._rights.require_role(request, self._role)
        if request.method not in SAFE:
            require_own_page(request)
            if self._form:
                sent = await request.form(max_files=0, max_fields=MOST_FIELDS)
                self._rights.require_token(request, texts(sent))
        await self._rights.note(request)


OPEN: Any = Depends(Declared("open"))
OWN: Any = Depends(Declared("own"))


class Rights:
    """Of one running server."""

    def __init__(self, people: People, problem: str = "") -> None:
        self.people, self.guesses = people, Guesses(people.sessions)
        self.problem = problem  # why nobody can sign in; empty when all is well

    def needs(self, role: Role, form: bool = True) -> Any:  # noqa: ANN401 (as fastapi.Depends)
        """What a route declares that is for this role alone."""
        return Depends(Needs(self, role, form))

    def person(self, request: Request) -> Person | None:
        """Who has signed in; with the smaller role where a program acts for them. None for nobody."""
        return self.known(request).person

    def may(self, request: Request, role: Role) -> bool:
        person = self.person(request)
        return person is not None and reaches(person.role, role)

    def csrf(self, request: Request) -> str:
        """The token of this visitor's forms: of their session, else of the area that they have opened, else
        of the cookie that the page of signing in has set; "" where there is none of these."""
        secret = self._secret(request)
        return self.people.sessions.signature("form", secret) if secret else ""

    def form(self, request: Request) -> tuple[str, str]:
        """The token of a form that is for visitors, too, and a new cookie to bind it to; "" where there is
        something already. `keep_form` sends the cookie."""
        if token := self.csrf(request):
            return token, ""
        secret = secrets.token_urlsafe(24)
        return self.people.sessions.signature("form", f"{VISITOR}={secret}"), secret

    def keep_form(self, response: Response, secret: str) -> None:
        if secret:
            set_cookie(response, VISITOR, secret, FORM_AGE)

    def require(self, request: Request, role: Role, form: Mapping[str, str] | None = None) -> Person:
        """Who changes something. Raises BadRequest: 401 for nobody, 403 for a smaller role, another place's
        page or a form without the session's token."""
        person = self.require_role(request, role)
        self.require_token(request, form)
        return person

    def require_role(self, request: Request, role: Role) -> Person:
        """Raises BadRequest (401, 403)."""
        person = self.person(request)
        if person is None:
            raise BadRequest("This is for people who have signed in.", "Sign in first.", status=401)
        if not reaches(person.role, role):
            raise BadRequest(
                f"This is for an {role}; you have signed in as {person.name}, {person.role}.",
                "Ask whoever looks after the box.",
                status=403,
            )
        return person

    def require_token(self, request: Request, form: Mapping[str, str] | None = None) -> None:
        """Raises BadRequest (403) unless a page of this box sent this, in this visitor's session."""
        require_own_page(request)
        if self.known(request).program is not None:
            return
        given = (form or {}).get(FIELD, "") or request.headers.get(HEADER, "")
        if not same(given, self.csrf(request)):
            raise BadRequest(
                "This form is of another session, or of another place.",
                "Open the page again, then send the form from there.",
                FIELD,
                403,
            )

    def checks(self) -> Sequence[Check]:
        """A line for the status page, where something is to be said."""
        if self.problem:
            return (Check("People", "wrong", f"Nobody can sign in. {self.problem}", REMEDY),)
        if not self.people.persons.there_is_an_admin():
            sentence = "Nobody looks after this box yet."
            return (Check("People", "noticed", sentence, "Open /first-use with the code of the device."),)
        return ()

    def known(self, request: Request) -> Known:
        """Who sends a request. On the box's own screen, which anybody uses, that is nobody; and a cookie
        counts under a name of the box alone (`origin.by_number`)."""
        found = request.scope.get(_KNOWN)
        if not isinstance(found, Known):
            found = NOBODY if VISIT in request.scope else self._look(request)
            request.scope[_KNOWN] = found
        return found

    async def note(self, request: Request) -> None:
        """That a session or a program was seen; written now and then."""
        found, people = self.known(request), self.people
        if found.session and people.sessions.stale(found.session):
            await run_in_threadpool(people.sessions.touch, found.session)
        if found.program and people.programs.stale(found.program):
            await run_in_threadpool(people.programs.touch, found.program)

    def _look(self, request: Request) -> Known:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token.strip():
            acting = self.people.programs.find(token.strip())
            return Known(acting[0], program=acting[1]) if acting else NOBODY
        value = "" if by_number(request) else request.cookies.get(COOKIE, "")
        signed_in = self.people.sessions.find(value) if value else None
        return Known(*signed_in) if signed_in else NOBODY

    def _secret(self, request: Request) -> str:
        if self.known(request).session is not None:
            return request.cookies[COOKIE]
        if VISIT in request.scope:
            return ""
        found = ((name, request.cookies.get(name, "")) for name in (AREA, VISITOR))
        return next((f"{name}={value}" for name, value in found if value), "")


def open_rights(settings: Settings) -> Rights:
    """The people of a box, with a code of first use where it has no admin yet. Where their file cannot be
    used nobody signs in, and log and status page say so: the library is there all the same."""
    try:
        people = open_people(settings.home / code.FOLDER, code.file(settings.home, settings.admin_code))
        if not settings.admin_code:
            people.first.prepare()
        return Rights(people)
    except (DocumentError, OSError) as error:
        say(f"Nobody can sign in. {error} {REMEDY}")
        return Rights(open_people(), str(error))


def declared(route: BaseRoute | RouteContext) -> Sequence[Right]:
    """What a route says of itself: one right, where it is as it should be."""
    found = getattr(route, "dependencies", None) or ()
    return [one.dependency.right for one in found if isinstance(one.dependency, Declared | Needs)]


def include(app: FastAPI, routes: APIRouter) -> None:
    """Takes routes into an application. Raises RuntimeError, before it starts, for one that does not say whom
    it is for: a defect."""
    wrong = [str(getattr(route, "path", route)) for route in routes.routes if len(declared(route)) != 1]
    if wrong:
        raise RuntimeError(f"These routes do not say, or say twice, whom they are for: {', '.join(wrong)}.")
    app.include_router(routes)


def texts(sent: FormData) -> dict[str, str]:
    """The fields of a form, without its files."""
    return {name: value for name, value in sent.items() if not isinstance(value, UploadFile)}


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same one; "" is none."""
    return bool(one) and hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
