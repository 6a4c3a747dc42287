"""Whatever changes something refuses a form of another place (CSRF), on every address there is."""

import re

import pytest

from security.target import Target

pytestmark = pytest.mark.slow
FORM = "application/x-www-form-urlencoded"
ELSEWHERE = (
    "http://[",
    "http://elsewhere.invalid",
    "null",
    "http://127.0.0.1:1",
    "https://elsewhere.invalid:443",
)
BODY = b"q=What+causes+tides&id=1&title=x&yes=yes&token=x&turn=1&owner=x&passphrase=x&scope=library&code=x"
READS = ("/v1/", "/portal", "/welcome", "/query")  # a POST that asks and changes nothing


def changing(target: Target) -> list[tuple[str, str]]:
    return [
        (method, re.sub(r"\{[^}]*\}", "1", path))
        for method, path in target.addresses
        if method not in ("GET", "HEAD", "OPTIONS") and not path.startswith(READS)
    ]


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_form_of_another_place_is_refused(target: Target, origin: str) -> None:
    refused = 0
    for method, path in changing(target):
        reply = target.ask(path, method, {"origin": origin, "content-type": FORM}, BODY)
        assert 400 <= reply.status < 500, (method, path, reply.status)
        refused += reply.status in (401, 403)
    assert refused > len(changing(target)) / 2


def test_nothing_is_changed_by_looking(target: Target) -> None:
    """GET and HEAD of every address leave what there is: the lists are as they were."""
    lists = ("/api/archives", "/api/documents", "/api/conversations")
    before = [target.ask(path).body for path in lists]
    for method, path in target.addresses:
        if method not in ("GET", "HEAD"):
            asked = re.sub(r"\{[^}]*\}", "1", path)
            for other in ("GET", "HEAD"):
                reply = target.ask(f"{asked}?{BODY.decode()}", other)
                assert reply.status < 500 or reply.status == 503, (other, path)
    assert [target.ask(path).body for path in lists] == before


def test_a_methods_name_in_a_header_or_field_is_not_another_method(target: Target) -> None:
    before = target.ask("/api/documents").body
    for name in ("x-http-method-override", "x-method-override", "x-http-method"):
        target.ask("/api/documents/1?_method=DELETE", "GET", {name: "DELETE"})
        target.ask(
            "/documents?_method=DELETE", "POST", {name: "DELETE", "origin": target.address}, b"_method=DELETE"
        )
    assert target.ask("/api/documents").body == before
