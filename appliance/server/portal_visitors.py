"""Which visitors have agreed to stay, by address; and whose address a request has.

A visitor is an address on the hotspot with the device that holds it: when dnsmasq's leases give the address
to another device, or to none, the next one is welcomed anew; so is everyone after a day. At most LIMIT are
kept, the latest; nothing of this is written anywhere, so all are welcomed anew when the pages start again.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import Scope

DAY = 86_400.0  # seconds
LIMIT = 1024  # a radio takes a few dozen at most, a wired access point a few hundred


@dataclass(frozen=True, slots=True)
class _Stay:
    until: float
    device: str  # its hardware address as dnsmasq writes it; "" when no lease is known


class Leases:
    """Who holds which address, from dnsmasq's files `*leases` in a folder, one for each network: a few
    kilobytes, read each time it is asked."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._whole: dict[Path, dict[str, str]] = {}

    def devices(self) -> Mapping[str, str]:
        """Address -> hardware address; empty where there is no file yet."""
        for file in self._folder.glob("*leases") if self._folder else ():
            try:
                text = file.read_text("utf-8", "replace")
            except OSError:
                continue
            # dnsmasq empties the file and writes it again in place: no end of a line, not yet whole
            if text.endswith("\n"):
                self._whole[file] = parsed(text)
        return {address: device for found in self._whole.values() for address, device in found.items()}


def parsed(text: str) -> dict[str, str]:
    """The IPv4 part of a lease file: `expiry hardware-address address name client-id` on each line."""
    rows = (line.split() for line in text.splitlines())
    return {row[2]: row[1] for row in rows if len(row) >= 4 and row[2].count(".") == 3}


class Visitors:
    """Addresses that were welcomed; `clock` gives seconds that never run backwards."""

    def __init__(
        self, leases: Leases, clock: Callable[[], float] = time.monotonic, limit: int = LIMIT
    ) -> None:
        self._leases, self._clock, self._limit = leases, clock, limit
        self._stays: OrderedDict[str, _Stay] = OrderedDict()

    def welcome(self, address: str) -> None:
        """From now on this visitor's probes succeed."""
        device = self._leases.devices().get(address, "")
        self._stays[address] = _Stay(self._clock() + DAY, device)
        self._stays.move_to_end(address)
        while len(self._stays) > self._limit:
            self._stays.popitem(last=False)

    def welcomed(self, address: str) -> bool:
        """Whether this visitor has agreed, on this lease and within the day."""
        stay = self._stays.get(address)
        if stay is None:
            return False
        if stay.until <= self._clock() or stay.device != self._leases.devices().get(address, ""):
            del self._stays[address]
            return False
        return True

    def __len__(self) -> int:
        return len(self._stays)


def visitor(scope: Scope) -> str:
    """The address that a request came from. nginx in front says it in `X-Real-IP`, which counts only from
    this machine (127.0.0.1, ::1, or a unix socket, which has no address): others could write anything."""
    client = scope.get("client")
    peer = normal(client[0]) if client else ""
    if client and not (peer and ip_address(peer).is_loopback):
        return peer
    return normal(Headers(scope=scope).get("x-real-ip", "")) or peer


def normal(address: str) -> str:
    """One spelling for each address (`::ffff:192.0.2.1` is `192.0.2.1`); "" for what is none."""
    try:
        found = ip_address(address.strip())
    except ValueError:
        return ""
    inner = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(inner or found)


def network(address: str) -> str:
    """What one device has of addresses: of IPv6 as many as it likes, in one network of 64 bits."""
    found = ip_address(address) if address else None
    return str(IPv6Network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address
