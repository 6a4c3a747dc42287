"""The page of bundles: shows what is there, changes only by POST, only for who may, and only from its own
form."""

import re
import time
from dataclasses import replace

import pytest
from small_bundle import copy_of
from starlette.testclient import TestClient

from appliance import settings, wiring
from appliance.server.app import create_app
from appliance.server.door import TRIES, Door
from appliance.server.questions import BadRequest
from appliance.services.runtime import prepare
from appliance.shelving.librarian import Librarian
from appliance.shelving.live import Live
from shelving.boxes import Embedding, plug, pull, until

pytestmark = pytest.mark.slow

HERE = {"client": ("127.0.0.1", 50000)}
PHONE = {"x-real-ip": "198.51.100.23"}


@pytest.fixture
def given(tmp_path, made):
    found = settings.load(
        {
            "home": tmp_path,
            "runtime": tmp_path / "run",
            "sticks": str(tmp_path / "sticks"),
            "trusted_keys": made / "trusted.txt",
            "admin_code": str(tmp_path / "code"),
        },
        {},
    )
    prepare(found.runtime)
    (tmp_path / "code").write_text("KQ7M-X2PD\n")
    return found


def served(given, **options):
    live = Live(wiring.open_appliance(given, Embedding()))
    librarian = Librarian(live, pace=0.02)
    return TestClient(create_app(live, librarian), "http://127.0.0.1", **{**HERE, **options}), librarian


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


def shown(client, text, seconds=10):
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
        shown(client, f"valley {version} is in use and has answered its self-test.")
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
    shown(client, "The stick STICK was pulled out. What is on the card goes on.")
    assert "The stick STICK was pulled out" in client.get("/").text
    until(lambda: "A small library" not in client.get("/").text)
    spanish = client.get("/library", headers={"accept-language": "es"}).text
    assert "Se sacó la memoria STICK. Lo que está en la tarjeta sigue." in spanish


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
    page = shown(client, "refused")
    assert "archives/&lt;script&gt;.zim is there, and the bundle does not list it." in page
    assert 'action="/library/use"' not in page


def test_a_phone_sees_the_page_and_changes_nothing(client, given, made):
    plug(given, made / "valley-1")
    shown(client, 'action="/library/use"')
    data = form(client, "use")
    page = client.get("/library", headers=PHONE).text
    assert "The library is changed at the box itself." in page
    assert "<form" not in page.split("<main")[1]
    reply = send(client, "use", data, PHONE)
    assert reply.status_code == 403
    assert not client.librarian.store.following


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "via"])
def test_a_proxy_that_does_not_say_who_asks_is_not_the_machine_itself(client, header):
    assert "at the box itself" in client.get("/library", headers={header: "x"}).text


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
    assert send(client, "use", data, {"origin": "http://127.0.0.1"}).status_code == 303


def test_with_the_admins_code_from_a_phone(given, made):
    client, _ = served(replace(given, changes="code"))
    with client:
        plug(given, made / "valley-1")
        shown(client, 'action="/library/use"')
        data = form(client, "use", PHONE)
        assert 'name="code"' in client.get("/library", headers=PHONE).text
        assert 'name="code"' not in client.get("/library").text  # who sits at the box needs none
        assert send(client, "use", {**data, "code": "WRONG"}, PHONE).status_code == 403
        assert send(client, "use", {**data, "code": " kq7m x2pd "}, PHONE).status_code == 303


def test_nobody_may_change_anything(given):
    client, _ = served(replace(given, changes="nobody"))
    with client:
        assert "at the box itself" in client.get("/library").text


class Request:
    def __init__(self, address):
        self.scope = {"client": (address, 1), "headers": []}
        self.headers = {"host": "box"}


def test_the_code_may_be_tried_a_few_times(given):
    clock = [0.0]
    door = Door(replace(given, changes="code"), lambda: clock[0])
    phone = Request("198.51.100.23")
    for _ in range(TRIES):
        with pytest.raises(BadRequest, match="not the admin's code"):
            door.require(phone, {"token": door.token, "code": "x"})
    with pytest.raises(BadRequest, match="wrong too often") as caught:
        door.require(phone, {"token": door.token, "code": "KQ7MX2PD"})
    assert caught.value.status == 429
    clock[0] = 601
    door.require(phone, {"token": door.token, "code": "KQ7MX2PD"})


@pytest.mark.parametrize("code", [None, b"", b"\n", b"--\n", b"\xff"])
def test_a_box_without_a_code_lets_nobody_in(given, code):
    """An empty code must not equal an empty field."""
    file = given.home / "code"
    file.unlink() if code is None else file.write_bytes(code)
    door = Door(replace(given, changes="code"))
    with pytest.raises(BadRequest, match="has no admin's code"):
        door.require(Request("198.51.100.23"), {"token": door.token, "code": ""})


def test_a_phone_sees_no_path_of_the_box(client, given, made):
    """Also where something went wrong with one: here the store's place is taken by a file."""
    plug(given, made / "valley-1")
    shown(client, "valley 1")
    given.store.write_text("in the way")
    send(client, "copy", form(client, "copy"))
    page = shown(client, "cannot be written to")
    assert "The store" in page
    assert str(given.home) not in client.get("/library", headers=PHONE).text
