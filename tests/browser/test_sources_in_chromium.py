"""The desk's page of sources as people use it: a sync that runs moves on in place, or by loading again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from server import fakes, signing
from server.desk.test_sources_page import Box

from appliance.repositories.records import Progress
from appliance.server.rights import COOKIE
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    found = Box(tmp_path)
    found.synced()
    yield found
    found.sources.close()


@pytest.fixture
def address(box: Box) -> Iterator[str]:
    with fakes.serving(box.app) as found:
        yield found.replace("127.0.0.1", "localhost")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_sync_that_runs_moves_on_by_itself(
    box: Box, reader: Open, address: str, shots: Shots, scripts: bool
) -> None:
    people = box.app.state.rights.people
    cookie = people.sessions.begin(people.persons.add("Ada", "editor", signing.WORDS).id, "Chromium")
    opened = reader(width=360, scripts=scripts)
    opened.page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": address}])
    box.sources._progress["wiki"] = Progress("reading", 40, 20, 1, 0, 5)
    page = opened.goto("/desk/sources")
    expect(page.get_by_text("Read so far: 5")).to_be_visible()
    opened.stands(shots, f"sources{'' if scripts else '-plain'}")
    box.sources._progress["wiki"] = Progress("embedding", 40, 20, 1, 0, 20, 30, 60)
    expect(page.get_by_text("Passages prepared: 30 of 60")).to_be_visible(timeout=8000)
    box.sources._progress.clear()
    expect(page.get_by_text("in step", exact=True)).to_be_visible(timeout=8000)
    expect(page.get_by_role("button", name="Sync now")).to_be_visible()
