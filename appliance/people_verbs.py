"""The verbs `appliance people …`, for whoever has the machine: printing and parsing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from getpass import getpass
from typing import TYPE_CHECKING, Any

from appliance.errors import PeopleError
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.people.people import People


@contextmanager
def _open(given: Settings) -> Iterator[People]:
    from appliance.people import code
    from appliance.people.people import open_people

    people = open_people(given.home / code.FOLDER, code.file(given.home, given.admin_code))
    try:
        yield people
    finally:
        people.store.close()


def _list(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.log import say

    with _open(given) as people:
        sessions, listed = people.sessions.listed(), people.persons.listed()
        if not listed:
            say("Nobody yet. `appliance people reset` prints a code for /first-use.")
        for one in listed:
            count = sum(session.person == one.id for session in sessions)
            print(f"{one.role:6}  {one.name}  (sessions: {count})")


def _reset(given: Settings, options: argparse.Namespace) -> None:
    """Whoever can run this could change the file as well: it asks for no passphrase but the new one."""
    from appliance.people import code, first

    with _open(given) as people:
        if not options.name:
            if given.admin_code:
                raise PeopleError(
                    f"The code of this box comes from {given.admin_code}.",
                    "On a card: new_admin_code = true in lamplight.toml, then start the box again.",
                )
            print(f"The code for /first-use, once: {first.make(code.file(given.home))}")
            return
        person = people.persons.named(options.name)
        if person is None:
            raise PeopleError(f"There is nobody called {options.name}.", "See appliance people list.")
        words = getpass("New passphrase: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        people.persons.set_passphrase(person.id, words)
    print(f"{person.name} has another passphrase, and is signed out everywhere.")


Verb = Callable[[Settings, argparse.Namespace], int | None]
FAMILY = "Who looks after the box."
VERBS: dict[str, tuple[Verb, str]] = {
    "people list": (_list, "List them with their roles."),
    "people reset": (
        _reset,
        "Give somebody another passphrase, read from the terminal; without a name, print a new code for "
        "/first-use.",
    ),
}
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "people reset": ((("name",), {"nargs": "?", "default": "", "metavar": "NAME", "help": "Whose."}),),
}
