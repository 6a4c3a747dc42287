"""One table of a TOML file, read key by key. Every complaint names the file, the table and the key, what was
found and what was expected; a key that nobody asked for is an error too, so that a typing mistake is one."""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from appliance.errors import BundleError

Made = TypeVar("Made")
_REQUIRED: Any = object()


class Table:
    """A table named `where`; `error` is the class of what it raises. Text is never empty, never holds control
    characters (tabs and newlines neither) and has at most `TEXT` characters."""

    TEXT = 2000

    def __init__(self, where: str, found: Mapping[str, Any], error: type[BundleError]) -> None:
        self.where, self._error = where, error
        self._left, self._known = dict(found), list[str]()

    @classmethod
    def parse(cls, where: str, text: str, error: type[BundleError]) -> "Table":
        try:
            return cls(where, tomllib.loads(text), error)
        except (ValueError, RecursionError) as fault:
            raise error(f"{where} is not TOML: {str(fault).rstrip('.')}.") from fault

    def complain(self, key: str, found: object, expected: str) -> NoReturn:
        shown = repr(found)
        shown = shown if len(shown) <= 80 else shown[:79] + "…"
        raise self._error(f"{self.where}: {key} is {shown}, expected {expected}.")

    def _take(self, key: str, default: object) -> object:
        self._known.append(key)
        if key in self._left:
            return self._left.pop(key)
        if default is _REQUIRED:
            raise self._error(f"{self.where} has no {key}.")
        return default

    def text(
        self, key: str, default: str = _REQUIRED, pattern: str = "", expected: str = "a line of text"
    ) -> str:
        """`pattern` is what the whole text must match, `expected` says it in words."""
        value = self._take(key, default)
        return default if value is default else self._line(key, value, pattern, expected)

    def _line(self, key: str, value: object, pattern: str, expected: str) -> str:
        right = isinstance(value, str) and 0 < len(value) <= self.TEXT and value.isprintable()
        if not right or (pattern and not re.fullmatch(pattern, str(value))):
            self.complain(key, value, expected)
        return str(value)

    def texts(
        self, key: str, default: tuple[str, ...] = _REQUIRED, pattern: str = "", expected: str = "text"
    ) -> tuple[str, ...]:
        """A list of different lines of text; at least one where it is given."""
        value = self._take(key, default)
        if value is default:
            return default
        if not isinstance(value, list) or not value or len(set(map(str, value))) < len(value):
            self.complain(key, value, f"a list of different entries, each {expected}")
        return tuple(self._line(key, part, pattern, expected) for part in value)

    def block(self, key: str, default: str = _REQUIRED) -> str:
        """Text of several lines and any length."""
        value = self._take(key, default)
        if not isinstance(value, str):
            self.complain(key, value, "text")
        return value

    def number(self, key: str, default: int = _REQUIRED, low: int = 0, high: int = 1 << 50) -> int:
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.complain(key, value, f"a whole number from {low:,} to {high:,}")
        return value

    def moment(self, key: str) -> datetime:
        """A date and time with its offset from UTC."""
        value = self._take(key, _REQUIRED)
        if not isinstance(value, datetime) or value.tzinfo is None:
            self.complain(key, value, "a date and time with an offset, such as 2026-11-30T12:00:00Z")
        return value

    def table(self, key: str) -> "Table | None":
        value = self._take(key, None)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.complain(key, value, f"a table [{key}]")
        return Table(f"{self.where}, [{key}]", value, self._error)

    def tables(self, key: str) -> list["Table"]:
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            self.complain(key, value, f"tables [[{key}]]")
        return [
            Table(f"{self.where}, [[{key}]] number {place}", row, self._error)
            for place, row in enumerate(value, 1)
        ]

    def rest(self) -> dict[str, Any]:
        """Everything that was not asked for; it is taken with this."""
        left, self._left = self._left, {}
        return left

    def close(self) -> None:
        """Raises when a key is left that nobody asked for."""
        for key in sorted(self._left):
            near = difflib.get_close_matches(key, self._known, 1)
            meant = f"Did you mean {near[0]}?" if near else f"Known keys: {', '.join(self._known)}."
            raise self._error(f"{self.where} has an unknown key {key}.", meant)


def each(rows: list[Table], read: Callable[[Table], Made]) -> tuple[Made, ...]:
    """What `read` makes of each table; a key that it leaves is an error."""
    made = []
    for row in rows:
        made.append(read(row))
        row.close()
    return tuple(made)
