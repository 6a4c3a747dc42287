"""The portal over the real pages: each probe before and after the tap, one visitor beside another, no
loops.
"""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.server.app import create_app
from appliance.server.phrases_portal import LANGUAGES, RIGHT_TO_LEFT, WELCOME
from appliance.server.portal import in_sheet
from appliance.server.portal_probes import TABLE, find
from server import fakes
from server.test_pages import words
from server.test_portal_probes import KNOWN, PAGES
from server.test_portal_visitors import LEASES, OTHER, PHONE

pytestmark = pytest.mark.slow

BOX = "lamplight.home.arpa"


class Box:
    """A box with a hotspot; each request says from which visitor it comes and for which host."""

    def __init__(self, client: TestClient, visitor: str) -> None:
        self.client, self.visitor = client, visitor

    def get(self, host: str, path: str, visitor: str = "", method: str = "GET", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers = {"x-real-ip": visitor or self.visitor, "host": host.encode(), **headers}
        return self.client.request(method, f"http://box{path}", headers=headers)

    def tap(self, visitor: str = ""):
        return self.get(BOX, "/welcome", visitor, "POST")


def client(folder: Path, **given) -> TestClient:
    """The pages with a portal; the peer is nginx."""
    app = create_app(fakes.appliance(folder, portal=BOX, **given))
    return TestClient(app, client=("127.0.0.1", 50000), follow_redirects=False)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[TestClient, Iterator[int]]:
    return client(tmp_path_factory.mktemp("home")), count(1)


@pytest.fixture
def box(shared: tuple[TestClient, Iterator[int]]) -> Box:
    """One box for all of these tests, in each with a visitor who was never there."""
    number = next(shared[1])
    return Box(shared[0], f"203.0.{113 + number // 256}.{number % 256}")


QUESTIONS = [pytest.param(*row, id=f"{row[0]}{row[1]}"[:70]) for row in KNOWN]


@pytest.mark.parametrize(("host", "path", "status", "kind", "body"), QUESTIONS)
def test_before_the_tap_each_question_leads_to_the_welcome_page(
    box: Box, host: str, path: str, status: int, kind: str | None, body: str
) -> None:
    del status, kind, body
    for asked in (host, "198.51.100.1", BOX, "unknown.example"):
        if find(asked, path) is not None:
            reply = box.get(asked, path)
            assert (reply.status_code, reply.headers["location"]) == (302, f"http://{BOX}/welcome")
            assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("host", "path", "status", "kind", "body"), QUESTIONS)
def test_after_the_tap_each_question_gets_what_it_takes_for_online(
    box: Box, host: str, path: str, status: int, kind: str | None, body: str
) -> None:
    box.tap()
    reply = box.get(host, path + "?ipv4")
    assert (reply.status_code, reply.headers.get("content-type"), reply.text) == (status, kind, body)
    assert reply.headers["cache-control"] == "no-store"
    assert "location" not in reply.headers
    if status == 200:
        assert reply.headers["content-length"] == str(len(body))
    head = box.get(host, path, method="HEAD")
    assert (head.status_code, head.headers.get("content-type"), head.text) == (status, kind, "")


@pytest.mark.parametrize(
    ("host", "path", "header"),
    [
        ("connectivity-check.ubuntu.com", "/", "x-networkmanager-status"),
        ("nmcheck.gnome.org", "/check_network_status.txt", "x-networkmanager-status"),
        ("ipv4.connman.net", "/online/status.html", "x-connman-status"),
    ],
)
def test_some_look_for_a_header(box: Box, host: str, path: str, header: str) -> None:
    box.tap()
    assert box.get(host, path).headers[header] == "online"


@pytest.mark.parametrize(("host", "path"), PAGES)
def test_a_question_that_a_browser_shows_ends_on_a_page(box: Box, host: str, path: str) -> None:
    assert box.get(host, path).headers["location"] == f"http://{BOX}/welcome"
    box.tap()
    assert box.get(host, path).headers["location"] == f"http://{BOX}/"


def test_one_visitors_tap_is_not_anothers(box: Box) -> None:
    box.tap()
    assert box.get("captive.apple.com", "/hotspot-detect.html").status_code == 200
    assert box.get("captive.apple.com", "/hotspot-detect.html", OTHER).status_code == 302


def test_a_new_lease_meets_the_welcome_page_again(tmp_path: Path) -> None:
    leases = tmp_path / "leases"
    leases.write_text(LEASES)
    box = Box(client(tmp_path, leases=str(tmp_path)), PHONE)
    box.tap()
    assert box.get("x.example", "/generate_204").status_code == 204
    leases.write_text(LEASES.replace("00:01 198", "00:0f 198"))
    assert box.get("x.example", "/generate_204").status_code == 302


def test_looking_at_the_page_is_not_the_tap(box: Box) -> None:
    for _ in range(2):
        box.get(BOX, "/welcome")
        box.get(BOX, "/welcome", method="HEAD")
    assert box.get("x.example", "/generate_204").status_code == 302


def test_a_visitor_cannot_tap_for_another(tmp_path: Path) -> None:
    app = create_app(fakes.appliance(tmp_path, portal=BOX))
    near = TestClient(app, f"http://{BOX}", client=("127.0.0.1", 4000), follow_redirects=False)
    far = TestClient(app, f"http://{BOX}", client=(OTHER, 4000), follow_redirects=False)
    far.post("/welcome", headers={"x-real-ip": PHONE})
    assert near.get("/generate_204", headers={"x-real-ip": PHONE}).status_code == 302
    assert near.get("/generate_204", headers={"x-real-ip": OTHER}).status_code == 204


@pytest.mark.parametrize("tapped", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "host",
    [
        "example.org",
        "www.google.com",
        "lamplight.example",
        "10.0.0.1",
        f"{BOX}.evil.example",
        "",
        "é",
    ],
)
def test_any_address_that_is_typed_arrives(box: Box, host: str, tapped: bool) -> None:
    if tapped:
        box.tap()
    for path in ("/", "/search?q=x", "/a/b/c.html"):
        reply = box.get(host, path)
        there = f"http://{BOX}{'/' if tapped else '/welcome'}"
        assert (reply.status_code, reply.headers["location"]) == (302, there)
        assert box.get(BOX, there.removeprefix(f"http://{BOX}")).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        BOX,
        "lamplight",
        "LampLight",
        f"{BOX}.",
        f"{BOX}:80",
        "198.51.100.1",
        "10.42.0.1",
        "10.43.0.1",
        "127.0.0.1:8080",
        "localhost",
        "[::1]",
    ],
)
def test_under_its_own_names_the_box_answers_before_the_tap(box: Box, host: str) -> None:
    for path in ("/", "/welcome", "/status", "/ask?q=tetanus+spasms", "/static/lamplight.css", "/healthz"):
        assert box.get(host, path).status_code == 200, path


@pytest.mark.parametrize("tapped", [False, True], ids=["before", "after"])
def test_no_redirect_leads_to_another(box: Box, tapped: bool) -> None:
    if tapped:
        box.tap()
    hosts = ["x.example", BOX, "lamplight", "198.51.100.1", *(host for row in TABLE for host in row.hosts)]
    paths = [row.path.replace("*", "x") for row in TABLE if row.path != "*"]
    targets = set()
    for host in hosts:
        for path in [*paths, "/", "/welcome", "/nowhere", "//evil.example/", "/%2F%2Fevil.example"]:
            first = box.get(host, path)
            if first.status_code == 302:
                targets.add(first.headers["location"])
                assert re.fullmatch(rf"http://{re.escape(BOX)}/(welcome)?", first.headers["location"]), (
                    host,
                    path,
                )
    for there in targets:
        assert box.get(BOX, there.removeprefix(f"http://{BOX}")).status_code == 200, there


def test_the_button_leads_back_to_its_page_which_says_what_is_next(box: Box) -> None:
    before = box.get(BOX, "/welcome")
    assert '<form method="post" action="/welcome"><button>Stay on this Wi-Fi</button></form>' in before.text
    reply = box.tap()
    assert (reply.status_code, reply.headers["location"]) == (303, "/welcome")
    after = box.get(BOX, "/welcome")
    assert "<form" not in after.text
    assert "http://lamplight" in words(after.text)
    assert 'href="/">Open the library' in after.text
    for page in (before, after):
        assert "<script" not in page.text
        assert "set-cookie" not in page.headers
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["vary"] == "accept-language"


def test_in_the_sheet_no_link_opens_the_library_there(box: Box) -> None:
    box.tap()
    page = box.get(BOX, "/welcome", user_agent=SHEETS[0])
    assert "Close this page. Then open your browser" in page.text
    assert 'href="/"' not in page.text


SHEETS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Mobile/15E148",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36",
]
BROWSERS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.4 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 "
    "Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0",
    "",
]


@pytest.mark.parametrize("agent", SHEETS)
def test_a_sheet_is_known(agent: str) -> None:
    assert in_sheet(agent)


@pytest.mark.parametrize("agent", BROWSERS)
def test_a_browser_is_no_sheet(agent: str) -> None:
    assert not in_sheet(agent)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_phones_language(box: Box, language: str) -> None:
    place = LANGUAGES.index(language)
    said = {english: (english, *others)[place] for english, others in WELCOME.items()}
    pages = [box.get(BOX, "/welcome", accept_language=f"{language}-XX,{language};q=0.9,en;q=0.1")]
    box.tap()
    pages.append(box.get(BOX, "/welcome", accept_language=language))
    pages.append(box.get(BOX, "/welcome", accept_language=language, user_agent=SHEETS[1]))
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    for page in pages:
        assert f'<html lang="{language}" dir="{direction}">' in page.text
    seen = " ".join(words(page.text) for page in pages)
    for english, sentence in said.items():
        assert sentence in seen, english


def test_the_box_has_a_language_for_who_asks_for_none_it_has(tmp_path: Path) -> None:
    page = Box(client(tmp_path, language="ar"), PHONE).get(BOX, "/welcome", accept_language="sw")
    assert '<html lang="ar" dir="rtl">' in page.text


def test_private_dns_is_told_before_and_after(box: Box) -> None:
    for _ in range(2):
        assert "Private DNS" in box.get(BOX, "/welcome").text
        assert "198.51.100.1" in box.get(BOX, "/welcome").text
        box.tap()


@pytest.fixture(scope="module")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    app = create_app(fakes.appliance(tmp_path_factory.mktemp("desktop")))
    return TestClient(app, "http://127.0.0.1", follow_redirects=False)


@pytest.mark.parametrize("path", ["/welcome", *sorted({row.path for row in TABLE} - {"*", "/"})])
def test_a_desktop_has_none_of_these_paths(desktop: TestClient, path: str) -> None:
    assert desktop.get(path).status_code == 404
    assert desktop.post(path).status_code in (404, 405)  # 405: below /static


def test_a_link_to_the_internet_opens_the_calm_page_under_each_of_the_boxs_names(box: Box) -> None:
    for host in (BOX, "lamplight", "198.51.100.1"):
        page = box.get(host, "/read/catch/external?source=https://outside.example/a")
        assert page.status_code == 200
        assert "This leads to the internet" in page.text
        assert "https://outside.example/a" in page.text


def test_nginx_leaves_every_path_to_the_pages() -> None:
    """They put into Kiwix's articles the script that keeps links to the internet inside."""
    text = (Path(__file__).parents[2] / "image/rootfs/etc/nginx/nginx.conf").read_text("utf-8")
    assert set(re.findall(r"proxy_pass (\S+);", text)) == {"http://pages"}
    assert re.findall(r"upstream pages \{\s*server (\S+)", text) == ["127.0.0.1:8080"]
    assert "proxy_set_header Host $host;" in text
    assert "proxy_set_header X-Real-IP $remote_addr;" in text
