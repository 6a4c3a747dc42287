"""What systemd is told of a process that it started: that it is ready, and again and again that it lives.

sd_notify(3), the part that one datagram does. Elsewhere nobody listens and nothing is sent.
"""

import os
import socket

OFTEN = 3  # messages in the time after which systemd counts a silent process as hung


def ready() -> None:
    """Says that the process is ready, and lives; may be said any number of times."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as bus:
        bus.connect(address)
        bus.sendall(b"READY=1\nWATCHDOG=1")


def every() -> float:
    """Seconds between two messages: a part of what systemd waits for; an hour when it waits for none."""
    return int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6 / OFTEN or 3600.0
