"""A home whose every part bears a mark, so that what is there tells where it is from."""

from datetime import date
from pathlib import Path

from documents.keep import add

from appliance import chosen
from appliance.backups.parts import PARTS
from appliance.documents.keeping import Store
from appliance.documents.search import FOLDER, Documents
from appliance.passphrases import Cost
from appliance.people import code, people
from appliance.repositories import register, repositories
from appliance.settings import choices
from appliance.usage.usage import Usage
from appliance.vectors import HashEncoder

CHEAP = Cost(8, 1)
GATES = {"old": "strict", "new": "open"}


def filled(home: Path, mark: str) -> Path:
    """All five parts of a box, each with this mark: "old" or "new"."""
    documents = Documents.open(home / FOLDER, HashEncoder.model_sha256)
    add(documents, f"# Letter {mark}\n\nIt was {mark}.", f"{mark}.md")
    documents.close()
    found = people.open_people(home / code.FOLDER, cost=CHEAP)
    person = found.persons.add(mark, "admin", "a long passphrase")
    found.sessions.begin(person.id, "a browser")
    found.store.close()
    store = Store.open(home / repositories.FOLDER / register.FILE, register.REGISTER)
    register.add(store, register.new(f"https://example.org/{mark}.git"))
    store.close()
    usage = Usage(home, today=lambda: date(2026, 11, 30))
    usage.count("article", mark)
    usage.stop()
    chosen.write(home, {"gate": GATES[mark]})
    return home


def marks(home: Path) -> dict[str, str]:
    """The mark of each part."""
    documents = Documents.open(home / FOLDER, HashEncoder.model_sha256)
    with documents.store.read() as connection:
        titles = [str(name) for (name,) in connection.execute("SELECT name FROM document")]
    documents.close()
    found = people.open_people(home / code.FOLDER, cost=CHEAP)
    persons = [person.name for person in found.persons.listed()]
    found.store.close()
    store = Store.open(home / repositories.FOLDER / register.FILE, register.REGISTER)
    sources = [one.name for one in register.listed(store)]
    store.close()
    archives = [archive for _, _, archive in Usage(home).counts()]
    gate = choices(home).values.get("gate", "")
    told = {
        "documents.db": titles[0].removesuffix(".md") if len(titles) == 1 else str(titles),
        "people.db": persons[0] if len(persons) == 1 else str(persons),
        "repositories.db": sources[0] if len(sources) == 1 else str(sources),
        "usage.db": archives[0] if len(archives) == 1 else str(archives),
        "chosen.toml": next((mark for mark, level in GATES.items() if level == gate), ""),
    }
    assert set(told) == {part.name for part in PARTS}
    return told


def all_of(mark: str) -> dict[str, str]:
    return {part.name: mark for part in PARTS}
