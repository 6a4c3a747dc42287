"""Which addresses a Git repository may be fetched from.

Whoever adds a source must not make the box look into itself: every address of the host's name is judged, and
git is then given those very addresses, so that a name that changes its answer in between leads nowhere else.
"""

import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from appliance.errors import GitError
from appliance.settings_git import Reach

Lookup = Callable[[str, int], Sequence[str]]

_PRIVATE = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"))
)
_NAT64 = ip_network("64:ff9b::/96")
AWAY = "The box needs a network that leads there; it tries again by itself."


def lookup(host: str, port: int) -> list[str]:
    """The addresses of a name, in the order in which they should be tried. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def addresses(host: str, port: int, reach: Reach, look: Lookup = lookup) -> tuple[str, ...]:
    """What the host's name stands for, when all of it may be opened. Raises GitError (`away`, `refused`)."""
    try:
        found = look(host, port)
    except (OSError, UnicodeError) as error:
        raise GitError(f"{host} is not found on this network.", AWAY, "away") from error
    for address in found:
        if reach != "all" and not permitted(address, reach):
            raise GitError(
                f"{host} is not opened from here."
                if host == address
                else f"{host} is {address}, which is not opened from here.",
                "The setting `git_reach` says which addresses are; those of the box itself only with `all`.",
                "refused",
            )
    if not found or not any(routed(address, port) for address in found):
        raise GitError(f"There is no way to {host} from this network.", AWAY, "away")
    return tuple(found)


def permitted(address: str, reach: Reach) -> bool:
    """Whether an address is one of the internet, or (`network`) of the networks around the box; never one of
    this machine, of its link alone, of many, or of none."""
    try:
        known = _plain(ip_address(address))
    except ValueError:  # with a scope, as fe80::1%eth0
        return False
    if any(known in network for network in _PRIVATE if network.version == known.version):
        return reach == "network" and not here(str(known))
    return known.is_global and not known.is_multicast and not here(str(known))


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one carries, where it does."""
    if isinstance(address, IPv6Address):
        carried = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if carried is None and address in _NAT64:
            carried = IPv4Address(int(address) & 0xFFFFFFFF)
        return carried or address
    return address


def here(address: str) -> bool:
    """Whether this machine has the address: only then can it be listened on."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind((address, 0))
    except OSError:
        return False
    return True


def routed(address: str, port: int) -> bool:
    """Whether a way leads there; nothing is sent."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.connect((address, port or 9))
    except OSError:
        return False
    return True
