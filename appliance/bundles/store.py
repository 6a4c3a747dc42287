"""The bundles that are installed on a box, and which of them is in use.

    STORE/NAME-VERSION-DIGEST/   a bundle, whole and never changed again
    STORE/NAME-VERSION-DIGEST~2/ the same once more, since the first copy was damaged
    STORE/current                a link to the one in use; switched by one rename
    STORE/previous               a link to the one before, for rolling back
    STORE/.answered-…            empty: this one has answered its self-test
    STORE/.coming-…              one that is being copied (`install`)
    STORE/.following             there while sticks are used as they come; lists bundles that had a yes

The link `current` is all that decides; whatever else a power cut leaves behind is the old bundle or the new
one, whole. A new bundle is on trial until it is marked as answered; until then, and after it, the one before
stays where it is.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance import durable
from appliance.bundles import disk
from appliance.errors import BundleError

CURRENT, PREVIOUS = "current", "previous"
ANSWERED, COMING, GOING, FOLLOWING = ".answered-", ".coming-", ".going-", ".following"
AGAIN = "~"  # stands in no bundle's name or version
LISTED = 50  # bundles that had a yes and are remembered


class StoreError(BundleError):
    """The store cannot do what was asked: another one works on it, no room, nothing to go back to."""


class Store:
    """A store in a folder, which is made when something is put into it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def current(self) -> Path | None:
        """The folder of the bundle in use; None when there is none."""
        return self._linked(CURRENT)

    @property
    def previous(self) -> Path | None:
        """The folder of the one before; None when there is nothing to roll back to."""
        found = self._linked(PREVIOUS)
        return None if found == self.current else found

    @property
    def on_trial(self) -> bool:
        """Whether the bundle in use has not answered its self-test yet."""
        return self.current is not None and not self._mark(self.current).exists()

    def installed(self) -> list[Path]:
        """The folders of all bundles that are whole."""
        if not self.root.is_dir():
            return []
        folders = (path for path in self.root.iterdir() if not path.name.startswith("."))
        return sorted(path for path in folders if path.is_dir() and not path.is_symlink())

    def copies(self, name: str) -> list[Path]:
        """The installed folders of one bundle, by the name of its folder: more than one when it was damaged
        and came again."""
        return [path for path in self.installed() if _bundle(path) == name]

    def free_name(self, name: str) -> Path:
        """A folder that is not there yet, for a bundle of this name."""
        names = (name, *(f"{name}{AGAIN}{number}" for number in range(2, len(self.copies(name)) + 3)))
        return next(path for path in map(self.root.joinpath, names) if not os.path.lexists(path))

    def switch(self, new: Path) -> None:
        """Puts an installed bundle in use, on trial; the one in use until now can be rolled back to, unless
        it is a damaged copy of the same."""
        self._require(new)
        old = self.current
        if old == new:
            return
        self._mark(new).unlink(missing_ok=True)
        if old is not None and _bundle(old) != _bundle(new):
            disk.link_to(self.root / PREVIOUS, old.name)
        disk.link_to(self.root / CURRENT, new.name)

    def answered(self, folder: Path) -> None:
        """This bundle has answered its self-test."""
        self._mark(folder).touch()
        durable.flush(self.root)

    def roll_back(self) -> Path:
        """Puts the bundle before in use again, and gives its folder; the one in use until now becomes the one
        before. Raises StoreError when there is none."""
        old, now = self.previous, self.current
        if old is None or now is None:
            raise StoreError("There is no bundle to go back to.", "Copy one from a stick.")
        # The one before has answered when it was new. Its mark comes first: no cut puts it on trial.
        self._mark(old).touch()
        disk.link_to(self.root / CURRENT, old.name)
        disk.link_to(self.root / PREVIOUS, now.name)
        return old

    def give_up(self, folder: Path) -> None:
        """Takes a bundle that failed its self-test out of use: the one before is in use again, or none. It is
        removed by the next `tidy`. Does nothing when another one is in use by now."""
        old, now = self.previous, self.current
        if now != folder:
            return
        if old is not None:
            self._mark(old).touch()
            disk.link_to(self.root / CURRENT, old.name)
        else:
            (self.root / CURRENT).unlink()
        (self.root / PREVIOUS).unlink(missing_ok=True)
        durable.flush(self.root)

    @property
    def following(self) -> frozenset[str] | None:
        """While a bundle on a stick is used as soon as it is plugged in: the digests of those that are not
        signed by a trusted key and had the admin's yes. None while sticks are only noticed."""
        try:
            return frozenset((self.root / FOLLOWING).read_text("utf-8").split())
        except (OSError, UnicodeDecodeError):
            return None

    def follow(self, digest: str = "") -> None:
        """From now on sticks are used as they come; `digest`: this bundle had a yes."""
        known = sorted(self.following or ())[-LISTED:]
        self.root.mkdir(parents=True, exist_ok=True)
        disk.write(self.root / FOLLOWING, "\n".join({*known, digest}).encode())

    def unfollow(self) -> None:
        (self.root / FOLLOWING).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Removes every bundle but the one in use and the one before, and what an interrupted copy left."""
        kept = {path.name for path in (self.current, self.previous) if path}
        if not self.root.is_dir():
            return
        for path in self.root.iterdir():
            if path.name.startswith((COMING, GOING)) or (path in self.installed() and path.name not in kept):
                self.remove(path)
            elif path.name.startswith(ANSWERED) and path.name.removeprefix(ANSWERED) not in kept:
                path.unlink(missing_ok=True)

    def remove(self, folder: Path) -> None:
        """Removes a bundle that is not in use: first its name, so that none is ever seen half there."""
        if folder == self.current:
            raise StoreError(f"The bundle {folder.name} is in use and is not removed.")
        going = folder if folder.name.startswith(GOING) else self.root / f"{GOING}{folder.name}"
        if going != folder:
            shutil.rmtree(going, ignore_errors=True)
            os.replace(folder, going)
            durable.flush(self.root)
        shutil.rmtree(going, ignore_errors=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds the store for one that changes it. Raises StoreError when another one has it."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            lock = open(self.root / ".lock", "w")  # noqa: SIM115 (closed below)
        except OSError as error:
            raise StoreError(
                f"The store {self.root} cannot be written to: {error.strerror}.",
                "Give another folder with --store.",
            ) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(
                    "Another bundle is being copied or switched.", "Wait until it is done."
                ) from error
            yield

    def _mark(self, folder: Path) -> Path:
        return self.root / f"{ANSWERED}{folder.name}"

    def _require(self, folder: Path) -> None:
        if folder not in self.installed():
            raise StoreError(f"No bundle {folder.name} is installed.", "Copy it from its stick first.")

    def _linked(self, name: str) -> Path | None:
        """What a link of ours leads to: a bundle of this store, or nothing."""
        try:
            target = os.readlink(self.root / name)
        except OSError:
            return None
        found = self.root / target
        return found if "/" not in target and not target.startswith(".") and found.is_dir() else None


def _bundle(folder: Path) -> str:
    """The name that all copies of a bundle share."""
    return folder.name.partition(AGAIN)[0]
