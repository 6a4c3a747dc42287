"""The card's units: systemd reads them, each has its limits, its way to come back and its sandbox, and the
access point opens last."""

import re
import shutil
import subprocess

import pytest
from every import every
from units import OURS, ROOT, ROOTFS, SERVICES, UNITS, lay_out, programs, values

from appliance.__main__ import VERBS
from appliance.device import clock, network
from appliance.device.__main__ import VERBS as AS_ROOT
from appliance.services.run import HEAP

EXPOSURE = 4.0  # of systemd-analyze security: below it is "OK"
# Known to the card's systemd (Debian 13), not to that of older machines.
NEWER = ("RestartSteps", "RestartMaxDelaySec")
VERSION = re.compile(r"systemd (\d+)")


def analyze(*words):
    if shutil.which("systemd-analyze") is None:
        pytest.fail("systemd-analyze is not here: apt install systemd")
    return subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    found = tmp_path_factory.mktemp("root")
    lay_out(found)
    return found


def test_the_pages_reach_the_boxs_own_networks_alone():
    """Where Git sources may lie on a card; nothing else of it is opened."""
    unit = UNITS / "lamplight-web.service"
    networks = [str(address.network) for address in network.ADDRESSES.values()]
    assert values(unit, "IPAddressDeny") == ["any"]
    assert values(unit, "IPAddressAllow") == [" ".join(["localhost", *networks])]


def test_there_are_units():
    assert len(OURS) >= 11


def test_systemd_reads_every_unit_without_a_word(root):
    done = analyze(
        "verify", f"--root={root}", "--recursive-errors=yes", "--man=no", *(file.name for file in OURS)
    )
    said = [
        line for line in done.stderr.splitlines() if not any(f"Unknown key '{key}'" in line for key in NEWER)
    ]
    assert said == []


def test_a_fault_in_a_unit_would_be_found(tmp_path):
    folder = lay_out(tmp_path / "root")
    unit = folder / "lamplight-web.service"
    unit.write_text(unit.read_text() + "\n[Service]\nMemoryMux=1\nExecStartPre=/nowhere/at/all\n")
    done = analyze("verify", f"--root={tmp_path / 'root'}", "--man=no", "lamplight-web.service")
    assert "MemoryMux" in done.stderr
    assert "/nowhere/at/all" in done.stderr


def test_every_service_is_sandboxed():
    done = analyze("security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE * 10:.0f}", *SERVICES)
    assert done.returncode == 0, done.stdout
    found = dict(re.findall(r"exposure level for (\S+): ([\d.]+)", done.stdout))
    assert found.keys() == {unit.name.replace("@.", "@i.") for unit in SERVICES}  # i: its one of a template
    assert {name: level for name, level in found.items() if float(level) >= EXPOSURE} == {}


@every("unit", SERVICES, ids=lambda file: file.stem)
def test_every_service_has_its_limits(unit):
    assert len(values(unit, "MemoryMax")) == 1
    assert len(values(unit, "TasksMax")) == 1
    (kind,) = values(unit, "Type")
    if kind == "oneshot":
        assert values(unit, "TimeoutStartSec"), "a oneshot that hangs would hold up the start for ever"
    elif unit.with_suffix(".socket") in OURS:  # started by its callers, it may end when nobody calls
        assert values(unit, "Restart") == ["on-failure"]
    else:
        assert values(unit, "Restart") == ["always"]
        assert values(unit, "StartLimitIntervalSec") == ["0"]
    assert (kind == "notify") == bool(values(unit, "WatchdogSec"))


@every("unit", SERVICES, ids=lambda file: file.stem)
def test_what_is_not_root_has_no_capability(unit):
    if values(unit, "User"):
        assert values(unit, "CapabilityBoundingSet") == [""]
        assert values(unit, "User") == [unit.stem if unit.stem == "lamplight-kiosk" else "lamplight"]
    else:
        assert all(path.startswith(("/usr/", "/bin/")) for path in programs(unit))


def test_only_the_pages_ask_the_helper_and_know_the_passphrase():
    """All of ours run as one user; what reads archives and models has no business there."""
    for unit in SERVICES:
        if values(unit, "User") == ["lamplight"] and unit.stem != "lamplight-web":
            shut = " ".join(values(unit, "InaccessiblePaths")).split()
            assert {"-/run/lamplight/helper.sock", "-/run/lamplight/box.json", "-/data/secrets"} <= set(shut)


def test_our_processes_have_a_small_heap():
    for name in ("embedder", "llama", "web"):
        (line,) = values(UNITS / f"lamplight-{name}.service", "Environment")
        assert dict(pair.split("=", 1) for pair in line.split()) == HEAP


def test_the_access_point_opens_last():
    unit = UNITS / "lamplight-hotspot.service"
    after = " ".join(values(unit, "After")).split()
    for name in ("lamplight-web", "nginx", "lamplight-dnsmasq", "nftables", "lamplight-settings"):
        assert f"{name}.service" in after
    starts = [line for line in unit.read_text().splitlines() if line.startswith("ExecStart")]
    assert starts[0].endswith("appliance.device ready")
    assert not starts[0].startswith("ExecStartPre=-")
    assert "nftables.service" in values(unit, "Requires")[0]


def test_the_clock_is_kept_in_time():
    """Before what was kept runs out, with what the timer may be late."""
    timer = UNITS / "lamplight-clock-keep.timer"
    (minutes,) = values(timer, "OnUnitActiveSec")
    (late,) = values(timer, "AccuracySec")
    assert int(minutes.removesuffix("min")) * 60 + int(late.removesuffix("s")) < clock.EVERY


def test_programs_of_ours_are_there_and_can_be_run():
    for path in {
        path for unit in SERVICES for path in programs(unit) if path.startswith("/usr/lib/lamplight/")
    }:
        assert (ROOTFS / path.lstrip("/")).stat().st_mode & 0o111


def test_verbs_are_those_of_the_program():
    for unit in SERVICES:
        for module, verb in re.findall(r"-m (appliance[\w.]*) (\S+)", unit.read_text()):
            assert verb in (AS_ROOT if module == "appliance.device" else VERBS)


@every("unit", OURS, ids=lambda file: file.name)
def test_every_unit_is_documented(unit):
    assert f"| `{unit.name}` |" in (ROOT / "docs/device.md").read_text("utf-8")
