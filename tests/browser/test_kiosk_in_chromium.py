"""The box's own screen in Debian's Chromium, started with the flags and the rules that lie on the card.

The rules are put where Chromium looks for them in a mount namespace of its own. One of them, that forbids
the tools of developers, shuts out the tests' own driver as well: it is taken out where pages are driven,
and the file as it is, is tried by what a server sees.
"""

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, Page, expect, sync_playwright
from server import fakes
from starlette.types import Receive, Scope, Send

from appliance.server.app import create_app
from appliance.server.kiosk import HOST, Kiosk, Visits
from browser.conftest import Shots

pytestmark = pytest.mark.browser

ROOTFS = Path(__file__).parents[2] / "image/rootfs"
RULES = ROOTFS / "etc/chromium/policies/managed/lamplight.json"
FLAGS = ROOTFS / "usr/lib/lamplight/kiosk-flags"
FORBIDS_DRIVING = "DeveloperToolsAvailability"
ELSEWHERE = ("--ozone-platform", "--user-data-dir", "--touch-events")  # of the screen itself
QUIET = 4.0  # seconds, where the card has two minutes
PATIENCE = 60.0  # seconds for a browser to start on a busy machine


class Asked:
    """What a server was asked: host and path of each request, in order."""

    def __init__(self, app: Callable[..., object]) -> None:
        self._app, self.requests = app, list[tuple[str, str]]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode()
            self.requests.append((host.partition(":")[0], scope["path"]))
        await self._app(scope, receive, send)

    def wait_for(self, host: str) -> bool:
        """Whether this host is asked for before PATIENCE is over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if any(found == host for found, _ in self.requests):
                return True
            time.sleep(0.05)
        return False


@contextmanager
def chromium(folder: Path, rules: dict[str, object], *words: str) -> Iterator[subprocess.Popen[str]]:
    """Chromium with these rules, headless; ended with all its processes."""
    program = shutil.which("chromium")
    if program is None:
        pytest.fail("Chromium is not here: apt install chromium")
    policies = folder / "chromium/policies/managed"
    policies.mkdir(parents=True)
    (policies / RULES.name).write_text(json.dumps(rules))
    own = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    mounted = f'mount --bind "{folder}/chromium" /etc/chromium && exec "$@"'
    flags = [
        line for line in FLAGS.read_text().splitlines() if line and not line.startswith(("#", *ELSEWHERE))
    ]
    command = ["unshare", *own, "--mount", "--propagation=private", "sh", "-c", mounted, "sh", program]
    command += ["--headless", "--no-sandbox", f"--user-data-dir={folder}/profile", *flags, *words]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def rules() -> dict[str, object]:
    return json.loads(RULES.read_text("utf-8"))


@contextmanager
def library(folder: Path, quiet: float) -> Iterator[tuple[Asked, str]]:
    """The pages as the box's own screen gets them; what they were asked, and the way to the start."""
    asked = Asked(Kiosk(create_app(fakes.appliance(folder)), "en", Visits(quiet)))
    with fakes.serving(asked) as address:
        yield asked, f"http://{HOST}:{urlsplit(address).port}/"


async def trap(scope: Scope, receive: Receive, send: Send) -> None:
    """A page under the allowed name that frames itself under others, and then tries to lead there."""
    del receive
    if scope["type"] != "http":
        return
    _, port = scope["server"]
    hosts = ("127.0.0.1", "localhost", f"other.{HOST}", "other.localhost")
    frames = "".join(f'<iframe src="http://{host}:{port}/frame"></iframe>' for host in hosts)
    leave = f"setTimeout(() => {{ location = 'http://127.0.0.1:{port}/top' }}, 1000)"
    page = f"{frames}<script>{leave}</script>" if scope["path"] == "/trap" else "framed"
    head = [(b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": page.encode()})


def test_with_the_rules_as_they_are_only_the_box_is_asked(tmp_path: Path) -> None:
    asked = Asked(trap)
    with fakes.serving(asked) as address:
        start = f"http://{HOST}:{urlsplit(address).port}/trap"
        with chromium(tmp_path, rules(), start) as process:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            assert asked.wait_for(f"other.{HOST}")  # the frame that is allowed
            time.sleep(3)
    assert {host for host, _ in asked.requests} == {HOST, f"other.{HOST}"}


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The one page of the screen's browser."""
    given = rules()
    assert given.pop(FORBIDS_DRIVING) == 2
    folder = tmp_path_factory.mktemp("screen")
    with (
        library(folder, 120) as (_, start),
        chromium(folder, given, "--remote-debugging-port=0", start) as process,
        sync_playwright() as playwright,
    ):
        address = _listening(process)
        found = playwright.chromium.connect_over_cdp(address, timeout=PATIENCE * 1000)
        pages = [page for page in found.contexts[0].pages if HOST in page.url]
        assert len(pages) == 1
        yield pages[0]


def _listening(process: subprocess.Popen[str]) -> str:
    """Where the browser can be driven; what it says afterwards is read, so that it can go on."""
    timer = threading.Timer(PATIENCE, lambda: os.killpg(process.pid, signal.SIGKILL))
    timer.start()
    for line in process.stderr:
        if line.startswith("DevTools listening on "):
            timer.cancel()
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return line.split()[-1]
    pytest.fail("Chromium did not start")


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Asked, str]]:
    with library(tmp_path_factory.mktemp("patient"), 120) as found:
        yield found


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Asked, str]]:
    """A library whose visits end after QUIET."""
    with library(tmp_path_factory.mktemp("quick"), QUIET) as found:
        yield found


def begin(page: Page, start: str) -> str:
    """Goes to the start; gives the visit's host. Chromium's own page about an address that is blocked comes
    after the error, and stops what was begun meanwhile."""
    for _ in range(10):
        try:
            page.goto(start)
            break
        except Error as error:
            if "interrupted by another navigation" not in str(error):
                raise
    return visit(page)


def visit(page: Page) -> str:
    return urlsplit(page.url).hostname or ""


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        f"http://{HOST}.example/",
        "https://example.org/",
        "ftp://example.org/",
        "data:text/html,hello",
        "view-source:http://" + HOST + ":{port}/",
        "chrome://version/",
        "devtools://devtools/bundled/inspector.html",
    ],
)
def test_every_other_address_stays_blocked(screen: Page, patient: tuple[Asked, str], address: str) -> None:
    asked, start = patient
    host = begin(screen, start)
    before = len(asked.requests)
    with pytest.raises(Error, match=r"ERR_BLOCKED_BY_ADMINISTRATOR|ERR_ABORTED|ERR_INVALID_URL"):
        screen.goto(address.format(port=urlsplit(start).port))
    screen.wait_for_timeout(300)
    since = asked.requests[before:]
    # The start's icon comes when the browser has time for it, so perhaps only now.
    assert [one for one in since if one != (host, "/static/lamp.svg")] == []


def test_nothing_is_left_of_a_visitor_after_two_quiet_minutes(
    screen: Page, quick: tuple[Asked, str], shots: Shots
) -> None:
    asked, start = quick
    first = begin(screen, start)
    screen.locator("#q").fill("tetanus spasms")
    screen.get_by_role("button", name="Ask", exact=True).click()
    expect(screen.locator("#p1")).to_be_visible()
    screen.locator("#p1").get_by_role("link", name="See it in its text").click()
    expect(screen.locator("article")).to_be_visible()
    screen.evaluate("localStorage.kept = sessionStorage.kept = document.cookie = 'kept=yes'")
    expect(screen.get_by_text("Is anyone still here?")).to_be_visible(timeout=PATIENCE * 1000)
    shots.take(screen, "kiosk-still-here.png")
    expect(screen.locator("h1")).to_have_text("Ask your library", timeout=PATIENCE * 1000)
    second = visit(screen)
    assert second.endswith(f".{HOST}")
    assert second != first
    seen = len(asked.requests)
    for _ in range(2):  # to the question, and to the start before it
        screen.go_back()
        expect(screen.locator("h1")).to_have_text("Ask your library")
        assert visit(screen) != first
        assert "tetanus" not in screen.content().lower().replace("first aid", "")
    assert any(
        host == first for host, _ in asked.requests[seen:]
    )  # the browser asked for it, and got nothing
    assert screen.evaluate("[localStorage.kept, sessionStorage.kept, document.cookie]") == [None, None, ""]


def test_who_is_still_there_goes_on(screen: Page, quick: tuple[Asked, str]) -> None:
    first = begin(screen, quick[1])
    screen.locator("#q").fill("lamp")
    for touch in (lambda: screen.mouse.click(5, 5), lambda: screen.keyboard.press("Shift")):
        asks = screen.get_by_role("button", name="Go on reading")
        expect(asks).to_be_visible(timeout=PATIENCE * 1000)
        touch()  # anywhere: that button is only what people look for
        expect(asks).to_be_hidden()
    assert visit(screen) == first
    expect(screen.locator("#q")).to_have_value("lamp")


def test_the_start_stays_while_nobody_comes(screen: Page, quick: tuple[Asked, str]) -> None:
    first = begin(screen, quick[1])
    screen.wait_for_timeout(1.5 * QUIET * 1000)
    assert visit(screen) == first


def test_start_again_ends_the_visit_at_once(screen: Page, patient: tuple[Asked, str]) -> None:
    first = begin(screen, patient[1])
    screen.goto(f"http://{first}:{urlsplit(patient[1]).port}/ask?q=tetanus+spasms")
    screen.get_by_role("button", name="Start again").click()
    expect(screen.locator("h1")).to_have_text("Ask your library")
    assert visit(screen) != first


def test_without_scripts_a_page_goes_back_by_itself(screen: Page, quick: tuple[Asked, str]) -> None:
    session = screen.context.new_cdp_session(screen)
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        first = begin(screen, quick[1])
        screen.goto(f"http://{first}:{urlsplit(quick[1]).port}/ask?q=tetanus+spasms")
        screen.wait_for_url(lambda url: urlsplit(url).hostname != first, timeout=PATIENCE * 1000)
        assert urlsplit(screen.url).path == "/"
    finally:
        session.send("Emulation.setScriptExecutionDisabled", {"value": False})
        session.detach()


def test_a_question_is_typed_and_asked_on_the_screen(
    screen: Page, patient: tuple[Asked, str], shots: Shots
) -> None:
    begin(screen, patient[1])
    screen.get_by_role("button", name="Keyboard").click()
    board = screen.locator(".lamplight-keyboard")

    def press(*keys: str) -> None:
        for key in keys:
            board.get_by_role("button", name=key, exact=True).dispatch_event("pointerdown")

    press("Capital letters", "T", "e", "t", "a", "Space", "x", "Erase")
    expect(screen.locator("#q")).to_have_value("Teta ")
    expect(screen.locator("#q")).to_be_focused()
    field = screen.locator("#q").bounding_box()
    assert field["y"] >= 0
    assert field["y"] + field["height"] < board.bounding_box()["y"]
    shots.take(screen, "kiosk-keyboard.png")
    for key in board.get_by_role("button").all():
        assert key.bounding_box()["height"] >= 40
    press("fr", "é", "es", "ñ", "ع", "م", "हि", "क", "en")
    expect(screen.locator("#q")).to_have_value("Teta éñمक")
    press("Erase", "Erase", "Erase", "Erase", "Erase", "n", "u", "s", "Search")
    screen.wait_for_url("**/ask?q=Tetanus*")
    expect(screen.locator("h1")).to_have_text("Tetanus")
    expect(board).to_have_count(0)
    shots.take(screen, "kiosk-answer.png")


def test_the_buttons_are_large_enough_for_fingers(
    screen: Page, patient: tuple[Asked, str], shots: Shots
) -> None:
    begin(screen, patient[1])
    shots.take(screen, "kiosk-home.png")
    for name in ("Back", "Keyboard", "Start again"):
        box = screen.get_by_role("button", name=name).bounding_box()
        assert min(box["height"], box["width"]) >= 44
