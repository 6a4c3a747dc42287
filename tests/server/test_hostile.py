"""Hostile words from readers, programs and archives: shown as text, refused with a sentence, never a 500."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.records import Quote
from appliance.server.app import create_app
from server import fakes

pytestmark = pytest.mark.slow

SCRIPT = '"><script>alert(1)</script>'
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;"
BRIDGE = f"The Wadden bridge was opened in 1932 {SCRIPT}."
OTHER = f"The Wadden bridge was opened in 1934 {SCRIPT}."
TALL = f"The Alba tower is 330 m tall {SCRIPT}."
USER = {"role": "user", "content": "tetanus spasms"}
TOLD = {"role": "assistant", "content": "Tetanus is a disease."}


def shelf_of(*pages: tuple[str, str]) -> tuple[fakes.FakeBook, ...]:
    texts = tuple(fakes.document(title, title, ("paragraph", text)) for title, text in pages)
    return (fakes.FakeBook(fakes.FakeArchive("odd_en", f"Odd {SCRIPT}", texts), object()),)


def page(tmp_path: Path, question: str, *pages: tuple[str, str], quick: str = "") -> str:
    appliance = fakes.appliance(tmp_path)
    appliance.library = fakes.FakeLibrary(shelf_of(*pages))
    if quick:
        appliance.quick = lambda *_: Quote(1, quick, 0, 0.99)
    shown = TestClient(create_app(appliance), "http://127.0.0.1").get("/ask", params={"q": question})
    assert shown.status_code == 200
    assert SCRIPT not in shown.text
    return shown.text


def test_a_calculation_shows_markup_as_text(tmp_path: Path) -> None:
    text = page(tmp_path, "How tall is Alba tower in feet?", (f"Alba tower {SCRIPT}", TALL))
    made = text[text.index('<div class="made">') :]
    made = made[: made.index("</div>")]
    assert "<output>1,083 ft</output>" in made
    assert f"Alba tower &#34;&gt;{ESCAPED}</span>" in made


def test_a_calculation_from_the_question_has_no_source(tmp_path: Path) -> None:
    text = page(tmp_path, "convert 5 km to m", ("Alba tower", TALL))
    assert "<output>5,000 m</output>" in text
    assert '<span class="where">from your question</span>' in text


def test_a_disagreement_shows_markup_as_text(tmp_path: Path) -> None:
    pages = (("Wadden bridge", BRIDGE), (f"Coast {SCRIPT}", OTHER))
    text = page(tmp_path, "When was the Wadden bridge opened?", *pages)
    made = text[text.index('<div class="made">') :]
    made = made[: made.index("</div>")]
    assert made.count('<b dir="auto">193') == 2
    assert made.count(f"&gt;{ESCAPED}.</blockquote>") == 2
    assert f"Coast &#34;&gt;{ESCAPED} · Odd &#34;&gt;{ESCAPED}" in made


def test_a_quick_answer_shows_markup_as_text(tmp_path: Path) -> None:
    text = page(
        tmp_path, "When was the Wadden bridge opened?", (f"Wadden bridge {SCRIPT}", BRIDGE), quick=BRIDGE
    )
    figure = text[text.index('<figure class="quick"') : text.index("</figure>")]
    assert f"<cite>Wadden bridge &#34;&gt;{ESCAPED}</cite>" in figure
    assert f"1932 &#34;&gt;{ESCAPED}.”</blockquote>" in figure


@pytest.mark.parametrize("field", ["before", "about", "said"])
@pytest.mark.parametrize(
    "value", [SCRIPT, "\u202eforward\u202c", "x" * 9000, "\0\x1b[2J", "مرحبا " * 200, "{{ 7*7 }} {0} %s \\1"]
)
def test_an_earlier_turn_of_a_form_can_hold_anything(client: TestClient, field: str, value: str) -> None:
    asked = {"q": "and its cause?", "before": "What is tetanus?", "about": "Tetanus", field: value}
    shown = client.get("/ask", params=asked)
    assert shown.status_code == 200
    assert SCRIPT not in shown.text
    assert "49" not in shown.text.partition("<h1")[2].partition("</h1>")[0]


def test_bytes_that_are_no_text_and_repeated_fields(client: TestClient) -> None:
    for query in ("q=%ff%fe&before=%ed%a0%80&about=%00", "q=a&q=b&before=x&before=y&literal=1&literal=0"):
        assert client.get(f"/ask?{query}").status_code == 200


@pytest.mark.parametrize("value", ["", "x", "2", "<b>", "\0"])
def test_a_literal_that_is_neither_is_a_page(client: TestClient, value: str) -> None:
    shown = client.get("/ask", params={"q": "and its cause?", "literal": value})
    assert shown.status_code == 400
    assert shown.headers["content-type"].startswith("text/html")
    assert "<b>" not in shown.text


def chat(tmp_path: Path, messages: object):
    client = TestClient(
        create_app(fakes.appliance(tmp_path, fakes.ScriptedModel())),
        "http://127.0.0.1",
        raise_server_exceptions=False,
    )
    sent = json.dumps({"model": "lamplight", "messages": messages})
    return client.post("/v1/chat/completions", content=sent, headers={"content-type": "application/json"})


@pytest.mark.parametrize(
    "messages",
    [
        [], None, "x", ["x"], [{"content": "x"}], [{"role": "system", "content": "x"}],
        [{"role": "tool", "content": "x", "tool_call_id": "1"}], [{"role": "wizard", "content": "x"}],
        [{"role": "user"}], [{"role": "user", "content": ""}], [{"role": "user", "content": "\0\x01"}],
        [{"role": "user", "content": 5}], [{"role": "user", "content": {"a": 1}}],
        [{"role": "user", "content": []}], [{"role": "user", "content": [[[]]]}],
        [{"role": "user", "content": [None]}], [{"role": "user", "content": [{"type": "text"}]}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}], [USER] * 1001,
    ],
)  # fmt: skip
def test_messages_that_hold_no_question_are_a_400(tmp_path: Path, messages: object) -> None:
    reply = chat(tmp_path, messages)
    assert reply.status_code == 400
    assert reply.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "messages",
    [
        [USER, {"role": "tool", "content": "x", "tool_call_id": "1"}], [USER, TOLD],
        [{"role": "developer", "content": "x"}, USER], [{"role": "user", "content": "\ud800 tetanus spasms"}],
        [{"role": "user", "content": [{"type": "text", "text": "tetanus spasms"}]}],
        [{"role": "user", "content": None}, {"role": "assistant", "content": None}, USER],
        [USER, {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function"}]}, USER],
        [USER, TOLD] * 499 + [USER],
    ],
)  # fmt: skip
def test_odd_histories_are_answered(tmp_path: Path, messages: object) -> None:
    reply = chat(tmp_path, messages)
    assert reply.status_code == 200
    assert reply.json()["lamplight"]["verdict"] == "answer"
