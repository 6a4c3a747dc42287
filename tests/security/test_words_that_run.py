"""Titles, questions, file names, folders and Markdown that want to run stand in the pages as words."""

import re
from html.parser import HTMLParser

import pytest

from security.hostile_pages import paths
from security.target import FORM, Target, headers

pytestmark = pytest.mark.slow


class Running(HTMLParser):
    """What of a page could run: scripts that are no file of ours, events, addresses that are code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "script" and not given.get("src", "").startswith("/static/"):
            self.found.append(f"<script {given}>")
        if tag in ("iframe", "object", "embed", "base", "frame", "applet", "math", "style"):
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}={value}" for name, value in given.items() if name.startswith("on")]
        for name in ("href", "src", "action", "formaction", "data", "poster"):
            address = re.sub(r"[\x00-\x20]", "", given.get(name, "")).lower()
            if address.startswith(("javascript:", "vbscript:", "data:text")) or "://" in address[:12]:
                self.found.append(f"{tag} {name}={address[:60]}")


def test_the_eye_sees_what_runs() -> None:
    page = "<p onclick=x><script>1</script><a href=' java\nscript:x'><img src=x onerror=y><base href=//e>"
    assert len(Running(page).found) == 5


@pytest.mark.parametrize("who", ["a visitor", "an admin"])
def test_no_page_has_what_could_run(target: Target, who: str) -> None:
    seen = 0
    if who == "an admin" and not target.token:
        pytest.skip("nobody has signed in to a box elsewhere")
    head = {"authorization": f"Bearer {target.token}"} if who == "an admin" else {}
    for path in dict.fromkeys(paths(target)):
        reply = target.ask(path, head=head)
        assert reply.status < 500 or reply.status == 503, path
        if headers(reply).get("content-type", "").startswith("text/html") and not path.startswith(
            "/read/catch"
        ):
            page = reply.body.decode()
            assert Running(page).found == [], path
            assert (
                "49" not in re.sub(r"<(script|link|form|input|a)\b[^>]*>", "", page).partition("<h1")[2][:300]
            ), path
            seen += 1
    assert seen > 60


def test_what_others_wrote_is_there_as_words(own: Target) -> None:
    """Or else nothing was tried."""
    page = own.ask("/document?id=1").body
    assert b"&lt;script&gt;window.ran = 1&lt;/script&gt;" in page
    assert b"window.ran" in own.ask("/documents").body
    assert (
        b"window.ran"
        in own.ask("/source?archive=hostile_en&path=page%203%20javascript%3Awindow.ran%3D1").body
    )
    assert b"window.ran" in own.ask("/").body
    assert b"window.ran" in own.ask("/source/files?archive=git:wiki").body
    head = {"authorization": f"Bearer {own.token}"}
    assert b"window.ran" in own.ask("/desk/sources", head=head).body


def test_a_kept_conversation_shows_words(target: Target) -> None:
    sent = {"content-type": FORM, "origin": target.address}
    asked = "q=" + "".join(
        f"%{byte:02x}" for byte in b"tides <script>window.ran=1</script><img src=x onerror=y>"
    )
    begun = headers(target.ask("/conversations", "POST", sent, asked.encode()))
    if "location" not in begun:
        pytest.skip("this box keeps no conversations")
    cookie = {"cookie": begun["set-cookie"].partition(";")[0]}
    for path in (begun["location"].partition("#")[0], "/conversations"):
        page = target.ask(path, head=cookie).body.decode()
        assert "window.ran" in page
        assert Running(page).found == [], path
