"""The owner's settings: what each line of `lamplight.toml` on the card's FAT partition may say. Pure. Leaves
the file as a whole to `ownerfile`. Standard library alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from appliance.device import radio
from appliance.settings import TABLE

LANGUAGES, GATES, DOCUMENTS = (
    next(row.choices for row in TABLE if row.name == name) for name in ("language", "gate", "documents")
)
ETHERNET = ("off", "serve")
AUTO = "auto"
RETIRED = ("changes",)  # of earlier versions: an owner's file that still has them is as good as before
NO_MODEL = "none"


class Refused(Exception):
    """A value that cannot be used; the message is the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the file: its TOML type, what it is unless said otherwise, and what else it must be
    (`check` raises Refused)."""

    name: str
    kind: type
    default: Any
    help: str
    check: Callable[[Any], None] = lambda _value: None


@dataclass(frozen=True, slots=True)
class Owner:
    """Settings that can be used; one attribute for each field. `passphrase` "" means: made on the device;
    `channel` and `phones` 0: what suits the band, what the radio carries. `said`: the fields that a file has;
    of the others the desk may choose some."""

    name: str
    language: str
    timezone: str
    ssid: str
    passphrase: str
    open_network: bool
    country: str
    band: str
    channel: int
    phones: int
    ethernet: str
    gate: str
    profile: str
    model: str
    kiosk: bool
    new_admin_code: bool
    documents: str
    trusted_keys: str
    said: frozenset[str] = field(default=frozenset(), compare=False)


def _one_of(*choices: str) -> Callable[[str], None]:
    def check(value: str) -> None:
        if value not in choices:
            raise Refused(f"found {value!r}, expected one of {', '.join(choices)}")

    return check


def _between(low: int, high: int) -> Callable[[int], None]:
    def check(value: int) -> None:
        if not low <= value <= high:
            raise Refused(f"found {value}, expected {low} to {high}")

    return check


def _name(value: str) -> None:
    if not re.fullmatch(r"[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?", value):
        raise Refused(f"found {value!r}, expected 1 to 32 of a-z, 0-9 and -, with a letter first")


def _ssid(value: str) -> None:
    if reason := radio.ssid_refusal(value):
        raise Refused(reason)


def _passphrase(value: str) -> None:
    if value and (reason := radio.refusal(value)):
        raise Refused(reason)


def _country(value: str) -> None:
    if value != radio.WORLD and value not in radio.COUNTRIES:
        raise Refused(
            f"found {value!r}, expected two capital letters as in GB, of a country that has radio rules, "
            f'or "{radio.WORLD}" for what is allowed everywhere'
        )


def _timezone(value: str) -> None:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", value):
        raise Refused(f"found {value!r}, expected a name as in Africa/Nairobi")


def _model(value: str) -> None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,60}", value):
        raise Refused(f"found {value!r}, expected {AUTO}, {NO_MODEL} or a name of docs/models.md")


def _trusted_keys(value: str) -> None:
    for number, line in enumerate(value.strip().splitlines(), 1):
        key, _, name = line.strip().partition(" ")
        if not re.fullmatch(r"[A-Za-z0-9+/]{43}=", key) or not name.strip().isprintable() or not name.strip():
            raise Refused(f"line {number} is not a key as `appliance bundle key` prints it, and a name")


FIELDS: tuple[Field, ...] = (
    Field("name", str, "lamplight", "The box's name: the address is http://NAME/.", _name),
    Field(
        "language",
        str,
        "en",
        "Language of the label and, for phones that speak another, of the welcome page: en, fr, es, ar, hi.",
        _one_of(*LANGUAGES),
    ),
    Field("timezone", str, "UTC", "Time zone, as in Africa/Nairobi.", _timezone),
    Field("ssid", str, "Lamplight", "Name of the Wi-Fi network, at most 32 bytes.", _ssid),
    Field(
        "passphrase",
        str,
        "",
        "Passphrase of the network, 8 to 63 characters; empty: the box makes one (lamplight-box.txt).",
        _passphrase,
    ),
    Field("open_network", bool, False, "true: anyone may join, without a passphrase (leave that one empty)."),
    Field(
        "country",
        str,
        radio.WORLD,
        'Country whose radio rules hold, as in GB; "00": what is allowed everywhere.',
        _country,
    ),
    Field(
        "band", str, "2.4", 'Wi-Fi band in GHz: "2.4", or "5" (needs the country).', _one_of(*radio.CHANNELS)
    ),
    Field("channel", int, 0, "Channel: 1, 6 or 11; 36, 40, 44 or 48 on 5 GHz; 0: the box chooses."),
    Field(
        "phones",
        int,
        0,
        "Phones that may be on the Wi-Fi at once; 0: one less than the radio carries.",
        _between(0, 100),
    ),
    Field(
        "ethernet",
        str,
        "off",
        "The cable: off, or serve, for an access point of a classroom that has no other network.",
        _one_of(*ETHERNET),
    ),
    Field(
        "gate",
        str,
        "balanced",
        "How sure the box must be: strict, balanced or open.",
        _one_of(*GATES),
    ),
    Field("profile", str, AUTO, "What the board carries: auto, pi4 or pi5.", _one_of(AUTO, "pi4", "pi5")),
    Field("model", str, AUTO, "Language model: auto, none, or a name of docs/models.md.", _model),
    Field("kiosk", bool, False, "true: the box's own screen shows the library."),
    Field(
        "new_admin_code",
        bool,
        False,
        "true: each start makes a new code for /first-use (lamplight-box.txt), when no admin can sign in.",
    ),
    Field(
        "documents",
        str,
        "here",
        "Who may see own documents: everyone on the Wi-Fi, nobody; here: who has signed in, and areas.",
        _one_of(*DOCUMENTS),
    ),
    Field(
        "trusted_keys",
        str,
        "",
        "Keys of those whose sticks are used without a question, one on a line: KEY NAME.",
        _trusted_keys,
    ),
)
_CHECKS = {field.name: field.check for field in FIELDS}
DEFAULT = Owner(**{field.name: field.default for field in FIELDS})


def refusal(name: str, value: str) -> str:
    """Why a text cannot be the value of a setting, as the end of a sentence; "" when it can."""
    try:
        _CHECKS[name](value)
    except Refused as error:
        return str(error)
    return ""
