"""Does anybody else give out addresses on a network? One DHCP question (RFC 2131), and who offers. The
messages are pure; standard library alone."""

import secrets
import socket
import struct
import time
from ipaddress import IPv4Address
from pathlib import Path

HEAD = struct.Struct(">4BIHH4I16s192x4s")  # op … cookie, 240 bytes
COOKIE = bytes((99, 130, 83, 99))
REQUEST, REPLY, ETHERNET = 1, 2, 1
BROADCAST = 0x8000  # the answer is to go to everyone, since we take no address
TYPE, SERVER, END, PAD = 53, 54, 255, 0
DISCOVER, OFFER = 1, 2
SERVERS, CLIENTS = 67, 68  # ports


def discover(number: int, hardware: bytes) -> bytes:
    """The question, of the interface with this hardware address."""
    head = HEAD.pack(
        REQUEST, ETHERNET, 6, 0, number, 0, BROADCAST, 0, 0, 0, 0, hardware.ljust(16, b"\0"), COOKIE
    )  # fmt: skip
    return head + bytes((TYPE, 1, DISCOVER, END))


def offered(packet: bytes, number: int) -> IPv4Address | None:
    """Who offers an address in this packet, as an answer to question `number`; None for any other packet."""
    if len(packet) < HEAD.size:
        return None
    found = HEAD.unpack_from(packet)
    if found[0] != REPLY or found[4] != number or found[-1] != COOKIE:
        return None
    options = _options(packet[HEAD.size :])
    server = options.get(SERVER, b"")
    return IPv4Address(server) if options.get(TYPE) == bytes((OFFER,)) and len(server) == 4 else None


def _options(data: bytes) -> dict[int, bytes]:
    found, at = {}, 0
    while at < len(data) and data[at] != END:
        if data[at] == PAD:
            at += 1
            continue
        length = data[at + 1] if at + 1 < len(data) else 0
        found[data[at]] = data[at + 2 : at + 2 + length]
        at += 2 + length
    return found


def servers(interface: str, patience: float) -> set[IPv4Address]:
    """Everyone who offers within `patience` seconds. As root; raises OSError."""
    number = secrets.randbits(32)
    hardware = bytes.fromhex(Path(f"/sys/class/net/{interface}/address").read_text().strip().replace(":", ""))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
        asking.bind(("", CLIENTS))
        found: set[IPv4Address] = set()
        until = time.monotonic() + patience
        asking.sendto(discover(number, hardware), ("255.255.255.255", SERVERS))
        while (left := until - time.monotonic()) > 0:
            asking.settimeout(left)
            try:
                server = offered(asking.recv(2048), number)
            except TimeoutError:
                break
            found |= {server} if server else set()
        return found
