"""The filter that finds packets which lead elsewhere, with packets made here (needs tcpdump)."""

import socket
import struct
from pathlib import Path

import pytest
import traffic

pytestmark = pytest.mark.image

BOX, OTHER = bytes.fromhex("525400000001"), bytes.fromhex("525400000002")
NETWORKS = ["10.42.0.0/24", "198.51.100.1/32"]
UDP, TCP = 17, 6


def packet(to: str, port: int, protocol: int = UDP, sender: bytes = BOX, source: int = 40000) -> bytes:
    """An Ethernet frame with an IPv4 or IPv6 packet of one protocol."""
    rest = b"\0\x08\0\0" if protocol == UDP else bytes(8) + b"\x50\x02" + bytes(6)
    ports = struct.pack(">HH", source, port) + rest
    if ":" in to:
        addresses = bytes(16) + socket.inet_pton(socket.AF_INET6, to)
        head, kind = struct.pack(">IHBB", 6 << 28, len(ports), protocol, 1) + addresses, 0x86DD
    else:
        addresses = bytes(4) + socket.inet_aton(to)
        head, kind = struct.pack(">BBHIBBH", 0x45, 0, 20 + len(ports), 0, 64, protocol, 0) + addresses, 0x0800
    return OTHER + sender + struct.pack(">H", kind) + head + ports


def capture(folder: Path, *packets: bytes) -> Path:
    file = folder / "made.pcap"
    rows = b"".join(struct.pack("<IIII", 0, 0, len(one), len(one)) + one for one in packets)
    file.write_bytes(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + rows)
    return file


@pytest.mark.parametrize(
    "found",
    [
        packet("192.0.2.9", 443, TCP),
        packet("192.0.2.9", 123),
        packet("10.43.0.1", 9, UDP),
        packet("10.42.0.7", 53),  # even a neighbour is asked for nothing
        packet("255.255.255.255", 67, source=68),
        packet("2001:db8::1", 443, TCP),
        packet("ff02::1:2", 547),
    ],
)
def test_what_leads_elsewhere_or_asks_is_found(tmp_path: Path, found: bytes) -> None:
    assert len(traffic.leaving(capture(tmp_path, found), NETWORKS)) == 1


def test_what_visitors_get_is_not_found(tmp_path: Path) -> None:
    fine = [
        packet("10.42.0.7", 40001, TCP, source=80),
        packet("10.42.0.7", 40001, source=53),
        packet("255.255.255.255", 68, source=67),
        packet("198.51.100.1", 80, TCP),
        packet("ff02::16", 9),
    ]
    file = capture(tmp_path, *fine)
    assert traffic.counted(file) == len(fine)
    assert traffic.leaving(file, NETWORKS) == []


def test_what_others_send_is_not_the_boxs(tmp_path: Path) -> None:
    file = capture(tmp_path, packet("192.0.2.9", 123, sender=OTHER), packet("192.0.2.9", 123))
    assert len(traffic.leaving(file, NETWORKS, sender="52:54:00:00:00:01")) == 1
