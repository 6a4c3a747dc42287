"""The people of one box, open: who there is, where they are signed in, which programs act for them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance.documents.store import Store
from appliance.passphrases import COST, Cost
from appliance.people.first import FirstUse
from appliance.people.persons import Persons
from appliance.people.programs import Programs
from appliance.people.schema import PEOPLE
from appliance.people.sessions import Sessions

FILE = "people.db"


@dataclass(frozen=True)
class People:
    """`store` is closed by whoever opened it."""

    store: Store
    persons: Persons
    sessions: Sessions
    programs: Programs
    first: FirstUse


def open_people(
    folder: Path | None = None,
    code: Path | None = None,
    cost: Cost = COST,
    clock: Callable[[], float] = time.time,
) -> People:
    """The people kept in a folder, made where there are none; in memory without one. `code` is the file with
    the code of first use. Raises DocumentError for a file that cannot be used."""
    store = Store.open(folder / FILE if folder else None, PEOPLE)
    persons = Persons(store, cost, clock)
    return People(
        store,
        persons,
        Sessions(store, clock),
        Programs(store, clock),
        FirstUse(store, persons, code, clock),
    )


def restored(people: People) -> None:
    """After a backup was put in place: what was signed in or let in then is not let in now."""
    people.sessions.end_all()
    with people.store.write() as connection:
        connection.execute("DELETE FROM program")
        connection.execute("UPDATE about SET value = randomblob(32) WHERE key = 'signing'")
