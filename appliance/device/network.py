"""The box's own addresses, and systemd-networkd's file for the cable. Pure.

Phones on the Wi-Fi and machines on the cable have private addresses. Every name leads to `VISITORS`, which
looks public, since some Androids never show the welcome page of a private address. What never changes (the
Wi-Fi's address, VISITORS on an interface of its own) is in image/rootfs/etc/systemd/network.
"""

from ipaddress import IPv4Address, IPv4Interface

from appliance.settings import VISITORS_ADDRESS

VISITORS = IPv4Address(VISITORS_ADDRESS)
WIFI, CABLE = "wlan0", "eth0"
ADDRESSES = {WIFI: IPv4Interface("10.42.0.1/24"), CABLE: IPv4Interface("10.43.0.1/22")}
DOMAIN = "home.arpa"  # for names in a home's own network (RFC 8375)

SERVE = """\
# The cable, for an access point that is connected to nothing else (ethernet = "serve").
[Match]
Name={cable}

[Link]
RequiredForOnline=no

[Network]
Address={address}
LinkLocalAddressing=no
IPv6AcceptRA=no
LLMNR=no
MulticastDNS=no
LLDP=no
ConfigureWithoutCarrier=yes
"""
OFF = """\
# The cable stays off (ethernet = "off"): no address is given out there and none is asked for.
[Match]
Name={cable}

[Link]
RequiredForOnline=no
ActivationPolicy=always-down
"""


def cable(ethernet: str) -> str:
    """networkd's file for the cable, by the owner's setting."""
    form = SERVE if ethernet == "serve" else OFF
    return form.format(cable=CABLE, address=ADDRESSES[CABLE])


def full_name(name: str) -> str:
    """`lamplight` -> `lamplight.home.arpa`, for phones that search the web for a word without a dot."""
    return f"{name}.{DOMAIN}"
