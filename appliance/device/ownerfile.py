"""The owner's file as a whole: read, refused, or overruled by the last one that was good. Pure.

One wrong value makes the whole file unused: `parse` gives settings, or problems with a sentence each, never
both. So a slip of the pen cannot open the network or turn half of the box over; the last good file stays in
force (`decide`). Standard library alone.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from appliance.device import radio
from appliance.device.owner import DEFAULT, FIELDS, RETIRED, Field, Owner, Refused
from appliance.device.problems import Problem

LARGEST = 65_536  # bytes of the file; a larger one is something else under its name
KINDS = {
    str: "text in quotes",
    bool: "true or false without quotes",
    int: "a whole number without quotes",
    float: "a number with a point",
    list: "a list",
    dict: "a table",
}
REMEDY = "Correct lamplight.toml on the card and start the box again."
FILE_REMEDY = (
    "Each line is NAME = VALUE, text stands in quotes, text with \\ or \" in it in 'single quotes'. " + REMEDY
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is in force. `source`: the card's file, the last good one, or what the box has of itself."""

    owner: Owner
    source: str
    problems: tuple[Problem, ...]


def parse(
    content: bytes, known_zone: Callable[[str], bool] = lambda _name: True
) -> Owner | tuple[Problem, ...]:
    """The settings of a file, or everything that is wrong with it. A byte order mark and Windows' line ends
    are welcome."""
    if len(content) > LARGEST:
        return (_file(f"it has more than {LARGEST:,} bytes"),)
    if not content.strip():
        return (_file("it is empty"),)
    try:
        found = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return (_file(f"byte {error.start + 1} is not UTF-8, the editor saved it in another form"),)
    except (ValueError, RecursionError) as error:  # tomllib's own, and int's of too many digits
        return (_file(f"it cannot be read ({error})"),)
    known = {field.name: field for field in FIELDS}
    problems = [_unknown(key) for key in found if key not in known and key not in RETIRED]
    problems += filter(None, (_wrong(known[key], value) for key, value in found.items() if key in known))
    if problems:
        return tuple(problems)
    values = {field.name: found.get(field.name, field.default) for field in FIELDS}
    owner = Owner(**values, said=frozenset(found) & frozenset(known))
    return tuple(_conflicts(owner, known_zone)) or owner


def decide(
    card: bytes | None, kept: bytes | None, known_zone: Callable[[str], bool] = lambda _name: True
) -> Decision:
    """The card's file when all of it can be used, else the last good one, else the box's own settings, whose
    network has a passphrase made on the device. Comes with what was wrong."""
    if card is None:
        problems: tuple[Problem, ...] = (_file("it is not there"),)
    else:
        found = parse(card, known_zone)
        if isinstance(found, Owner):
            return Decision(found, "card", ())
        problems = found
    before = parse(kept, known_zone) if kept is not None else ()
    if isinstance(before, Owner):
        return Decision(before, "kept", problems)
    return Decision(DEFAULT, "default", problems)


def _file(reason: str) -> Problem:
    return Problem("file", "lamplight.toml", f"{reason[0].upper()}{reason[1:]}.", FILE_REMEDY)


def _unknown(key: str) -> Problem:
    known = ", ".join(field.name for field in FIELDS)
    shown = "".join(sign if sign.isprintable() else "?" for sign in key[:40])
    return Problem("key", shown, f"There is no such setting. There are {known}.", REMEDY)


def _wrong(field: Field, value: object) -> Problem | None:
    if type(value) is not field.kind:
        found = KINDS.get(type(value), "something else")
        return Problem("type", field.name, f"Found {found}, expected {KINDS[field.kind]}.", REMEDY)
    try:
        field.check(value)
    except Refused as error:
        reason = str(error)
        return Problem("value", field.name, f"{reason[0].upper()}{reason[1:]}.", REMEDY)
    return None


def _conflicts(owner: Owner, known_zone: Callable[[str], bool]) -> Iterator[Problem]:
    """What is wrong with values that are right one by one."""
    if owner.open_network and owner.passphrase:
        sentence = "Found true and a passphrase, expected one of them: is the network open or not?"
        yield Problem("conflict", "open_network", sentence, REMEDY)
    if owner.channel and owner.channel not in radio.CHANNELS[owner.band]:
        allowed = ", ".join(map(str, sorted(radio.CHANNELS[owner.band])))
        sentence = f"Found {owner.channel}, expected one of {allowed} on {owner.band} GHz, or 0."
        yield Problem("conflict", "channel", sentence, REMEDY)
    if owner.band == "5" and owner.country == radio.WORLD:
        yield Problem("conflict", "band", "5 GHz is allowed in some countries only: say the country.", REMEDY)
    if not known_zone(owner.timezone):
        yield Problem("value", "timezone", f"There is no time zone {owner.timezone!r}.", REMEDY)
