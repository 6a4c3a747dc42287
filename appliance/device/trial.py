"""New Wi-Fi settings on trial: three minutes in which somebody must join and say that they work.

The trial lives in /run alone: unless it is kept, its timer or a power cut brings the old network back. To
keep it, lines of the owner's file are replaced and the rest of it stays as it was. Standard library alone.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

from appliance.device import card, files, hotspot
from appliance.device.owner import Owner
from appliance.device.ownerfile import parse
from appliance.errors import DeviceError

NOW, USUAL, TRIAL = "hostapd.conf", "hostapd-usual.conf", "trial.json"
BEFORE = ".before"  # behind the name of what is there again after the trial
BROKEN = "The file lamplight.toml on the card cannot be used as it is."


def begin(run: Path, place: Path, ssid: str, passphrase: str) -> None:
    """Writes hostapd's file for the trial; whoever calls this starts the network again, and the timer. Raises
    DeviceError when the owner's file could not take these settings later on."""
    content = card.settings(place) or b""
    owner = _owner(rewritten(content, ssid, passphrase))
    # Both: where the radio refuses the owner's channel, the usual one is in force (rootfs: hotspot).
    wanted = {NOW: owner, USUAL: hotspot.usual(owner)}
    for name in wanted:
        before = files.read(run / name)
        if before is not None and not (run / f"{name}{BEFORE}").exists():
            # a second trial goes back to what was there before the first
            files.replace(run / f"{name}{BEFORE}", before, 0o600)
    files.replace(run / TRIAL, json.dumps([ssid, passphrase]).encode(), 0o600)
    for name, network in wanted.items():
        if network is not None:
            files.replace(run / name, hotspot.hostapd(network, passphrase).encode(), 0o600)


def keep(run: Path, place: Path) -> None:
    """Puts the settings on trial into the owner's file. Raises DeviceError when there is no trial."""
    trial = files.read(run / TRIAL)
    if trial is None:
        raise DeviceError("No Wi-Fi settings are on trial.", "Try them first.")
    ssid, passphrase = json.loads(trial)
    content = card.settings(place) or b""
    card.write(place, card.SETTINGS, rewritten(content, ssid, passphrase))
    end(run)


def back(run: Path) -> bool:
    """Brings the old network's file back; False when nothing was on trial."""
    found = {name: files.read(run / f"{name}{BEFORE}") for name in (NOW, USUAL)}
    for name, before in found.items():
        if before is not None:
            files.replace(run / name, before, 0o600)
    end(run)
    return found[NOW] is not None


def end(run: Path) -> None:
    for name in (NOW, USUAL):
        (run / f"{name}{BEFORE}").unlink(missing_ok=True)
    (run / TRIAL).unlink(missing_ok=True)


def rewritten(content: bytes, ssid: str, passphrase: str) -> bytes:
    """The owner's file with this network, its remarks and other lines untouched. Raises DeviceError when it
    cannot be used, before or after."""
    owner = _owner(content)
    text = content.decode("utf-8-sig")
    for name, value in (
        ("ssid", _quoted(ssid)),
        ("passphrase", _quoted(passphrase)),
        ("open_network", "false"),
    ):
        text = _line(text, name, value)
    changed = text.encode()
    if _owner(changed) != replace(owner, ssid=ssid, passphrase=passphrase, open_network=False):
        raise DeviceError(BROKEN, "Correct it on a computer.")
    return changed


def _line(text: str, name: str, value: str) -> str:
    """The first line that sets `name` sets `value`; without one, a new first line does."""
    pattern = re.compile(rf"^[ \t]*{name}[ \t]*=.*$", re.MULTILINE)
    if pattern.search(text):
        return pattern.sub(lambda _found: f"{name} = {value}", text, count=1)
    return f"{name} = {value}\n{text}"


def _quoted(value: str) -> str:
    """A basic string of TOML."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _owner(content: bytes) -> Owner:
    found = parse(content)
    if not isinstance(found, Owner):
        raise DeviceError(BROKEN, str(found[0]))
    return found
