"""Every route of the whole application, asked as nobody, reader, editor and admin: what it says of itself is
what it does. A new route that says nothing fails; so does one that anybody may change something by and that
is not on the short list here."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from people.boxes import WORDS
from starlette.testclient import TestClient

from appliance.documents.search import Documents
from appliance.errors import LamplightError
from appliance.people.records import ROLES
from appliance.repositories.repositories import Repositories
from appliance.server.app import create_app
from appliance.server.git_sources import GitSources
from appliance.server.own import OwnDocuments
from appliance.server.refusals import PROGRAMS
from appliance.server.rights import COOKIE, SAFE, Rights, declared
from appliance.server.talk import Talk
from appliance.settings import VISITORS_ADDRESS
from appliance.vectors import HashEncoder
from server import fakes, signing
from server.desk.boxes import BOX, write_box
from server.test_documents import HereReaders

NAME = "lamplight.home.arpa"
# What anybody may send: asking, and what lies in front of signing in.
OPEN_TO_SEND = {"/v1/chat/completions", "/v1/embeddings", "/welcome", "/sign-in", "/first-use"}
# What a visitor does with their own, by a cookie of theirs or a key that they were given.
BY_COOKIE = re.compile(r"/(api/)?conversations.*|/documents/area(/close)?|/desk/network/keep.*")
# What an editor may, and whoever has opened an area in there.
UNDECLARED = ("/openapi.json", "/static")  # the framework's own, open to everyone
TAKE_FILES = ("/documents", "/desk/backup/restore")  # which read their form themselves
WRONG_TOKEN = "of another session, or of another place"
IN_AN_AREA = re.compile(r"/documents(/delete)?|/api/documents(/\{number\})?|/disagreements/\{number\}")


class NoLibrarian:
    """Shows nothing and does nothing."""

    def __init__(self) -> None:
        self.live = self

    def held(self) -> nullcontext[None]:
        return nullcontext()

    def choose(self, _settings: object) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def notice(self) -> str:
        return ""

    def view(self) -> None:
        raise LamplightError("There is no stick here.")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """With everything that a box has, a card's parts and a hotspot's among it."""
    home: Path = tmp_path_factory.mktemp("home")
    (home / "run").mkdir()
    write_box(home / "run", BOX, -1)
    box = fakes.appliance(home, device=str(home / "run"), portal=NAME)
    rights = signing.rights()
    for role in (*ROLES, "admin"):
        rights.people.persons.add(f"{role} {len(rights.people.persons.listed())}", role, WORDS)
    documents = Documents.open(None, HashEncoder.model_sha256)
    own = OwnDocuments(box.settings, documents, HashEncoder(), readers=HereReaders(), rights=rights)
    sources = Repositories(box.settings, HashEncoder(), HashEncoder.model_sha256)
    git = GitSources(sources, box.settings)
    talk = Talk(box, documents.store, documents, own.seen)
    yield create_app(box, NoLibrarian(), talk, own, git=git, rights=rights)  # type: ignore[arg-type]
    sources.close()
    documents.close()


@pytest.fixture(scope="module")
def client(app: FastAPI) -> TestClient:
    """A phone on the hotspot; the application is not started, since nothing of it runs by itself here."""
    found = TestClient(app, f"http://{NAME}", client=("10.42.0.77", 5000), raise_server_exceptions=False)
    found.follow_redirects = False
    return found


def every(app: FastAPI) -> list[tuple[str, str, str]]:
    """(method, path, right); a route that does not say one right has "?"."""
    return [
        (method, str(route.path), declared(route)[0] if len(declared(route)) == 1 else "?")
        for route in iter_route_contexts(app.routes)
        for method in sorted(route.methods or ())
        if route.path not in UNDECLARED
    ]


def ask(
    client: TestClient,
    method: str,
    path: str,
    role: str = "",
    token: bool = True,
    program: bool = False,
    **headers: str,
) -> tuple[int, str, str]:
    """Status, where it leads, what is said; in a session of its own, since a route may end the one it has."""
    rights: Rights = client.app.state.rights  # type: ignore[attr-defined]
    client.cookies.clear()
    form = {"token": "x", "number": "1"}
    if role:
        person = next(one for one in rights.people.persons.listed() if one.role == role)
        if program:
            headers["authorization"] = f"Bearer {rights.people.programs.add(person.id, 'test', person.role)}"
        else:
            cookie = rights.people.sessions.begin(person.id, "")
            client.cookies.set(COOKIE, cookie)
            form["token"] = rights.people.sessions.signature("form", cookie) if token else "x"
    headers.setdefault("x-form-token", form["token"])
    address = re.sub(r"\{[^}]+\}", "999", path) + "?name=a.md"
    sent: dict[str, object] = {} if method in (*SAFE, "DELETE") else {"data": form}
    if path in TAKE_FILES and method == "POST":
        sent["files"] = [("file", ("a.md", b"# A"))]
    reply = client.request(method, address, headers=headers, **sent)  # type: ignore[arg-type]
    for one in rights.people.programs.listed():
        rights.people.programs.end(one.id)
    return reply.status_code, reply.headers.get("location", ""), reply.text


def test_every_route_says_whom_it_is_for(app: FastAPI) -> None:
    said = every(app)
    assert [path for _, path, right in said if right == "?"] == []
    assert {right for _, _, right in said} >= {"open", "own", "editor", "admin"}
    assert set(app.openapi()["paths"]) <= {path for _, path, _ in said}
    for prefix in ("/desk/people", "/desk/network", "/desk/sources", "/library", "/label", "/conversations"):
        assert any(path.startswith(prefix) for _, path, _ in said), prefix


def test_what_anybody_may_send_is_a_short_list(app: FastAPI) -> None:
    sends = [(path, right) for method, path, right in every(app) if method not in SAFE]
    assert {path for path, right in sends if right == "open"} == OPEN_TO_SEND
    own = {path for path, right in sends if right == "own"}
    assert {path for path in own if not BY_COOKIE.fullmatch(path) and not IN_AN_AREA.fullmatch(path)} == set()


@pytest.mark.slow
def test_a_route_for_a_role_is_for_that_role_and_the_larger_ones(app: FastAPI, client: TestClient) -> None:
    for method, path, right in every(app):
        if right not in ROLES:
            continue
        where = (method, path)
        status, to, _ = ask(client, method, path)
        if method in SAFE and not path.startswith(PROGRAMS):
            assert (status, to.partition("?")[0]) == (303, "/sign-in"), where
        else:
            assert status == 401, where
        for role in ROLES:
            # Without the session's token, so that nothing is done: the box is neither stopped nor restored.
            status, _, said = ask(client, method, path, role, token=False)
            if ROLES.index(role) < ROLES.index(right):
                assert status == 403, (*where, role)
                assert WRONG_TOKEN not in said, (*where, role)
            elif method in SAFE:
                assert status not in (401, 403), (*where, role)
            else:
                assert WRONG_TOKEN in said, (*where, role)
        assert ask(client, method, path, "admin", host=VISITORS_ADDRESS)[0] in (303, 401), where


@pytest.mark.slow
def test_nothing_is_changed_without_the_sessions_token_or_by_another_place(
    app: FastAPI, client: TestClient
) -> None:
    for method, path, right in every(app):
        if method in SAFE or right == "open":
            continue
        elsewhere = {"origin": "http://elsewhere.example"}
        assert ask(client, method, path, "admin", **elsewhere)[0] == 403, (method, path)
        assert ask(client, method, path, "admin", program=True, **elsewhere)[0] == 403, (method, path)
        if right == "own" and not BY_COOKIE.fullmatch(path):
            assert WRONG_TOKEN in ask(client, method, path, "admin", token=False)[2], (method, path)


@pytest.mark.slow
def test_documents_are_changed_by_editors_where_no_area_is_open(app: FastAPI, client: TestClient) -> None:
    sends = [(method, path) for method, path, _ in every(app) if method not in SAFE]
    own = [(method, path) for method, path in sends if IN_AN_AREA.fullmatch(path)]
    assert len(own) >= 5
    for method, path in own:
        assert ask(client, method, path)[0] == 403, (method, path)  # not even seen
        assert ask(client, method, path, "reader")[0] == 403, (method, path)
        assert ask(client, method, path, "editor")[0] not in (401, 403), (method, path)


@pytest.mark.slow
def test_what_is_open_asks_nobody_to_sign_in(app: FastAPI, client: TestClient) -> None:
    for method, path, right in every(app):
        if right == "open":
            status, to, _ = ask(client, method, path)
            assert status != 401, (method, path)
            assert not to.startswith("/sign-in"), (method, path)
