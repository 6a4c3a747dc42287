"""Rights by themselves: who a request is of, what it may do, and that every route says whom it is for."""

from pathlib import Path

import pytest
from fastapi import APIRouter, FastAPI, Request
from people.boxes import WORDS, people
from starlette.testclient import TestClient

from appliance import settings
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.server.rights import AREA, COOKIE, OPEN, OWN, Rights, include, open_rights

ROLES = ("reader", "editor", "admin")


@pytest.fixture
def rights() -> Rights:
    found = Rights(people())
    for role in ROLES[::-1]:
        found.people.persons.add(role.title(), role, WORDS)
    return found


def request(method: str = "POST", cookies: dict[str, str] | None = None, **headers: str) -> Request:
    given = {"host": "lamp", **headers}
    if cookies:
        given["cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
    return Request({"type": "http", "method": method, "path": "/", "headers": raw, "client": ("10.0.0.7", 1)})


def signed_in(rights: Rights, role: str, **headers: str) -> Request:
    person = rights.people.persons.named(role)
    return request(cookies={COOKIE: rights.people.sessions.begin(person.id, "")}, **headers)


def refused(rights: Rights, asked: Request, role: str, form: dict[str, str] | None = None) -> int:
    try:
        rights.require(asked, role, form)
    except BadRequest as error:
        return error.status
    return 0


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_what_those_before_it_may(rights: Rights, role: str) -> None:
    asked = signed_in(rights, role)
    assert rights.person(asked).role == role
    form = {"token": rights.csrf(asked)}
    allowed = [needed for needed in ROLES if refused(rights, asked, needed, form) == 0]
    assert allowed == list(ROLES[: ROLES.index(role) + 1])
    assert [needed for needed in ROLES if rights.may(asked, needed)] == allowed


def test_nobody_may_do_nothing(rights: Rights) -> None:
    for asked in (request(), request(cookies={COOKIE: "x.y"}), request(authorization="Bearer lamp_x")):
        assert rights.person(asked) is None
        assert rights.csrf(asked) == ""
        assert not rights.may(asked, "reader")
        assert refused(rights, asked, "reader", {"token": ""}) == 401


def test_a_form_needs_the_token_of_its_own_session(rights: Rights) -> None:
    asked, other = signed_in(rights, "admin"), signed_in(rights, "admin")
    assert rights.csrf(asked) == rights.csrf(asked) != rights.csrf(other)
    for token in ("", "x", rights.csrf(other), rights.csrf(asked)[:-1], "\udcff"):
        assert refused(rights, asked, "admin", {"token": token}) == 403
    assert refused(rights, asked, "admin") == 403
    with_header = request(cookies=dict(asked.cookies), x_form_token=rights.csrf(asked))
    assert refused(rights, with_header, "admin") == 0


@pytest.mark.parametrize(
    "origin", ["http://elsewhere.example", "null", "https://lamp.evil", "http://lamp:81"]
)
def test_a_form_of_another_place_changes_nothing(rights: Rights, origin: str) -> None:
    asked = signed_in(rights, "admin", origin=origin)
    assert refused(rights, asked, "admin", {"token": rights.csrf(asked)}) == 403


def test_a_session_that_was_ended_is_nobodys(rights: Rights) -> None:
    asked = signed_in(rights, "admin")
    cookies = dict(asked.cookies)
    rights.people.sessions.end_all()
    assert refused(rights, request(cookies=cookies), "reader", {"token": rights.csrf(asked)}) == 401


def test_the_boxs_own_screen_is_nobodys(rights: Rights) -> None:
    asked = signed_in(rights, "admin")
    asked.scope[VISIT] = "a visit"
    assert rights.person(asked) is None
    assert rights.csrf(asked) == ""


def test_a_program_needs_no_token_of_a_form_and_has_its_own_role(rights: Rights) -> None:
    admin = rights.people.persons.named("admin")
    token = rights.people.programs.add(admin.id, "feeder", "editor")
    asked = request(authorization=f"bearer  {token}")
    assert refused(rights, asked, "editor") == 0
    assert refused(rights, asked, "admin") == 403
    assert (
        refused(rights, request(authorization=f"Bearer {token}", origin="http://e.example"), "editor") == 403
    )
    cookies = dict(signed_in(rights, "admin").cookies)
    assert rights.person(request(cookies=cookies, authorization="Bearer lamp_wrong")) is None


def test_the_forms_of_an_open_area_are_bound_to_it(rights: Rights) -> None:
    one, other = request(cookies={AREA: "one"}), request(cookies={AREA: "other"})
    assert rights.csrf(one)
    rights.require_token(one, {"token": rights.csrf(one)})
    with pytest.raises(BadRequest):
        rights.require_token(one, {"token": rights.csrf(other)})
    assert refused(rights, one, "reader", {"token": rights.csrf(one)}) == 401


@pytest.mark.parametrize("broken", [b"no database", b"SQLite format 3\0" + b"x" * 2000])
def test_where_the_file_cannot_be_used_nobody_signs_in(
    tmp_path: Path, broken: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """Least of all by the code of first use, which a box without people would take."""
    (tmp_path / "people").mkdir()
    (tmp_path / "people/people.db").write_bytes(broken)
    (tmp_path / "people/first-use-code").write_text("kq7m-x2pd")
    rights = open_rights(settings.load({"home": tmp_path}, {}))
    assert not rights.people.first.open()
    assert "Nobody can sign in." in capsys.readouterr().err
    assert (tmp_path / "people/people.db").read_bytes() == broken
    assert [(check.name, check.state) for check in rights.checks()] == [("People", "wrong")]


def test_the_status_page_says_when_nobody_looks_after_the_box(rights: Rights) -> None:
    assert rights.checks() == ()
    assert [check.state for check in Rights(people()).checks()] == ["noticed"]


def app(*routes: APIRouter) -> FastAPI:
    found = FastAPI(docs_url=None, redoc_url=None)
    for one in routes:
        found.include_router(one)
    return found


def test_a_route_says_once_whom_it_is_for(rights: Rights) -> None:
    good, silent, twice = APIRouter(dependencies=[OPEN]), APIRouter(), APIRouter(dependencies=[OWN])
    good.get("/good")(lambda: "")
    silent.get("/silent")(lambda: "")
    twice.post("/twice", dependencies=[rights.needs("admin")])(lambda: "")
    include(FastAPI(), good)
    for wrong in (silent, twice):
        with pytest.raises(RuntimeError, match=f"whom they are for: {wrong.routes[0].path}"):
            include(FastAPI(), wrong)


def test_what_a_route_says_is_checked_before_it_is_called(rights: Rights) -> None:
    routes, called = APIRouter(), []
    routes.api_route("/x", methods=["GET", "POST"], dependencies=[rights.needs("editor")])(
        lambda: called.append(1)
    )
    served = app(routes)
    served.add_exception_handler(BadRequest, lambda _, error: _reply(error))
    client = TestClient(served)
    assert (client.get("/x").status_code, client.post("/x").status_code) == (401, 401)
    asked = signed_in(rights, "editor")
    client.cookies.set(COOKIE, asked.cookies[COOKIE])
    assert client.post("/x").status_code == 403
    assert client.post("/x", data={"token": "x"}).status_code == 403
    assert called == []
    assert client.get("/x").status_code == 200
    assert client.post("/x", data={"token": rights.csrf(asked)}).status_code == 200
    assert client.post("/x", json={}, headers={"X-Form-Token": rights.csrf(asked)}).status_code == 200
    assert len(called) == 3
    assert client.post("/x", files={"f": ("a", b"x")}, data={"token": rights.csrf(asked)}).status_code == 400


def _reply(error: Exception):
    from starlette.responses import PlainTextResponse

    return PlainTextResponse(str(error), getattr(error, "status", 500))
