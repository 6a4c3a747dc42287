"""The page of people: added, given roles, removed; sessions and programs end."""

import re
from pathlib import Path

import pytest
from people.boxes import WORDS
from starlette.testclient import TestClient

from appliance.server.app import create_app
from appliance.server.rights import COOKIE
from server import fakes, signing
from server.test_pages import words

pytestmark = pytest.mark.slow

PAGE = "/desk/people"


@pytest.fixture
def admin(tmp_path: Path) -> TestClient:
    app = create_app(fakes.appliance(tmp_path))
    found = TestClient(app, signing.NAMED, follow_redirects=False)
    signing.signed_in(found, app.state.rights)
    return found


def send(client: TestClient, act: str, **form: str) -> tuple[int, str]:
    token = signing.token(client.get(PAGE).text)
    reply = client.post(f"{PAGE}/{act}", data={"token": token, **form})
    return reply.status_code, words(reply.text)


def roles(client: TestClient) -> list[tuple[str, str]]:
    page = client.get(PAGE).text
    return re.findall(r'<span dir="auto">([^<]+)</span> <span class="role">(\w+)<', page)


def test_people_come_get_roles_and_go(admin: TestClient) -> None:
    assert send(admin, "add", name="Petra", role="editor", passphrase=WORDS)[0] == 303
    assert roles(admin) == [("admin 0", "admin"), ("Petra", "editor")]
    assert send(admin, "2/role", role="reader")[0] == 303
    assert roles(admin)[1] == ("Petra", "reader")
    assert send(admin, "2/remove")[0] == 303
    assert roles(admin) == [("admin 0", "admin")]


@pytest.mark.parametrize(
    ("act", "form", "said"),
    [
        ("add", {"name": "ADMIN 0", "role": "reader", "passphrase": WORDS}, "already"),
        ("add", {"name": "Eve", "role": "reader", "passphrase": "short"}, "5 letters"),
        ("1/role", {"role": "reader"}, "last admin"),
        ("1/remove", {}, "last admin"),
        ("7/remove", {}, "no such person"),
        ("programs", {"name": "", "role": "reader"}, "needs a name"),
    ],
)
def test_what_cannot_be_is_said_on_the_page(
    admin: TestClient, act: str, form: dict[str, str], said: str
) -> None:
    status, page = send(admin, act, **form)
    assert (status, said in page) == (409, True)


def test_there_are_three_roles(admin: TestClient) -> None:
    assert send(admin, "add", name="Eve", role="root", passphrase=WORDS)[0] == 400


def test_a_session_of_somebody_ends_at_once(admin: TestClient) -> None:
    app = admin.app
    rights = app.state.rights  # type: ignore[attr-defined]
    other = TestClient(app, signing.NAMED, follow_redirects=False)
    signing.signed_in(other, rights, "editor")
    assert "Firefox · Android" in words(admin.get(PAGE).text)
    assert other.get("/desk").status_code == 200
    assert send(admin, "sessions/2/end")[0] == 303
    assert other.get("/desk").headers["location"] == "/sign-in?to=/desk"


def test_a_role_that_is_taken_counts_with_the_next_click(admin: TestClient) -> None:
    rights = admin.app.state.rights  # type: ignore[attr-defined]
    other = TestClient(admin.app, signing.NAMED, follow_redirects=False)
    token = signing.signed_in(other, rights, "admin")
    assert other.get(PAGE).status_code == 200
    assert send(admin, "2/role", role="reader")[0] == 303
    assert other.get(PAGE).status_code == 403
    sent = {"token": token, "name": "Eve", "role": "admin", "passphrase": WORDS}
    assert other.post(f"{PAGE}/add", data=sent).status_code == 403
    assert len(roles(admin)) == 2


def test_another_passphrase_keeps_the_session_in_which_it_is_given(admin: TestClient) -> None:
    rights = admin.app.state.rights  # type: ignore[attr-defined]
    mine = admin.cookies[COOKIE]
    elsewhere = rights.people.sessions.begin(1, "elsewhere")
    assert send(admin, "1/passphrase", passphrase="another passphrase")[0] == 303
    assert rights.people.sessions.find(mine)
    assert rights.people.sessions.find(elsewhere) is None


def test_a_programs_token_is_shown_once_and_can_be_taken_away(admin: TestClient) -> None:
    status, page = send(admin, "programs", name="feeder <b>", role="editor")
    assert status == 200
    (token,) = set(re.findall(r"lamp_[\w-]{43}", page))
    assert token not in admin.get(PAGE).text
    assert "feeder <b>" not in admin.get(PAGE).text
    program = TestClient(admin.app, signing.NAMED, headers={"authorization": f"Bearer {token}"})
    assert program.get("/desk").status_code == 200
    assert program.get(PAGE).status_code == 403
    assert send(admin, "programs/1/end")[0] == 303
    assert program.get("/desk").status_code == 401
