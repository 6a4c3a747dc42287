"""Bad requests sent, each over a connection of its own, and what is wrong with the answers."""

import re
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.quality.hostile import Attempt

OWED, NOT_OWED = 30.0, 1.0  # seconds that an answer is waited for
LARGEST = 20_000_000  # bytes of an answer that are read
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset at once
FILE = re.compile(
    rb"(?im)^content-disposition: attachment"
)  # given on purpose: an admin's backup has its own
LEAKS = (
    rb"Traceback \(most recent", rb'File "[^"]*\.py"', rb"site-packages", rb"\.py:\d+", rb"uvicorn",
    rb"[Ss]tarlette", rb"Python/3", rb"root:x:0:",
    rb"apsw\.", rb"sqlite_", rb"<__main__", rb"object at 0x[0-9a-f]{6}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reply:
    """`status` is 0 where nothing came; `late`: not all of it in time."""

    status: int
    head: bytes
    body: bytes
    seconds: float
    late: bool = False


def send(where: tuple[str, int], attempt: Attempt) -> Reply:
    """One attempt. Raises ConnectionRefusedError where nobody listens any more."""
    began = time.monotonic()
    patience = OWED if attempt.well_formed else NOT_OWED
    with socket.create_connection(where, timeout=OWED) as peer:
        if attempt.cut is not None:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            _written(peer, attempt.sent[: attempt.cut])
            return Reply(0, b"", b"", time.monotonic() - began)
        _written(peer, attempt.sent)
        found, late = _read(peer, began + patience)
    return replied(found, time.monotonic() - began, late)


def replied(found: bytes, seconds: float, late: bool = False) -> Reply:
    """The reply in all that came; what is said before it (100) is none."""
    head, _, body = found.partition(b"\r\n\r\n")
    while head.startswith(b"HTTP/1.1 1"):
        head, _, body = body.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    return Reply(int(status[1]) if status else 0, head, body, seconds, late)


def wrong(attempt: Attempt, reply: Reply, private: Sequence[bytes]) -> str:
    """What should not be, in words; "" where all is well. `private`: what no reply may hold, as paths."""
    if reply.status >= 500 and reply.status != 503:
        return f"status {reply.status}"
    if attempt.well_formed and (not reply.status or reply.late):
        return "no answer" if not reply.status else "an answer without end"
    told = reply.head if FILE.search(reply.head) else reply.head + reply.body
    leak = next((leak for leak in LEAKS if re.search(leak, told)), b"")
    leak = leak or next((one for one in private if one in told), b"")
    if leak:
        return f"it tells {leak.decode('latin-1')}"
    if b"\r\nx-bad:" in reply.head.lower():
        return "a header of the request's making"
    return ""


def _written(peer: socket.socket, sent: bytes) -> None:
    """A server that has heard enough may close before the end."""
    try:
        peer.sendall(sent)
    except (BrokenPipeError, ConnectionResetError, TimeoutError):
        return


def _read(peer: socket.socket, until: float) -> tuple[bytes, bool]:
    """All that comes until the server closes, and whether it had not by then."""
    found = bytearray()
    while len(found) < LARGEST:
        peer.settimeout(max(0.01, until - time.monotonic()))
        try:
            piece = peer.recv(65536)
        except TimeoutError:
            return bytes(found), True
        except ConnectionResetError:
            return bytes(found), False
        if not piece:
            return bytes(found), False
        found += piece
    return bytes(found), False
