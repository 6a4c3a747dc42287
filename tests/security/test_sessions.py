"""Signing in: what a browser brought before is not taken over, and what has ended opens nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from appliance.people import code
from appliance.people.people import open_people
from appliance.server.rights import COOKIE
from security.target import Target, running

pytestmark = pytest.mark.slow
WORDS = "tides and the moon 1932"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A box with an admin and an editor, where anything may be tried."""
    home: Path = tmp_path_factory.mktemp("signed") / "home"
    people = open_people(home / code.FOLDER)
    for name in ("admin", "editor", "reader"):
        people.persons.add(name, name, WORDS)  # type: ignore[arg-type]
    people.store.close()
    with running(home) as found:
        yield found


@pytest.fixture
def browser(box: Target) -> Iterator[httpx.Client]:
    """People sign in under a name of the box."""
    address = f"http://localhost:{box.where[1]}"
    transport = httpx.HTTPTransport(retries=1)
    with httpx.Client(base_url=address, trust_env=False, timeout=30, transport=transport) as found:
        found.headers["origin"] = address
        yield found


def token(page: httpx.Response) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page.text)
    assert found is not None, page.text[:500]
    return found[1]


def sign_in(browser: httpx.Client, name: str, words: str = WORDS, to: str = "") -> httpx.Response:
    fields = {"token": token(browser.get("/sign-in")), "name": name, "passphrase": words, "to": to}
    return browser.post("/sign-in", data=fields)


def test_a_cookie_that_was_planted_before_is_not_taken_over(browser: httpx.Client) -> None:
    browser.cookies.set(COOKIE, "planted", domain="localhost.local")
    browser.headers["cookie"] = f"{COOKIE}=planted"
    before = token(browser.get("/sign-in"))
    del browser.headers["cookie"]
    reply = sign_in(browser, "admin")
    given = reply.cookies[COOKIE]
    assert given != "planted"
    assert len(given) > 30
    assert token(browser.get("/sign-in")) != before
    other = httpx.get(
        f"{browser.base_url}/desk/people", headers={"cookie": f"{COOKIE}=planted"}, trust_env=False
    )
    assert other.status_code in (303, 401)


def test_the_cookie_of_a_session_is_for_no_script_and_no_other_place(browser: httpx.Client) -> None:
    reply = sign_in(browser, "admin")
    (line,) = [line for line in reply.headers.get_list("set-cookie") if line.startswith(f"{COOKIE}=")]
    attributes = line.lower()
    assert "httponly" in attributes
    assert "samesite=" in attributes
    assert "samesite=none" not in attributes
    assert "domain=" not in attributes
    assert "path=/" in attributes


def test_who_has_signed_out_is_out_everywhere(browser: httpx.Client) -> None:
    cookie = sign_in(browser, "admin").cookies[COOKIE]
    page = browser.get("/desk/people")
    assert page.status_code == 200
    assert browser.post("/sign-out", data={"token": token(page)}).status_code == 303
    kept = {"cookie": f"{COOKIE}={cookie}"}
    assert browser.get("/desk/people", headers=kept).status_code in (303, 401)


def test_a_form_of_another_session_changes_nothing(browser: httpx.Client, box: Target) -> None:
    sign_in(browser, "admin")
    mine = browser.get("/desk/people")
    with httpx.Client(base_url=str(browser.base_url), trust_env=False, headers=browser.headers) as other:
        sign_in(other, "editor")
        foreign = token(other.get("/sign-in"))
    for bad in (foreign, "", "x" * 60, token(mine)[:-1]):
        reply = browser.post("/desk/people/add", data={"token": bad, "name": "mallory", "role": "admin"})
        assert reply.status_code == 403, bad
    assert "mallory" not in browser.get("/desk/people").text
    del box


PLACES = (
    "//elsewhere.invalid", "https://elsewhere.invalid/", "/\\elsewhere.invalid", "javascript:alert(1)",
    "/desk\r\nset-cookie: bad=1", "/%2f/elsewhere.invalid",
)  # fmt: skip


@pytest.mark.parametrize("to", PLACES)
def test_signing_in_leads_nowhere_else(browser: httpx.Client, to: str) -> None:
    reply = sign_in(browser, "admin", to=to)
    assert reply.status_code == 303
    assert reply.headers["location"] in ("/desk", "/")
    assert "bad" not in reply.cookies


def test_a_smaller_role_is_told_so_and_reaches_nothing(browser: httpx.Client, box: Target) -> None:
    sign_in(browser, "reader")
    form = token(browser.get("/sign-in"))
    reached = []
    for method, path in box.addresses:
        if path.startswith("/desk") and "{" not in path:
            fields = {"token": form} if method == "POST" else None
            if browser.request(method, path, data=fields).status_code < 300:
                reached.append((method, path))
    assert reached == []


def test_passphrases_cannot_be_tried_for_ever(browser: httpx.Client) -> None:
    """And a name that there is not is refused like one that there is."""
    known = sign_in(browser, "editor", "wrong words of mine")
    unknown = sign_in(browser, "nobody at all", "wrong words of mine")
    assert (known.status_code, unknown.status_code) == (403, 403)
    strip = re.compile(r'value="[^"]*"')
    assert strip.sub("", known.text) == strip.sub("", unknown.text)
    statuses = [sign_in(browser, "editor", f"wrong words {n}").status_code for n in range(12)]
    assert 429 in statuses
