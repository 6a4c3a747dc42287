"""The page of bundles: shows what is there, changes only by POST, only for who may, and only from its own
form."""

import re
import time

import pytest
from server import signing
from small_bundle import copy_of
from starlette.testclient import TestClient

from appliance import wiring
from appliance.server.app import create_app
from appliance.shelving.librarian import Librarian
from appliance.shelving.live import Live
from shelving.boxes import Embedding, plug, pull, until

pytestmark = pytest.mark.slow

HERE = {"client": ("127.0.0.1", 50000)}


def served(given, role="admin"):
    live = Live(wiring.open_appliance(given, Embedding()))
    librarian = Librarian(live, pace=0.02)
    app = create_app(live, librarian)
    client = TestClient(app, signing.NAMED, **HERE)
    signing.signed_in(client, app.state.rights, role)
    client.visitor = TestClient(app, signing.NAMED, client=("198.51.100.23", 50000))
    return client, librarian


@pytest.fixture
def client(given):
    found, found.librarian = served(given)
    with found:
        yield found


def form(client, act, headers=None, **more):
    """The fields of a form of the page, as a browser sends them."""
    page = client.get("/library", headers=headers).text
    found = re.search(rf'action="/library/{act}">(.*?)</form>', page, re.S)
    assert found, page
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', found[1]))
    return {**fields, **more}


def send(client, act, data, headers=None):
    return client.post(f"/library/{act}", data=data, headers=headers, follow_redirects=False)


def shown(client, text, seconds=60.0):
    limit = time.monotonic() + seconds
    while text not in (page := client.get("/library").text):
        assert time.monotonic() < limit, page
        time.sleep(0.02)
    return page


def test_a_stick_is_copied_with_two_taps_and_rolled_back_with_one(client, given, made):
    assert "No stick with a bundle" in client.get("/library").text
    for version in ("1", "2"):
        stick = plug(given, made / f"valley-{version}")
        shown(client, f"<li>valley {version}</li>")
        shown(client, 'action="/library/copy"')
        reply = send(client, "copy", form(client, "copy", yes="yes"))
        assert (reply.status_code, reply.headers["location"]) == (303, "/library")
        page = shown(client, f"valley {version} is in use and has answered its self-test.")
        assert "It is on this computer already." in page
        assert "Copy it to" not in page
        assert "Copy what is damaged" in page
        assert "card" not in re.sub("<[^>]*>", "", page)
        pull(stick)
        shown(client, "No stick with a bundle")
    assert "Go back to it" in client.get("/library").text
    assert send(client, "roll-back", form(client, "roll-back")).status_code == 303
    shown(client, "The bundle before is in use again.")
    assert client.get("/source", params={"archive": "small_2025-06", "path": "Tetanus"}).status_code == 200


def test_used_from_the_stick_and_pulled_out(client, given, made):
    stick = plug(given, made / "valley-1")
    shown(client, 'action="/library/use"')
    page = client.get("/library").text
    assert "signed by The librarians of the valley" in page
    assert 'name="yes"' not in page
    assert send(client, "use", form(client, "use")).status_code == 303
    until(lambda: "A small library" in client.get("/").text)
    assert "being checked" in client.get("/library").text or "in use" in client.get("/library").text
    pull(stick)
    shown(client, "The stick STICK was pulled out. What is on this computer goes on.")
    assert "The stick STICK was pulled out" in client.get("/").text
    until(lambda: "A small library" not in client.get("/").text)
    spanish = client.get("/library", headers={"accept-language": "es"}).text
    assert "Se sacó la memoria STICK. Lo que está en este ordenador sigue." in spanish


def test_an_unsigned_bundle_needs_the_box_to_be_ticked(client, given, made):
    plug(given, made / "valley-2")
    page = shown(client, 'action="/library/use"')
    assert 'name="yes" value="yes" required' in page
    reply = send(client, "use", form(client, "use"))
    assert reply.status_code == 409
    assert "is not signed" in reply.text
    assert send(client, "use", form(client, "use", yes="yes")).status_code == 303


def test_a_refused_stick_says_which_file(client, given, made, tmp_path):
    lying = copy_of(made / "valley-1", tmp_path / "lying")
    (lying / "archives/<script>.zim").write_bytes(b"x")
    plug(given, lying)
    page = shown(client, "not taken")
    assert "archives/&lt;script&gt;.zim is there, and the bundle does not list it." in page
    assert 'action="/library/use"' not in page


def test_a_visitor_sees_the_page_and_changes_nothing(client, given, made):
    plug(given, made / "valley-1")
    shown(client, 'action="/library/use"')
    data = form(client, "use")
    page = client.visitor.get("/library").text
    assert "when they have signed in" in page
    assert 'href="/sign-in?to=/library"' in page
    assert "<form" not in page.split("<main")[1]
    assert send(client.visitor, "use", data).status_code == 401
    assert not client.librarian.store.following


def test_an_editor_changes_no_library(given):
    client, _ = served(given, "editor")
    with client:
        page = client.get("/library").text.split("<main")[1]
        assert "You have signed in as editor. Admins change the library here." in page
        assert "<form" not in page
        assert "/sign-in?to=" not in page
        assert send(client, "check", {"token": "x"}).status_code == 403


def test_nothing_is_changed_by_looking_or_by_a_form_from_elsewhere(client, given, made):
    plug(given, made / "valley-1")
    shown(client, 'action="/library/use"')
    assert client.get("/library/use").status_code == 405
    data = form(client, "use")
    assert send(client, "use", {**data, "token": "x"}).status_code == 403
    assert (
        send(client, "use", {name: value for name, value in data.items() if name != "token"}).status_code
        == 403
    )
    assert send(client, "use", data, {"origin": "http://elsewhere.example"}).status_code == 403
    assert send(client, "use", data, {"origin": "null"}).status_code == 403
    assert send(client, "everything", data).status_code == 404
    assert send(client, "use", data, {"origin": "http://localhost"}).status_code == 303


def test_a_phone_sees_no_path_of_the_box(client, given, made):
    """Also where something went wrong with one: here the store's place is taken by a file."""
    plug(given, made / "valley-1")
    shown(client, "valley 1")
    given.store.write_text("in the way")
    send(client, "copy", form(client, "copy"))
    page = shown(client, "cannot be written to")
    assert "The store" in page
    assert str(given.home) not in client.visitor.get("/library").text
