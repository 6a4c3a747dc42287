"""One row of the table of settings: what a value must be, and how it is read from text."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: `kind` is the Python type (tuple: several paths), `choices` limits it, `low` and `high` bound
    a number."""

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

    def checked(self, value: object, origin: str) -> object:
        """The value as the row's kind. Raises SettingsError, which names `origin`, for one that cannot be
        used."""
        reader, expected = _READERS[self.kind]
        try:
            result = reader(value)
        except (TypeError, ValueError, RuntimeError) as error:
            raise SettingsError(f"{origin}: found {value!r}, expected {expected}.", self.help) from error
        if self.choices and result not in self.choices:
            among = ", ".join(self.choices)
            raise SettingsError(f"{origin}: found {value!r}, expected one of {among}.", self.help)
        if self.low is not None and self.high is not None and not self.low <= result <= self.high:
            raise SettingsError(f"{origin}: found {value!r}, expected {self.low} to {self.high}.", self.help)
        return result


def _boolean(value: object) -> bool:
    word = str(value).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(value)


def _integer(value: object) -> int:
    if isinstance(value, bool | float):
        raise TypeError(value)
    return int(str(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _path(value: object) -> Path:
    if not isinstance(value, str | Path) or not str(value):
        raise TypeError(value)
    return Path(value).expanduser().absolute()


def _paths(value: object) -> tuple[Path, ...]:
    parts = value.splitlines() if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise TypeError(value)
    return tuple(_path(part) for part in parts)


_READERS: dict[type, tuple[Callable[[object], Any], str]] = {
    bool: (_boolean, "yes or no"),
    int: (_integer, "a whole number"),
    str: (_text, "text"),
    Path: (_path, "a path"),
    tuple: (_paths, "paths"),
}
