"""What the status page says of the box itself: its settings, network, card, memory, temperature, power.

`checks` has what anybody may know, `within` what is for whoever looks after the box. Reads files as the
pages' own user, and asks nothing of anybody: /run for what the set-up units found, control groups for what
runs, the kernel for the rest.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from appliance.device import checks_card, checks_clock, checks_units, clock, files, problems, said
from appliance.device.box import Box, read_box
from appliance.device.watched import Sources
from appliance.records import Check, CheckState

# °C: worth knowing; where these boards begin to slow down; where they slow down a lot.
WARM, HOT, TOO_HOT = 70.0, 80.0, 85.0
TIGHT, SPENT = (
    0.05,
    0.02,
)  # share of the memory below which somebody should look, and below which processes end
USUAL = "hostapd/usual"  # there when image/rootfs/usr/lib/lamplight/hotspot gave way
UNITS = {  # what must run beside our own processes, which note how they are themselves
    "lamplight-hotspot.service": (said.WIFI, said.NOT_OPEN),
    "lamplight-dnsmasq.service": (said.ADDRESSES, said.NO_ADDRESS),
}


def checks(sources: Sources) -> tuple[Check, ...]:
    """One line for each part, problems of the set-up first."""
    found = [
        Check(problem.about, "wrong", problem.sentence, problem.remedy)
        for problem in problems.read(sources.run)
    ]
    box = read_box(sources.run)
    if box is None:
        found.append(Check(said.SETTINGS, "wrong", said.UNREAD, said.START_AGAIN))
    elif box.less:
        found.append(Check(said.MODEL, "off", box.less))
    found += (_unit(sources, unit, *words, box) for unit, words in UNITS.items())
    found += (checks_card.space(sources.data), _memory(sources.memory), _power(sources.hwmon))
    found += _heat(sources.thermal)
    return tuple(found)


def within(sources: Sources, now: float) -> tuple[Check, ...]:
    """The lines that are for whoever looks after the box; `now` is the clock's time."""
    box = read_box(sources.run)
    return (
        *checks_card.errors(sources),
        *_slowed(sources.thermal),
        *checks_clock.checks(sources, now),
        *checks_units.programs(sources, box),
        *checks_units.phones(sources, box, now),
    )


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


def _unit(sources: Sources, unit: str, name: str, otherwise: str, box: Box | None) -> Check:
    run = sources.run
    if not checks_units.running(sources.groups, unit):
        return Check(name, "failing", otherwise, said.JOURNAL.format(unit=unit))
    if name == said.WIFI and (run / USUAL).exists():
        return Check(name, "wrong", said.REFUSED, said.CORRECT)
    told = said.NETWORK.format(ssid=box.ssid, n=box.phones) if box and name == said.WIFI else ""
    return Check(name, "on", told)


def _memory(file: Path) -> Check:
    rows = dict(line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    whole, free = (int(rows[name].split()[0]) / 1000 for name in ("MemTotal", "MemAvailable"))
    state: CheckState = "failing" if free < whole * SPENT else "wrong" if free < whole * TIGHT else "on"
    remedy = "" if state == "on" else said.SMALLER
    return Check(said.MEMORY, state, said.FREE_MB.format(free=f"{free:,.0f}", whole=f"{whole:,.0f}"), remedy)


def _temperatures(thermal: Path) -> Iterator[float]:
    for file in thermal.glob("thermal_zone*/temp"):
        try:
            yield int(file.read_text()) / 1000
        except (OSError, ValueError):  # a zone that is off
            continue


def _heat(thermal: Path) -> Iterator[Check]:
    """Nothing where the kernel knows no temperature."""
    for hottest in sorted(_temperatures(thermal))[-1:]:
        steps: tuple[tuple[float, CheckState, str], ...] = (
            (TOO_HOT, "failing", said.COOL_NOW),
            (HOT, "wrong", said.COOL),
            (WARM, "noticed", said.WARM.format(hot=f"{HOT:.0f}")),
            (-273.15, "on", ""),
        )
        state, remedy = next((state, remedy) for from_, state, remedy in steps if hottest >= from_)
        yield Check(said.TEMPERATURE, state, f"{hottest:.0f} °C", remedy)


def _slowed(thermal: Path) -> Iterator[Check]:
    """Whether the kernel holds the processor back; nothing where it cannot. (The firmware's own brakes are
    seen by no file of Debian's kernel.)"""
    steps = []
    for device in sorted(thermal.glob("cooling_device*")):
        if (files.read(device / "type") or b"").startswith(b"cpufreq"):
            found = (files.read(device / name) or b"" for name in ("cur_state", "max_state"))
            numbers = [int(text) for text in found if text.strip().isdigit()]
            steps += [numbers] if len(numbers) == 2 else []
    if not steps:
        return
    now, most = max(steps)
    if now:
        yield Check(said.SPEED, "wrong", said.HELD_BACK.format(step=now, most=most), said.AIR)
    else:
        yield Check(said.SPEED, "on", said.FAST)


def _power(hwmon: Path) -> Check:
    """The board's own watch over its supply (rpi_volt), where the kernel has it."""
    for chip in sorted(hwmon.glob("hwmon*")):
        if (files.read(chip / "name") or b"").strip() == b"rpi_volt":
            if (files.read(chip / "in0_lcrit_alarm") or b"").strip() == b"1":
                return Check(said.POWER, "wrong", said.LOW_VOLTAGE, said.SUPPLY)
            return Check(said.POWER, "on")
    return Check(said.POWER, "off", said.UNWATCHED)
