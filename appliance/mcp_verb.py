"""The verb `appliance mcp`: parsing only. The protocol's package is loaded when it runs, and not before."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from appliance.errors import SettingsError
from appliance.settings import Settings


def _mcp(given: Settings, options: argparse.Namespace) -> None:
    from appliance.assistants.box import Box
    from appliance.assistants.serve import over_http, over_stdio
    from appliance.services.run import opened

    if options.token_file and options.open:
        raise SettingsError("With --open everyone on this machine would act for whoever has the token.")
    box = Box(options.box or opened(given), _token(options.token_file))
    if options.http is None:
        over_stdio(box)
    else:
        over_http(box, options.http, options.open)


def _token(file: Path | None) -> str:
    """Raises SettingsError for a file that has no token."""
    try:
        found = file.read_text("utf-8").strip() if file else ""
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"--token-file: {file} cannot be read: {error}.") from error
    if file and (len(found.split()) != 1 or not found.isascii()):
        raise SettingsError(
            f"--token-file: {file} has no token: one word is expected.", "The people page makes one."
        )
    return found


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a port, 1 to 65535")
    return int(text)


VERBS: dict[str, tuple[Callable[[Settings, argparse.Namespace], int | None], str]] = {
    "mcp": (_mcp, "Offer the library of a running box to other assistants (Model Context Protocol)."),
}
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "mcp": (
        (
            ("--box",),
            {"metavar": "URL", "help": "Address of the running box; by default of the one on this machine."},
        ),
        (
            ("--http",),
            {
                "type": _port,
                "metavar": "PORT",
                "help": "Answer over HTTP on this port of 127.0.0.1; without, over input and output.",
            },
        ),
        (
            ("--open",),
            {"action": "store_true", "help": "Over HTTP: ask nobody for a token who is on this machine."},
        ),
        (
            ("--token-file",),
            {"type": Path, "metavar": "FILE", "help": "A token of the people page, to ask as that person."},
        ),
    ),
}
