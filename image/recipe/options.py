"""The options of `./build.sh image`. Needs the standard library alone: build.sh has them checked before
anything is installed."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from appliance import __version__, models, settings
from appliance.errors import LamplightError, SettingsError
from recipe.plan import NO_MODEL, PROJECT, Plan


@dataclass(frozen=True, slots=True)
class Options:
    """`strict`: refuse Debian packages that are not as locked; `update_lock`: write the lock anew."""

    plan: Plan
    strict: bool
    update_lock: bool


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}.\nTry: ./build.sh image --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="./build.sh image", description="Makes the SD card's image, in dist/.")
    add = parser.add_argument
    add("--bundle", type=Path, action="append", default=[], help="a bundle's folder to put on it; repeatable")
    add("--model", default="", help="the language model, by its name in docs/models.md, or none")
    add("--country", default="", help="two capital letters: which channels the radio may use")
    add("--hostname", default="", help="the box's name on its own network")
    add("--kiosk", action="store_true", help="with a browser for the box's own screen")
    add("--card", type=int, default=8, metavar="GB", help="the smallest card that it must fit (8)")
    add("--locked", action="store_true", help="refuse Debian packages that are not as in the lock")
    add("--update-lock", action="store_true", help="write the lock from what Debian has now")
    return parser


def read(words: Sequence[str] | None = None) -> Options:
    """Raises SettingsError or ModelFileError for a value that cannot be used."""
    given = _parser().parse_args(words)
    if given.model not in ("", NO_MODEL) and not models.catalogue().find(given.model).file.endswith(".gguf"):
        raise SettingsError(f"--model: {given.model} writes no answers.", "docs/models.md says which do.")
    for bundle in given.bundle:
        if not (bundle / "bundle.toml").is_file():
            raise SettingsError(f"--bundle: {bundle} is not a bundle's folder: it has no bundle.toml.")
    plan = Plan(
        home=settings.load({}).home,
        dist=PROJECT / "dist",
        version=__version__,
        epoch=int(os.environ.get("SOURCE_DATE_EPOCH", 0)),
        model=given.model,
        bundles=tuple(bundle.absolute() for bundle in given.bundle),
        country=given.country,
        hostname=given.hostname,
        kiosk=given.kiosk,
        card=given.card,
    )
    return Options(plan, given.locked, given.update_lock)


def main() -> int:
    try:
        read()
    except LamplightError as error:
        print(f"{error}\n{error.hint}".rstrip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
