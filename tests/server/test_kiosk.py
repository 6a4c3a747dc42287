"""The box's own screen: one visit after another, nothing of one under the name of the next."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from appliance.documents.store import Store
from appliance.server import kiosk
from appliance.server.app import create_app
from appliance.server.kiosk import HOST, QUIET, SLACK, Kiosk, Visits, visit_of
from appliance.server.talk import Talk
from server import fakes

pytestmark = pytest.mark.slow

BOX = "lamplight.home.arpa"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Screen:
    """The browser of the box's own screen; `addresses` are those that it was led to."""

    def __init__(self, app: object) -> None:
        self.client = TestClient(app, client=("127.0.0.1", 50000), follow_redirects=False)

    def get(self, host: str, path: str = "/", method: str = "GET", **headers: str):
        given = {"x-real-ip": "127.0.0.1", "host": host} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        return self.client.request(method, f"http://box{path}", headers=given)

    def start(self, host: str = HOST) -> str:
        """A new visit's host."""
        reply = self.get(host)
        assert reply.status_code == 303
        found = re.fullmatch(r"http://([0-9a-f]{16}\.kiosk\.localhost(?::\d+)?)/", reply.headers["location"])
        assert found, reply.headers["location"]
        return found[1]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory):
    return create_app(fakes.appliance(tmp_path_factory.mktemp("home"), portal=BOX))


@pytest.mark.parametrize("heard", ["/", kiosk.ALIVE])
def test_what_was_asked_on_the_screen_is_forgotten_with_the_visit(
    tmp_path: Path, clock: Clock, heard: str
) -> None:
    box = fakes.appliance(tmp_path, portal=BOX)
    talk = Talk(box, Store.open())
    asked = {"q": "tetanus spasms", "id": "one"}
    with TestClient(create_app(box, talk=talk)) as kept:
        screen = Screen(Kiosk(kept.app, "en", Visits(clock=clock), talk.forget_visit))
        visit = screen.start()
        headers = {"host": visit, "x-real-ip": "127.0.0.1"}
        sent = screen.client.post("http://box/conversations", data=asked, headers=headers)
        assert sent.status_code == 303
        assert "set-cookie" not in sent.headers
        assert "forgotten when nobody" in screen.get(visit, "/conversations").text
        (conversation,) = talk.conversations.listed(f"screen:{visit.partition('.')[0]}")
        clock.now += QUIET + SLACK + 1
        screen.get(HOST, heard)
        assert talk.conversations.listed(conversation.owner) == []


@pytest.fixture
def screen(pages, clock: Clock) -> Screen:
    return Screen(Kiosk(pages, "fr", Visits(clock=clock)))


def test_a_visit_has_a_name_of_its_own_and_the_pages(screen: Screen) -> None:
    visit = screen.start()
    home = screen.get(visit)
    assert home.status_code == 200
    assert "Interrogez votre bibliothèque" in home.text  # the box's language, not the browser's
    assert screen.get(visit, "/ask?q=tetanus").status_code == 200


def test_the_way_to_the_start_ends_a_visit(screen: Screen) -> None:
    first = screen.start()
    second = screen.start()
    assert first != second
    for path in ("/", "/ask?q=my+secret", "/read/x", "/static/lamplight.css", "/nowhere"):
        reply = screen.get(first, path)
        assert (reply.status_code, reply.headers["location"]) == (303, f"http://{second}/")
        assert reply.headers["cache-control"] == "no-store"
    assert screen.get(second).status_code == 200  # what the browser's history asks for ends no visit


def test_the_port_goes_with_the_name(screen: Screen) -> None:
    visit = screen.start(f"{HOST}:8080")
    assert visit.endswith(f".{HOST}:8080")
    assert f'data-start="http://{HOST}:8080/"' in screen.get(visit).text


def test_after_two_quiet_minutes_and_a_little_a_visit_is_over(screen: Screen, clock: Clock) -> None:
    visit = screen.start()
    clock.now += QUIET + SLACK
    assert screen.get(visit).status_code == 200
    clock.now += QUIET + SLACK + 1
    reply = screen.get(visit)
    assert reply.status_code == 303
    assert visit not in reply.headers["location"]


def test_a_touch_keeps_it(screen: Screen, clock: Clock) -> None:
    visit = screen.start()
    for _ in range(5):
        clock.now += QUIET
        assert screen.get(visit, "/kiosk/here", "POST").status_code == 204
    assert screen.get(visit).status_code == 200


def test_the_unit_learns_when_nothing_is_heard(screen: Screen, clock: Clock) -> None:
    visit = screen.start()
    clock.now += QUIET
    for _ in range(2):
        assert screen.get(HOST, "/kiosk/alive").status_code == 204
    clock.now += SLACK + 1
    assert screen.get(HOST, "/kiosk/alive").status_code == 503
    screen.get(visit, "/kiosk/here", "POST")
    assert screen.get(HOST, "/kiosk/alive").status_code == 204


@pytest.mark.parametrize("path", ["/", "/ask?q=tetanus+spasms", "/status", "/nowhere", "/ask"])
def test_pages_are_not_kept_and_lead_back_without_scripts(screen: Screen, path: str) -> None:
    page = screen.get(screen.start(), path)
    head = page.text.partition("</head>")[0]
    assert page.headers["cache-control"] == "no-store"
    assert page.text.count("kiosk.js") == 1
    assert f'<noscript><meta http-equiv="refresh" content="120;url=http://{HOST}/"></noscript>' in head
    assert 'data-seconds="120"' in head
    assert 'data-again="Recommencer"' in head
    assert int(page.headers.get("content-length", len(page.content))) == len(page.content)


def test_a_page_asked_for_by_its_head_is_as_long_as_it_says(screen: Screen) -> None:
    page = screen.get(screen.start(), "/status", "HEAD")
    assert page.text == ""


def test_pictures_and_styles_stay_as_they_are(screen: Screen) -> None:
    style = screen.get(screen.start(), "/static/lamplight.css")
    assert "kiosk" not in style.text
    assert style.headers.get("cache-control") != "no-store"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["own-form", "form-from-elsewhere"])
def test_a_form_of_the_visit_is_an_own_form(elsewhere: bool) -> None:
    async def tell(scope: Scope, receive: Receive, send: Send) -> None:
        given = {name: value for name, value in scope["headers"] if name in (b"host", b"origin")}
        body = b" ".join((given[b"host"], given[b"origin"]))
        await page_in(body)(scope, receive, send)

    screen = Screen(Kiosk(tell, "en"))
    visit = screen.start(f"{HOST}:8080")
    origin = "http://evil.example" if elsewhere else f"http://{visit}"
    told = screen.get(visit, "/library", "POST", origin=origin).text
    assert told == f"localhost {'http://evil.example' if elsewhere else 'http://localhost'}"


@pytest.mark.parametrize("host", [f"0123456789abcdef.{HOST}", HOST])
def test_a_phone_has_no_visits(screen: Screen, host: str) -> None:
    """With a portal it is led to the box as from any other name."""
    reply = screen.get(host, x_real_ip="198.51.100.21")
    assert (reply.status_code, reply.headers["location"]) == (302, f"http://{BOX}/welcome")


def test_other_names_pass_unchanged(screen: Screen) -> None:
    for host in ("127.0.0.1", "localhost", BOX, "notkiosk.localhost"):
        assert "kiosk.js" not in screen.get(host).text


@pytest.mark.parametrize(
    ("host", "visit"),
    [
        (HOST, ""),
        ("KIOSK.localhost:80", ""),
        (f"abc.{HOST}:8080", "abc"),
        (f"a.b.{HOST}", "a.b"),
        ("localhost", None),
        (f"x{HOST}", None),
        (f"{HOST}.example", None),
        ("", None),
    ],
)
def test_which_visit_a_host_names(host: str, visit: str | None) -> None:
    assert visit_of(host) == visit


def test_without_the_setting_there_is_no_kiosk(tmp_path: Path) -> None:
    plain = Screen(create_app(fakes.appliance(tmp_path)))
    assert plain.get(HOST).status_code == 421
    with_kiosk = Screen(create_app(fakes.appliance(tmp_path, kiosk=True)))
    assert with_kiosk.get(with_kiosk.start()).status_code == 200


def page_in(*pieces: bytes, status: int = 200, **headers: str) -> Callable[..., Awaitable[None]]:
    """An application that answers with these pieces."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        start: Message = {"type": "http.response.start", "status": status, "headers": raw}
        await send(start)
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})

    return answer


@pytest.mark.parametrize(
    ("pieces", "form"),
    [
        ((b"<html><head><title>x</title></head>", b"<body>y"), r".*</title>ADDED</head><body>y"),
        ((b"<html><he", b"ad></head><body>y</head>"), r"<html><head>ADDED</head><body>y</head>"),
        ((b"<p>no head", b" at all"), r"<p>no head at allADDED"),
        ((b"cut </he", b"ad> in two"), r"cut </head> in twoADDED"),
        ((), r"ADDED"),
    ],
)
def test_the_addition_comes_once_wherever_the_head_ends(pieces: tuple[bytes, ...], form: str) -> None:
    length = {"content_length": str(sum(map(len, pieces)))}
    screen = Screen(Kiosk(page_in(*pieces, content_type="text/html; charset=utf-8", **length), "en"))
    page = screen.get(screen.start())
    added = re.search(r'<link rel="stylesheet" href="/static/kiosk.css.*</noscript>\n?', page.text, re.DOTALL)
    assert added
    assert re.fullmatch(form, page.text.replace(added[0], "ADDED"), re.DOTALL)
    assert page.headers["content-length"] == str(len(page.content))


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {"content_type": "image/png"}),
        (206, {"content_type": "text/html"}),
        (200, {}),
        (200, {"content_type": "application/json"}),
    ],
)
def test_what_is_no_whole_page_gets_no_addition(status: int, headers: dict[str, str]) -> None:
    screen = Screen(Kiosk(page_in(b"</head>", status=status, **headers), "en"))
    page = screen.get(screen.start())
    assert page.content == b"</head>"
    assert page.headers["cache-control"] == "no-store"


def test_the_page_and_the_server_agree_on_the_addresses() -> None:
    script = (Path(__file__).parents[2] / "web/static/kiosk.js").read_text("utf-8")
    assert f'"{kiosk.HERE}"' in script
    start = (Path(__file__).parents[2] / "image/rootfs/usr/lib/lamplight/kiosk").read_text("utf-8")
    assert f"http://127.0.0.1{kiosk.ALIVE}" in start
    assert f"http://{HOST}/\n" in start
