"""What the page of bundles shows, as values."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from appliance.bundles.folder import Disk
from appliance.bundles.lies import Lie
from appliance.bundles.sticks import Place
from appliance.bundles.store import Store
from appliance.bundles.verify import Checked, quick
from appliance.records import Check
from appliance.shelving.jobs import Job
from appliance.shelving.sentences import without_paths

REPAIR = "Copy it from its stick again: only what is damaged is copied."
State = Literal["looking", "ready", "refused"]


@dataclass(frozen=True, slots=True)
class Stick:
    """A bundle on a stick. `found` is there unless it is being looked at or refused (`sentence`: why).
    `in_use`: its archives are on the shelf; `read`: share of it that the full check has read, 1.0 when it has
    passed, None before it begins. `lost`: it was in use when it could not be read any more. `seen` tells one
    plugging in from the next."""

    place: Place
    seen: object
    state: State = "looking"
    found: Checked | None = None
    sentence: str = ""
    in_use: bool = False
    read: float | None = None
    lost: bool = False

    @property
    def key(self) -> str:
        """Names it in a form; another bundle in the same place has another."""
        digest = self.found.digest if self.found else ""
        return hashlib.sha256(f"{self.place.folder}\n{digest}".encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def needs_yes(self) -> bool:
        return self.found is not None and not self.found.signer.trusted


@dataclass(frozen=True, slots=True)
class Installed:
    """A bundle on the card; `problem` is a sentence where it cannot be read any more."""

    label: str
    title: str = ""
    created: datetime | None = None
    bytes: int = 0
    archives: tuple[tuple[str, str], ...] = ()  # name and title
    on_trial: bool = False
    problem: str = ""
    digest: str = ""  # of the list of its files: a stick with the same holds the same


@dataclass(frozen=True, slots=True)
class View:
    now: Installed | None
    before: Installed | None
    sticks: tuple[Stick, ...]
    plugged: tuple[Path, ...]
    job: Job | None
    message: str


def installed(store: Store, folder: Path | None) -> Installed | None:
    """A bundle of the store as it is shown; reads its lists, not its files."""
    if folder is None:
        return None
    try:
        found = quick(Disk(folder))
    except Lie as lie:
        return Installed(folder.name, problem=without_paths(f"{lie} {REPAIR}"))
    return Installed(
        found.label,
        found.bundle.title,
        found.bundle.created,
        found.bytes,
        tuple((archive.name, archive.title or archive.name) for archive in found.bundle.archives),
        store.on_trial and folder == store.current,
        digest=found.digest,
    )


def check(stick: Stick) -> Check | None:
    """Its line on the status page; None for one that is not used."""
    name = f"Stick {stick.place.name}"
    if stick.state == "refused":
        return Check(name, "wrong", stick.sentence, "Nothing of it is used.")
    if not stick.in_use or stick.found is None:
        return None
    if stick.read == 1.0:
        return Check(name, "on", f"{stick.found.label} is in use; every file was read and is right.")
    return Check(name, "on", f"{stick.found.label} is in use and being checked: {stick.read or 0:.0%} read.")
