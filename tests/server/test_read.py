"""The way to Kiwix, with a small server in kiwix-serve's place; browser tests ask the real one."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from appliance.server import guard, read
from appliance.server.app import create_app
from server import fakes

pytestmark = pytest.mark.slow

BODY = bytes(range(256)) * 4000


async def kiwix(request: Request) -> Response:
    """Says what it was asked; `moved…` redirects, `bytes` honours a range."""
    path = request.scope["raw_path"].decode()
    match path.removeprefix("/read/"):
        case "moved":
            return RedirectResponse(f"http://{request.headers['host']}/read/content/here")
        case "moved-path":
            return RedirectResponse("/read/content/here?x=1")
        case "moved-out":
            return RedirectResponse("https://outside.example/")
        case "bytes":
            if "range" in request.headers:
                reply = Response(BODY[10:20], 206, {"content-range": f"bytes 10-19/{len(BODY)}"})
            else:
                reply = Response(BODY, headers={"access-control-allow-origin": "*"})
            return reply
        case "missing":
            return PlainTextResponse("not here", 404)
        case "broken":
            return PlainTextResponse("a stack trace", 500)
        case "page":
            return Response("<p>article</p>", media_type="text/html")
    return PlainTextResponse(f"{request.method} {path}?{request.url.query}")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = Starlette(routes=[Route("/read/{path:path}", kiwix, methods=["GET", "HEAD"])])
    with fakes.serving(app) as address:
        appliance = fakes.appliance(tmp_path_factory.mktemp("home"), reader=address)
        with TestClient(create_app(appliance), "http://127.0.0.1", follow_redirects=False) as found:
            found.app_state["reader"] = address
            yield found


def test_paths_and_questions_go_on_as_they_are_encoded(client: TestClient) -> None:
    for path in (
        "a/C%2B%2B",
        "a/AS/400",
        "a/100%25",
        "a/%23%26?q=a%20b&c=%26",
        "a/%E6%9D%B1%E4%BA%AC",
        "a/x%3F",
    ):
        raw = httpx.URL("http://127.0.0.1/read/" + path)
        sent = "GET " + raw.raw_path.decode() + ("" if "?" in path else "?")
        assert client.get("/read/" + path).text == sent


def test_ranges_and_head(client: TestClient) -> None:
    part = client.get("/read/bytes", headers={"range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, BODY[10:20])
    assert part.headers["content-range"] == f"bytes 10-19/{len(BODY)}"
    whole = client.get("/read/bytes")
    assert whole.content == BODY
    assert "access-control-allow-origin" not in whole.headers
    assert client.head("/read/bytes").headers["content-length"] == str(len(BODY))


def test_redirects_stay_here(client: TestClient) -> None:
    assert client.get("/read").headers["location"] == "/read/"
    assert client.get("/read/moved").headers["location"] == "/read/content/here"
    assert client.get("/read/moved-path").headers["location"] == "/read/content/here?x=1"
    out = client.get("/read/moved-out")
    assert out.status_code == 502
    assert "location" not in out.headers
    assert "leads to the internet" in out.text


def test_what_kiwix_cannot_make_is_a_calm_page(client: TestClient) -> None:
    """Some odd questions make it fail; that is no fault of this box."""
    for reply in (client.get("/read/broken"), client.head("/read/broken")):
        assert reply.status_code == 502
        assert "stack" not in reply.text
    assert "Kiwix could not make this page." in client.get("/read/broken").text


def test_a_header_that_is_no_text_goes_on_as_it_came(client: TestClient) -> None:
    assert client.get("/read/page", headers=[(b"accept-language", b"fr-\xff")]).status_code == 200


def test_articles_have_their_own_policy_and_nothing_from_outside(client: TestClient) -> None:
    assert client.get("/read/page").headers["content-security-policy"] == read.POLICY
    assert "http" not in read.POLICY
    assert client.get("/read/page").text == "<p>article</p>" + read.SCRIPT.decode()
    assert client.get("/read/missing").status_code == 404


def test_a_link_to_the_outside_is_a_calm_page(client: TestClient) -> None:
    page = client.get("/read/catch/external", params={"source": "https://a.example/?<b>"})
    assert page.status_code == 200
    assert "This leads to the internet" in page.text
    assert "https://a.example/?&lt;b&gt;" in page.text
    assert 'href="http' not in page.text
    assert page.headers["content-security-policy"] == guard.POLICY.replace("'none'; base", "'self'; base")
    assert "javascript" not in client.get("/read/catch/external?source=javascript:alert(1)").text


def test_only_reading(client: TestClient) -> None:
    assert client.post("/read/page").status_code == 405
    assert client.request("DELETE", "/read/page").status_code == 405


def test_kiwix_off_or_gone_is_a_calm_page(tmp_path: Path) -> None:
    for reader, status, sentence in (
        ("", 503, "Reading in Kiwix is off."),
        ("http://127.0.0.1:9", 502, "Kiwix does not answer."),
    ):
        app = create_app(fakes.appliance(tmp_path, reader=reader))
        with TestClient(app, "http://127.0.0.1") as client:
            page = client.get("/read/wiki/Tetanus")
        assert page.status_code == status
        assert sentence in page.text


@pytest.mark.parametrize(
    ("given", "came_to", "leads_to"),
    [
        ({}, ("127.0.0.1", 8080), "http://127.0.0.1:8080"),
        ({}, ("192.0.2.5", 8080), "http://192.0.2.5:8080"),
        ({}, ("2001:db8::5", 8080), "http://[2001:db8::5]:8080"),
        ({"portal": "box.home.arpa"}, ("127.0.0.1", 8080), "http://198.51.100.1"),
    ],
)
def test_under_a_name_an_article_leads_to_the_number(
    tmp_path: Path, given: dict[str, str], came_to: tuple[str, int], leads_to: str
) -> None:
    app = create_app(fakes.appliance(tmp_path, reader="http://127.0.0.1:9", host="0.0.0.0", **given))

    async def arrived(scope: dict[str, object], receive: object, send: object) -> None:
        await app({**scope, "server": came_to}, receive, send)  # type: ignore[arg-type]

    name = given.get("portal", "box.example:8080")
    client = TestClient(arrived, f"http://{name}", client=("127.0.0.1", 1), follow_redirects=False)
    reply = client.get("/read/a/C%2B%2B?q=%23")
    assert (reply.status_code, reply.headers["location"]) == (302, leads_to + "/read/a/C%2B%2B?q=%23")
    assert reply.headers["cache-control"] == "no-store"


def test_behind_a_proxy_of_somebodys_own_an_article_is_shut_in(client: TestClient) -> None:
    seen = {"host": "library.example", "x-real-ip": "192.0.2.7"}
    appliance = fakes.appliance(Path("/nowhere"), reader=client.app_state["reader"], host="0.0.0.0")
    proxied = TestClient(create_app(appliance), "http://127.0.0.1", client=("127.0.0.1", 1))
    policy = proxied.get("/read/page", headers=seen).headers["content-security-policy"]
    assert "; sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "sandbox" not in client.get("/read/page").headers["content-security-policy"]


@pytest.mark.parametrize("query", ["q=" + "x" * 5_000, "&".join(f"q={n}" for n in range(500))])
def test_an_address_on_which_kiwix_would_hang_up_is_a_calm_page(client: TestClient, query: str) -> None:
    reply = client.get(f"/read/search?{query}")
    assert reply.status_code == 414
    assert "too long" in reply.text
