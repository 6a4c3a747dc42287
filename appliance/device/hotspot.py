"""hostapd's configuration (hostapd.conf(5)). Pure.

WPA2-Personal with CCMP, or open when the owner says so in so many words; no WPA3 and no protected management
frames, which are broken on the Raspberry Pi's radio as an access point. Name and key are hexadecimal, so that
no sign in them can mean anything.
"""

from dataclasses import replace

from appliance.device import radio
from appliance.device.network import WIFI
from appliance.device.owner import DEFAULT, Owner

# The fewest phones that reports name for the radios of these boards with Debian's firmware (7 to 10).
RADIO_CARRIES = 7

HEAD = """\
interface={interface}
driver=nl80211
ctrl_interface=/run/hostapd
logger_syslog=-1
logger_syslog_level=2
hw_mode={mode}
channel={channel}
ieee80211n=1
wmm_enabled=1
ssid2={ssid}
utf8_ssid=1
max_num_sta={phones}
ap_max_inactivity=300
ap_isolate=1
auth_algs=1
ieee80211w=0
"""
COUNTRY = """\
country_code={country}
ieee80211d=1
"""
PROTECTED = """\
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_psk={key}
"""
OPEN = "wpa=0\n"


def usual(owner: Owner) -> Owner | None:
    """The same network where every radio may open it; None when the owner's is there already."""
    found = replace(owner, country=DEFAULT.country, band=DEFAULT.band, channel=DEFAULT.channel)
    return None if found == owner else found


def phones(owner: Owner, carried: int) -> int:
    """How many phones are let in: one less than the radio carries, so that it never stands full; fewer when
    the owner says so, and more, at the owner's risk, when a radio's firmware is known to carry them."""
    return owner.phones or max(1, carried - 1)


def hostapd(owner: Owner, passphrase: str, carried: int = RADIO_CARRIES) -> str:
    """The file; `passphrase` is the owner's or the one that the device made. An open network needs both: the
    owner's word, and no passphrase."""
    if owner.open_network == bool(passphrase):
        raise ValueError("a network has a passphrase, or its owner says that it is open")
    text = HEAD.format(
        interface=WIFI,
        mode="a" if owner.band == "5" else "g",
        channel=owner.channel or radio.CHANNELS[owner.band][0],
        ssid=owner.ssid.encode().hex(),
        phones=phones(owner, carried),
    )
    if owner.band == "5":
        text += "ieee80211ac=1\n"
    if owner.country != radio.WORLD:
        text += COUNTRY.format(country=owner.country)
    return text + (PROTECTED.format(key=radio.key(passphrase, owner.ssid)) if passphrase else OPEN)
