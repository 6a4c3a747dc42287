"""Brings the shelf up to date: opens the box anew when other archives lie there than it shows, hands Kiwix
the same ones, and tries out a bundle that is new.

In which order decides whether anyone notices. What comes is given to Kiwix before a page leads there; what
goes leaves the pages before Kiwix loses it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from appliance import wiring
from appliance.bundles import verify
from appliance.bundles.folder import Disk
from appliance.bundles.lies import Lie
from appliance.bundles.store import Store, StoreError
from appliance.services import holdings, kiwix, language
from appliance.shelving import selftest
from appliance.shelving.live import Live
from appliance.wiring import Appliance

ANSWERED = "{label} is in use and has answered its self-test."
FAILED = "{label} did not pass its self-test: {fault} What was in use before is in use again."
Places = tuple[tuple[Path, int, int], ...]


class Shelf:
    """Of one box. Only one thread calls it."""

    def __init__(self, live: Live, store: Store) -> None:
        self._live, self._store = live, store
        self._shown = self._places()
        self._model = language.choose(live.settings).name

    def bring_up_to_date(self, sticks: Sequence[Path]) -> str:
        """Shows the bundle in use and these bundles on sticks. Gives a sentence when something became of
        it."""
        settings = self._live.settings
        trial = self._store.current if self._store.on_trial else None  # before looking what lies there
        if list(sticks) != list(holdings.sticks_in_use(settings)):
            holdings.note_sticks(settings, sticks)
        wanted = self._places()
        if wanted != self._shown:
            self._reopen()
            self._shown = wanted
        said = self._try_out(trial) if trial and trial == self._store.current else ""
        self._follow_model()
        return said

    def _follow_model(self) -> None:
        """The model of the bundle in use; its own process sees to loading it."""
        if (name := language.choose(self._live.settings).name) != self._model:
            self._model = name
            box = self._live.box
            self._live.replace(replace(box, model=wiring.open_model(box.settings)))

    def _places(self) -> Places:
        """The folders by what they are, not by name alone: a stick may come back as another one."""
        found = []
        for place in holdings.places(self._live.settings):
            state = place.stat() if place.exists() else None
            found.append((place.resolve(), state.st_dev if state else 0, state.st_ino if state else 0))
        return tuple(found)

    def _reopen(self) -> None:
        before = self._live.box
        after = wiring.reopened(before)
        old, new = _paths(before), _paths(after)
        if set(new) - set(old):
            kiwix.publish(before.settings, [*new, *(path for path in old if path.name not in _names(new))])
        self._live.replace(after)
        if set(old) - set(new):
            kiwix.publish(before.settings, new)

    def _try_out(self, folder: Path) -> str:
        """The self-test of a bundle that is new and shown; one that fails it gives way to the one before."""
        try:
            found = verify.quick(Disk(folder))
            label, fault = found.label, selftest.fault(self._live.library, found.bundle)
        except Lie as lie:
            label, fault = folder.name, str(lie)
        if not fault:
            self._store.answered(folder)
            with suppress(StoreError), self._store.alone():  # not while another one is being copied
                self._store.tidy()
            return ANSWERED.format(label=label)
        with self._store.alone():
            self._store.give_up(folder)
        self._reopen()
        self._shown = self._places()
        return FAILED.format(label=label, fault=fault)


def _paths(box: Appliance) -> list[Path]:
    return [book.archive.path for book in box.library.books]


def _names(paths: Sequence[Path]) -> set[str]:
    return {path.name for path in paths}
