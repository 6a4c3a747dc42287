"""What the status page says of the box itself, from files as the kernel and the set-up leave them."""

import json
import os

import pytest

from appliance.device import apply, checks, problems
from appliance.device.board import Board
from appliance.device.checks import UNITS, Sources
from appliance.device.problems import Problem


@pytest.fixture
def sources(tmp_path):
    """A box on which all is well."""
    found = Sources(*(tmp_path / name for name in ("run", "data", "groups", "thermal", "hwmon", "meminfo")))
    for folder in (found.run, found.data, found.thermal / "thermal_zone0", found.hwmon / "hwmon1"):
        folder.mkdir(parents=True)
    for unit in UNITS:
        (found.groups / unit).mkdir(parents=True)
        (found.groups / unit / "cgroup.events").write_text("populated 1\nfrozen 0\n")
    (found.thermal / "thermal_zone0/temp").write_text("55200\n")
    (found.hwmon / "hwmon1/name").write_text("rpi_volt\n")
    (found.hwmon / "hwmon1/in0_lcrit_alarm").write_text("0\n")
    found.memory.write_text("MemTotal:  3795000 kB\nMemFree: 1 kB\nMemAvailable:  2000000 kB\n")
    places = apply.Places(tmp_path, tmp_path / "data", found.run, tmp_path / "networks", tmp_path, tmp_path)
    (tmp_path / "UTC").touch()
    (tmp_path / "lamplight.toml").write_text('model = "none"\n')
    apply.apply(places, Board("Raspberry Pi 4 Model B", 3795, False), os.getgid())
    return found


def told(sources):
    return {check.name: check for check in checks.checks(sources)}


def test_a_healthy_box_has_nothing_to_look_at(sources):
    found = told(sources)
    assert {check.state for check in found.values()} == {"on", "off"}
    assert found["Wi-Fi"].sentence == "Lamplight. At most 6 phones at once."
    assert "owner left the language model out" in found["Model for this board"].sentence


def test_what_the_set_up_found_is_told(sources):
    problems.write(
        sources.run, "settings", [Problem("value", "passphrase", "Found 7 characters.", "Correct it.")]
    )
    check = told(sources)["passphrase"]
    assert (check.state, check.sentence, check.remedy) == ("wrong", "Found 7 characters.", "Correct it.")


@pytest.mark.parametrize("state", ["populated 0\nfrozen 0\n", None])
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_that_does_not_run_is_told(sources, unit, state):
    events = sources.groups / unit / "cgroup.events"
    events.write_text(state) if state else events.unlink()
    assert told(sources)[UNITS[unit][0]].state == "wrong"


def test_a_radio_that_refused_the_owner_s_channel_is_told(sources):
    (sources.run / "hostapd").mkdir()
    (sources.run / "hostapd/usual").touch()
    assert told(sources)["Wi-Fi"].state == "wrong"
    assert "refused the band" in told(sources)["Wi-Fi"].sentence


def test_heat_is_told(sources):
    (sources.thermal / "thermal_zone0/temp").write_text("81000\n")
    assert told(sources)["Temperature"].state == "wrong"
    assert ("Temperature", "81 °C") in checks.facts(sources)


def test_a_kernel_without_a_thermometer_says_nothing_of_heat(sources):
    (sources.thermal / "thermal_zone0/temp").unlink()
    assert "Temperature" not in told(sources)
    assert "Temperature" not in dict(checks.facts(sources))


def test_a_weak_supply_is_told(sources):
    (sources.hwmon / "hwmon1/in0_lcrit_alarm").write_text("1\n")
    assert told(sources)["Power"].state == "wrong"
    (sources.hwmon / "hwmon1/name").write_text("cpu_thermal\n")
    assert told(sources)["Power"].state == "off"


def test_little_memory_is_told(sources):
    sources.memory.write_text("MemTotal:  3795000 kB\nMemAvailable:  100000 kB\n")
    assert told(sources)["Memory"].state == "wrong"


def test_a_data_partition_that_is_gone_is_told(sources):
    assert told(sources)["Space on the card"].state == "on"
    for file in sorted(sources.data.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    sources.data.rmdir()
    assert told(sources)["Data"].state == "wrong"


@pytest.mark.parametrize("content", [None, "", "[]", "{", json.dumps({"ssid": "x"})])
def test_a_box_whose_settings_were_not_read_says_so(sources, content):
    file = sources.run / "box.json"
    file.write_text(content) if content is not None else file.unlink()
    assert told(sources)["Settings"].state == "wrong"
    assert dict(checks.facts(sources))["Board"]
