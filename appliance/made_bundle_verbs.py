"""The verbs `appliance bundle …` of bundles that are made: build, sign, verify, install, roll back,
export."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.bundle_verbs import CLUSTER, Option, Verb
from appliance.errors import BundleError
from appliance.log import say, several
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.bundles.folder import Disk
    from appliance.bundles.verify import Checked


def _build(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import definitions, gather, target
    from appliance.bundles.build import build, require_key
    from appliance.log import step
    from appliance.setup import index_of

    require_key(options.key)
    found = definitions.find(options.name, given.home)
    version = options.edition or f"{datetime.now(UTC):%Y.%m.%d}"
    folder = options.to.absolute() / f"{found.definition.name}-{version}"
    target.require(folder)
    made_of = gather.gather(found, given.home)
    target.require(folder, (*made_of.archives, *made_of.models.values()))
    indexes = {path: index_of(given, path, options.cluster) for path in made_of.archives}
    with step("Writing the bundle", unit="MB") as current:
        made = build(
            found.definition,
            version,
            made_of.archives,
            made_of.models,
            indexes.__getitem__,
            folder.parent,
            options.key,
            lambda count: current.advance(count / 1e6),
            target.piece_bytes(folder),
        )
    print(f"{folder}\n{_said(made)}")


def _verify(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import signature, verify
    from appliance.log import step

    disk = _disk(options.folder)
    found = verify.quick(disk, signature.read_trusted(given.trusted_keys))
    verify.fits(disk, found)
    if not options.quick:
        with step(f"Reading {found.label}", found.bytes / 1e6, "MB") as current:
            verify.full(disk, found, lambda count: current.advance(count / 1e6))
    if options.signed:
        verify.require_trusted(found)
    print(_said(found))


def _key(_given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import signature

    print(f"{signature.new_key(options.file)} {options.owner}")


def _install(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import signature, verify
    from appliance.bundles.install import install, plan
    from appliance.bundles.store import Store
    from appliance.log import step

    disk, store = _disk(options.folder.absolute()), Store(given.store)
    found = verify.quick(disk, signature.read_trusted(given.trusted_keys))
    if not options.yes:
        verify.require_trusted(found)
    with store.alone():
        made = plan(store, found)
        with step(f"Copying {found.label}", made.work / 1e6, "MB read and read back") as current:
            folder = install(store, disk, found, lambda count: current.advance(count / 1e6))
        store.switch(folder)
    print(_said(found), "In use: a running box opens it and tries it out, another when it starts.", sep="\n")


def _installed(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.bundles.store import Store

    store = Store(given.store)
    states = {store.current: "in use", store.previous: "before it"}
    if not (installed := list(store.installed())):
        say("No bundle is installed yet. `appliance bundle install FOLDER` installs one.")
    for folder in installed:
        print(f"{folder.name:<50} {states.get(folder, '')}")


def _roll_back(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.bundles.store import Store

    store = Store(given.store)
    with store.alone():
        print(store.roll_back().name)


def _export(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import verify
    from appliance.bundles.export import export
    from appliance.bundles.store import Store, StoreError
    from appliance.log import step

    folder = options.folder or Store(given.store).current
    if folder is None:
        raise StoreError("No bundle is installed here.", "Give a bundle's folder with --folder.")
    disk = _disk(folder)
    found = verify.quick(disk)
    with step(f"Writing {found.label}", unit="MB written and read back") as current:
        print(
            export(
                disk,
                found,
                options.to.absolute(),
                options.part or (),
                options.key,
                lambda count: current.advance(count / 1e6),
            )
        )


def _disk(folder: Path) -> "Disk":
    """The folder of a bundle. Raises BundleError where there is no folder of this name."""
    from appliance.bundles.folder import Disk

    if not folder.is_dir():
        what = f"{folder} is no folder." if folder.exists() else f"There is no folder {folder}."
        raise BundleError(what, "Give the folder of a bundle, as `appliance bundle build` makes one.")
    return Disk(folder)


def _said(found: "Checked") -> str:
    who = found.signer
    signed = f"signed by {who.name}" if who.trusted else f"signed with {who.public}, an unknown key"
    sentence = signed if who.public else "not signed"
    return f"{found.label}: {several(len(found.files), 'file')}, {found.bytes / 1e6:,.1f} MB, {sentence}"


VERBS: dict[str, tuple[Verb, str]] = {
    "bundle build": (_build, "Fetch, index, hash and sign: a folder to travel."),
    "bundle verify": (_verify, "Is a bundle what it says? Names the file that is not."),
    "bundle key": (_key, "Make a key to sign bundles with; prints the line that others trust."),
    "bundle install": (
        _install,
        "Copy a bundle into the store and put it in use; only what differs is copied.",
    ),
    "bundle installed": (_installed, "List the bundles in the store."),
    "bundle roll-back": (_roll_back, "Put the bundle before in use again."),
    "bundle export": (_export, "Write an installed bundle, or a part of it, to a stick."),
}
_NAME: Option = (("name",), {"metavar": "NAME", "help": "A bundle's name, or the file of its definition."})
_FOLDER: Option = (("folder",), {"type": Path, "metavar": "FOLDER", "help": "The bundle's folder."})
_TO: Option = (
    ("--to",),
    {"type": Path, "required": True, "metavar": "DIR", "help": "Where its folder goes."},
)
_SIGN: Option = (("--key",), {"type": Path, "metavar": "FILE", "help": "Private key (PEM) to sign it with."})
OPTIONS: dict[str, tuple[Option, ...]] = {
    "bundle build": (
        _NAME,
        _TO,
        _SIGN,
        CLUSTER,
        (("--edition",), {"metavar": "TEXT", "help": "Its version; by default the day: 2026.11.30."}),
    ),
    "bundle verify": (
        _FOLDER,
        (("--quick",), {"action": "store_true", "help": "Only lists, sizes, heads and signature."}),
        (("--signed",), {"action": "store_true", "help": "An error unless a trusted key has signed it."}),
    ),
    "bundle key": (
        (("file",), {"type": Path, "metavar": "FILE", "help": "Where the private key goes."}),
        (
            ("--owner",),
            {"default": "bundles", "metavar": "NAME", "help": "Whose key it is, for who trusts it."},
        ),
    ),
    "bundle install": (
        _FOLDER,
        (("--yes",), {"action": "store_true", "help": "Also one that no trusted key has signed."}),
    ),
    "bundle export": (
        _TO,
        _SIGN,
        (
            ("--folder",),
            {"type": Path, "metavar": "FOLDER", "help": "A bundle that is not the installed one."},
        ),
        (
            ("--part",),
            {"action": "append", "metavar": "ARCHIVE", "help": "Only this archive; may be repeated."},
        ),
    ),
}
