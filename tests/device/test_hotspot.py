"""What hostapd, dnsmasq and networkd get, to the letter (tests/cases/rendered); case 36: passphrases."""

import subprocess
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest
from every import every

from appliance.device import hotspot, names, network, radio
from appliance.device.owner import DEFAULT

ROOT = Path(__file__).parents[2]
RENDERED = ROOT / "tests/cases/rendered"
OPEN = replace(DEFAULT, open_network=True)
FIVE = replace(DEFAULT, band="5", country="FR", channel=44, ssid="Centre de santé", phones=18)
GOLDEN = {
    "hostapd-as-shipped.conf": lambda: hotspot.hostapd(DEFAULT, "abcd-efgh-jkmn"),
    "hostapd-open.conf": lambda: hotspot.hostapd(OPEN, ""),
    "hostapd-5-ghz.conf": lambda: hotspot.hostapd(FIVE, "water and light"),
    "dnsmasq-wlan0.conf": lambda: names.dnsmasq("wlan0"),
    "dnsmasq-eth0.conf": lambda: names.dnsmasq("eth0"),
    "cable-off.network": lambda: network.cable("off"),
    "cable-serve.network": lambda: network.cable("serve"),
}
# From IEEE 802.11-2020, annex J.4.2, test vectors of the passphrase mapping.
VECTORS = (
    ("password", "IEEE", "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"),
    ("ThisIsAPassword", "ThisIsASSID", "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"),
)
HARD = ("12345678", "1" * 63, 'say "hi" \\ now', "open sesame ", " ", "~" * 8, "$(reboot) `x` %s #")


@every("name", GOLDEN)
def test_files_are_as_they_were_read_by_people(name):
    assert GOLDEN[name]() == (RENDERED / name).read_text("utf-8")


@pytest.mark.parametrize(("passphrase", "ssid", "key"), VECTORS)
def test_the_key_is_the_standard_s(passphrase, ssid, key):
    assert radio.key(passphrase, ssid) == key


@every("passphrase", [text for text in HARD if not radio.refusal(text)])
def test_no_sign_of_a_passphrase_reaches_the_file(passphrase):
    lines = hotspot.hostapd(DEFAULT, passphrase).splitlines()
    assert f"wpa_psk={radio.key(passphrase, DEFAULT.ssid)}" in lines
    assert all(passphrase not in line for line in lines)


def test_the_network_is_open_only_by_word_and_without_a_passphrase():
    for owner, passphrase in ((DEFAULT, ""), (OPEN, "abcd-efgh-jkmn")):
        with pytest.raises(ValueError, match="open"):
            hotspot.hostapd(owner, passphrase)
    assert "wpa=0" not in hotspot.hostapd(DEFAULT, "abcd-efgh-jkmn")


def test_the_usual_network_differs_in_the_radio_s_part_alone():
    found = hotspot.hostapd(hotspot.usual(FIVE), "water and light").splitlines()
    lines = hotspot.hostapd(FIVE, "water and light").splitlines()
    changed = {line.partition("=")[0] for line in set(found) ^ set(lines)}
    assert changed == {"hw_mode", "channel", "ieee80211ac", "country_code", "ieee80211d"}
    assert hotspot.usual(DEFAULT) is None


def test_one_place_stays_free():
    assert hotspot.phones(DEFAULT, 7) == 6
    assert hotspot.phones(DEFAULT, 1) == 1
    assert hotspot.phones(replace(DEFAULT, phones=18), 7) == 18


def test_addresses_are_the_same_everywhere():
    """The firewall, networkd's fixed files and the pages name them too."""
    firewall = (ROOT / "image/rootfs/etc/nftables.conf").read_text()
    wifi = (ROOT / "image/rootfs/etc/systemd/network/10-lamplight-wifi.network").read_text()
    visitors = (ROOT / "image/rootfs/etc/systemd/network/10-lamplight-names.network").read_text()
    networks = ", ".join(str(address.network) for address in network.ADDRESSES.values())
    assert f"define networks = {{ {networks} }}" in firewall
    assert f"define visitors = {{ {', '.join(network.ADDRESSES)} }}" in firewall
    assert f"Address={network.ADDRESSES['wlan0']}\n" in wifi
    assert f"Address={network.VISITORS}/32\n" in visitors


def test_the_address_of_every_name_is_in_no_network_of_phones():
    assert not any(network.VISITORS in address.network for address in network.ADDRESSES.values())
    assert not network.VISITORS.is_global
    assert network.VISITORS in ip_network("198.51.100.0/24")


@pytest.mark.image
@pytest.mark.parametrize("passphrase", [text for text in HARD if not radio.refusal(text)])
def test_wpa_passphrase_makes_the_same_key(passphrase):
    said = subprocess.run(
        ["wpa_passphrase", DEFAULT.ssid], input=passphrase + "\n", capture_output=True, text=True, check=True
    )
    assert f"\tpsk={radio.key(passphrase, DEFAULT.ssid)}\n" in said.stdout
