"""One table of a TOML file, read key by key. Every complaint names the file, the table and the key, what was
found and what was expected; a key that nobody asked for is an error too, so that a typing mistake is one."""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar

from appliance.errors import BundleError

Made = TypeVar("Made")
_REQUIRED: Any = object()
_SHOWN = 80  # characters of what was found, in a complaint
_JOINERS = frozenset("\u00a0\u00ad\u200c\u200d\u200e\u200f\u2009\u202f")  # as titles in French or Hindi have
# tomllib takes time with the square of the dots of one key (40 kB: minutes), so it never sees such a key.
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")


def is_line(text: str) -> bool:
    """Whether the text is one line without control characters; spaces that do not break, and the signs that
    join and part letters in some scripts, are no such characters."""
    return all(letter.isprintable() or letter in _JOINERS for letter in text)


class Table:
    """A table named `where`; `error` is the class of what it raises. Text is never empty, never holds control
    characters (tabs and newlines neither) and has at most `TEXT` characters."""

    TEXT = 2000

    def __init__(self, where: str, found: Mapping[str, Any], error: type[BundleError]) -> None:
        self.where, self._error = where, error
        self._left, self._known = dict(found), list[str]()

    @classmethod
    def parse(cls, where: str, text: str, error: type[BundleError]) -> "Table":
        if long := _LONG_KEY.search(text):
            raise error(f"{where} has a key of over 16 parts: {_short(long[0])}.")
        try:
            return cls(where, tomllib.loads(text), error)
        except (ValueError, RecursionError) as fault:
            raise error(f"{where} is not TOML: {_short(str(fault).rstrip('.'))}.") from fault

    def complain(self, key: str, found: object, expected: str) -> NoReturn:
        try:
            shown = repr(found)
        except (ValueError, RecursionError):  # a number of thousands of digits, tables in tables in tables
            shown = "something too large to show"
        raise self._error(f"{self.where}: {key} is {_short(shown)}, expected {expected}.")

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
        right = isinstance(value, str) and 0 < len(value) <= self.TEXT and is_line(value)
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
        if not isinstance(value, list) or not value:
            self.complain(key, value, f"a list of different entries, each {expected}")
        lines = tuple(self._line(key, part, pattern, expected) for part in value)
        if len(set(lines)) < len(lines):
            self.complain(key, value, f"a list of different entries, each {expected}")
        return lines

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
        """A date and time in UTC, given with an offset from it."""
        value = self._take(key, _REQUIRED)
        try:
            if isinstance(value, datetime) and value.tzinfo is not None:
                return value.astimezone(UTC)
        except OverflowError:  # its offset leads out of the years 1 to 9999
            pass
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
            raise self._error(f"{self.where} has an unknown key {_short(key)}.", meant)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def each(rows: list[Table], read: Callable[[Table], Made]) -> tuple[Made, ...]:
    """What `read` makes of each table; a key that it leaves is an error."""
    made = []
    for row in rows:
        made.append(read(row))
        row.close()
    return tuple(made)
