"""The card's nginx, with its own file, before those who never end a request or hide a second one in it.

As root, since it changes its user; only its port, its folders and the length of its patience are other ones.
"""

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from server import fakes
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

pytestmark = pytest.mark.image
CONF = Path(__file__).parents[2] / "image/rootfs/etc/nginx/nginx.conf"
PATIENCE = 1  # seconds, in place of 30


async def pages(request: Request) -> PlainTextResponse:
    await request.body()
    return PlainTextResponse(f"{request.method} {request.url.path}")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    if shutil.which("nginx", path="/usr/sbin:/usr/bin") is None:
        pytest.fail("nginx is not here: apt install nginx-light")
    folder = tmp_path_factory.mktemp("nginx")
    here = fakes.free_port()
    app = Starlette(routes=[Route("/{path:path}", pages, methods=["GET", "POST"])])
    with fakes.serving(app) as address:
        text = re.sub(r"(client_\w+_timeout|send_timeout) 30s", rf"\1 {PATIENCE}s", CONF.read_text())
        text = text.replace("listen 80 default_server", f"listen 127.0.0.1:{here} default_server")
        text = text.replace("server 127.0.0.1:8080", f"server {address.removeprefix('http://')}")
        assert text.count(f"{PATIENCE}s") >= 3
        (folder / "nginx.conf").write_text(text.replace("/run/nginx.pid", f"{folder}/nginx.pid"))
        command = ["/usr/sbin/nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 10
            while time.monotonic() < until:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", here)) == 0:
                        break
                time.sleep(0.05)
            yield here
        finally:
            process.terminate()
            process.wait(60)


def answer(port: int, sent: bytes, patience: float = 6.0) -> bytes:
    """All that comes until it closes; fails when it does not."""
    with socket.create_connection(("127.0.0.1", port), patience) as peer:
        peer.sendall(sent)
        found = b""
        while piece := peer.recv(65536):
            found += piece
        return found


CLOSE = b"host: lamplight\r\nconnection: close\r\n"


def test_a_request_goes_through_and_names_no_version(port: int) -> None:
    found = answer(port, b"GET /x HTTP/1.1\r\n" + CLOSE + b"\r\n")
    assert found.startswith(b"HTTP/1.1 200")
    assert found.endswith(b"GET /x")
    assert not re.search(rb"(?i)server: nginx/", found)


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"GET / HTTP/1.1\r\nhost: lamplight\r\nx: ",
        b"POST /x HTTP/1.1\r\n" + CLOSE + b"content-length: 100\r\n\r\nabc",
        b"POST /x HTTP/1.1\r\n" + CLOSE + b"transfer-encoding: chunked\r\n\r\n50\r\nabc",
    ],
)  # fmt: skip
def test_who_stops_in_a_request_is_cut_off(port: int, sent: bytes) -> None:
    began = time.monotonic()
    found = answer(port, sent)
    assert b" 200 " not in found
    assert time.monotonic() - began < PATIENCE + 3


@pytest.mark.parametrize(
    "lengths",
    [
        b"content-length: 5\r\ntransfer-encoding: chunked", b"content-length: 5\r\ncontent-length: 40",
        b"transfer-encoding: xchunked", b"transfer-encoding: chunked, chunked", b"content-length: -5",
        b"content-length: 0x5",
    ],
)  # fmt: skip
def test_a_request_with_two_ends_has_one_answer(port: int, lengths: bytes) -> None:
    head = b"POST /x HTTP/1.1\r\nhost: lamplight\r\n" + lengths + b"\r\n\r\n0\r\n\r\n"
    found = answer(port, head + b"GET /hidden HTTP/1.1\r\n" + CLOSE + b"\r\n")
    assert b"GET /hidden" not in found


def test_what_is_too_large_is_refused(port: int) -> None:
    assert b" 41" in answer(port, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + CLOSE + b"\r\n")[:20]
    assert b" 400" in answer(port, b"GET / HTTP/1.1\r\n" + CLOSE + b"x: " + b"a" * 100_000 + b"\r\n\r\n")[:20]
    sent = b"POST /v1/chat/completions HTTP/1.1\r\n" + CLOSE + b"content-length: 2000000\r\n\r\n"
    assert b" 413" in answer(port, sent)[:20]


def test_many_that_are_stuck_keep_nobody_waiting(port: int) -> None:
    stuck = [socket.create_connection(("127.0.0.1", port), 5) for _ in range(300)]
    for peer in stuck:
        peer.sendall(b"GET / HTTP/1.1\r\nhost: ")
    began = time.monotonic()
    assert b" 200 " in answer(port, b"GET /x HTTP/1.1\r\n" + CLOSE + b"\r\n")[:20]
    assert time.monotonic() - began < 1
    for peer in stuck:
        peer.close()
