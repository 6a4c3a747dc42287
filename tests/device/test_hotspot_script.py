"""The script that opens the network: the owner's settings, or the usual channel where the radio refuses."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "image/rootfs/usr/lib/lamplight/hotspot"


@pytest.fixture
def box(tmp_path):
    """The script in a folder of this test, with a hostapd that says which file it was given."""
    (tmp_path / "hostapd").mkdir()
    for name in ("hostapd.conf", "hostapd-usual.conf"):
        (tmp_path / name).touch()
    fake = tmp_path / "fake"
    fake.write_text('#!/bin/sh\nbasename "$4"\n')
    fake.chmod(0o755)
    script = tmp_path / "script"
    script.write_text(
        SCRIPT.read_text().replace("/run/lamplight", str(tmp_path)).replace("/usr/sbin/hostapd", str(fake))
    )

    def run(verb, result=""):
        environment = {"PATH": "/usr/bin:/bin", "SERVICE_RESULT": result}
        done = subprocess.run(
            ["sh", script, verb], check=True, env=environment, capture_output=True, text=True
        )
        return done.stdout.strip()

    run.folder = tmp_path
    return run


def test_two_refusals_lead_to_the_usual_channel(box):
    for _ in range(2):
        assert box("start") == "hostapd.conf"
        box("ended", "exit-code")
    assert box("start") == "hostapd-usual.conf"
    assert (box.folder / "hostapd/usual").exists()


@pytest.mark.parametrize("result", ["signal", "success", "watchdog", "oom-kill"])
def test_what_was_killed_was_not_refused(box, result):
    for _ in range(5):
        assert box("start") == "hostapd.conf"
        box("ended", result)


def test_pages_that_do_not_answer_are_not_the_radio_s_fault(box):
    for _ in range(5):
        box("ended", "exit-code")  # the unit ended before it came to hostapd
    assert box("start") == "hostapd.conf"


def test_a_network_that_was_open_for_minutes_was_not_refused(box):
    for _ in range(5):
        assert box("start") == "hostapd.conf"
        tried = box.folder / "hostapd/tried"
        os.utime(tried, (tried.stat().st_mtime - 300,) * 2)
        box("ended", "exit-code")


def test_without_another_channel_the_owner_s_stays(box):
    (box.folder / "hostapd-usual.conf").unlink()
    for _ in range(5):
        assert box("start") == "hostapd.conf"
        box("ended", "protocol")
