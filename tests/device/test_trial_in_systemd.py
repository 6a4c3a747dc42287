"""What the desk asks of the helper, by a real systemd with the card's own units: a network on trial that is
kept or not, the journal, a stop. The pages' side is a process that is shut in as the pages are; hostapd is
played.

As root; takes about forty seconds, most of them those in which a page reaches its phone.
"""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from systemdbox import started
from units import ROOT, UNITS

from appliance.device import journal

pytestmark = pytest.mark.image
OWNERS = 'ssid = "Clinic"  # as on the wall\npassphrase = "water and light"\n'
# What opens the network, told apart by its name; it says what hostapd says of a phone.
SCRIPT = """#!/bin/sh
grep ^ssid2= /run/lamplight/hostapd.conf >/run/opened
echo "STA 02:00:00:00:01:00 10.42.0.77"
exec sleep infinity
"""
HOTSPOT = "[Unit]\nAfter=lamplight-web.service\n[Service]\nExecStart=/usr/lib/lamplight/played-hotspot\n"
ASK = """
import sys
from pathlib import Path
sys.path.insert(0, "/opt/lamplight/app")
from appliance.device import client
from appliance.device.verbs import *
print(client.ask(Path("/run/lamplight"), {verb}))
"""
SCHOOL = 'TryNetwork("school", "School", "other words", "00", "2.4", 0)'


def lay_over(more):
    units = more / "etc/systemd/system"
    for file in (*UNITS.glob("lamplight-trial*"), *UNITS.glob("lamplight-stop@*")):
        shutil.copy(file, units)
    (units / "lamplight-hotspot.service").write_text(HOTSPOT)
    script = more / "usr/lib/lamplight/played-hotspot"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    shutil.copytree(ROOT / "models", more / "opt/lamplight/app/models")
    for folder in ("boot/firmware", "data/home"):
        (more / folder).mkdir(parents=True)
    (more / "boot/firmware/lamplight.toml").write_text(OWNERS)
    (more / "usr/lib/clock-epoch").touch()


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    folder = tmp_path_factory.mktemp("box")
    disk = folder / "stick.img"
    with disk.open("wb") as file:
        file.truncate(20_000_000)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", disk], check=True)
    device = subprocess.check_output(["losetup", "--find", "--show", disk], text=True).strip()
    try:
        with started(folder, device, "ext4", "OURS", lay_over) as found:
            program = "cd /opt/lamplight/app; PYTHONDONTWRITEBYTECODE=1 python3 -m appliance.device settings"
            found.run("sh", "-c", program)
            found.run("systemctl", "start", "systemd-journald", "lamplight-hotspot")
            yield found
    finally:
        subprocess.run(["losetup", "-d", device], check=False, capture_output=True)


def ask(box, verb):
    """What the helper says to the pages' process."""
    done = subprocess.run(
        box.pages(f"python3 - <<'END'\n{ASK.format(verb=verb)}\nEND"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.rstrip("\n") if done.returncode == 0 else done.stderr.splitlines()[-1]


def opened(box):
    """The name of the network that is open."""
    return bytes.fromhex(box.run("cat", "/run/opened").strip().removeprefix("ssid2=")).decode()


def wait(box, ssid):
    end = time.monotonic() + 20
    while opened(box) != ssid:
        assert time.monotonic() < end, opened(box)
        time.sleep(0.2)


def test_a_network_that_nobody_keeps_is_gone_again(box):
    before = box.run("sh", "-c", "cd /run/lamplight; sha256sum environment hostapd.conf box.json")
    pages = box.run("systemctl", "show", "-P", "MainPID", "lamplight-web")
    assert "begins in a few seconds" in ask(box, SCHOOL)
    assert opened(box) == "Clinic"  # the page that tells of it is still on its way
    wait(box, "School")
    assert json.loads(box.run("cat", "/run/lamplight/box.json"))["name"] == "school"
    assert "on trial already" in ask(box, SCHOOL)
    (timer,) = json.loads(box.run("systemctl", "list-timers", "--output=json", "lamplight-trial.timer"))
    assert timer["activates"] == "lamplight-trial.service"
    box.run("systemctl", "start", "lamplight-trial.service")  # three minutes later
    wait(box, "Clinic")
    assert box.run("sh", "-c", "cd /run/lamplight; sha256sum environment hostapd.conf box.json") == before
    assert box.run("cat", "/boot/firmware/lamplight.toml") == OWNERS
    assert (
        box.run("systemctl", "show", "-P", "MainPID", "lamplight-web") != pages
    )  # they have the old name again
    rights = box.run("stat", "-c", "%a %U %G", "/run/lamplight/box.json")
    assert rights == "640 root lamplight\n"


def test_a_network_that_is_kept_stays(box):
    ask(box, SCHOOL)
    assert "No network is on trial" in ask(box, "KeepNetwork()")  # not before anybody can have joined it
    wait(box, "School")
    assert ask(box, "KeepNetwork()") == "The new network stays."
    assert box.ask("systemctl", "is-active", "lamplight-trial.timer").stdout == "inactive\n"
    box.run("systemctl", "start", "lamplight-trial.service")
    assert opened(box) == "School"
    told = box.run("cat", "/boot/firmware/lamplight.toml")
    assert 'ssid = "School"' in told
    assert 'name = "school"' in told
    rights = box.run("stat", "-c", "%a %U %G", "/run/lamplight/box.json")
    assert rights == "640 root lamplight\n"


def test_the_journal_comes_without_addresses(box):
    lines = journal.read(ask(box, 'Journal("wifi", 7, 50)'))
    assert "STA [device] [address]" in [line.message for line in lines]
    assert {line.unit for line in lines} <= {"lamplight-hotspot.service"}
    assert ask(box, 'Journal("kernel", 0, 1)') == ""
    assert "refuses" in ask(box, 'Journal("ssh", 7, 50)')


def test_the_clock_does_not_go_back(box):
    assert "The clock stays" in ask(box, "SetClock(1)")


def test_a_stop_comes_seconds_later(box):
    """The last: there is no box afterwards."""
    assert "The box stops in a few seconds" in ask(box, "PowerOff()")
    assert box.run("true") == ""
    end = time.monotonic() + 30
    while Path("/proc", str(box.pid), "root", "run").exists():
        assert time.monotonic() < end
        time.sleep(0.2)
