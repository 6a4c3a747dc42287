"""The hotspot's welcome page in the small sheet of a phone and in a browser, in every language."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from server import fakes

from appliance.server.app import create_app
from appliance.server.phrases_portal import LANGUAGES, RIGHT_TO_LEFT, WELCOME
from browser.conftest import Reader, Shots

pytestmark = pytest.mark.browser

SHEET = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/1"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    appliance = fakes.appliance(tmp_path_factory.mktemp("home"), portal="lamplight.home.arpa")
    with fakes.serving(create_app(appliance)) as found:
        yield found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height", "scheme"), [(360, 640, "light"), (1280, 800, "dark")])
def test_one_tap_and_what_is_next(
    browser: Browser, address: str, shots: Shots, language: str, width: int, height: int, scheme: str
) -> None:
    """Without scripts and without cookies, as in a sheet."""
    place = LANGUAGES.index(language)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
        locale=language,
        user_agent=SHEET,
        java_script_enabled=False,
        extra_http_headers={"x-real-ip": f"198.51.100.{10 + place + width // 100}"},
    )
    opened = Reader(context, address)
    page = opened.goto("/welcome")
    said = {english: (english, *others)[place] for english, others in WELCOME.items()}
    button = page.get_by_role("button", name=said["Stay on this Wi-Fi"])
    expect(button).to_be_in_viewport()
    assert button.bounding_box()["height"] >= 60
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language in RIGHT_TO_LEFT else "ltr")
    assert opened.width() <= width
    shots.take(page, f"welcome-{language}-{width}.png")
    button.click()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_text("http://lamplight", exact=True)).to_be_in_viewport()
    expect(page.get_by_role("link")).to_have_count(0)
    page.locator("summary").click()
    expect(page.get_by_text("Private DNS" if language in ("en", "ar", "hi") else "DNS priv")).to_be_visible()
    assert opened.width() <= width
    shots.take(page, f"joined-{language}-{width}.png", whole=True)
    assert context.cookies() == []
    assert opened.troubles == []
    context.close()


def test_in_a_browser_the_library_is_one_tap_further(browser: Browser, address: str) -> None:
    context = browser.new_context(extra_http_headers={"x-real-ip": "198.51.100.99"})
    page = Reader(context, address).goto("/welcome")
    page.get_by_role("button", name="Stay on this Wi-Fi").click()
    page.get_by_role("link", name="Open the library").click()
    expect(page.locator("#q")).to_be_visible()
    context.close()
