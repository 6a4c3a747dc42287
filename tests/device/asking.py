"""What a phone asks, with the standard library alone: runs inside a namespace (namespaces.Space.python)."""

import socket
import struct
import time


def name(host: str, kind: int, server: str) -> tuple[int, list[str]]:
    """(code, addresses) that a DNS server answers; `kind` 1 is A, 28 AAAA, 65 HTTPS."""
    parts = b"".join(bytes([len(part)]) + part.encode() for part in host.split("."))
    question = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + parts + b"\0" + struct.pack(">2H", kind, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(5)
        asking.sendto(question, (server, 53))
        answer = asking.recv(2048)
    flags, count = struct.unpack(">2xHxxH4x", answer[:12])
    rest = answer[len(question) :]
    return flags & 15, [socket.inet_ntoa(rest[16 * at + 12 : 16 * at + 16]) for at in range(count)]


def door(address: str, port: int) -> str:
    """How a TCP connection ends: open, refused, or silence; with a word when it took over a second."""
    began = time.monotonic()
    with socket.socket() as asking:
        asking.settimeout(3)
        try:
            asking.connect((address, port))
            found = "open"
        except ConnectionRefusedError:
            found = "refused"
        except OSError:
            found = "silence"
    return found if time.monotonic() - began < 1 else f"{found}, late"


def datagram(address: str, port: int) -> str:
    """Whether somebody refuses a datagram."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(2)
        asking.connect((address, port))
        asking.send(b"hello")
        try:
            asking.recv(100)
        except ConnectionRefusedError:
            return "refused"
        except TimeoutError:
            return "silence"
    return "answered"
