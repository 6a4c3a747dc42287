"""All settings in one table; the command line, the environment, a settings file and the docs come from it.

A value is taken from the first of: the command line, the environment (`LAMPLIGHT_PORT`), the settings file
(TOML, the key as in the table), the default. Leaves the use of the values to others.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: `kind` is the Python type, `choices` limits it, `low` and `high` bound a number."""

    name: str
    kind: type
    default: Any
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    @property
    def variable(self) -> str:
        return "LAMPLIGHT_" + self.name.upper()

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")


def default_home() -> Path:
    """Where models, archives and indexes lie on a desktop unless LAMPLIGHT_HOME says otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(base) / "lamplight"


TABLE: tuple[Setting, ...] = (
    Setting("home", Path, None, "Folder of models, archives, indexes and sockets."),
    Setting("library", Path, None, "Folder of the archives and their indexes; by default home/library."),
    Setting("host", str, "127.0.0.1", "Address that the pages listen on."),
    Setting("port", int, 8080, "Port of the pages.", low=1, high=65535),
    Setting(
        "profile",
        str,
        "desktop",
        "What the machine can carry: how much evidence the model reads and how long it writes.",
        choices=("desktop", "pi5", "pi4"),
    ),
    Setting("search_only", bool, False, "Leave the language model out; questions get passages."),
    Setting("threads", int, 0, "Threads for embedding and for the model; 0: as many as cores.", low=0, high=64),
    Setting("results", int, 8, "Passages on an answer page.", low=1, high=50),
    Setting("queue", int, 40, "Questions that may wait for the model at once.", low=1, high=1000),
    Setting("context", int, 2048, "Context of the language model.", unit="tokens", low=512, high=32768),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values; one attribute for each row of the table."""

    home: Path
    library: Path
    host: str
    port: int
    profile: str
    search_only: bool
    threads: int
    results: int
    queue: int
    context: int


def load(
    given: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Puts the values together. Raises SettingsError for an unknown key or a value that cannot be used."""
    environment = os.environ if environment is None else environment
    from_file = _read(file) if file else {}
    values: dict[str, Any] = {}
    for row in TABLE:
        if (given or {}).get(row.name) is not None:
            values[row.name] = _checked(row, (given or {})[row.name], row.flag)
        elif row.variable in environment:
            values[row.name] = _checked(row, environment[row.variable], row.variable)
        elif row.name in from_file:
            values[row.name] = _checked(row, from_file[row.name], f"{row.name} in {file}")
        else:
            values[row.name] = row.default
    values["home"] = values["home"] or default_home()
    values["library"] = values["library"] or values["home"] / "library"
    return Settings(**values)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {file} cannot be read: {error}.") from error
    unknown = sorted(set(found) - {row.name for row in TABLE})
    if unknown:
        raise SettingsError(
            f"The settings file {file} has unknown keys: {', '.join(unknown)}.",
            f"Known keys: {', '.join(row.name for row in TABLE)}.",
        )
    return found


def _checked(row: Setting, value: Any, origin: str) -> Any:
    try:
        if row.kind is bool:
            result: Any = value if isinstance(value, bool) else _boolean(value)
        elif row.kind is Path:
            result = Path(value).expanduser().absolute()
        else:
            result = row.kind(value)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"{origin}: found {value!r}, expected {row.kind.__name__}.", row.help
        ) from error
    if row.choices and result not in row.choices:
        raise SettingsError(f"{origin}: found {value!r}, expected one of {', '.join(row.choices)}.", row.help)
    if row.low is not None and row.high is not None and not row.low <= result <= row.high:
        raise SettingsError(f"{origin}: found {value!r}, expected {row.low} to {row.high}.", row.help)
    return result


def _boolean(value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    return words[str(value).lower()] if str(value).lower() in words else _no_boolean(value)


def _no_boolean(value: Any) -> bool:
    raise ValueError(value)
