"""What the status page says of the box itself, from files as the kernel and the set-up leave them."""

import json
import os
import shutil

import pytest
from every import every

from appliance.device import apply, checks, checks_card, checks_units, clock, problems
from appliance.device.board import Board
from appliance.device.checks import UNITS
from appliance.device.problems import Problem
from appliance.device.watched import Sources

BUILT, NOW = 1_780_000_000, 1_790_000_000
MOUNTED = """\
22 1 179:2 / / ro,relatime shared:1 - overlay overlay rw,lowerdir=/lower
31 22 179:3 / {data} ro,nosuid,nodev shared:9 master:2 - ext4 /dev/mmcblk0p3 {how},errors=remount-ro
"""


def lease(left, address):
    """A line of dnsmasq's, of a phone whose address is good for so many seconds more."""
    return f"{NOW + left} 02:00:00:00:00:01 {address} * *\n"


def note(sources, unit, restarts):
    sources.notes.mkdir(exist_ok=True)
    (sources.notes / f"{unit}.json").write_text(json.dumps([{"name": unit, "restarts": restarts}]))


@pytest.fixture(scope="module")
def applied(tmp_path_factory):
    """What the set-up writes for a healthy box, made once."""
    folder = tmp_path_factory.mktemp("applied")
    (folder / "run").mkdir()
    (folder / "data").mkdir()
    (folder / "UTC").touch()
    (folder / "lamplight.toml").write_text('model = "none"\n')
    places = apply.Places(folder, folder / "data", folder / "run", folder / "networks", folder, folder)
    apply.apply(places, Board("Raspberry Pi 4 Model B", 3795, False), os.getgid())
    return folder


@pytest.fixture
def sources(tmp_path, applied):
    """A box on which all is well."""
    names = ("run", "data", "groups", "thermal", "hwmon", "meminfo", "ext4", "mountinfo", "built", "rtc")
    found = Sources(*(tmp_path / name for name in (*names, "states", "leases")))
    for name in ("run", "data"):
        shutil.copytree(applied / name, tmp_path / name, symlinks=True)
    for folder in (found.thermal / "thermal_zone0", found.hwmon / "hwmon1"):
        folder.mkdir(parents=True)
    for unit in UNITS:
        (found.groups / unit).mkdir(parents=True)
        (found.groups / unit / "cgroup.events").write_text("populated 1\nfrozen 0\n")
    (found.thermal / "thermal_zone0/temp").write_text("55200\n")
    (found.hwmon / "hwmon1/name").write_text("rpi_volt\n")
    (found.hwmon / "hwmon1/in0_lcrit_alarm").write_text("0\n")
    for unit in checks_units.OURS:
        (found.groups / unit).mkdir(parents=True, exist_ok=True)
        (found.groups / unit / "cgroup.events").write_text("populated 1\nfrozen 0\n")
        (found.groups / unit / "memory.current").write_text("12000000\n")
        (found.groups / unit / "memory.events").write_text("oom 0\noom_kill 0\n")
    for unit in ("embedder", "kiwix", "llama"):
        note(found, unit, 0)
    for device in ("mmcblk0p2", "mmcblk0p3"):
        (found.ext4 / device).mkdir(parents=True)
        (found.ext4 / device / "errors_count").write_text("0\n")
    found.mounts.write_text(MOUNTED.format(data=found.data, how="rw"))
    found.built.touch()
    os.utime(found.built, (BUILT, BUILT))
    clock.keep(found.data, NOW + clock.EVERY)
    (found.run / clock.SET).touch()
    found.leases.write_text(lease(7000, "10.42.0.11") + lease(3000, "10.42.0.12"))
    found.memory.write_text("MemTotal:  3795000 kB\nMemFree: 1 kB\nMemAvailable:  2000000 kB\n")
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
    assert told(sources)[UNITS[unit][0]].state == "failing"
    assert not {"Program", "Programs"} & set(inner(sources))  # said once


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
    assert told(sources)["Data"].state == "failing"


@pytest.mark.parametrize("content", [None, "", "[]", "{", json.dumps({"ssid": "x"})])
def test_a_box_whose_settings_were_not_read_says_so(sources, content):
    file = sources.run / "box.json"
    file.write_text(content) if content is not None else file.unlink()
    assert told(sources)["Settings"].state == "wrong"
    assert dict(checks.facts(sources))["Board"]


def inner(sources, now=NOW):
    return {check.name: check for check in checks.within(sources, now)}


def test_a_healthy_box_has_nothing_to_look_at_within(sources):
    assert {name: check.state for name, check in inner(sources).items()} == {
        "Card": "on", "Clock": "on", "Programs": "on", "Phones": "on",
    }  # fmt: skip
    assert inner(sources)["Phones"].sentence == "About 1 in the last hour; at most 6 at once."


def test_errors_of_the_card_are_told(sources):
    (sources.ext4 / "mmcblk0p3/errors_count").write_text("4\n")
    assert inner(sources)["Card"].state == "failing"
    assert "mmcblk0p3: 4" in inner(sources)["Card"].sentence


def test_a_card_that_takes_no_writes_any_more_is_told(sources):
    """By the file system's own word: the pages see the data for reading alone in any case."""
    assert "Writing to the card" not in inner(sources)
    sources.mounts.write_text(MOUNTED.format(data=sources.data, how="ro"))
    assert inner(sources)["Writing to the card"].state == "failing"


@pytest.mark.parametrize("text", ["", "x", "1 2 3 - ", "a b c d / f - g h ro", " - ", "\0\n - - -"])
def test_any_table_of_mounts_is_read(tmp_path, text):
    assert checks_card.read_only(text, tmp_path) in (True, False)


def test_heat_has_three_steps_and_brakes_are_told(sources):
    states = []
    for heat in (69, 70, 80, 85):
        (sources.thermal / "thermal_zone0/temp").write_text(f"{heat}000\n")
        states.append(told(sources)["Temperature"].state)
    assert states == ["on", "noticed", "wrong", "failing"]
    device = sources.thermal / "cooling_device0"
    device.mkdir()
    (device / "type").write_text("cpufreq-cpu0\n")
    (device / "max_state").write_text("4\n")
    (device / "cur_state").write_text("0\n")
    assert inner(sources)["Speed"].state == "on"
    (device / "cur_state").write_text("2\n")
    assert inner(sources)["Speed"].state == "wrong"
    assert "step 2 of 4" in inner(sources)["Speed"].sentence


@pytest.mark.parametrize(
    ("now", "kept", "state", "words"),
    [
        (BUILT - 1, NOW, "failing", "the image was made on"),
        (BUILT + clock.LATEST + 1, NOW, "failing", "the image was made on"),
        (NOW, None, "wrong", "No time is kept"),
        (NOW, NOW - 3600, "wrong", "not kept any more"),
        (NOW, NOW + 300, "noticed", "no battery"),
    ],
)
def test_a_clock_that_may_be_wrong_is_told(sources, now, kept, state, words):
    (sources.run / clock.SET).unlink()
    (sources.data / clock.KEPT).write_text(str(kept))
    check = inner(sources, now)["Clock"]
    assert check.state == state
    assert words in check.sentence


def test_a_board_with_a_clock_of_its_own_needs_no_setting(sources):
    (sources.run / clock.SET).unlink()
    (sources.rtc / "rtc0").mkdir(parents=True)
    assert inner(sources)["Clock"].state == "on"


@pytest.mark.parametrize(("restarts", "state"), [(1, "noticed"), (3, "wrong")])
def test_a_program_that_was_started_again_is_told(sources, restarts, state):
    note(sources, "llama", restarts)
    assert "Program" not in inner(sources)  # this box has no model, so no such unit
    note(sources, "kiwix", restarts)
    assert inner(sources)["Program"].state == state
    assert "lamplight-kiwix.service (articles in Kiwix)" in inner(sources)["Program"].sentence


def test_a_program_that_is_gone_or_had_no_memory_is_told(sources):
    group = sources.groups / "lamplight-web.service"
    (group / "memory.events").write_text("oom 3\noom_kill 2\n")
    assert "was ended 2 times for want of memory" in inner(sources)["Program"].sentence
    (group / "cgroup.events").unlink()
    assert "does not run" in inner(sources)["Program"].sentence


def test_a_full_radio_is_told(sources):
    sources.leases.write_text("".join(lease(7000, f"10.42.0.{n}") for n in range(10, 16)))
    assert inner(sources)["Phones"].state == "noticed"


@every("text", ["", "duid 00:01\n", "soon mac 10.42.0.9 * *\n", "1790009999 mac ::1 * *\n"])
def test_leases_of_no_phone_are_not_counted(text):
    assert checks_units.present(text, NOW) == 0


@every(
    ("message", "counts"),
    [
        ("I/O error, dev mmcblk0, sector 2048 op 0x1:(WRITE) flags 0x0", 1),
        ("mmcblk0: error -110 sending status command, retrying", 1),
        ("EXT4-fs error (device mmcblk0p3): ext4_lookup:1855: inode #2", 1),
        ("Buffer I/O error on dev mmcblk0p3, logical block 5, lost async page write", 1),
        ("mmc1: error -110 whilst initialising SDIO card", 0),  # the radio's bus
        ("brcmfmac: error -2 loading firmware", 0),
        ("mmcblk0: mmc0:aaaa SC16G 14.8 GiB", 0),
    ],
)
def test_what_the_kernel_says_of_the_card_is_told(message, counts):
    found = list(checks_card.logged([message]))
    assert len(found) == counts
    assert all(message in check.sentence and check.remedy for check in found)
