"""The box fetches nothing that a visitor names, and leads nobody to another place."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlsplit

import pytest

from appliance.quality.hostile_words import FIELDS
from security.target import Target, headers

pytestmark = pytest.mark.slow
PLACES = (
    "//elsewhere.invalid", "/\\elsewhere.invalid", "\\\\elsewhere.invalid", "https:elsewhere.invalid",
    "http://elsewhere.invalid", "/%09/elsewhere.invalid", "/%2f/elsewhere.invalid", "///elsewhere.invalid",
    "javascript:alert(1)", "http://127.0.0.1:8080@elsewhere.invalid", "/.elsewhere.invalid",
)  # fmt: skip


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port that whoever fetches would come to, and what came."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        done = threading.Event()

        def take() -> None:
            while not done.is_set():
                try:
                    peer, _ = server.accept()
                except TimeoutError:
                    continue
                with peer:
                    heard.append(peer.recv(2000))

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            done.set()
            thread.join(60)


def test_nothing_that_a_request_names_is_fetched(own: Target) -> None:
    """In every field and header, as the target of a proxy's request, and in uploads' texts."""
    with listening() as (port, heard):
        url = f"http://127.0.0.1:{port}/x"
        for method, path in own.addresses:
            if method in ("GET", "POST"):
                fields = "&".join(f"{name}={quote(url)}" for name in FIELDS)
                filled = path.replace("{path:path}", quote(url)).replace("{number}", "1").split("{")[0]
                assert own.ask(f"{filled}?{fields}", method, body=fields.encode()).status
        for name in (
            "referer",
            "origin",
            "x-forwarded-host",
            "x-original-url",
            "x-rewrite-url",
            "forwarded",
            "link",
        ):
            assert own.ask("/", head={name: url}).status
        for target in (
            url,
            f"//127.0.0.1:{port}/x",
            f"/read//127.0.0.1:{port}/x",
            f"/read/http://127.0.0.1:{port}/x",
        ):
            assert own.ask(target).status < 500 or own.ask(target).status == 503
        own.raw(
            f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode(), patience=False
        )
        assert heard == []


@pytest.mark.parametrize("place", PLACES)
def test_no_redirect_leads_to_another_place(target: Target, place: str) -> None:
    for start in ("", "/", "/read", "/read/", "/static", "/documents", "/conversations", "/library", "/desk"):
        for more in ("", "/", "/.."):
            reply = target.ask(f"{start}{place}{more}".replace(" ", "%20"))
            there = headers(reply).get("location", "")
            assert urlsplit(there.replace("\\", "/")).netloc in ("", *target.names), (start, place, there)
            assert not there.startswith(("//", "/\\", "javascript:")), there


def test_the_page_that_leads_outside_makes_no_link_that_runs(target: Target) -> None:
    for place in (
        "javascript:alert(1)",
        "data:text/html,x",
        " javascript:alert(1)",
        "vbscript:x",
        "file:///etc/passwd",
    ):
        reply = target.ask(f"/read/catch/external?source={quote(place)}")
        assert reply.status == 200
        assert place.strip().encode() not in reply.body


def test_a_hosts_name_is_in_no_reply(target: Target) -> None:
    """A link made of the Host header would be another place's in whatever keeps pages."""
    for head in ({"x-forwarded-host": "elsewhere.invalid"}, {"forwarded": "host=elsewhere.invalid"}):
        for path in ("/", "/read", "/documents", "/openapi.json", "/nowhere"):
            reply = target.ask(path, head=head)
            assert b"elsewhere.invalid" not in reply.head + reply.body, path


def test_a_name_that_is_not_this_machines_is_refused(own: Target) -> None:
    """The pages listen on this machine alone: another name is a page from outside that points here."""
    for host in (
        "elsewhere.invalid",
        "elsewhere.invalid:80",
        "127.0.0.1.elsewhere.invalid",
        "localhost.elsewhere.invalid",
    ):
        for path in ("/", "/api/archives", "/healthz", "/static/lamp.svg"):
            assert own.ask(path, head={"host": host}).status == 421, (host, path)
