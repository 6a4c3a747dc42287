"""Which language model the box loads now: one that came with the bundle in use, if this machine carries it
and nobody named another; else its own.

Only models of the catalogue, byte for byte: a bundle's list says the hash of its file, and the file was read
when it was installed. A bundle that is still on trial changes nothing; one that is taken back takes its model
with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance import models
from appliance.bundles.store import Store
from appliance.device import board
from appliance.device.board import Board
from appliance.errors import BundleError
from appliance.models import ModelFile
from appliance.settings import Settings

GGUF = ".gguf"  # language models, and no other of the catalogue's
UNKNOWN = "The language model of the bundle in use is none that this version knows."
SMALL = "This machine has too little memory for {name} of the bundle in use."
LATER = "{name} of the bundle in use is loaded at the next start of the box."


@dataclass(frozen=True, slots=True)
class Choice:
    """`name` and `file` of the model, "" and None for none; `passed_over` says in a sentence why a model of
    the bundle in use is not the one, "" where it is or there is none."""

    name: str = ""
    file: Path | None = None
    passed_over: str = ""


def choose(given: Settings, machine: Board | None = None) -> Choice:
    """What these settings, the bundle in use and the machine (this one) come to. Raises ModelFileError for
    settings that name a model or a profile that the catalogue does not have."""
    listed = dict(_listed(given))
    bundled = _bundled(given, listed)
    fitting = [model for model in bundled if board.carries(machine or board.look(), model)]
    if given.search_only:
        return Choice(passed_over=LATER.format(name=fitting[0].name) if fitting and given.device else "")
    own = models.model_for(given.profile, given.home, _named(given))
    if fitting:
        name, there = fitting[0].name, (given.store / "current/models").resolve()
        return Choice(name, models.path(given.home, name) if name == own else there / fitting[0].file)
    why = SMALL.format(name=bundled[-1].name) if bundled else UNKNOWN if listed else ""
    return Choice(own or "", models.path(given.home, own) if own else None, why)


def _named(given: Settings) -> str:
    """What the settings name. One that the desk chose with another version, and this one does not know, keeps
    no box from starting."""
    chosen = given.is_free("model") and given.model not in models.catalogue().files
    return "" if chosen else given.model


def _bundled(given: Settings, listed: Mapping[str, str]) -> list[ModelFile]:
    """Those of the catalogue's language models that are listed, the best for this profile first, then the
    largest."""
    known = models.catalogue()
    first = [known.files[name] for name in known.languages[given.profile]]
    others = sorted(known.files.values(), key=lambda model: -model.bytes)
    order = dict.fromkeys(model.name for model in (*first, *others) if model.file.endswith(GGUF))
    return [
        known.files[name]
        for name in order
        if listed.get(f"models/{known.files[name].file}") == known.files[name].sha256
    ]


def _listed(given: Settings) -> Iterator[tuple[str, str]]:
    """Path and SHA-256 of each model's file in the bundle in use, once it has answered its self-test; none
    where its model is not wanted."""
    store = Store(given.store)
    named = given.model and not given.device  # on the card `model` is what the box chose
    if named or not given.bundle_model or store.current is None or store.on_trial:
        return
    # Here: `run` checks its settings before any package is installed.
    from appliance.bundles import sums
    from appliance.bundles.manifest import SUMS

    try:
        found = sums.parse((store.current / SUMS).read_text("utf-8"))
    except (OSError, ValueError, BundleError):
        return
    yield from ((path, sha256) for path, sha256 in found.items() if path.startswith("models/"))
