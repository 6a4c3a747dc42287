"""What the status page says of the box itself: its settings, network, card, memory, temperature, clock.

Reads files as the pages' own user, and asks nothing of anybody: /run for what the set-up units found, control
groups for what runs, the kernel for the rest.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.device import clock, files, problems
from appliance.device.box import Box, read_box
from appliance.records import Check

HOT = 80.0  # °C, where these boards begin to slow down
TIGHT = 0.05  # share of the memory, and of the data partition, below which somebody should look
USUAL = "hostapd/usual"  # there when image/rootfs/usr/lib/lamplight/hotspot gave way
UNITS = {  # what must run beside our own processes, which note how they are themselves
    "lamplight-hotspot.service": ("Wi-Fi", "Nobody can join: the network is not open."),
    "lamplight-dnsmasq.service": ("Addresses and names", "Phones get no address: dnsmasq does not run."),
}


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the box's state is read; `run` is the setting `device`."""

    run: Path
    data: Path = Path("/data")
    groups: Path = Path("/sys/fs/cgroup/system.slice")
    thermal: Path = Path("/sys/class/thermal")
    hwmon: Path = Path("/sys/class/hwmon")
    memory: Path = Path("/proc/meminfo")


def checks(sources: Sources) -> tuple[Check, ...]:
    """One line for each part, problems of the set-up first."""
    found = [
        Check(problem.about, "wrong", problem.sentence, problem.remedy)
        for problem in problems.read(sources.run)
    ]
    box = read_box(sources.run)
    if box is None:
        found.append(
            Check("Settings", "wrong", "The owner's settings were not read.", "Start the box again.")
        )
    elif box.less:
        found.append(Check("Model for this board", "off", box.less))
    found += (_unit(sources, unit, *words, box) for unit, words in UNITS.items())
    found += (_space(sources.data), _memory(sources.memory), _power(sources.hwmon))
    found += _heat(sources.thermal)
    return tuple(found)


def facts(sources: Sources) -> tuple[tuple[str, str], ...]:
    """Names and values for the table of figures."""
    box = read_box(sources.run)
    heat = max(_temperatures(sources.thermal), default=None)
    return (
        ("Board", f"{box.board or 'not known'}, {box.memory_mb:,} MB" if box else "not known"),
        ("Phones at once on the Wi-Fi", str(box.phones) if box else "not known"),
        ("Clock", clock.told(time.time())),
        *((("Temperature", f"{heat:.0f} °C"),) if heat is not None else ()),
    )


def running(groups: Path, unit: str) -> bool:
    """Whether any process of a unit lives."""
    return b"populated 1" in (files.read(groups / unit / "cgroup.events") or b"")


def _unit(sources: Sources, unit: str, name: str, otherwise: str, box: Box | None) -> Check:
    run = sources.run
    if not running(sources.groups, unit):
        return Check(name, "wrong", otherwise, f"Start the box again; the journal of {unit} says why.")
    if name == "Wi-Fi" and (run / USUAL).exists():
        sentence = (
            "The radio refused the band, channel or country of lamplight.toml; the usual ones are used."
        )
        return Check(name, "wrong", sentence, "Correct them, and start the box again.")
    told = f"{box.ssid}. At most {box.phones} phones at once." if box and name == "Wi-Fi" else ""
    return Check(name, "on", told)


def _space(data: Path) -> Check:
    try:
        found = os.statvfs(data)
    except OSError as error:
        return Check("Data", "wrong", f"The data partition cannot be read: {error.strerror}.")
    free, whole = found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize
    sentence = f"{free / 1e9:,.1f} of {whole / 1e9:,.1f} GB are free."
    if free < whole * TIGHT:
        return Check("Space on the card", "wrong", sentence, "Remove what is no longer needed.")
    return Check("Space on the card", "on", sentence)


def _memory(file: Path) -> Check:
    rows = dict(line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    whole, free = (int(rows[name].split()[0]) / 1000 for name in ("MemTotal", "MemAvailable"))
    sentence = f"{free:,.0f} of {whole:,.0f} MB are free."
    if free < whole * TIGHT:
        return Check("Memory", "wrong", sentence, "Choose a smaller model or none (lamplight.toml).")
    return Check("Memory", "on", sentence)


def _temperatures(thermal: Path) -> Iterator[float]:
    for file in thermal.glob("thermal_zone*/temp"):
        try:
            yield int(file.read_text()) / 1000
        except (OSError, ValueError):  # a zone that is off
            continue


def _heat(thermal: Path) -> Iterator[Check]:
    """Nothing where the kernel knows no temperature."""
    for hottest in sorted(_temperatures(thermal))[-1:]:
        state = "wrong" if hottest >= HOT else "on"
        remedy = "The board slows down: give it air or a cooler." if state == "wrong" else ""
        yield Check("Temperature", state, f"{hottest:.0f} °C", remedy)


def _power(hwmon: Path) -> Check:
    """The board's own watch over its supply (rpi_volt), where the kernel has it."""
    for chip in sorted(hwmon.glob("hwmon*")):
        if (files.read(chip / "name") or b"").strip() == b"rpi_volt":
            if (files.read(chip / "in0_lcrit_alarm") or b"").strip() == b"1":
                remedy = "Use the supply that is made for this board, and a short cable."
                return Check("Power", "wrong", "The supply's voltage is too low.", remedy)
            return Check("Power", "on")
    return Check("Power", "off", "This kernel does not watch the supply.")
