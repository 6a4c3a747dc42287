"""What left the box: captures of everything that it sends, and what in them should not be there."""

from pathlib import Path

from card import run
from guest import Guest, Running
from testdisk import PLACE

SNAP = 200  # bytes kept of each packet: its headers
CAPTURE = "/run/lamplight-test-sent.pcap"


def capture(guest: Guest) -> Running:
    """Starts to record what the box sends on any of its interfaces (not the phones', which are elsewhere)."""
    words = ["tcpdump", "-i", "any", "-Q", "out", "-U", "-s", str(SNAP), "-Z", "root", "-w", CAPTURE]
    return guest.start("chroot", PLACE, *words, seconds=3600)


def fetched(guest: Guest, folder: Path) -> Path:
    """The capture so far, copied out of the box."""
    running = guest.ask("cat", CAPTURE, seconds=120)
    file = folder / "sent.pcap"
    file.write_bytes(b"".join(piece.data for piece in running.pieces if piece.fd == 1))
    return file


def leaving(file: Path, networks: list[str], sender: str = "") -> list[str]:
    """The packets, in tcpdump's words, that lead elsewhere than to the box itself and its visitors'
    `networks`, or that ask some other server for something. `sender` is the box's Ethernet address, where a
    capture holds what others send too. Link-local multicast reaches no further than the cable."""
    near = [f"dst net {network}" for network in ("127.0.0.0/8", "224.0.0.0/24", *networks)]
    near += ["dst host 255.255.255.255", "dst net ::1/128", "dst net ff02::/16", "dst net fe80::/10"]
    asking = " or ".join(f"udp dst port {port}" for port in (53, 67, 123, 547, 853))
    outside = f"((ip or ip6) and not ({' or '.join(near)}))"
    asked = f"(({asking}) and not (dst net 127.0.0.0/8 or dst net ::1/128))"
    words = f"{outside} or {asked}"
    if sender:
        words = f"ether src {sender} and ({words})"
    return run("tcpdump", "-nn", "-r", str(file), words).splitlines()


def counted(file: Path) -> int:
    """Packets in a capture."""
    return len(run("tcpdump", "-nn", "-r", str(file)).splitlines())
