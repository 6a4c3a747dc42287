"""What the desk chooses of the settings: what is in force, where it is from, what waits for a start.

A choice is kept in a file (`appliance.chosen`). What a running box can change takes effect with the next
request; the rest when the pages, or the box, start again.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from appliance import chosen, settings
from appliance.backups import settling
from appliance.records import Check
from appliance.services import again
from appliance.settings import CHOICES, Settings

Origin = Literal["start", "owner", "desk", "default"]
Value = bool | int | str
ROWS = {row.name: row for row in CHOICES}
SENTENCES: dict[Origin, str] = {
    "start": "Fixed where Lamplight was started: by an option, a variable or a settings file.",
    "owner": "Fixed by lamplight.toml on the card. Take the line out there to choose here.",
    "desk": "Chosen here.",
    "default": "The box’s own.",
}
AT_ONCE, LATER = "Changes at once.", "Changes when Lamplight starts again."
ON_CARD = {"pages": "Changes when the pages start again.", "box": "Changes when the box starts again."}


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as the page shows it: `value` is what was chosen last, `waits` whether that is not in force
    yet, `when` says when another one would be. A fixed one cannot be chosen."""

    name: str
    value: Value
    origin: Origin
    waits: bool
    when: str

    @property
    def fixed(self) -> bool:
        return self.origin in ("start", "owner")

    @property
    def sentence(self) -> str:
        return SENTENCES[self.origin]


def checks(given: Settings) -> tuple[Check, ...]:
    """Lines for the status page: choices that cannot be read, a backup that waits for a start."""
    problems = settings.choices(given.home).problems
    unread = Check("Choices of the desk", "wrong", " ".join(problems), "Choose again on the page Answers.")
    waiting = Check("Backup", "noticed", settling.WAITS, "Start Lamplight again.")
    return (*((unread,) if problems else ()), *((waiting,) if settling.waits(given.home) else ()))


class Choosing:
    """Of one running server. `told` are called with settings that count from now on."""

    def __init__(self, now: Callable[[], Settings]) -> None:
        self._now, self._lock = now, threading.Lock()
        self._began = settings.choices(now().home).values
        self.told: list[Callable[[Settings], None]] = []

    def row(self, name: str) -> Row:
        now = self._now()
        if not now.is_free(name):
            return Row(name, getattr(now, name), "owner" if now.device else "start", False, "")
        picked = settings.choices(now.home).values
        value, began = (kept.get(name, ROWS[name].default) for kept in (picked, self._began))
        effect = ROWS[name].desk
        waits = value != (began if effect == "box" else getattr(now, name))
        when = AT_ONCE if effect == "now" else ON_CARD[effect] if now.device else LATER
        return Row(name, value, "desk" if name in picked else "default", waits, when)

    def rows(self) -> dict[str, Row]:
        return {name: self.row(name) for name in ROWS}

    def way(self) -> again.Way:
        return again.way(self._now())

    def again(self) -> None:
        again.begin(self._now())

    def choose(self, wanted: Mapping[str, object]) -> None:
        """Keeps these choices beside those of other rows; those that can count at once do. Raises
        SettingsError, and nothing is changed, for a value that cannot be used, or without room for it."""
        with self._lock:
            now = self._now()
            kept = dict(settings.choices(now.home).values)
            for name, value in wanted.items():
                if now.is_free(name):
                    kept[name] = ROWS[name].checked(value, name)
            chosen.write(now.home, {name: one for name, one in kept.items() if one != ROWS[name].default})
            for tell in self.told:
                tell(replace(now, **_at_once(now, kept)))


def _at_once(now: Settings, kept: Mapping[str, Value]) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: kept.get(name, row.default)
        for name, row in ROWS.items()
        if row.desk == "now" and now.is_free(name)
    }
    days = kept.get("conversations", ROWS["conversations"].default)
    if now.is_free("conversations") and days and now.conversations:  # another time, not whether at all
        found["conversations"] = days
    return found
