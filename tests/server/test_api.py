from pathlib import Path

import pytest
from every import every
from starlette.testclient import TestClient

from appliance.server import guard
from appliance.server.app import create_app
from server import fakes


def test_search_has_the_promised_shape(client: TestClient) -> None:
    reply = client.get("/api/search", params={"q": "tetanus poison bacterium", "limit": 2})
    body = reply.json()
    assert reply.status_code == 200
    assert body.keys() == {"query", "results", "gate"}
    assert body["query"] == "tetanus poison bacterium"
    assert body["gate"] == {"verdict": "answer", "probability": 1.0}
    best = body["results"][0]
    assert best.keys() == {
        "archive", "path", "title", "heading", "text", "score", "offset", "length", "url",
    }  # fmt: skip
    assert (best["archive"], best["path"], best["heading"]) == ("first_aid_en", "Tetanus", "Cause")
    assert fakes.TETANUS.text[best["offset"] : best["offset"] + best["length"]] == best["text"]
    assert client.get(best["url"]).status_code == 200


def test_search_in_chosen_archives_and_suggestion(client: TestClient) -> None:
    body = client.get("/api/search", params={"q": "tetanos toxine", "archive": "santé_fr"}).json()
    assert {result["archive"] for result in body["results"]} == {"santé_fr"}
    assert body["suggestion"] == "What causes tetanus?"


def test_a_cut_question_is_noted(client: TestClient) -> None:
    body = client.get("/api/search", params={"q": "tetanus " * 900}).json()
    assert "cut" in body["notes"][0]


@every(
    ("query", "status", "field"),
    [
        ("", 400, "q"),
        ("q=", 400, "q"),
        ("q=%00", 400, "q"),
        ("q=x&limit=0", 400, "limit"),
        ("q=x&limit=51", 400, "limit"),
        ("q=x&limit=many", 400, "limit"),
        ("q=x&archive=nowhere", 404, "archive"),
    ],
)
def test_bad_input_is_an_error_in_openais_shape(
    client: TestClient, query: str, status: int, field: str
) -> None:
    reply = client.get("/api/search?" + query)
    assert reply.status_code == status
    error = reply.json()["error"]
    assert error.keys() == {"message", "type", "param", "code"}
    assert (error["type"], error["param"]) == ("invalid_request_error", field)


def test_suggest(client: TestClient) -> None:
    body = client.get("/api/suggest", params={"q": "tet"}).json()
    assert body["results"][0] == {
        "archive": "first_aid_en",
        "title": "Tetanus",
        "path": "Tetanus",
        "url": "/source?archive=first_aid_en&path=Tetanus",
    }
    assert client.get("/api/suggest", params={"q": "\0"}).json()["results"] == []
    assert client.get("/api/suggest", params={"q": "x" * 5000}).status_code == 200


def test_health(tmp_path: Path) -> None:
    appliance = fakes.appliance(tmp_path)
    client = TestClient(create_app(appliance), "http://127.0.0.1")
    reply = client.get("/healthz")
    assert (reply.status_code, reply.json()["ready"]) == (200, True)
    assert {check["state"] for check in reply.json()["checks"]} == {
        "on",
        "starting",
        "off",
        "wrong",
    }
    appliance.state = fakes.FakeHealth(ready=False)
    assert client.get("/healthz").status_code == 503


def test_unknown_addresses_and_methods_of_the_api_are_json(client: TestClient) -> None:
    assert client.get("/v1/nowhere").json()["error"]["type"] == "invalid_request_error"
    assert client.post("/api/search").status_code == 405
    assert client.delete("/v1/chat/completions").json()["error"]["code"] is None


def test_large_and_broken_bodies(client: TestClient) -> None:
    path, json = "/v1/chat/completions", {"content-type": "application/json"}
    assert client.post(path, content=b" " * (guard.LARGEST_BODY + 1), headers=json).status_code == 413
    for content in (b"", b"{", b"[" * 100_000, b"null", b"\xff\xfe", b'{"messages": "x"}', b"[1]"):
        reply = client.post(path, content=content, headers=json)
        assert reply.status_code == 400, content[:20]
        assert reply.json()["error"]["type"] == "invalid_request_error"


def test_openapi_lists_the_api_and_no_pages(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        "/api/archives", "/api/me", "/api/search", "/api/source", "/api/suggest", "/healthz", "/v1/models",
        "/v1/chat/completions", "/v1/embeddings",
    }  # fmt: skip


def test_a_defect_is_a_calm_500(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    appliance = fakes.appliance(tmp_path)
    appliance.health = lambda: 1 / 0  # type: ignore[method-assign]
    client = TestClient(create_app(appliance), "http://127.0.0.1", raise_server_exceptions=False)
    assert client.get("/healthz").json()["error"]["type"] == "server_error"
    page = client.get("/status")
    assert page.status_code == 500
    assert "Traceback" not in page.text
    assert "ZeroDivisionError" in capsys.readouterr().err
