"""The desk as people use it: every page small and wide, light and dark, with scripts and without; the clock
by the browser's own; a network on trial from its form to its last button."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from server import fakes, signing
from server.desk import boxes

from appliance.device.verbs import KeepNetwork, PowerOff, SetClock, TryNetwork
from appliance.server.rights import COOKIE
from browser.conftest import Open, Reader, Shots

pytestmark = pytest.mark.browser

PAGES = {
    "desk-status": "/desk",
    "desk-answers": "/desk/answers",
    "desk-usage": "/desk/usage",
    "desk-backup": "/desk/backup",
    "desk-network": "/desk/network",
    "desk-clock": "/desk/clock",
    "desk-logs": "/desk/logs",
    "desk-power": "/desk/power",
    "desk-stop": "/desk/power/stop",
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a box under a name, and an admin's cookie for it."""
    with boxes.application(tmp_path) as app, fakes.serving(app) as found:
        people = app.state.rights.people
        cookie = people.sessions.begin(people.persons.add("Ada", "admin", signing.WORDS).id, "Chromium")
        yield found.replace("127.0.0.1", "localhost"), cookie


@pytest.fixture
def address(served: tuple[str, str]) -> str:
    return served[0]


@pytest.fixture
def admin(reader: Open, served: tuple[str, str]) -> Open:
    """As `reader`, signed in."""

    def make(**kind: object) -> Reader:
        opened = reader(**kind)
        opened.page.context.add_cookies([{"name": COOKIE, "value": served[1], "url": served[0]}])
        return opened

    return make


@pytest.fixture
def root(address: str, tmp_path: Path) -> Iterator[boxes.Root]:
    assert address  # its folders are there
    with boxes.helped(tmp_path) as found:
        yield found


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_fits_its_screen(admin: Open, shots: Shots, width: int, scripts: bool) -> None:
    admin(width=width, scripts=scripts).fits(PAGES, shots, "" if scripts else "-plain")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_network_is_tried_and_kept(admin: Open, root: boxes.Root, shots: Shots, scripts: bool) -> None:
    page = admin(scripts=scripts).goto("/desk/network")
    page.locator("[name=ssid]").fill("School")
    page.locator("[name=passphrase]").fill("water and light")
    page.get_by_role("button", name="Try it for three minutes").click()
    expect(page.locator(".steps .address")).to_have_text("School")
    expect(page.locator(".secret")).to_have_text("water and light")
    shots.take(page, f"desk-trial-360{'' if scripts else '-plain'}.png", whole=True)
    page.get_by_role("link", name="I have joined: confirm").click()
    page.get_by_role("button", name="It works: keep it").click()
    expect(page.locator("h1")).to_have_text("It stays")
    assert root.asked == [
        TryNetwork("lamplight", "School", "water and light", "00", "2.4", 0),
        KeepNetwork(),
    ]


def test_the_clock_takes_the_time_of_the_browser(admin: Open, root: boxes.Root) -> None:
    opened = admin()
    opened.page.clock.set_fixed_time(1_893_456_000)  # some years ahead of this machine
    page = opened.goto("/desk/clock")
    expect(page.locator(".difference")).to_contain_text("ahead of the box")
    page.get_by_role("button", name="Take the time of this device").click()
    expect(page.locator(".done")).to_contain_text("The clock stands at")
    opened.page.clock.set_fixed_time(1_000_000_000)
    page = opened.goto("/desk/clock")
    expect(page.locator(".difference")).to_contain_text("is not put back")
    expect(page.get_by_role("button", name="Take the time of this device")).to_be_hidden()
    assert root.asked == [SetClock(1_893_456_000)]


def test_without_scripts_the_clock_is_set_by_hand(admin: Open, root: boxes.Root) -> None:
    page = admin(scripts=False).goto("/desk/clock")
    expect(page.locator("#device")).to_be_hidden()
    page.locator("[name=local]").fill("2030-01-01T12:00")
    page.get_by_role("button", name="Set").click()
    expect(page.locator(".done")).to_contain_text("The clock stands at")
    assert len(root.asked) == 1


def test_a_stop_takes_two_steps(admin: Open, root: boxes.Root) -> None:
    page = admin(scripts=False).goto("/desk/power")
    page.get_by_role("link", name="Stop the box").click()
    assert root.asked == []
    page.get_by_role("button", name="Stop it").click()
    expect(page.locator(".now")).to_contain_text("the plug may be pulled")
    assert root.asked == [PowerOff()]
