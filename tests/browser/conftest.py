"""Debian's Chromium, driven by Playwright; pages that note every error and every request that leaves."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from server import fakes

from appliance.server.app import create_app


class Reader:
    """A page in one kind of browser. `troubles` has console errors, script errors and requests elsewhere."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.troubles: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"script: {error}"))
        self.page.on("request", self._request)
        self.page.on("dialog", lambda dialog: (self.troubles.append("dialog"), dialog.dismiss()))

    def _console(self, message: ConsoleMessage) -> None:
        expected = (
            "the server responded with a status of 4" in message.text
        )  # pages that are errors on purpose
        if message.type in ("error", "warning") and not expected:
            self.troubles.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc and request.url[:5] != "data:":
            self.troubles.append(f"request: {request.url}")

    def goto(self, path: str, until: str = "load") -> Page:
        self.page.goto(self.address + path, wait_until=until)  # type: ignore[arg-type]
        return self.page

    def fits(self, pages: Mapping[str, str], shots: Path, kind: str) -> None:
        """Each of the pages, by name and address, is no wider than the screen and has one headline."""
        size = self.page.viewport_size
        assert size is not None
        for name, path in pages.items():
            self.goto(path).screenshot(path=shots / f"{name}-{kind}.png", full_page=True)
            assert self.width() <= size["width"], name
            expect(self.page.locator("h1")).to_have_count(1)

    def width(self) -> float:
        """How wide the content is, in CSS pixels; works without scripts."""
        session = self.page.context.new_cdp_session(self.page)
        return float(session.send("Page.getLayoutMetrics")["cssContentSize"]["width"])


Open = Callable[..., Reader]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with its module: while Playwright is open its event loop runs, and no test could run another."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.fail("Chromium is not here: apt install chromium")
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=arguments)
        yield found
        found.close()


@pytest.fixture
def model() -> fakes.ScriptedModel:
    return fakes.ScriptedModel(pause=0.02)


@pytest.fixture
def address(tmp_path: Path, model: fakes.ScriptedModel) -> Iterator[str]:
    with fakes.serving(create_app(fakes.appliance(tmp_path, model))) as found:
        yield found


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Open]:
    """`reader(width=360, scripts=True, scheme="light")` opens a browser of that kind on the pages; whatever
    it met that is wrong fails the test at its end."""
    opened: list[tuple[BrowserContext, Reader]] = []

    def make(width: int = 360, scripts: bool = True, scheme: str = "light", at: str = address) -> Reader:
        context = browser.new_context(
            viewport={"width": width, "height": 740},
            java_script_enabled=scripts,
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        found = Reader(context, at)
        opened.append((context, found))
        return found

    yield make
    for context, _ in opened:
        context.close()
    assert [trouble for _, found in opened for trouble in found.troubles] == []


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: LAMPLIGHT_SCREENSHOTS, else a folder of pytest's own."""
    folder = Path(os.environ.get("LAMPLIGHT_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
