"""In a browser nothing of it runs, and the policy has nothing to stop: no markup of others is in a page."""

import os
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, sync_playwright

from security.hostile_pages import paths
from security.target import Target

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.fail("Chromium is not here: apt install chromium")
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser.new_page(viewport={"width": 360, "height": 740})
        browser.close()


def test_nothing_runs_and_nothing_had_to_be_stopped(page: Page, target: Target) -> None:
    """As an admin where there is one: that sees every page that a visitor sees, and the desk's."""
    troubles: list[str] = []
    if target.token:
        page.set_extra_http_headers({"authorization": f"Bearer {target.token}"})

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "Refused to" in message.text:
            troubles.append(f"{page.url}: {message.text[:300]}")

    page.on("console", hear)
    page.on("pageerror", lambda error: troubles.append(f"{page.url}: {error}"))
    page.on("dialog", lambda dialog: (troubles.append(f"{page.url}: dialog"), dialog.dismiss()))
    page.on("request", lambda asked: outside(asked.url) and troubles.append(asked.url))

    def outside(url: str) -> bool:
        return urlsplit(url).netloc not in target.names and not url.startswith("data:")

    others = ("/api", "/v1", "/read", "/openapi", "/favicon", "/healthz")
    shown = [path for path in dict.fromkeys(paths(target)) if not path.startswith(others)]
    for path in shown:
        if path.endswith((".csv", ".pdf", ".png")):
            continue  # files to be kept, not pages
        page.goto(target.address + path, wait_until="load")
        assert page.evaluate("window.ran") is None, path
    assert troubles == []


def test_the_eye_would_see_it(page: Page, target: Target) -> None:
    """The same script in a page without a policy runs."""
    page.goto("data:text/html,<script>window.ran = 1</script>")
    assert page.evaluate("window.ran") == 1
    page.goto(target.address)
    assert page.evaluate("window.ran") is None
