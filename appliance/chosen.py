"""What the admin's desk has chosen: one small file in LAMPLIGHT_HOME, which `settings.load` reads below
command line, environment and settings file and above the defaults.

The pages write it as a whole (aside, flushed, renamed). What cannot be read in it is left out, never a box
that does not start: a row of a newer version, a value that is none. On the card root reads it too, at each
start, so it is read no further than its bound and through no link. Standard library alone.
"""

import json
import os
import stat
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance import durable
from appliance.errors import SettingsError
from appliance.setting import Setting

FILE = "chosen.toml"
LARGEST = 16_384  # bytes
PICKED = "*"
HEAD = "# Chosen at the desk of the box. Options, variables and a settings file are stronger.\n"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Values that can be used, by the names of their rows; `problems` has a sentence on each that cannot."""

    values: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def read(home: Path, rows: Iterable[Setting]) -> Chosen:
    """What was chosen of these rows; nothing where there is no file."""
    try:
        text = _text(home / FILE)
        return parse(text, rows) if text is not None else Chosen()
    except (OSError, SettingsError) as error:
        return Chosen(problems=(f"What was chosen at the desk cannot be read: {error}",))


def parse(text: bytes, rows: Iterable[Setting]) -> Chosen:
    """The same of a file's content. Raises SettingsError for what is no such file."""
    try:
        found = tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{FILE} is not TOML: {error}") from error
    known, values, problems = {row.name: row for row in rows}, dict[str, Any](), list[str]()
    for name, value in found.items():
        if name not in known:
            problems.append(f"{FILE}: this version knows no choice {_shown(name)}.")
            continue
        try:
            values[name] = known[name].checked(value, f"{name} in {FILE}")
        except SettingsError as error:
            problems.append(_shown(str(error)))
    return Chosen(values, tuple(problems))


def told(free: Collection[str], picked: Collection[str]) -> str:
    """The setting `free`: the names of what the desk may choose, marked where it has."""
    return ",".join(sorted(f"{name}{PICKED}" if name in picked else name for name in free))


def free(told: str) -> set[str]:
    """All names in that setting."""
    return {name.removesuffix(PICKED) for name in told.split(",") if name}


def picked(told: str) -> set[str]:
    """Those that are marked."""
    return {name.removesuffix(PICKED) for name in told.split(",") if name.endswith(PICKED)}


def write(home: Path, values: Mapping[str, bool | int | str]) -> None:
    """Puts these choices in the place of all that there were. Raises SettingsError, and the old ones stay,
    when they cannot be written."""
    try:
        durable.replace(home / FILE, written(values), 0o600)
    except OSError as error:
        raise SettingsError(
            f"What was chosen cannot be kept: {error.strerror}.", "Free some space, then choose again."
        ) from error


def written(values: Mapping[str, bool | int | str]) -> bytes:
    """The file for these values: JSON's forms of them are TOML's too."""
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in sorted(values.items())]
    return (HEAD + "".join(lines)).encode()


def _text(file: Path) -> bytes | None:
    """None where there is no file. Raises OSError, and SettingsError for what is not a small plain file."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as opened:
        found = os.fstat(opened.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            raise SettingsError(f"{FILE} is no plain file of at most {LARGEST:,} bytes.")
        return opened.read(LARGEST)


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:200])
