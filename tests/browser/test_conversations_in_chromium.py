"""Conversations in a browser: forms with and without scripts, a stop, a phone's width, no other cookie."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from server import fakes

from appliance.documents.store import Store
from appliance.server.app import create_app
from appliance.server.talk import Talk
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path, model: fakes.ScriptedModel) -> Iterator[str]:
    box = fakes.appliance(tmp_path, model)
    with fakes.serving(create_app(box, talk=Talk(box, Store.open(tmp_path / "archive.db")))) as found:
        yield found


def ask(page: Page, question: str, form: str = "form.ask") -> None:
    page.fill(f"{form} [name=q]", question)
    page.click(f"{form} button")
    page.wait_for_load_state()


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_a_conversation_of_several_questions(
    reader: Open, shots: Shots, scripts: bool, width: int, scheme: str
) -> None:
    on = reader(width=width, scripts=scripts, scheme=scheme)
    page = on.goto("/conversations")
    ask(page, "tetanus spasms")
    assert page.locator(".turn .text").inner_text().startswith("“Tetanus, also called")
    assert page.locator(".turn .text b").inner_text() == "disease with painful muscle"
    ask(page, "and its cause?", "form.next")
    assert page.locator(".turn").count() == 2
    assert "What is the cause" in page.locator(".understood").inner_text()
    page.reload()
    assert page.locator(".turn .text").count() == 2
    assert page.locator(".sources").count() == 2
    assert on.width() <= width
    shots.take(page, f"talk-{width}-{scheme}-{scripts}.png", whole=True)
    page.click(".manage summary")
    page.fill(".manage [name=title]", "About jaws")
    page.click(".manage form:first-of-type button")
    assert page.locator("h1").inner_text() == "About jaws"
    page.click(".manage summary")
    page.click(".manage form:last-of-type button")
    assert page.locator(".talklist li").count() == 0


@pytest.mark.parametrize("scripts", [True, False])
def test_an_answer_is_stopped_and_stays_as_it_was(
    reader: Open, model: fakes.ScriptedModel, scripts: bool
) -> None:
    model.hangs_after = 5
    page = reader(scripts=scripts).goto("/conversations")
    page.fill("form.ask [name=q]", "tetanus spasms")
    page.click("form.ask button", no_wait_after=True)
    page.wait_for_selector(".text .cite")
    page.click(".stop", no_wait_after=True)
    page.wait_for_selector("form.next")
    assert page.locator(".text").inner_text() == fakes.SHOWN[0]
    assert page.locator(".text b").inner_text() == "disease with painful muscle"
    assert "Stopped" in page.locator(".turn").inner_text()


def test_another_browser_has_none_of_it(reader: Open) -> None:
    page = reader().goto("/conversations")
    ask(page, "tetanus spasms")
    there = page.url.partition("#")[0].removeprefix(reader().address)
    other = reader()
    assert "There is no such page" in other.goto(there).inner_text("h1")
    assert other.goto("/conversations").locator(".talklist li").count() == 0
