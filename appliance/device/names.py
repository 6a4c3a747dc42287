"""dnsmasq's configuration (dnsmasq(8)): addresses for phones, and one answer to every name. Pure.

It knows no other server, so no question leaves the box. Every name is the box; other kinds of question (IPv6,
HTTPS records) get "no such data" at once. No address of a sign-in page is announced (option 114): without TLS
phones would take it for an error. The Wi-Fi and the cable have a dnsmasq each, since the cable's must be able
to fall silent alone.
"""

from appliance.device.network import ADDRESSES, CABLE, DOMAIN, VISITORS, WIFI

WINDOWS = ("dns.msftncsi.com", "131.107.255.255")  # what Windows expects of a working DNS
FIRST = 10  # the first address for others in each network; those before are the box's to use
LEASES = {
    WIFI: "/run/lamplight/dnsmasq/leases",
    CABLE: "/run/lamplight/dnsmasq/cable-leases",
}

FORM = """\
port=53
interface={interface}
except-interface=lo
bind-dynamic
no-resolv
no-hosts
no-poll
cache-size=0
address=/#/{visitors}
local=/#/
address=/{windows}/{windows_answer}
dhcp-range={first},{last},{mask},2h
dhcp-option=option:router,{box}
dhcp-option=option:dns-server,{box}
dhcp-option=option:domain-name,{domain}
dhcp-authoritative
dhcp-leasefile={leases}
dhcp-lease-max={most}
no-ping
quiet-dhcp
"""


def dnsmasq(interface: str) -> str:
    """The file for one of the box's interfaces."""
    box = ADDRESSES[interface]
    first, last = box.network.network_address + FIRST, box.network.broadcast_address - 1
    return FORM.format(
        interface=interface,
        visitors=VISITORS,
        windows=WINDOWS[0],
        windows_answer=WINDOWS[1],
        first=first,
        last=last,
        mask=box.network.netmask,
        box=box.ip,
        domain=DOMAIN,
        leases=LEASES[interface],
        most=int(last) - int(first) + 1,
    )
