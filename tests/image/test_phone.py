"""What curl prints, in parts."""

import phone
from guest import Piece, Running


def said(out: bytes, err: bytes = b"") -> Running:
    return Running(("curl",), 1, lambda: "", lambda: 0.0, [Piece(0.0, 1, out), Piece(0.0, 2, err)], 0)


def test_a_reply_in_parts() -> None:
    found = phone.reply(
        said(b"HTTP/1.1 302 Found\r\nLocation: http://box/\r\nX-A: b\r\n\r\nline 1\n\nline 2\n0.125")
    )
    assert (found.status, found.location, found.body, found.seconds) == (
        302,
        "http://box/",
        "line 1\n\nline 2",
        0.125,
    )


def test_an_empty_body() -> None:
    found = phone.reply(said(b"HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n\n0.5"))
    assert (found.status, found.body) == (204, "")


def test_no_reply() -> None:
    found = phone.reply(said(b"\n0.002", b"curl: (7) refused\n"))
    assert (found.status, found.body, found.trouble) == (0, "", "curl: (7) refused")


def test_of_several_replies_the_last_counts() -> None:
    found = phone.reply(said(b"HTTP/1.1 302 Found\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nC: d\r\n\r\nhere\n0.5"))
    assert (found.status, found.headers, found.body) == (200, {"c": "d"}, "here")
