"""Conversations for programs: one shape, one answer for one id, nobody else's."""

from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from appliance.documents.store import Store
from appliance.server.app import create_app
from appliance.server.talk import Talk
from server import fakes
from server.phones import HERE, Phone, with_model

pytestmark = pytest.mark.slow

ROOT = "/api/conversations"
TURN = {"client_turn_id": "t-1", "question": "tetanus spasms"}


def begin(phone: Phone, **more: str) -> str:
    made = phone.post(ROOT, json={"client_id": "c", "title": "Jaws"} | more)
    assert made.status_code == 201, made.text
    return f"{ROOT}/{made.json()['id']}"


def test_a_turn_has_the_shape_of_every_answer(phone: Phone) -> None:
    there = begin(phone)
    turn = phone.post(f"{there}/turns", json=TURN).json()
    assert (turn["state"], turn["kind"], turn["scope"]) == ("answered", "question", "library")
    answer = turn["answer"]
    assert answer["direct"] == fakes.SHOWN[0]
    assert [one.keys() for one in answer["stressed"]] == [{"offset", "length"}]
    assert answer["limitations"] == ["It rests on a single source."]
    first = answer["citations"][0]
    (match,) = first["matches"]
    assert fakes.TETANUS.text[match["offset"] :][: match["length"]] == match["quote"]
    assert not first["deleted"]
    whole = phone.get(there).json()
    assert whole["all_turns"] == [turn]
    assert phone.get(f"{there}/turns/t-1").json() == turn
    assert phone.post(f"{there}/turns", json=TURN).json() == turn


def test_what_the_pages_keep_the_programs_see(phone: Phone) -> None:
    there = phone.post_to("/conversations", q="tetanus spasms", id="one")
    (one,) = phone.get(ROOT).json()["conversations"]
    assert there.endswith(f"/{one['id']}")
    assert phone.get(ROOT, params={"q": "nowhere"}).json()["conversations"] == []


def test_it_is_named_moved_and_deleted(phone: Phone) -> None:
    there = begin(phone)
    assert begin(phone) == there
    changed = phone.patch(there, json={"title": "Wounds", "scope": "library"}).json()
    assert (changed["title"], changed["scope"]) == ("Wounds", "library")
    assert phone.delete(there).status_code == 204
    assert phone.get(there).status_code == 404
    assert phone.delete(there).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field"),
    [
        ("POST", "", {"client_id": ""}, 400, "client_id"),
        ("POST", "", {"client_id": "a b"}, 400, "client_id"),
        ("POST", "", {"client_id": "c2", "scope": "cellar"}, 400, "scope"),
        ("POST", "", {"client_id": "c2", "scope": "documents"}, 403, "scope"),
        ("PATCH", "/1", {"title": ""}, 400, "title"),
        ("POST", "/1/turns", {"client_turn_id": "x", "question": " \n"}, 400, "question"),
        ("POST", "/1/turns", {"client_turn_id": "t-1", "question": "another"}, 409, "client_turn_id"),
        ("POST", "/99999/turns", TURN, 404, None),
        ("GET", "/1/turns/none", None, 404, None),
        ("GET", "/99999", None, 404, None),
        ("GET", "/0", None, 400, "number"),
        ("GET", "/99999999999999999999", None, 400, "number"),
    ],
)
def test_what_cannot_be_used_is_said(
    phone: Phone, method: str, path: str, body: dict[str, str] | None, status: int, field: str | None
) -> None:
    there = begin(phone)
    phone.post(f"{there}/turns", json=TURN)
    path = path.replace("/1", there.removeprefix(ROOT)) if path.startswith("/1/") or path == "/1" else path
    reply = phone.request(method, ROOT + path, json=body)
    assert reply.status_code == status, reply.text
    assert reply.json()["error"]["param"] == field


def test_a_page_of_another_place_cannot_ask(phone: Phone) -> None:
    there = begin(phone)
    elsewhere = {"origin": "http://a.example"}
    assert phone.post(f"{there}/turns", json=TURN, headers=elsewhere).status_code == 403
    assert phone.delete(there, headers=elsewhere).status_code == 403


def test_a_full_queue_leaves_the_turn_waiting(box: fakes.FakeAppliance, phone: Phone) -> None:
    model = fakes.ScriptedModel(full=True)
    with with_model(box, model):
        there = begin(phone)
        assert phone.post(f"{there}/turns", json=TURN).json()["state"] == "waiting"
        model.full = False
        assert phone.post(f"{there}/turns", json=TURN).json()["state"] == "answered"


def test_a_connection_that_breaks_loses_no_answer_and_asks_no_second(tmp_path: Path) -> None:
    model = fakes.ScriptedModel(pause=0.02)
    box = fakes.appliance(tmp_path, model)
    with fakes.serving(create_app(box, talk=Talk(box, Store.open()))) as address:
        client = httpx.Client(base_url=address)
        there = f"{ROOT}/{client.post(ROOT, json={'client_id': 'c'}).json()['id']}/turns"
        with pytest.raises(httpx.ReadTimeout):
            client.post(there, json=TURN, timeout=0.05)
        turn = client.post(there, json=TURN, timeout=10).json()
        assert turn["state"] == "answered"
        assert client.get(f"{there}/t-1").json() == turn
        client.close()
    assert (model.started, model.stopped) == (1, 1)


def test_a_box_that_keeps_none_says_so(tmp_path: Path) -> None:
    client = TestClient(create_app(fakes.appliance(tmp_path)), HERE)
    assert client.get(ROOT).status_code == 404
    assert "keeps no conversations" in client.get("/conversations").text
