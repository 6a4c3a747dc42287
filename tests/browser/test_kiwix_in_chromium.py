"""Articles in the real kiwix-serve behind the pages: odd titles, the passage in sight, links out."""

import shutil
import subprocess
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect
from server import fakes, signing

from appliance.server import links
from appliance.server.app import create_app
from appliance.server.rights import COOKIE, Rights
from appliance.services.kiwix import ROOT, reader_name
from appliance.sources.zim import Page, write_archive
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser

TITLES = [*(title for title in fakes.ODD_TITLES if len(title) < 100), "x" * 200]
FILLER = "".join(f"<p>Line {number} about lamps of oil and their wicks.</p>" for number in range(200))
PASSAGE = "The brass lamp of the lighthouse burned for forty-one years without a pause, its keeper wrote."
METADATA = {"Title": "Odd titles", "Description": "Tests", "Creator": "Tests", "Date": "2026-05-01"}
OUTSIDE = '<p><a id="out" target="_blank" href="https://outside.example/?a=1&amp;b=2">elsewhere</a></p>'


@pytest.fixture(scope="module")
def rights() -> Rights:
    return signing.rights()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, rights: Rights) -> Iterator[str]:
    """The pages over a real kiwix-serve with one archive of odd titles."""
    program = shutil.which("kiwix-serve")
    if program is None:
        pytest.fail("kiwix-serve is not here: apt install kiwix-tools")
    folder = tmp_path_factory.mktemp("kiwix")
    archive = folder / f"{reader_name('first_aid_en')}.zim"
    pages = [Page(title, title, _html(title, f"All about it: {n}.")) for n, title in enumerate(TITLES)]
    pages.append(Page("Long", "Long", _html("Long", f"{OUTSIDE}{FILLER}<p>{PASSAGE}</p>{FILLER}")))
    write_archive(archive, pages, METADATA, "eng", "Long")
    port = fakes.free_port()
    command = [program, "-i", "127.0.0.1", "-p", str(port), "-r", ROOT, "--blockexternal", str(archive)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as kiwix:
        reader = f"http://127.0.0.1:{port}"
        _wait(reader + ROOT + "/")
        with fakes.serving(create_app(fakes.appliance(folder, reader=reader), rights=rights)) as found:
            yield found
        kiwix.terminate()


def _html(title: str, body: str) -> str:
    head = '<html lang="en"><head><meta charset="utf-8"><title>x</title></head>'
    return f"<!DOCTYPE html>{head}<body><h1>{'x' if '<' in title else title}</h1><p>{body}</p></body></html>"


def _wait(address: str) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            if httpx.get(address).status_code < 500:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    pytest.fail("kiwix-serve did not answer within 10 s")


@pytest.mark.parametrize("number", range(len(TITLES)))
def test_odd_titles_open_their_own_article(reader: Open, number: int) -> None:
    page = reader(1280).goto(links.article_url("first_aid_en", TITLES[number]))
    expect(page.get_by_text(f"All about it: {number}.")).to_be_visible()


def test_the_passage_is_scrolled_to(reader: Open, shots: Shots) -> None:
    opened = reader()
    page = opened.goto("/")
    address = links.article_url("first_aid_en", "Long", passage=PASSAGE)
    page.evaluate(
        "address => document.querySelector('.brand').setAttribute('href', address)", address
    )  # a link that is clicked, as readers do: browsers scroll to text only then
    page.locator(".brand").click()
    passage = page.get_by_text(PASSAGE)
    expect(passage).to_be_in_viewport()
    shots.take(page, "kiwix-360.png")


def test_under_a_name_too_though_the_article_is_read_under_the_number(reader: Open, address: str) -> None:
    opened = reader()
    opened.page.goto(address.replace("127.0.0.1", "localhost"))
    there = links.article_url("first_aid_en", "Long", passage=PASSAGE)
    opened.page.evaluate("there => document.querySelector('.brand').setAttribute('href', there)", there)
    opened.page.locator(".brand").click()
    expect(opened.page.get_by_text(PASSAGE)).to_be_in_viewport()
    assert opened.page.url.startswith(f"{address}/read/")
    opened.troubles.clear()  # the name is elsewhere to this reader


# What an archive's program would try: read the desk with the admin's cookie, open it, send one of its forms.
ATTACK = """async ({ name, form }) => {
  const tried = [];
  for (const there of ["/desk/people", `${name}/desk/people`, `${name}/sign-in`]) {
    try { tried.push((await (await fetch(there, { credentials: "include" })).text()).includes("Ada")); }
    catch (error) { tried.push(false); }
  }
  const opened = window.open(`${name}/desk/people`);
  await new Promise((done) => setTimeout(done, 1500));
  try { tried.push(opened.document.body.textContent.includes("Ada")); } catch (error) { tried.push(false); }
  document.cookie = "lamplight_session=mine; path=/";
  const sent = new URLSearchParams(form);
  for (const there of ["", name]) {
    const how = { method: "POST", body: sent, credentials: "include", mode: "no-cors" };
    try { await fetch(`${there}/desk/people/add`, how); }
    catch (error) { /* refused by the browser */ }
  }
  return tried;
}"""


def test_a_program_in_an_article_is_nobody(reader: Open, address: str, rights: Rights) -> None:
    name = address.replace("127.0.0.1", "localhost")
    person = rights.people.persons.add("Ada", "admin", signing.WORDS)
    cookie = rights.people.sessions.begin(person.id, "Chromium")
    opened = reader()
    opened.page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": name}])
    opened.page.goto(f"{name}/desk/people")
    expect(opened.page.get_by_text("Ada").first).to_be_visible()
    opened.page.goto(f"{name}{links.article_url('first_aid_en', 'Long')}")
    token = rights.people.sessions.signature("form", cookie)  # even if it had been told
    form = {"token": token, "name": "Eve", "role": "admin", "passphrase": signing.WORDS}
    assert opened.page.evaluate(ATTACK, {"name": name, "form": form}) == [False] * 4
    assert [one.name for one in rights.people.persons.listed()] == ["Ada"]
    opened.troubles.clear()


def test_a_link_to_the_internet_opens_a_calm_page(reader: Open, shots: Shots) -> None:
    page = reader().goto(links.article_url("first_aid_en", "Long"))
    page.locator("#out").click()
    expect(page.locator("h1")).to_have_text("This leads to the internet")
    expect(page.get_by_text("https://outside.example/?a=1&b=2")).to_be_visible()
    shots.take(page, "outside-360-from-kiwix.png")
    page.go_back()
    expect(page.locator("#out")).to_be_visible()
