"""Every reply is strict: what a page may do, what is told of the box, what a request can write into it."""

import re
from urllib.parse import quote

import pytest

from security.target import Target, headers

pytestmark = pytest.mark.slow
BROKEN = (
    "\r\nset-cookie: bad=1",
    "\nset-cookie: bad=1",
    "\r\n\r\n<script>alert(1)</script>",
    "\u010d\u010aset-cookie: bad=1",
)


def filled(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "1", path)


def test_every_address_replies_with_a_strict_policy_and_tells_nothing(target: Target) -> None:
    for method, path in target.addresses:
        reply = target.ask(filled(path), method, body=b"" if method in ("GET", "HEAD") else b"x=1")
        found = headers(reply)
        assert reply.status, path
        policy = found["content-security-policy"]
        if not path.startswith("/read"):
            assert "default-src 'none'" in policy, path
            assert "unsafe" not in policy, path
        assert "'none'" in policy or "'self'" in policy, path
        assert "http:" not in policy, path
        assert "*" not in policy, path
        assert found["x-content-type-options"] == "nosniff", path
        assert found["referrer-policy"] == "same-origin", path
        assert "server" not in found, path
        assert "x-powered-by" not in found, path
        assert "access-control-allow-origin" not in found, path


def test_refusals_of_the_server_itself_tell_nothing(target: Target) -> None:
    for sent in (
        b"no http\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nhost: x\r\n\r\n",
    ):
        reply = target.raw(sent, patience=False)
        assert not re.search(rb"uvicorn|python|nginx/|h11|Traceback", reply.head + reply.body, re.IGNORECASE)


@pytest.mark.parametrize("broken", BROKEN)
def test_no_field_writes_a_header(target: Target, broken: str) -> None:
    for method, path in target.addresses:
        asked = filled(path.replace("{path:path}", quote(broken)).replace("{number}", "1"))
        reply = target.ask(f"{asked}?q={quote(broken)}&path={quote(broken)}&source={quote(broken)}", method)
        assert b"bad=1" not in reply.head, path


def test_cookies_are_for_this_box_and_no_script(target: Target) -> None:
    """Those that a visitor gets without signing in."""
    found = 0
    for path, body in (
        ("/conversations", b"q=What+causes+tides"),
        ("/documents/area", b"owner=a&passphrase=b"),
    ):
        kind = {"content-type": "application/x-www-form-urlencoded", "origin": target.address}
        reply = target.ask(path, "POST", kind, body)
        for line in re.findall(rb"(?im)^set-cookie: (.*)\r?$", reply.head):
            found += 1
            assert re.search(rb"(?i)httponly", line), line
            assert re.search(rb"(?i)samesite=(strict|lax)", line), line
            assert not re.search(rb"(?i)domain=", line), line
    assert found or target.own is None
