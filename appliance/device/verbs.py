"""What the helper can be asked, each with its arguments checked: a closed list. Pure; standard library alone.

A request is one line of JSON: `{"verb": "set-clock", "seconds": 1790000000}`; an answer is one too,
`{"done": "sentence"}` or `{"error": "sentence", "hint": "sentence"}`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from appliance.device import radio
from appliance.device.problems import Problem
from appliance.errors import DeviceError

LONGEST = 65_536  # bytes of a line, either way: the most problems of the longest sentences
TEXT = 300  # characters of one sentence
MOST_PROBLEMS = 10
LATEST = 2**40  # seconds; what cannot be a time at all
DEVICE = re.compile(r"[a-z][a-z0-9]{1,30}")  # the name of a disk or of its partition


@dataclass(frozen=True, slots=True)
class SetClock:
    """Put the clock forward."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Start the box again."""


@dataclass(frozen=True, slots=True)
class PowerOff:
    """Stop the box, so that its plug can be pulled."""


@dataclass(frozen=True, slots=True)
class Report:
    """Write what the pages found wrong onto the card."""

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class TryWifi:
    """Put the network on these settings for a trial; unless they are kept in time, the old ones come back."""

    ssid: str
    passphrase: str


@dataclass(frozen=True, slots=True)
class KeepWifi:
    """Keep the settings on trial."""


@dataclass(frozen=True, slots=True)
class OpenStick:
    """Let the pages write to a stick that is mounted for reading; `device` as the kernel names it (sda1)."""

    device: str


@dataclass(frozen=True, slots=True)
class CloseStick:
    """Write out what is on its way to a stick, and mount it for reading again."""

    device: str


Verb = SetClock | Restart | PowerOff | Report | TryWifi | KeepWifi | OpenStick | CloseStick


def parse(line: bytes) -> Verb:
    """The request of a line. Raises DeviceError for everything that is not exactly one."""
    if len(line) > LONGEST:
        raise refusal(f"it has more than {LONGEST} bytes")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise refusal("it is not JSON") from error
    if not isinstance(found, dict):
        raise refusal("it is not an object")
    match found:
        case {"verb": "set-clock", "seconds": int(seconds), **rest} if not rest and _is_time(seconds):
            return SetClock(seconds)
        case {"verb": "restart", **rest} if not rest:
            return Restart()
        case {"verb": "power-off", **rest} if not rest:
            return PowerOff()
        case {"verb": "report", "problems": list(rows), **rest} if not rest and len(rows) <= MOST_PROBLEMS:
            return Report(tuple(_problem(row) for row in rows))
        case {"verb": "try-wifi", "ssid": str(ssid), "passphrase": str(passphrase), **rest} if not rest:
            return _wifi(ssid, passphrase)
        case {"verb": "keep-wifi", **rest} if not rest:
            return KeepWifi()
        case {"verb": "open-stick", "device": str(device), **rest} if not rest and DEVICE.fullmatch(device):
            return OpenStick(device)
        case {"verb": "close-stick", "device": str(device), **rest} if not rest and DEVICE.fullmatch(device):
            return CloseStick(device)
    raise refusal("there is no such verb with these arguments")


def refusal(reason: str) -> DeviceError:
    return DeviceError(f"The helper refuses this request: {reason}.", "See appliance/device/verbs.py.")


def _is_time(seconds: int) -> bool:
    return type(seconds) is int and 0 <= seconds < LATEST


def _wifi(ssid: str, passphrase: str) -> TryWifi:
    """An open network is for the owner's file alone."""
    if reason := radio.ssid_refusal(ssid):
        raise DeviceError(f"The network's name cannot be used: {reason}.", "Choose another name.")
    if reason := radio.refusal(passphrase):
        raise DeviceError(f"The passphrase cannot be used: {reason}.", "Choose another passphrase.")
    return TryWifi(ssid, passphrase)


def _problem(row: object) -> Problem:
    match row:
        case {"about": str(about), "sentence": str(sentence), "remedy": str(remedy), **rest} if not rest:
            texts = about, sentence, remedy
            if all(len(text) <= TEXT and text.isprintable() for text in texts) and about and sentence:
                return Problem("box", *texts)
    raise refusal("a problem is not one")


def request(verb: Verb) -> bytes:
    """The line that asks for this."""
    match verb:
        case SetClock(seconds):
            words: Mapping[str, Any] = {"verb": "set-clock", "seconds": seconds}
        case Restart():
            words = {"verb": "restart"}
        case PowerOff():
            words = {"verb": "power-off"}
        case Report(problems):
            rows = [{"about": p.about, "sentence": p.sentence, "remedy": p.remedy} for p in problems]
            words = {"verb": "report", "problems": rows}
        case TryWifi(ssid, passphrase):
            words = {"verb": "try-wifi", "ssid": ssid, "passphrase": passphrase}
        case KeepWifi():
            words = {"verb": "keep-wifi"}
        case OpenStick(device):
            words = {"verb": "open-stick", "device": device}
        case CloseStick(device):
            words = {"verb": "close-stick", "device": device}
    return json.dumps(words, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
