"""Watching what comes while another process makes and removes folders."""

import threading
from http.client import HTTPMessage
from io import BytesIO
from urllib.request import Request

import pytest
from every import every
from kiwix_servers import serve

from appliance.downloads import SourceDown, _Redirects, arrived, document, reply


def test_wheels_are_counted_wherever_they_lie(tmp_path):
    (tmp_path / "unpack" / "inner").mkdir(parents=True)
    (tmp_path / "a.whl").write_bytes(b"x" * 10)
    (tmp_path / "unpack" / "inner" / "b.whl").write_bytes(b"x" * 5)
    (tmp_path / "pip.log").write_bytes(b"x" * 100)
    assert arrived(tmp_path) == 15
    assert arrived(tmp_path / "absent") == 0


@pytest.mark.slow
def test_folders_that_go_while_they_are_counted_do_not_matter(tmp_path):
    done = threading.Event()

    def churn():
        for n in range(400):
            inner = tmp_path / f"unpack-{n % 7}" / "inner"
            inner.mkdir(parents=True)
            (inner / "b.whl").write_bytes(b"x")
            (inner / "b.whl").unlink()
            inner.rmdir()
            inner.parent.rmdir()
        done.set()

    pip = threading.Thread(target=churn)
    pip.start()
    while not done.is_set():
        assert arrived(tmp_path) <= 1
    pip.join()


@every(
    ("secure", "old", "new", "followed"),
    [
        (True, "https://a.example/x", "http://a.example/x", False),
        (False, "https://a.example/x", "http://a.example/x", True),
        (True, "http://a.example/x", "http://b.example/x", True),
        (True, "http://a.example/x", "https://b.example/x", True),
        (False, "http://a.example/x", "file:///etc/passwd", False),
        (False, "http://a.example/x", "ftp://a.example/x", False),
    ],
)
def test_where_a_redirect_may_lead(secure, old, new, followed):
    """What is believed never comes over http once it was asked over https."""
    redirects = _Redirects(secure)
    given = (Request(old), BytesIO(), 302, "Found", HTTPMessage(), new)
    if followed:
        assert redirects.redirect_request(*given).full_url == new
    else:
        with pytest.raises(SourceDown, match="is not followed"):
            redirects.redirect_request(*given)


@every(
    "url",
    ["file:///etc/passwd", "ftp://a/b", "x", "http://", "http://[::1", "http://a:99999999/", "http://a:b/"],
)
def test_what_is_no_address_of_the_web(url):
    with pytest.raises(SourceDown, match="is no address") as raised, reply(url):
        pass
    assert raised.value.gone


def test_a_document_has_a_bound_and_comes_whole(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serve() as kiwix:
        archive = kiwix.add("a_en_all", b"x" * 1000)
        address = f"{kiwix.url}/zim/{archive.file}"
        content, origin = document(address, 1000)
        assert content == archive.content
        assert origin == f"{kiwix.url}/mirror/origin/{archive.file}"
        with pytest.raises(SourceDown, match="more than 999 bytes"):
            document(address, 999)
        kiwix.mirror("origin").breaks_after = 400
        with pytest.raises(SourceDown, match="broke off after 400 of 1,000 bytes"):
            document(address, 1000)
