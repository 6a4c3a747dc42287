"""The page of bundles as people see it: a stick is one card, whose facts and button stand in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from server import fakes, signing
from shelving.boxes import Embedding, plug, until
from small_bundle import make

from appliance import settings, wiring
from appliance.server.app import create_app
from appliance.server.rights import COOKIE
from appliance.services.runtime import prepare
from appliance.shelving.librarian import Librarian
from appliance.shelving.live import Live
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser

BORDER = "one => getComputedStyle(one).borderLeftWidth"
APART = 8  # CSS pixels between a button and the line above it


@pytest.fixture
def box(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A box with a stick that nobody trusted has signed, and the cookie of its admin."""
    given = settings.load(
        {"home": tmp_path, "runtime": tmp_path / "run", "sticks": str(tmp_path / "sticks")}, {}
    )
    prepare(given.runtime)
    (tmp_path / "made").mkdir()
    make(tmp_path / "made", names=("small_2025-06",))
    plug(given, tmp_path / "made" / "valley-1")
    live = Live(wiring.open_appliance(given, Embedding()))
    librarian = Librarian(live, pace=0.02)
    app = create_app(live, librarian)
    people = app.state.rights.people
    cookie = people.sessions.begin(people.persons.add("Ada", "admin", signing.WORDS).id, "Chromium")
    with fakes.serving(app) as found:
        until(lambda: any(stick.state == "ready" for stick in librarian.view().sticks))
        yield found.replace("127.0.0.1", "localhost"), cookie


@pytest.fixture
def address(box: tuple[str, str]) -> str:
    return box[0]


@pytest.mark.parametrize("width", [360, 1280])
def test_a_stick_is_one_card(reader: Open, box: tuple[str, str], shots: Shots, width: int) -> None:
    opened = reader(width=width)
    url, cookie = box
    opened.page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
    page = opened.goto("/library")
    for _ in opened.both(shots, "library"):
        assert page.locator(".checks > li").first.evaluate(BORDER) != "0px"
        facts = page.locator(".checks .facts li")
        expect(facts).to_have_count(4)
        assert {fact.evaluate(BORDER) for fact in facts.all()} == {"0px"}
        for form in page.locator(".checks form").all():
            button, line = form.locator("button").bounding_box(), form.locator("label").bounding_box()
            assert button
            assert line
            assert button["y"] - (line["y"] + line["height"]) >= APART
