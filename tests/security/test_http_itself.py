"""Requests that two servers would read differently, that never end, or that are too large."""

import socket
import time
from contextlib import ExitStack

import pytest

from security.target import Target

pytestmark = pytest.mark.slow
HIDDEN = b"GET /api/archives HTTP/1.1\r\nhost: %b\r\n\r\n"
TWO_LENGTHS = (
    "content-length: 5\r\ntransfer-encoding: chunked", "content-length: 5\r\ncontent-length: 40",
    "transfer-encoding: chunked\r\ntransfer-encoding: identity", "transfer-encoding: xchunked",
    "transfer-encoding : chunked", "transfer-encoding:\tchunked, chunked", "content-length: 5, 40",
    "content-length: 0x5", "content-length: -5", "content-length: +5", "content-length: 5 5",
    "content-length : 5", "x: y\r\n content-length: 5",
)  # fmt: skip


@pytest.mark.parametrize("lengths", TWO_LENGTHS)
def test_a_request_with_two_ends_has_no_second_answer(target: Target, lengths: str) -> None:
    """A second request hidden in its body would be somebody else's behind a proxy."""
    head = f"POST /ask HTTP/1.1\r\nhost: {target.host}\r\n{lengths}\r\n\r\n0\r\n\r\n".encode()
    reply = target.raw(head + HIDDEN % target.host.encode(), patience=False)
    whole = reply.head + b"\r\n\r\n" + reply.body
    assert whole.count(b"HTTP/1.1 ") <= 1 or b'"archives"' not in whole
    assert b'"archives":[' not in whole


def test_many_that_are_stuck_keep_nobody_waiting(target: Target) -> None:
    """Slowloris: half a request on each of many connections, a letter now and then."""
    with ExitStack() as held:
        stuck = [held.enter_context(socket.create_connection(target.where, 10)) for _ in range(150)]
        for peer in stuck:
            peer.sendall(f"GET / HTTP/1.1\r\nhost: {target.host}\r\nx: ".encode())
        for _ in range(3):
            began = time.monotonic()
            assert target.ask("/static/lamp.svg").status == 200
            assert time.monotonic() - began < 2
            for peer in stuck:
                peer.sendall(b"a")


FORM, JSON = "application/x-www-form-urlencoded", "application/json"
TAKES = (
    ("/v1/chat/completions", JSON), ("/v1/embeddings", JSON), ("/api/conversations", JSON),
    ("/conversations", FORM), ("/library/use", FORM), ("/library/use", "multipart/form-data; boundary=x"),
)  # fmt: skip


@pytest.mark.parametrize(("path", "kind"), TAKES)
def test_a_body_that_is_too_large_is_refused_early(target: Target, path: str, kind: str) -> None:
    """With its length told, and without. 400: what has come is no form, so no more is read."""
    origin = {"origin": target.address, "content-type": kind}
    reply = target.ask(path, "POST", origin, b'{"a": "' + b"x" * 1_500_000)
    assert reply.status in (0, 400, 401, 403, 413), reply.status
    chunks = b"".join(b"10000\r\n" + b"x" * 65536 + b"\r\n" for _ in range(20))
    lines = (
        f"POST {path} HTTP/1.1",
        f"host: {target.host}",
        f"origin: {target.address}",
        f"content-type: {kind}",
    )
    head = "\r\n".join((*lines, "transfer-encoding: chunked", "connection: close", "", "")).encode()
    sent = head + chunks + b"0\r\n\r\n"
    assert target.raw(sent, patience=False).status in (0, 400, 401, 403, 413)


def test_a_very_long_line_or_head_is_refused(target: Target) -> None:
    for sent in (b"GET /" + b"a" * 300_000, b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"b" * 300_000):
        assert target.raw(sent + b"\r\n\r\n", patience=False).status in (0, 400, 414, 421, 431)
