"""The verbs `appliance backup` and `appliance restore`: the whole box as one file, and back."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from appliance.errors import BackupError
from appliance.settings import Settings

WAITS = "The backup is whole. It is put in place when Lamplight starts next."
AGAIN = "The backup is whole. Lamplight starts again with it now."


def _backup(given: Settings, options: argparse.Namespace) -> None:
    from appliance.backups.saving import save_to

    print(f"{options.file}: {save_to(given.home, options.file):,} bytes")


def _restore(given: Settings, options: argparse.Namespace) -> None:
    from appliance.backups.coming import receive
    from appliance.backups.settling import settle
    from appliance.services import runtime

    contents = receive(given.home, options.file)
    print(f"A backup of {contents.made}, made by version {contents.version}.")
    try:
        settle(given.home)
    except BackupError:  # a box that runs has its files open
        if runtime.supervised(given.runtime):
            runtime.ask_again(given.runtime)
            print(AGAIN)
        else:
            print(WAITS)


Verb = Callable[[Settings, argparse.Namespace], int | None]
_FILE: tuple[tuple[str, ...], dict[str, Any]] = (
    ("file",),
    {"type": Path, "metavar": "FILE", "help": "The backup's file."},
)
VERBS: dict[str, tuple[Verb, str]] = {
    "backup": (_backup, "Write people, documents, sources, choices and usage to one file."),
    "restore": (_restore, "Put a backup in the place of all of that, whole or not at all."),
}
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "backup": (_FILE,),
    "restore": (_FILE,),
}
