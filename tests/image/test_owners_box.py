"""A box with its owner's settings, on the newer processor: a passphrase of every sign, the cable for a
classroom, and then a file that cannot be used."""

import json
from collections.abc import Iterator
from pathlib import Path

import health
import pytest
import traffic
import visit
from card import BootFiles, Card, fat, run
from phone import Phone
from qemu import SLOWNESS, Board, Machine

pytestmark = pytest.mark.boot

CARD_BYTES = 6_000_000_000
BOARD = Board(cpu="cortex-a76", slowness=SLOWNESS)
SSID = 'Köln \\ "8"'
PASSPHRASE = """a \\ b " c ' d $e `f` #g ;h =i %j {k} <l>""".ljust(62, "x") + " "  # 63, a space at its end
NETWORKS = ["10.42.0.0/24", "10.43.0.0/22", "198.51.100.1/32"]
SETTINGS = f"""
name = "school"
ssid = {json.dumps(SSID, ensure_ascii=False)}
passphrase = {json.dumps(PASSPHRASE)}
ethernet = "serve"
"""
WHO_ELSE = (
    "> 255.255.255.255.67: BOOTP/DHCP, Request"  # gives out addresses here? (appliance/device/cable.py)
)
WRONG = SETTINGS.replace(json.dumps(PASSPHRASE), json.dumps(PASSPHRASE + "!"))  # 64 characters


@pytest.fixture(scope="module")
def card(image: Path, place: Path) -> Card:
    made = Card.flash(image, place / "card", CARD_BYTES)
    made.write_to_fat("lamplight.toml", SETTINGS)
    return made


@pytest.fixture(scope="module")
def school(card: Card, files: BootFiles, tools: Path, place: Path) -> Iterator[Machine]:
    with Machine(card, files, tools, place / "school", BOARD) as machine:
        health.wait(machine)
        yield machine


def test_the_passphrase_is_exactly_the_owners(school: Machine) -> None:
    assert len(PASSPHRASE) == 63
    phone = Phone(school.guest, "exact", "wlan1")
    phone.join(SSID, PASSPHRASE)
    assert phone.lease()["ip"].startswith("10.42.0.")
    assert phone.get("http://school/welcome").status == 200


def test_an_access_point_on_the_cable_is_served(school: Machine) -> None:
    laptop = Phone(school.guest, "laptop", "eth1")
    assert laptop.lease()["ip"].startswith("10.43.")
    page = laptop.get("http://example.org/anything")
    assert (page.status, page.location) == (302, "http://school.home.arpa/welcome")
    assert visit.press(laptop, page.location, laptop.get(page.location)).status == 303
    assert laptop.get("http://school/").status == 200


@pytest.mark.answers
def test_the_engine_for_the_newer_processor_runs(school: Machine) -> None:
    assert "asimddp" in school.guest.run("cat", "/proc/cpuinfo")
    process = school.guest.run(
        "systemctl", "show", "--value", "--property=MainPID", "lamplight-llama"
    ).strip()
    maps = school.guest.run("cat", f"/proc/{process}/maps")
    assert "/opt/lamplight/engine/armv8.2-a/" in maps
    assert "/opt/lamplight/engine/armv8-a/" not in maps


def test_nothing_on_the_cable_leads_elsewhere(school: Machine) -> None:
    file = school.folder / "eth0.pcap"
    assert traffic.counted(file) > 10
    left = traffic.leaving(file, NETWORKS, sender="52:54:00:00:00:01")
    assert [line for line in left if WHO_ELSE not in line] == []


def test_settings_that_cannot_be_used_leave_the_last_good_ones_in_force(
    school: Machine, card: Card, files: BootFiles, tools: Path, place: Path
) -> None:
    school.guest.start("systemctl", "poweroff")
    school.wait_for_end(180)
    card.settle(None)
    card.write_to_fat("lamplight.toml", WRONG)
    with Machine(card, files, tools, place / "wrong", BOARD) as machine:
        health.wait(machine)
        phone = Phone(machine.guest, "before", "wlan1")
        phone.join(SSID, PASSPHRASE)
        assert "passphrase" in phone_status(machine)
        machine.guest.start("systemctl", "poweroff")
        machine.wait_for_end(180)
    card.settle(None)
    told = run("mtype", "-i", fat(card.file), "::lamplight-problems.txt")
    assert "passphrase" in told
    assert PASSPHRASE not in told


def phone_status(machine: Machine) -> str:
    """The status page, as somebody at the box reads it."""
    return machine.guest.run("chroot", health.phone.PLACE, "curl", "-sS", f"{health.HERE}/status")
