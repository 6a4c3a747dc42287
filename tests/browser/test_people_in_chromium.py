"""First use, signing in and the people of a box as people meet them: small and wide, light and dark, without
scripts as with them. A box of a number leads to its name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from people.boxes import WORDS, people
from playwright.sync_api import expect
from server import fakes

from appliance.server.app import create_app
from appliance.server.rights import Rights
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser

CODE = "kq7m-x2pd"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Under its name."""
    (tmp_path / "code").write_text(CODE)
    rights = Rights(people(code=tmp_path / "code"))
    with fakes.serving(create_app(fakes.appliance(tmp_path), rights=rights)) as found:
        yield found.replace("127.0.0.1", "localhost")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("width", [360, 1280])
def test_from_first_use_to_a_program(reader: Open, shots: Shots, width: int, scripts: bool) -> None:
    opened = reader(width, scripts)

    def shot(name: str) -> None:
        opened.stands(shots, f"{name}{'' if scripts else '-plain'}")

    page = opened.goto("/desk/people")
    expect(page).to_have_url(f"{opened.address}/sign-in?to=/desk/people")
    shot("sign-in")
    page.get_by_role("link", name="You have a code from the device?").click()
    shot("first-use")
    page.get_by_label("The device's code").fill("kq7m x2pe")
    page.get_by_label("Your name").fill("Ada Lovelace")
    page.get_by_label("A passphrase, at least 8 letters").fill(WORDS)
    page.get_by_role("button", name="Become admin").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not the code of this box")
    shot("first-use-wrong")
    page.get_by_label("The device's code").fill("KQ7M X2PD")
    page.get_by_label("A passphrase, at least 8 letters").fill(WORDS)
    page.get_by_role("button", name="Become admin").click()
    expect(page).to_have_url(f"{opened.address}/desk")
    page = opened.goto("/desk/people")
    add = page.locator("section", has=page.get_by_role("heading", name="Somebody new"))
    add.get_by_label("Name").fill("Grace Hopper")
    add.get_by_label("A first passphrase").fill(WORDS)
    add.get_by_role("button", name="Add").click()
    program = page.locator("section", has=page.get_by_role("heading", name="Let a program in"))
    program.get_by_label("What it is for").fill("the school's notes")
    program.get_by_role("button", name="Make a token").click()
    expect(page.locator(".shown-once code")).to_contain_text("lamp_")
    shot("people-token")
    page = opened.goto("/desk/people")
    page.get_by_text("Change", exact=True).last.click()
    shot("people")
    page.get_by_role("link", name="Ada Lovelace").click()
    expect(page).to_have_url(f"{opened.address}/sign-in")
    page.get_by_text("Another passphrase", exact=True).click()
    shot("account")
    page.get_by_role("button", name="Sign out").click()
    page = opened.goto("/sign-in")
    page.get_by_label("Name").fill("Ada Lovelace")
    page.get_by_label("Passphrase").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("The name or the passphrase is not right.")
    shot("sign-in-wrong")
    page.get_by_label("Passphrase").fill(WORDS)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{opened.address}/desk")


def test_a_number_leads_to_the_name(reader: Open) -> None:
    opened = reader()
    number = opened.address.replace("localhost", "127.0.0.1")
    opened.page.goto(f"{number}/desk")
    expect(opened.page).to_have_url(f"{opened.address}/sign-in?to=/desk")
    assert all(trouble.startswith(f"request: {number}/") for trouble in opened.troubles)
    opened.troubles.clear()
