"""Who puts bundles on the shelf of a running box and takes them off: sticks that come and go, copies to the
card, the switch, the self-test, rolling back.

One thread looks every half second: which sticks are there, which bundle is in use, whether the box shows what
it should; then the box is opened anew and replaced (`live`). What takes long (reading a stick through,
copying) runs beside it and may be cut off at any moment. What must outlive this process is in the store
alone."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from appliance.bundles import signature, sticks, verify
from appliance.bundles.export import export
from appliance.bundles.folder import Disk, Folder
from appliance.bundles.install import install, plan
from appliance.bundles.lies import Lie, Missing, Unreadable
from appliance.bundles.store import Store
from appliance.bundles.verify import Checked, Progress
from appliance.errors import BundleError
from appliance.log import say
from appliance.records import Check
from appliance.shelving import shelf
from appliance.shelving.jobs import Jobs, Stopped
from appliance.shelving.live import Live
from appliance.shelving.sentences import told
from appliance.shelving.views import REPAIR, Stick, View, check, installed
from appliance.shelving.writing import writable

PACE = 0.5  # seconds between two looks
GONE = (Missing, Unreadable, OSError)  # what reading a stick ends with that is pulled out
FRESH = 600.0  # seconds that the start page tells of a stick that was pulled out
# Each as it is said on a card and on a computer.
PULLED = (
    "The stick {name} was pulled out. What is on the card goes on.",
    "The stick {name} was pulled out. What is on this computer goes on.",
)
COPYING = "Copying {label} to the card", "Copying {label} to this computer"
COPIED = "{label} is copied to the card.", "{label} is copied to this computer."
CHECKING, RIGHT = "Checking {label}", "Every file of {label} is what it should be."
WRITING, READY = "Writing {label} to the stick", "The stick is ready: {name} is on it, and was read back."
BACK = "The bundle before is in use again."


class Librarian:
    """Of one running box; `start` and `stop` it. Acts raise BundleError where they cannot be done. `disk`
    opens a stick that is read through."""

    def __init__(self, live: Live, pace: float = PACE, disk: Callable[[Path], Folder] = Disk) -> None:
        self._disk = disk
        self.live = live
        self.store = Store(live.settings.store)
        self._shelf = shelf.Shelf(live, self.store)
        self._settings, self._pace = live.settings, pace
        self._computer = not live.settings.device
        self._folder = Path(live.settings.sticks) if live.settings.sticks else None
        self._sticks: dict[Path, Stick] = {}
        self._message = ""
        self._pulled = (-FRESH, "")
        self._jobs = Jobs(self._ended_with)
        self._looking = ThreadPoolExecutor(1, thread_name_prefix="look-at-sticks")
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="read-sticks")  # hours; a look never waits
        self._lock = threading.RLock()  # of what is known of sticks
        self._wake, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="librarian", daemon=True)
        live.more = self.checks

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        self._jobs.close()
        for pool in (self._looking, self._reading):
            pool.shutdown(cancel_futures=True)

    def wake(self) -> None:
        """Looks at once."""
        self._wake.set()

    def view(self) -> View:
        """What the page of bundles shows."""
        now, before = (installed(self.store, path) for path in (self.store.current, self.store.previous))
        with self._lock:
            known = tuple(self._sticks.values())
        plugged = tuple(sticks.plugged(self._folder))
        return View(now, before, known, plugged, self._jobs.now, self._message)

    def notice(self) -> str:
        """A sentence for the start page when a stick that was in use is gone; "" after a while."""
        when, sentence = self._pulled
        return sentence if time.monotonic() - when < FRESH else ""

    def checks(self) -> Sequence[Check]:
        """Lines for the status page: sticks that are in use or refused."""
        with self._lock:
            return [line for stick in self._sticks.values() if (line := check(stick))]

    def use(self, key: str, yes: bool = False) -> None:
        """Puts a stick's bundle on the shelf, and from now on what is plugged in. `yes`: also one that no
        trusted key has signed."""
        with self._lock:  # a look between the two would drop what was asked for
            stick, found = self._ready(key)
            if not yes:
                verify.require_trusted(found)
            self.store.follow(found.digest if not found.signer.trusted else "")
            self._put(replace(stick, in_use=True))
        self._reading.submit(self._read_through, stick.place.folder, found)
        self._wake.set()

    def leave(self, key: str) -> None:
        """Takes a stick's bundle off the shelf; sticks are no longer used as they come."""
        with self._lock:
            stick, _ = self._ready(key)
            self.store.unfollow()
            self._put(replace(stick, in_use=False))
        self._wake.set()

    def copy(self, key: str, yes: bool = False) -> None:
        """Copies a stick's bundle to the card and puts it in use there."""
        stick, found = self._ready(key)
        if not yes:
            verify.require_trusted(found)
        disk = Disk(stick.place.folder)

        def work(progress: Progress) -> str:
            with self.store.alone():
                self.store.switch(install(self.store, disk, found, progress))
            self._wake.set()
            return COPIED[self._computer].format(label=found.label)

        self._begin(COPYING[self._computer].format(label=found.label), plan(self.store, found).work, work)

    def roll_back(self) -> None:
        """Puts the bundle before in use again."""
        with self.store.alone():
            self.store.roll_back()
        self._message = BACK
        self._wake.set()

    def check(self) -> None:
        """Reads the bundle in use through, every byte."""
        found, disk = self._in_use()

        def work(progress: Progress) -> str:
            try:
                verify.full(disk, found, progress)
            except Lie as lie:
                raise BundleError(str(lie), REPAIR) from lie
            return RIGHT.format(label=found.label)

        self._begin(CHECKING.format(label=found.label), found.bytes, work)

    def export(self, stick: str, archives: Sequence[str] = ()) -> None:
        """Writes the bundle in use, or some of its archives, to a stick, by the stick's name."""
        found, disk = self._in_use()
        known = {path.name: path for path in sticks.plugged(self._folder)}
        if stick not in known:
            raise BundleError("This stick is no longer there.", "Plug it in again.")
        with self._lock:
            if any(one.in_use and one.place.stick == known[stick] for one in self._sticks.values()):
                raise BundleError("People read from this stick now.", "Stop using it first.")

        def work(progress: Progress) -> str:
            with writable(self._settings.device, known[stick]):
                made = export(disk, found, known[stick], archives, progress=progress)
            return READY.format(name=made.name)

        self._begin(WRITING.format(label=found.label), 2 * found.bytes, work)

    def stop_job(self) -> None:
        self._jobs.stop()

    def _begin(self, title: str, total: int, work: Callable[[Progress], str]) -> None:
        """Starts `work`; how the work before it ended is no longer said, it would be taken for this one's."""
        if self._jobs.now is None:
            self._message = ""
        self._jobs.begin(title, total, work)

    def _in_use(self) -> tuple[Checked, Disk]:
        if self.store.current is None:
            raise BundleError("There is no bundle here.", "Copy one from a stick first.")
        disk = Disk(self.store.current)
        return verify.quick(disk), disk

    def _ready(self, key: str) -> tuple[Stick, Checked]:
        with self._lock:
            for stick in self._sticks.values():
                if stick.key == key and stick.found is not None and stick.state == "ready":
                    return stick, stick.found
        raise BundleError("This stick is no longer there, or was refused.", "Plug it in again.")

    def _put(self, stick: Stick) -> None:
        """Keeps what became of a stick, unless it was pulled out or swapped meanwhile."""
        with self._lock:
            known = self._sticks.get(stick.place.folder)
            if known is not None and known.seen == stick.seen:
                self._sticks[stick.place.folder] = stick

    def _ended_with(self, sentence: str) -> None:
        say(sentence)
        self._message = sentence

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self.look()
            except Exception as error:  # noqa: BLE001 (a failing card: said once, and looked at again)
                if (said := told(error)) != self._message:
                    self._ended_with(said)
            self._wake.wait(self._pace)
            self._wake.clear()

    def look(self) -> None:
        """One look: sticks that came or went, then the shelf, then the self-test of a new bundle."""
        self._notice()
        with self._lock:
            used = [stick.place.folder for stick in self._sticks.values() if stick.in_use]
        said = self._shelf.bring_up_to_date(used)
        if said:
            self._ended_with(said)

    def _notice(self) -> None:
        there = {
            place.folder: place for stick in sticks.plugged(self._folder) for place in sticks.bundles(stick)
        }
        with self._lock:
            for folder, stick in list(self._sticks.items()):
                if folder not in there or there[folder].seen != stick.seen:
                    del self._sticks[folder]
                    if stick.in_use or stick.lost:
                        self._ended_with(PULLED[self._computer].format(name=stick.place.name))
                        self._pulled = (time.monotonic(), self._message)
            for folder, place in there.items():
                if folder not in self._sticks:
                    self._sticks[folder] = Stick(place, place.seen)
                    self._looking.submit(self._look_at, self._sticks[folder])

    def _look_at(self, stick: Stick) -> None:
        """The quick level; then the bundle is used if sticks are used as they come."""
        disk = Disk(stick.place.folder)
        try:
            found = verify.quick(disk, signature.read_trusted(self._settings.trusted_keys))
            verify.fits(disk, found)
        except Exception as error:  # noqa: BLE001 (whatever it was: nothing of this stick is used)
            self._put(replace(stick, state="refused", sentence=told(error)))
            return
        stick = replace(stick, state="ready", found=found)
        self._put(stick)
        following = self.store.following
        if following is not None and (found.signer.trusted or found.digest in following):
            self._put(replace(stick, in_use=True))
            self._reading.submit(self._read_through, stick.place.folder, found)
        self._wake.set()

    def _read_through(self, folder: Path, found: Checked) -> None:
        """The full level of a bundle in use; one that lies is taken off the shelf."""
        done = 0

        def progress(count: int) -> None:
            nonlocal done
            done += count
            self._mark(folder, found, lambda stick: replace(stick, read=done / found.bytes))
            if self._over.is_set() or not self._still_used(folder, found):
                raise Stopped("Nobody uses it any more.")

        try:
            verify.full(self._disk(folder), found, progress)
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 (whatever it was: nothing of this stick is used)
            said, lost = told(error), isinstance(error, GONE)
            self._mark(
                folder,
                found,
                lambda stick: replace(stick, state="refused", sentence=said, in_use=False, lost=lost),
            )
            self._wake.set()
            return
        self._mark(folder, found, lambda stick: replace(stick, read=1.0))

    def _still_used(self, folder: Path, found: Checked) -> bool:
        with self._lock:
            stick = self._sticks.get(folder)
            return stick is not None and stick.found is found and stick.in_use

    def _mark(self, folder: Path, found: Checked, change: Callable[[Stick], Stick]) -> None:
        with self._lock:
            stick = self._sticks.get(folder)
            if stick is not None and stick.found is found:
                self._sticks[folder] = change(stick)
