"""A new network on trial: its name, passphrase and channel, and the box's name. Three minutes in which
somebody must join and say that it works.

`stage` checks and notes what is wanted, `begin` puts it in force a few seconds later, so that the page which
tells how to join again reaches its phone first. The trial lives in /run alone: unless it is kept, its timer
or a power cut brings everything back. To keep it, lines of the owner's file are replaced and the rest of it
stays as it was. Standard library alone.
"""

import json
import os
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from appliance import durable
from appliance.device import box, card, environment, files, hotspot, network
from appliance.device.owner import Owner
from appliance.device.ownerfile import parse
from appliance.device.verbs import TryNetwork
from appliance.errors import DeviceError

NOW, USUAL, ENVIRONMENT, TRIAL = "hostapd.conf", "hostapd-usual.conf", "environment", "trial.json"
CHANGED = (NOW, USUAL, ENVIRONMENT, box.FILE)
REFUSED = "hostapd/refused"  # what the script `hotspot` counts; a new channel gets its own chances
BEFORE = ".before"  # behind the name of what is there again after the trial
BROKEN = "The file lamplight.toml on the card cannot be used as it is."


def stage(run: Path, place: Path, wanted: TryNetwork) -> None:
    """Notes what is to be tried. Raises DeviceError when the owner's file could not take it later on, or
    while another network is on trial."""
    if _began(run):
        raise DeviceError(
            "A network is on trial already.", "Keep it, or wait until its three minutes are over."
        )
    rewritten(card.settings(place) or b"", wanted)
    durable.replace(run / TRIAL, json.dumps({"wanted": asdict(wanted)}).encode(), 0o600)


def begin(run: Path, place: Path) -> bool:
    """Puts what was staged in force; whoever calls this starts the network again, and the timer. True when
    the box has another name, which the pages must learn. Raises DeviceError."""
    wanted = _wanted(run)
    owner = _owner(rewritten(card.settings(place) or b"", wanted))
    now = box.read_box(run)
    if now is None:
        raise DeviceError("The owner's settings were not read.", "Start the box again.")
    for name in CHANGED:
        _set_aside(run / name)
    durable.replace(run / TRIAL, json.dumps({"wanted": asdict(wanted), "began": True}).encode(), 0o600)
    passphrase = "" if owner.open_network else wanted.passphrase or now.passphrase
    # Both: where the radio refuses the owner's channel, the usual one is in force (rootfs: hotspot).
    for name, found in ((NOW, owner), (USUAL, hotspot.usual(owner))):
        if found is not None:
            durable.replace(run / name, hotspot.hostapd(found, passphrase).encode(), 0o600)
    (run / REFUSED).unlink(missing_ok=True)
    full = network.full_name(owner.name)
    said = (files.read(run / f"{ENVIRONMENT}{BEFORE}") or b"").decode()
    durable.replace(run / ENVIRONMENT, environment.with_portal(said, full).encode())
    new = replace(
        now, name=owner.name, address=f"http://{full}/", ssid=owner.ssid, passphrase=passphrase,
        country=owner.country, band=owner.band, channel=owner.channel,
    )  # fmt: skip
    box.write_box(run, new, (run / f"{box.FILE}{BEFORE}").stat().st_gid)
    return now.name != owner.name


def keep(run: Path, place: Path) -> None:
    """Puts the settings on trial into the owner's file. Raises DeviceError when there is no trial."""
    if not _began(run):
        raise DeviceError("No network is on trial.", "Its three minutes may be over: try it again.")
    wanted, now = _wanted(run), box.read_box(run)
    card.write(place, card.SETTINGS, rewritten(card.settings(place) or b"", wanted))
    told = files.read(place / card.BOX)
    if told is not None and now is not None:
        passphrase = "as lamplight.toml says" if wanted.passphrase else ""  # "": as it was
        card.write(place, card.BOX, card.renewed(told, now.ssid, now.address, passphrase))
    for name in CHANGED:
        (run / f"{name}{BEFORE}").unlink(missing_ok=True)
    (run / TRIAL).unlink(missing_ok=True)


def back(run: Path) -> bool | None:
    """Brings everything back as it was; None when nothing was on trial, else whether the box has its old name
    again."""
    began, tried = _began(run), box.read_box(run)
    for name in CHANGED:
        before = run / f"{name}{BEFORE}"
        if before.exists():
            before.replace(run / name)
            before.unlink(missing_ok=True)  # still there where both are names of one file (rename(2))
        elif began:  # made by the trial
            (run / name).unlink(missing_ok=True)
    (run / TRIAL).unlink(missing_ok=True)
    if not began:
        return None
    now = box.read_box(run)
    return tried is None or now is None or tried.name != now.name


def rewritten(content: bytes, wanted: TryNetwork) -> bytes:
    """The owner's file with this network, its remarks and other lines untouched. Raises DeviceError when it
    cannot be used, before or after."""
    owner = _owner(content)
    given = asdict(wanted)
    if wanted.passphrase:
        given["open_network"] = False
    else:
        del given["passphrase"]  # as it is
    changes = {name: value for name, value in given.items() if getattr(owner, name) != value}
    text = content.decode("utf-8-sig")
    for name, value in changes.items():
        text = _line(text, name, _written(value))
    changed = text.encode()
    if _owner(changed) != replace(owner, **changes):
        raise DeviceError(BROKEN, "Correct it on a computer.")
    return changed


def _set_aside(file: Path) -> None:
    """Under another name, with its owner and mode; what is there under its own is replaced, not written
    to."""
    before = file.with_name(f"{file.name}{BEFORE}")
    before.unlink(missing_ok=True)
    if file.exists():
        os.link(file, before)
        if file.name == USUAL:  # not of this network
            file.unlink()


def _noted(run: Path) -> dict[str, Any]:
    try:
        found = json.loads(files.read(run / TRIAL) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _began(run: Path) -> bool:
    return bool(_noted(run).get("began"))


def _wanted(run: Path) -> TryNetwork:
    try:
        return TryNetwork(**_noted(run)["wanted"])
    except (KeyError, TypeError) as error:
        raise DeviceError("No network is to be tried.", "Say which on the page of the network.") from error


def _line(text: str, name: str, value: str) -> str:
    """The first line that sets `name` sets `value`; without one, a new first line does."""
    pattern = re.compile(rf"^[ \t]*{name}[ \t]*=.*$", re.MULTILINE)
    if pattern.search(text):
        return pattern.sub(lambda _found: f"{name} = {value}", text, count=1)
    return f"{name} = {value}\n{text}"


def _written(value: str | int | bool) -> str:
    """As TOML writes it; text as a basic string."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower()


def _owner(content: bytes) -> Owner:
    found = parse(content)
    if not isinstance(found, Owner):
        raise DeviceError(BROKEN, str(found[0]))
    return found
