"""What the helper can be asked, each with its arguments checked: a closed list. Pure; standard library alone.

A request is one line of JSON: `{"verb": "set-clock", "seconds": 1790000000}`; an answer is one too,
`{"done": "sentence"}` or `{"error": "sentence", "hint": "sentence"}`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from appliance.device import owner, radio
from appliance.device.journal import LEAST, MOST, SOURCES
from appliance.device.problems import Problem
from appliance.errors import DeviceError

LONGEST = 65_536  # bytes of a line, either way: the most problems of the longest sentences
TEXT = 300  # characters of one sentence
MOST_PROBLEMS = 10
LATEST = 2**40  # seconds; what cannot be a time at all
CALLED = {
    "name": "The box's name",
    "ssid": "The network's name",
    "passphrase": "The passphrase",
    "country": "The country",
    "band": "The band",
}
NETWORK = {**dict.fromkeys(CALLED, str), "channel": int}  # type of each setting
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
class TryNetwork:
    """Put the box and its network on these settings for a trial; unless they are kept in time, the old ones
    come back. The names are those of the owner's file; `passphrase` "" leaves that, or an open network, as it
    is."""

    name: str
    ssid: str
    passphrase: str
    country: str
    band: str
    channel: int


@dataclass(frozen=True, slots=True)
class KeepNetwork:
    """Keep the settings on trial."""


@dataclass(frozen=True, slots=True)
class Journal:
    """What our units and the kernel have logged since this start: the last `lines` of one source of
    `journal.SOURCES`, as grave as `severity` or graver (syslog(3), 0 is the gravest)."""

    source: str
    severity: int
    lines: int


@dataclass(frozen=True, slots=True)
class OpenStick:
    """Let the pages write to a stick that is mounted for reading; `device` as the kernel names it (sda1)."""

    device: str


@dataclass(frozen=True, slots=True)
class CloseStick:
    """Write out what is on its way to a stick, and mount it for reading again."""

    device: str


Verb = SetClock | Restart | PowerOff | Report | TryNetwork | KeepNetwork | Journal | OpenStick | CloseStick


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
        case {"verb": "try-network", **settings}:
            return _network(settings)
        case {"verb": "keep-network", **rest} if not rest:
            return KeepNetwork()
        case {
            "verb": "journal",
            "source": str(source),
            "severity": int(grave),
            "lines": int(lines),
            **rest,
        } if not rest and source in SOURCES and _within(grave, 0, LEAST) and _within(lines, 1, MOST):
            return Journal(source, grave, lines)
        case {"verb": "open-stick", "device": str(device), **rest} if not rest and DEVICE.fullmatch(device):
            return OpenStick(device)
        case {"verb": "close-stick", "device": str(device), **rest} if not rest and DEVICE.fullmatch(device):
            return CloseStick(device)
    raise refusal("there is no such verb with these arguments")


def refusal(reason: str) -> DeviceError:
    return DeviceError(f"The helper refuses this request: {reason}.", "See appliance/device/verbs.py.")


def _is_time(seconds: int) -> bool:
    return type(seconds) is int and 0 <= seconds < LATEST


def _within(number: int, low: int, high: int) -> bool:
    return type(number) is int and low <= number <= high


def _network(settings: dict[str, Any]) -> TryNetwork:
    """An open network is for the owner's file alone."""
    if {name: type(value) for name, value in settings.items()} != NETWORK:
        raise refusal("these are not the settings of a network")
    found = TryNetwork(**settings)
    for name, called in CALLED.items():
        if reason := owner.refusal(name, getattr(found, name)):
            raise DeviceError(f"{called} cannot be used: {reason}.", "Choose another.")
    if found.channel and found.channel not in radio.CHANNELS[found.band]:
        allowed = ", ".join(map(str, sorted(radio.CHANNELS[found.band])))
        raise DeviceError(f"On {found.band} GHz the channel is one of {allowed}.", "Choose another channel.")
    if found.band == "5" and found.country == radio.WORLD:
        raise DeviceError("5 GHz is allowed in some countries only.", "Choose the country.")
    return found


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
        case TryNetwork():
            words = {"verb": "try-network", **asdict(verb)}
        case KeepNetwork():
            words = {"verb": "keep-network"}
        case Journal(source, severity, lines):
            words = {"verb": "journal", "source": source, "severity": severity, "lines": lines}
        case OpenStick(device):
            words = {"verb": "open-stick", "device": device}
        case CloseStick(device):
            words = {"verb": "close-stick", "device": device}
    return json.dumps(words, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
