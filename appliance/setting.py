"""One row of the table of settings: what a value must be, and how it is read from text or from a file."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from appliance.errors import SettingsError

# When a choice of the desk takes effect: at once, when the pages start again, when the box does.
Effect = Literal["", "now", "pages", "box"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: `kind` is the Python type (tuple: several paths), `choices` limits it, `low` and `high` bound
    a number. `desk`: the admin's desk may choose it, and when that takes effect; "": it may not."""

    name: str
    kind: type
    default: Any
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    desk: Effect = ""

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

    def said(
        self,
        given: Mapping[str, Any],
        environment: Mapping[str, str],
        from_file: Mapping[str, Any],
        file: Path | None,
    ) -> object:
        """What is said of this row where the box is started, in the order of strength, or its default."""
        if self.name in given:
            return self.checked(given[self.name], self.flag)
        if self.variable in environment:
            return self.checked(environment[self.variable], self.variable)
        if self.name in from_file:
            return self.checked(from_file[self.name], f"{self.name} in {file}")
        return self.default


def read_file(file: Path, table: Sequence[Setting]) -> dict[str, Any]:
    """What a settings file says, unchecked. Raises SettingsError for one that cannot be read, or that has
    keys which are no row's."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings file {file} cannot be read: {error}.") from error
    unknown = sorted(set(found) - {row.name for row in table})
    if unknown:
        raise SettingsError(
            f"The settings file {file} has unknown keys: {', '.join(unknown)}.",
            f"Known keys: {', '.join(row.name for row in table)}.",
        )
    return found


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
