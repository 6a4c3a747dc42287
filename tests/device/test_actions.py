"""What the helper does for a verb. `systemctl` is a stand-in that writes down what it was asked."""

import os

import pytest
from test_trial import contents, started

from appliance.device import trial
from appliance.device.actions import Actions, begin_trial, end_trial
from appliance.device.verbs import CloseStick, KeepNetwork, OpenStick, PowerOff, Restart, TryNetwork
from appliance.errors import DeviceError


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """What systemctl was asked so far; it fails where the file `fails` is."""
    programs, said = tmp_path / "bin", tmp_path / "said"
    programs.mkdir()
    failing = f'[ ! -e {tmp_path}/fails ] || {{ echo "no such luck" >&2; exit 1; }}'
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$*" >>{said}\n{failing}\n')
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return lambda: said.read_text().splitlines() if said.exists() else []


@pytest.fixture
def actions(tmp_path):
    (tmp_path / "run/sticks").mkdir(parents=True)
    (tmp_path / "run/sticks/.sda1").write_text("CLINIC\n")
    return Actions(tmp_path / "run", tmp_path / "data", tmp_path / "card")


def test_a_stick_is_opened_and_closed_by_its_unit(actions, asked):
    actions.act(OpenStick("sda1"))
    actions.act(CloseStick("sda1"))
    unit = "lamplight-usb-write@sda1.service"
    assert asked() == [f"start {unit}", f"stop {unit}"]


@pytest.mark.parametrize("verb", [OpenStick, CloseStick])
@pytest.mark.parametrize("device", ["vda2", "sdb1", "mmcblk0p1"])
def test_only_what_udev_has_mounted_as_a_stick(actions, asked, verb, device):
    """Not the card, nor any other disk."""
    with pytest.raises(DeviceError, match="no stick"):
        actions.act(verb(device))
    assert asked() == []


def test_a_folder_in_the_place_of_a_note_is_none(actions, asked, tmp_path):
    (tmp_path / "run/sticks/.sdb1").mkdir()
    with pytest.raises(DeviceError, match="no stick"):
        actions.act(OpenStick("sdb1"))
    assert asked() == []


def test_a_stick_that_cannot_be_opened_is_a_sentence(actions, asked, tmp_path):
    (tmp_path / "fails").touch()
    with pytest.raises(DeviceError, match="cannot be opened for writing") as caught:
        actions.act(OpenStick("sda1"))
    assert "Look for a lock" in caught.value.hint
    assert len(asked()) == 1


def test_what_systemd_says_is_passed_on(actions, asked, tmp_path):
    (tmp_path / "fails").touch()
    with pytest.raises(DeviceError, match="no such luck"):
        actions.act(CloseStick("sda1"))
    assert len(asked()) == 1


def test_a_restart_and_a_stop_wait_until_the_page_has_come(actions, asked):
    assert "starts again" in actions.act(Restart())
    assert "stops" in actions.act(PowerOff())
    assert asked() == ["start lamplight-stop@reboot.timer", "start lamplight-stop@poweroff.timer"]


@pytest.mark.parametrize("name", ["lamplight", "school"])
def test_a_network_is_tried_and_kept_or_not(tmp_path, asked, name):
    run, card = started(tmp_path, b'ssid = "Clinic"\n')
    box = Actions(run, tmp_path / "data", card)
    wanted = TryNetwork(name, "School", "water and light", "00", "2.4", 0)
    pages = [] if name == "lamplight" else ["lamplight-web.service"]
    again = " ".join(["--no-block restart", *pages, "lamplight-hotspot.service"])
    box.act(wanted)
    begin_trial(run, card)
    assert asked() == ["restart lamplight-trial-begin.timer", "restart lamplight-trial.timer", again]
    assert "old network is back" in end_trial(run)
    assert asked()[-1] == again
    assert end_trial(run) == "Nothing was on trial."
    box.act(wanted)
    trial.begin(run, card)
    box.act(KeepNetwork())
    assert asked()[-1] == "stop lamplight-trial.timer"
    assert b"School" in (card / "lamplight.toml").read_bytes()
    assert end_trial(run) == "Nothing was on trial."


def test_a_trial_that_cannot_begin_changes_nothing(tmp_path, asked):
    run, card = started(tmp_path, b'ssid = "Clinic"\n')
    before = contents(run)
    wanted = TryNetwork("school", "School", "water and light", "00", "2.4", 0)
    for broken in ("timer", "disk"):
        trial.stage(run, card, wanted)
        if broken == "timer":
            (tmp_path / "fails").touch()
        else:
            (tmp_path / "fails").unlink()
            (run / ".environment.part").mkdir()  # what is written aside
        with pytest.raises((DeviceError, OSError)):
            begin_trial(run, card)
        assert contents(run) == before
    assert asked() == ["restart lamplight-trial.timer"]
