"""Connections that never get on: closed after a while, while those that do are served."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from served import Served, served
from starlette.types import Receive, Scope, Send

from appliance.services.patience import Patient
from appliance.services.process import OPTIONS

pytestmark = pytest.mark.slow


class Quick(Patient):
    head, pause, look = 0.6, 1.2, 0.05


class Few(Patient):
    most, unbounded = 5, ("127.0.0.2",)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, but for `/unread`; takes its time for `/slow`; answers with 20 MB for `/much`."""
    if scope["type"] != "http":
        return
    while scope["path"] != "/unread" and (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(2.4)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(200 if scope["path"] == "/much" else 1):
        await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
    await send({"type": "http.response.body"})


@pytest.fixture
def server() -> Iterator[Served]:
    options = {**OPTIONS, "http": Quick, "timeout_keep_alive": 5}
    with served(app, host="127.0.0.1", port=0, **options) as running:
        yield running


def opened(server: Served, sent: bytes = b"") -> socket.socket:
    peer = socket.create_connection(server.servers[0].sockets[0].getsockname(), timeout=5)
    peer.sendall(sent)
    return peer


def ended(peer: socket.socket) -> bool:
    """Whether the server closes it within its patience; what comes before is passed over."""
    peer.settimeout(3.0)
    try:
        while peer.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True
    return True


STUCK = [
    b"",
    b"GET / HTTP/1.1\r\nhost: x\r\n",
    b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc",
    b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
]


@pytest.mark.parametrize("sent", STUCK)
def test_who_stops_in_a_request_is_cut_off(server: Served, sent: bytes) -> None:
    with closing(opened(server, sent)) as peer:
        assert ended(peer)


def test_who_sends_a_head_letter_by_letter_is_cut_off(server: Served) -> None:
    with closing(opened(server, b"GET / HTTP/1.1\r\nx: ")) as peer, pytest.raises(ConnectionError):
        letter_by_letter(peer, 40)


def letter_by_letter(peer: socket.socket, letters: int) -> None:
    for _ in range(letters):
        peer.sendall(b"x")
        time.sleep(0.05)


def test_who_never_reads_the_answer_is_cut_off(server: Served) -> None:
    with closing(opened(server, b"GET /much HTTP/1.1\r\nhost: x\r\n\r\n")):
        until = time.monotonic() + 4
        while not server.server_state.connections and time.monotonic() < until:
            time.sleep(0.01)
        assert server.server_state.connections
        while server.server_state.connections and time.monotonic() < until:
            time.sleep(0.02)
        assert not server.server_state.connections


def test_who_reads_slowly_gets_all_of_it(server: Served) -> None:
    with closing(opened(server, b"GET /much HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")) as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 100_000)
        peer.settimeout(5)
        began, count = time.monotonic(), 0
        while piece := peer.recv(200_000):
            count += len(piece)
            time.sleep(0.02)
        assert time.monotonic() - began > Quick.pause
        assert count > 20_000_000


def test_a_slow_application_and_a_slow_body_are_waited_for(server: Served) -> None:
    with closing(opened(server, b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n")) as peer:
        peer.settimeout(5)
        assert peer.recv(15).startswith(b"HTTP/1.1 200")
    with closing(opened(server, b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n")) as peer:
        for letter in b"abcde":
            time.sleep(0.5)
            peer.sendall(bytes([letter]))
        assert peer.recv(15).startswith(b"HTTP/1.1 200")


def test_a_kept_connection_has_its_time_anew_with_each_request(server: Served) -> None:
    with closing(opened(server)) as peer:
        for _ in range(4):
            time.sleep(0.25)
            peer.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            assert peer.recv(15).startswith(b"HTTP/1.1 200")
            while not peer.recv(1 << 20).endswith(b"0\r\n\r\n"):
                pass


def test_two_hundred_that_are_stuck_do_not_keep_others_waiting(server: Served) -> None:
    stuck = [opened(server, STUCK[1]) for _ in range(200)]
    began = time.monotonic()
    with closing(opened(server, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")) as peer:
        assert peer.recv(15).startswith(b"HTTP/1.1 200")
    assert time.monotonic() - began < 2
    assert all(ended(peer) for peer in stuck)
    for peer in stuck:
        peer.close()


def test_one_address_has_so_many_connections_and_this_machine_more() -> None:
    def answered(source: str, where: tuple[str, int]) -> bool:
        with closing(socket.create_connection(where, 5, (source, 0))) as peer:
            try:
                peer.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
                return peer.recv(12) == b"HTTP/1.1 200"
            except ConnectionError:
                return False

    with served(app, host="127.0.0.1", port=0, **{**OPTIONS, "http": Few}) as server:
        where = server.servers[0].sockets[0].getsockname()
        for source, more in (("127.0.0.1", False), ("127.0.0.2", True)):
            held = [socket.create_connection(where, 5, (source, 0)) for _ in range(5)]
            time.sleep(0.1)
            assert answered(source, where) is more
            assert answered("127.0.0.3", where)
            for peer in held:
                peer.close()
            time.sleep(0.1)
            assert answered(source, where)
    assert not Few.held


@pytest.mark.parametrize("method", ["POST", "HEAD"])
@pytest.mark.parametrize("path", ["/", "/unread", "/slow", "/much"])
def test_a_body_that_is_no_http_brings_no_defect(
    path: str, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    """uvicorn refused it, and then had the application's answer to send as well."""
    defects: list[Exception] = []

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except Exception as error:
            defects.append(error)
            raise

    head = f"{method} {path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    options = {**OPTIONS, "http": Quick, "log_level": "critical"}
    with served(watched, host="127.0.0.1", port=0, **options) as server:
        with closing(opened(server, head + b"no chunk\r\n")) as peer:
            assert ended(peer)
        time.sleep(0.1)
    assert defects == []
    assert caplog.records == []  # asyncio tells of what a protocol raises
