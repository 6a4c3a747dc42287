"""A visitor's phone: a network namespace in the guest with a radio of its own, WPA2, DHCP and curl.

Its programs come from the test's disk and run in that tree, so the box's own programs play no part.
"""

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from guest import Guest, Running
from testdisk import PLACE
from waiting import until

_CONFIGURATION = """ctrl_interface=/tmp/{name}
network={{
  ssid={ssid}
  psk={key}
  key_mgmt=WPA-PSK
  proto=RSN
  scan_ssid=1
  scan_freq=2412 2437 2462
}}
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a phone got for one request. `headers` by lower-case names; status 0: no reply."""

    status: int
    headers: dict[str, str]
    body: str
    seconds: float
    trouble: str = ""

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


class Phone:
    """`interface` is a radio (`wlan1`) or the far end of the Ethernet cable (`eth1`)."""

    def __init__(self, guest: Guest, name: str, interface: str, agent: str = "") -> None:
        self.guest, self.name, self.interface = guest, name, interface
        self.agent = agent
        self.address = ""
        tool(guest, "ip", "netns", "add", name)
        if interface.startswith("wlan"):
            radio = guest.run("cat", f"/sys/class/net/{interface}/phy80211/name").strip()
            tool(guest, "iw", "phy", radio, "set", "netns", "name", name)
        else:
            tool(guest, "ip", "link", "set", interface, "netns", name)
        guest.run("mkdir", "-p", f"/run/lamplight-phones/{name}")
        guest.run("touch", f"/run/lamplight-phones/{name}/resolv.conf")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "set", interface, "up")

    def start(self, *argv: str, seconds: float = 60) -> Running:
        """A command in this phone."""
        return self.guest.start("chroot", PLACE, "ip", "netns", "exec", self.name, *argv, seconds=seconds)

    def run(self, *argv: str, seconds: float = 60) -> str:
        """The output of a command in this phone that must end well."""
        done = self.start(*argv, seconds=seconds).wait()
        assert done.code == 0, f"{self.name}: {' '.join(argv)}: ended with {done.code}\n{done.out}{done.err}"
        return done.out

    def join(self, ssid: str, passphrase: str, seconds: float = 60) -> None:
        """Associates with WPA2. Raises TimedOut when the network does not let it in."""
        text = _CONFIGURATION.format(name=self.name, ssid=ssid.encode().hex(), key=_key(ssid, passphrase))
        file = f"/tmp/{self.name}.conf"
        self.guest.run("tee", PLACE + file, text=text)
        self.run("wpa_supplicant", "-B", "-D", "nl80211", "-i", self.interface, "-c", file)
        until(f"{self.name} to join {ssid}", seconds, self.joined, self._why, 0.5, self.guest.clock)

    def leave(self) -> None:
        """Off the network, and no more tries."""
        self.run("wpa_cli", "-p", f"/tmp/{self.name}", "-i", self.interface, "terminate")

    def joined(self) -> bool:
        done = self.start("wpa_cli", "-p", f"/tmp/{self.name}", "-i", self.interface, "status").wait()
        return "wpa_state=COMPLETED" in done.out

    def lease(self) -> dict[str, str]:
        """An address by DHCP; what the server said, by the names of udhcpc."""
        words = ["-f", "-n", "-q", "-t", "10", "-T", "3", "-s", "/lease.sh", "-i", self.interface]
        out = self.run("busybox", "udhcpc", *words, seconds=60)
        said = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
        self.address = said["ip"]
        return said

    def get(self, address: str, *options: str, seconds: float = 60) -> Reply:
        """One request without following where it leads."""
        return reply(self.fetch(address, *options, seconds=seconds).wait())

    def fetch(self, address: str, *options: str, seconds: float = 60) -> Running:
        """Starts a request; its pieces come as the box sends them."""
        words = ["curl", "-sS", "-i", "-N", "--max-time", f"{seconds:.0f}", "-w", r"\n%{time_total}"]
        named = ["-A", self.agent] if self.agent else []
        return self.start(*words, *named, *options, address, seconds=seconds + 15)

    def _why(self) -> str:
        done = self.start("wpa_cli", "-p", f"/tmp/{self.name}", "-i", self.interface, "status").wait()
        seen = self.start("iw", "dev", self.interface, "scan", "dump").wait()
        return f"{done.out}{done.err}\n{seen.out[-1500:]}"


def _key(ssid: str, passphrase: str) -> str:
    """As wpa_supplicant.conf takes it. Where it cannot hold the passphrase (a quotation mark ends it, a # is
    a comment), the key that IEEE 802.11 makes of it."""
    if '"' in passphrase or "#" in passphrase:
        return hashlib.pbkdf2_hmac("sha1", passphrase.encode(), ssid.encode(), 4096, 32).hex()
    return f'"{passphrase}"'


def tool(guest: Guest, *argv: str, seconds: float = 60) -> str:
    """A program of the test's disk, outside any phone."""
    return guest.run("chroot", PLACE, *argv, seconds=seconds)


def reply(done: Running) -> Reply:
    """What curl printed, in parts; with -L, of the last reply."""
    text, _, seconds = done.out.rpartition("\n")
    while re.match(r"HTTP/[\d.]+ 3.*?\r\n\r\nHTTP/", text, re.DOTALL):
        text = text.partition("\r\n\r\n")[2]
    head, _, body = text.replace("\r\n", "\n").partition("\n\n")
    found = re.match(r"HTTP/[\d.]+ (\d{3})", head)
    headers = dict(re.findall(r"^([^:\n]+): ?(.*)$", head, re.MULTILINE))
    return Reply(
        int(found[1]) if found else 0,
        {name.lower(): value for name, value in headers.items()},
        body,
        float(seconds or 0),
        done.err.strip(),
    )


def host(address: str) -> str:
    return urlsplit(address).hostname or ""
