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


class Shots:
    """Screenshots for people, in LAMPLIGHT_SCREENSHOTS. No test looks at them, so without a folder none is
    made: they take a third as long as loading the pages."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str, whole: bool = False) -> None:
        if self._folder:
            page.screenshot(path=self._folder / name, full_page=whole)


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

    def fits(self, pages: Mapping[str, str], shots: Shots, kind: str = "") -> None:
        """Each of the pages, by name and address, is no wider than the screen and has one headline."""
        for name, path in pages.items():
            self.goto(path)
            for _ in self.both(shots, f"{name}{kind}"):
                expect(self.page.locator("h1")).to_have_count(1)

    def both(self, shots: Shots, name: str) -> Iterator[str]:
        """The page in light, and then in dark, where it stays; in neither is it wider than the screen."""
        size = self.page.viewport_size
        assert size is not None
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            shots.take(self.page, f"{name}-{size['width']}-{scheme}.png", whole=True)
            assert self.width() <= size["width"], (name, scheme)
            yield scheme

    def stands(self, shots: Shots, name: str) -> None:
        """As `both`, where there is nothing else to look at."""
        assert len(list(self.both(shots, name))) == 2

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
def shots() -> Shots:
    folder = os.environ.get("LAMPLIGHT_SCREENSHOTS")
    return Shots(Path(folder) if folder else None)
