"""Serving the cable without ever fighting another network's server (ethernet = "serve").

Before it gives out an address on the cable, and every half minute after, the box asks who else does. When
somebody answers it falls silent and says so on the status page; so it does while the cable is out, and each
new cable is a new network. Runs as root; standard library alone.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from ipaddress import IPv4Address
from pathlib import Path

from appliance.device import dhcp, problems
from appliance.device.network import ADDRESSES, CABLE
from appliance.device.problems import Problem

TICK = 2.0  # seconds between two looks at the plug
AGAIN = 30.0  # seconds after which the question is asked again
PATIENCE = 4.0  # seconds for an answer
DNSMASQ = ("/usr/sbin/dnsmasq", "--keep-in-foreground", "--log-facility=-")


class Server:
    """dnsmasq on the cable, as a child."""

    def __init__(self, configuration: Path) -> None:
        self._command = [*DNSMASQ, f"--conf-file={configuration}"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it unless it runs."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(self._command)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


class Cable:
    """One look after another; `plug` gives None while the cable is out, else a value that changes with each
    new one; `others` asks who else serves."""

    def __init__(
        self,
        server: Server,
        plug: Callable[[], bytes | None],
        others: Callable[[], Collection[IPv4Address]],
        tell: Callable[[Collection[IPv4Address]], None],
        again: float = AGAIN,
    ) -> None:
        self._server, self._plug, self._others, self._tell, self._again = server, plug, others, tell, again
        self._asked = float("-inf")
        self._known: bytes | None = None

    def look(self, now: float) -> None:
        plug = self._plug()
        if plug != self._known:
            self._server.stop()
            self._known, self._asked = plug, float("-inf")
        if plug is None or now - self._asked < self._again:
            return
        self._asked = now
        found = self._others()
        self._tell(found)
        if found:
            self._server.stop()
        elif self._plug() == plug:
            self._server.start()


def run(folder: Path, again: float = AGAIN) -> None:
    """Until SIGTERM; `folder` is /run/lamplight."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
    server = Server(folder / f"dnsmasq-{CABLE}.conf")
    cable = Cable(server, plug, others, lambda found: tell(folder, found), again)
    try:
        while True:
            cable.look(time.monotonic())
            time.sleep(TICK)
    finally:
        server.stop()


def plug(folder: Path = Path("/sys/class/net") / CABLE) -> bytes | None:
    """How often the cable was put in or out, while it is in."""
    try:
        return (
            (folder / "carrier_changes").read_bytes() if (folder / "carrier").read_bytes() == b"1\n" else None
        )
    except OSError:  # no such port, or it is not up yet
        return None


def others() -> set[IPv4Address]:
    """Who serves there beside us."""
    return dhcp.servers(CABLE, PATIENCE) - {ADDRESSES[CABLE].ip}


def tell(folder: Path, found: Collection[IPv4Address]) -> None:
    """For the status page."""
    names = ", ".join(sorted(map(str, found)))
    sentence = f"Another device gives out addresses there ({names}), so the box does not."
    remedy = 'Take the cable out, or set ethernet = "off" in lamplight.toml.'
    problems.write(folder, "cable", [Problem("box", "Cable", sentence, remedy)] if found else [])
