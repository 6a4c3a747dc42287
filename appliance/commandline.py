"""The command line, from the tables of verbs and settings: each verb with its options and all settings."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from appliance import __version__, settings
from appliance.setting import Setting
from appliance.settings import Settings


class _Parser(argparse.ArgumentParser):
    """Started by build.sh, which names its own help in LAMPLIGHT_HELP, an error leads there."""

    def error(self, message: str) -> NoReturn:
        if helper := os.environ.get("LAMPLIGHT_HELP"):
            self.exit(2, f"{message[:1].upper()}{message[1:]}.\nTry: {helper}\n")
        super().error(message)


def parser(
    families: Mapping[str, str], verbs: Mapping[str, Any], own: Mapping[str, Any]
) -> argparse.ArgumentParser:
    """`families`: name to sentence; `verbs`: name to what acts and a sentence; `own`: name to the options of
    that verb alone."""
    top = _Parser("appliance", description="Lamplight: an offline library that answers with sources.")
    top.add_argument("--version", action="version", version=f"Lamplight {__version__}")
    common = _Parser(add_help=False)
    common.add_argument("--settings", type=Path, metavar="FILE", help="A settings file (TOML).")
    group = common.add_argument_group("settings", "Also read from LAMPLIGHT_NAME and from the settings file.")
    for row in settings.TABLE:
        _add(group, row)
    parents = {"": top.add_subparsers(required=True, metavar="VERB", dest="verb")}
    for name, sentence in families.items():
        family = parents[""].add_parser(name, help=sentence, description=sentence)
        parents[name] = family.add_subparsers(required=True, metavar="VERB", dest="part")
    for name, (act, sentence) in verbs.items():
        of, _, word = name.rpartition(" ")
        verb = parents[of].add_parser(
            word, help=sentence, description=sentence, parents=[common], allow_abbrev=False
        )
        verb.set_defaults(act=act)
        for flags, options in own.get(name, ()):
            verb.add_argument(*flags, **options)
    return top


def _add(group: argparse._ArgumentGroup, row: Setting) -> None:
    bounds = f" {row.low:g} to {row.high:g}." if row.low is not None and row.high is not None else ""
    options: dict[str, Any] = {"dest": row.name, "default": None, "help": row.help + bounds}
    if row.kind is bool:
        options["action"] = argparse.BooleanOptionalAction
    elif row.kind is tuple:
        options |= {"action": "append", "metavar": "FILE"}
    else:
        options["metavar"] = "|".join(row.choices) or row.unit.upper() or row.kind.__name__.upper()
    group.add_argument(row.flag, **options)


def checked(given: Settings) -> int:
    """Prints what the set-up must know of the options: build.sh reads it."""
    if given.search_only:
        print("--search-only")
    return 0
