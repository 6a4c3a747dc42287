"""Signing in over the pages: what is right lets in, what is wrong is slowed, nothing brought is kept."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import httpx
import pytest
from fastapi import FastAPI
from people.boxes import WORDS, Clock, people
from starlette.testclient import TestClient

from appliance.people import first
from appliance.people.tries import Tries
from appliance.server import guesses, sign_in
from appliance.server.app import create_app
from appliance.server.guard import own_machine
from appliance.server.rights import COOKIE, VISITOR, Rights
from server import fakes, signing
from server.test_pages import words

pytestmark = pytest.mark.slow

PHONE, OTHER = ("198.51.100.23", 5000), ("198.51.100.24", 5000)
CODE = "kq7m-x2pd"


class Box:
    """A box with an admin, a reader and a code, whose clock stands still."""

    def __init__(self, folder: Path) -> None:
        self.code = folder / "code"
        self.code.write_text(f"{CODE}\n")
        self.clock = Clock(0.0)
        self.people = people(code=self.code)
        self.people.persons.add("Anna", "admin", WORDS)
        self.people.persons.add("Rosa", "reader", WORDS)
        self.rights = Rights(self.people)
        self.rights.guesses._tries = Tries(self.clock)
        self.app: FastAPI = create_app(fakes.appliance(folder, kiosk=True), rights=self.rights)

    def phone(self, client: tuple[str, int] = PHONE, address: str = signing.NAMED) -> TestClient:
        return TestClient(self.app, address, client=client, follow_redirects=False)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    found = Box(tmp_path)
    yield found
    found.people.store.close()


def enter(client: TestClient, name: str = "Anna", passphrase: str = WORDS, **more: str) -> int:
    token = signing.token(client.get("/sign-in").text)
    form = {"token": token, "name": name, "passphrase": passphrase, **more}
    client.last = client.post("/sign-in", data=form)  # type: ignore[attr-defined]
    return int(client.last.status_code)  # type: ignore[attr-defined]


def leads(client: TestClient) -> str:
    return str(client.last.headers["location"])  # type: ignore[attr-defined]


def test_somebody_signs_in_and_out(box: Box) -> None:
    phone = box.phone()
    phone.headers["user-agent"] = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
    assert "Reading and asking need no account" in words(phone.get("/sign-in").text)
    assert enter(phone) == 303
    assert leads(phone) == "/desk"
    page = phone.get("/sign-in").text
    assert "Anna" in words(page)
    assert "Firefox · Android" in words(page)
    token = signing.token(page)
    assert phone.post("/sign-out", data={"token": "x"}).status_code == 403
    assert phone.post("/sign-out", data={"token": token}).headers["location"] == "/"
    assert COOKIE not in phone.cookies
    assert box.people.sessions.listed() == []
    assert enter(phone, "Rosa") == 303
    assert leads(phone) == "/"


@pytest.mark.parametrize(
    ("name", "to", "seen"),
    [
        ("Rosa", "/desk", "/sign-in"),
        ("Rosa", "/desk/people", "/sign-in"),
        ("Rosa", "/desk/nothing", "/sign-in"),
        ("Rosa", "/documents", "/documents"),
        ("Erik", "/desk/people", "/desk"),
        ("Erik", "/desk/usage", "/desk/usage"),
        ("Anna", "/desk/people", "/desk/people"),
        ("Anna", "/desk/people/change?id=1", "/desk/people/change?id=1"),
    ],
)
def test_nobody_is_led_to_a_page_of_a_larger_role(box: Box, name: str, to: str, seen: str) -> None:
    box.people.persons.add("Erik", "editor", WORDS)
    phone = box.phone()
    assert enter(phone, name, to=to) == 303
    assert leads(phone) == seen


def test_the_cookie_is_out_of_reach_for_scripts_and_other_places(box: Box) -> None:
    phone = box.phone()
    enter(phone)
    given = [one for one in phone.last.headers.get_list("set-cookie") if one.startswith(COOKIE)]  # type: ignore[attr-defined]
    assert re.search(r"; HttpOnly; Max-Age=\d+; Path=/; SameSite=strict$", given[0])
    assert phone.get("/sign-in").headers["cache-control"] == "no-store"


def test_a_wrong_name_is_told_as_a_wrong_passphrase(box: Box) -> None:
    phone = box.phone()
    told = set()
    for name, passphrase in (("Anna", "wrong"), ("Nobody", WORDS), ("", ""), ("\0code", CODE)):
        assert enter(phone, name, passphrase) == 403
        told.add(re.sub(r'value="[^"]*"', "", phone.last.text))  # type: ignore[attr-defined]
    assert len(told) == 1


@pytest.mark.parametrize("brought", ["x", "x.y", "a" * 43 + "." + "0" * 64])
def test_a_session_that_a_browser_brings_is_never_taken_over(box: Box, brought: str) -> None:
    phone = box.phone()
    phone.headers["cookie"] = f"{COOKIE}={brought}; {VISITOR}=mine"
    assert enter(phone) == 303
    given = [one for one in phone.last.headers.get_list("set-cookie") if one.startswith(COOKIE)]  # type: ignore[attr-defined]
    new = given[0].partition("=")[2].partition(";")[0]
    assert new != brought
    assert box.people.sessions.find(new)
    assert box.people.sessions.find(brought) is None


def test_signing_in_again_begins_another_session_and_ends_the_first(box: Box) -> None:
    """Whoever knew the cookie before somebody signed in has nothing by it afterwards."""
    phone, thief = box.phone(), box.phone(OTHER)
    enter(phone, "Rosa")
    before = phone.cookies[COOKIE]
    thief.cookies.set(COOKIE, before)
    form = {"token": signing.token(phone.get("/sign-in").text), "name": "Anna", "passphrase": WORDS}
    assert phone.post("/sign-in", data=form).status_code == 303
    assert phone.cookies[COOKIE] != before
    assert "Rosa" not in words(thief.get("/sign-in").text)
    assert "Anna" not in words(thief.get("/sign-in").text)


def test_a_form_of_another_place_signs_nobody_in(box: Box) -> None:
    phone, other = box.phone(), box.phone(OTHER)
    theirs = signing.token(other.get("/sign-in").text)
    form = {"token": theirs, "name": "Rosa", "passphrase": WORDS}
    assert phone.post("/sign-in", data=form).status_code == 403  # no cookie
    phone.get("/sign-in")
    assert phone.post("/sign-in", data=form).status_code == 403  # another one's
    mine = {**form, "token": signing.token(phone.get("/sign-in").text)}
    assert phone.post("/sign-in", data=mine, headers={"origin": "http://e.example"}).status_code == 403
    assert COOKIE not in phone.cookies
    assert VISITOR in phone.cookies


@pytest.mark.parametrize(
    ("to", "goes"),
    [
        ("/desk/people", "/desk/people"), ("/documents?skip=300", "/documents?skip=300"), ("", "/desk"),
        ("http://e.example/", "/desk"), ("//e.example/", "/desk"), ("/\\e.example", "/desk"),
        ("/x\r\nset-cookie: a=b", "/desk"), ("javascript:alert(1)", "/desk"), ("/%2f/e.example", "/desk"),
    ],
)  # fmt: skip
def test_it_leads_on_to_a_page_of_this_box_alone(box: Box, to: str, goes: str) -> None:
    phone = box.phone()
    enter(phone, to=to)
    assert leads(phone) == goes


def test_who_is_asked_to_sign_in_comes_back(box: Box) -> None:
    phone = box.phone()
    assert phone.get("/desk/people").headers["location"] == "/sign-in?to=/desk/people"
    assert 'name="to" value="/desk/people"' in phone.get("/sign-in?to=/desk/people").text
    assert 'name="to" value=""' in phone.get('/sign-in?to=/"><script>').text


def test_a_guesser_waits_and_does_not_keep_the_rightful_one_out(box: Box) -> None:
    known, thief = box.phone(), box.phone(OTHER)
    enter(known)
    known.cookies.delete(COOKIE)
    assert [enter(thief, "Anna", f"wrong {n}") for n in range(8)] == [403] * 5 + [429] * 3
    assert "Wait 1 s," in words(thief.last.text)  # type: ignore[attr-defined]
    assert enter(thief, "Anna", WORDS) == 429  # not even the right one, now
    assert enter(known) == 303  # this browser was Anna's before
    assert enter(box.phone()) == 429  # a new one waits with everybody
    box.clock.now += 1.0
    assert enter(box.phone()) == 303


def test_who_sits_at_the_machine_does_not_wait_for_others(box: Box) -> None:
    thief = box.phone(OTHER)
    for n in range(6):
        enter(thief, "Anna", f"wrong {n}")
    assert enter(box.phone(("127.0.0.1", 5000))) == 303
    proxied = box.phone(("127.0.0.1", 5000))
    proxied.headers["x-forwarded-for"] = "198.51.100.99"
    assert enter(proxied) == 429


def test_a_mark_of_one_name_is_none_of_another(box: Box) -> None:
    rosa = box.phone()
    enter(rosa, "Rosa")
    rosa.cookies.delete(COOKIE)
    assert [enter(rosa, "Anna", f"wrong {n}") for n in range(7)] == [403] * 5 + [429] * 2
    rosa.cookies.set(guesses.MARK, "x." + rosa.cookies[guesses.MARK].partition(".")[2])
    assert enter(rosa, "Anna", "wrong") == 429


def test_nobody_signs_in_on_the_boxs_own_screen(box: Box) -> None:
    screen = box.phone(("127.0.0.1", 5000), "http://kiosk.localhost")
    start = screen.get("/").headers["location"]
    page = screen.get(f"{start}sign-in")
    assert "everybody uses it. Take a phone" in words(page.text)
    form = {"token": signing.token(box.phone().get("/sign-in").text), "name": "Anna", "passphrase": WORDS}
    assert screen.post(f"{start}sign-in", data=form).status_code == 403
    assert screen.post(f"{start}first-use", data={**form, "code": CODE}).status_code == 403
    cookie = box.people.sessions.begin(1, "")
    assert screen.get(f"{start}desk", headers={"cookie": f"{COOKIE}={cookie}"}).status_code == 303


def test_under_a_number_nobody_is_signed_in(box: Box) -> None:
    phone = box.phone()
    enter(phone)
    number = box.phone(address="http://127.0.0.1:8080")
    number.cookies.set(COOKIE, phone.cookies[COOKIE])
    assert number.get("/desk").headers["location"] == "/sign-in?to=/desk"
    assert number.get("/sign-in?to=/desk").headers["location"] == "http://localhost:8080/sign-in?to=/desk"
    assert number.get("/first-use").headers["location"] == "http://localhost:8080/first-use"
    form = {"token": "x", "name": "Anna", "passphrase": WORDS}
    assert "not under its number" in number.post("/sign-in", data=form).text


def test_who_has_signed_in_and_comes_by_the_number_goes_on_under_the_name(box: Box) -> None:
    phone = box.phone()
    enter(phone)
    assert phone.get("/sign-in?to=/desk/people").headers["location"] == "/desk/people"
    assert phone.get("/sign-in?to=//e.example").status_code == 200


def test_a_machine_without_a_known_name_says_what_to_do(tmp_path: Path) -> None:
    app = create_app(fakes.appliance(tmp_path, host="0.0.0.0"))
    reply = TestClient(app, "http://192.0.2.5:8080").get("/sign-in")
    assert reply.status_code == 400
    assert ":8080/sign-in instead" in reply.text


def test_first_use_makes_an_admin_once(box: Box) -> None:
    phone = box.phone()
    page = phone.get("/first-use").text
    form = {"token": signing.token(page), "code": "wrong", "name": "Petra", "passphrase": WORDS}
    wrong = phone.post("/first-use", data=form)
    assert wrong.status_code == 403
    assert "This is not the code of this box" in words(wrong.text)
    assert 'value="Petra"' in wrong.text
    short = phone.post("/first-use", data={**form, "code": CODE, "passphrase": "short"})
    assert short.status_code == 400
    assert phone.post("/first-use", data={**form, "code": CODE}).headers["location"] == "/desk"
    assert phone.get("/desk/people").status_code == 200
    late = box.phone(OTHER)
    page = late.get("/first-use").text
    assert "was used" in words(page)
    form["token"] = signing.token(late.get("/sign-in").text)
    assert late.post("/first-use", data={**form, "code": CODE, "name": "Eve"}).status_code == 403
    assert {one.name for one in box.people.persons.listed()} == {"Anna", "Rosa", "Petra"}


def test_of_many_first_users_at_once_one_becomes_admin(box: Box) -> None:
    """Over real connections, all with the right code."""
    together = Barrier(6)

    def come(number: int) -> int:
        with httpx.Client(base_url=address, trust_env=False, timeout=30) as browser:
            form = {"token": signing.token(browser.get("/first-use").text), "code": CODE}
            together.wait(20)
            sent = {**form, "name": f"Petra {number}", "passphrase": WORDS}
            return browser.post("/first-use", data=sent).status_code

    with fakes.serving(box.app) as served, ThreadPoolExecutor(6) as pool:
        address = served.replace("127.0.0.1", "localhost")
        replies = list(pool.map(come, range(6)))
    assert sorted(replies)[:1] == [303]
    assert sorted(replies)[1] in (400, 403)
    assert len([one for one in box.people.persons.listed() if one.name.startswith("Petra")]) == 1


def test_the_code_is_guessed_at_slowly(box: Box) -> None:
    thief = box.phone(OTHER)
    form = {"token": signing.token(thief.get("/first-use").text), "name": "Eve", "passphrase": WORDS}
    tried = [thief.post("/first-use", data={**form, "code": f"c{n}"}).status_code for n in range(8)]
    assert tried == [403] * 5 + [429] * 3
    assert thief.post("/first-use", data={**form, "code": CODE}).status_code == 429


def test_a_passphrase_is_changed_by_who_knows_the_present_one(box: Box) -> None:
    phone, elsewhere = box.phone(), box.phone(OTHER)
    enter(phone)
    enter(elsewhere)
    form = {"token": signing.token(phone.get("/sign-in").text), "passphrase": "another passphrase"}
    wrong = phone.post("/sign-in/passphrase", data={**form, "now": "wrong"})
    assert wrong.status_code == 403
    assert sign_in.NOT_THE_PRESENT_ONE in words(wrong.text)
    assert "<details open>" in wrong.text
    done = phone.post("/sign-in/passphrase", data={**form, "now": WORDS})
    assert done.headers["location"] == "/sign-in?changed=yes"
    assert "was changed" in words(phone.get("/sign-in?changed=yes").text)
    assert elsewhere.get("/desk").headers["location"] == "/sign-in?to=/desk"
    assert box.people.persons.check("Anna", "another passphrase")


def test_one_ends_sessions_of_ones_own_alone(box: Box) -> None:
    rosa, anna = box.phone(), box.phone(OTHER)
    enter(rosa, "Rosa")
    enter(anna, "Anna")
    (of_anna,) = box.people.sessions.listed(1)
    form = {"token": signing.token(rosa.get("/sign-in").text), "session": str(of_anna.id)}
    assert rosa.post("/sign-in/end", data=form).status_code == 303
    assert anna.get("/desk").status_code == 200


def test_a_program_has_no_session_to_look_after(box: Box) -> None:
    program = box.phone()
    signing.program(program, box.rights, "admin")
    assert program.post("/sign-in/passphrase", data={"now": WORDS}).status_code == 403
    assert program.get("/desk/people").status_code == 200
    assert program.get("/api/documents").status_code == 404  # no own documents here


def test_another_code_is_taken_while_the_box_runs(box: Box) -> None:
    phone = box.phone()
    code = first.make(box.code)
    form = {"token": signing.token(phone.get("/first-use").text), "code": code, "name": "anna"}
    assert phone.post("/first-use", data={**form, "passphrase": "a new passphrase"}).status_code == 303
    assert box.people.persons.check("Anna", "a new passphrase")


def test_what_is_sent_may_be_anything(box: Box) -> None:
    phone = box.phone()
    token = signing.token(phone.get("/sign-in").text)
    for odd in ("\0", "\ud800", "'; DROP TABLE person; --", "<script>", "é" * 900, "‮"):
        sent = {"token": token, "name": odd, "passphrase": odd, "code": odd, "to": odd}
        data = {name: value.encode("utf-8", "surrogatepass") for name, value in sent.items()}
        for page in (sign_in.PAGE, sign_in.FIRST):
            reply = phone.post(page, data=data)  # type: ignore[arg-type]
            assert reply.status_code in (400, 403, 429), (page, odd)
            assert "<script>" not in reply.text.replace("<script async", "")
    assert phone.post("/sign-in", content=b"\xff\xfe=%zz").status_code in (400, 403)
    phone.cookies.set(guesses.MARK, "a.b.c")
    assert enter(phone, "Anna", "wrong") in (403, 429)


@pytest.mark.parametrize(
    ("host", "told"),
    [("localhost:8080", False), ("127.0.0.1", False), ("[::1]:8080", False), ("lamplight", True)],
)
def test_who_can_listen_in_is_told_where_something_goes_over_a_network(host: str, told: bool) -> None:
    assert own_machine(host) is not told


def test_on_the_own_machine_no_wifi_is_spoken_of(box: Box) -> None:
    assert "plain HTTP" not in box.phone().get("/sign-in").text


def test_over_a_network_it_is(tmp_path: Path) -> None:
    appliance = fakes.appliance(tmp_path)
    appliance.settings = replace(appliance.settings, host="0.0.0.0")
    phone = TestClient(create_app(appliance, rights=signing.rights()), "http://lamplight", client=PHONE)
    assert "plain HTTP" in phone.get("/sign-in").text
