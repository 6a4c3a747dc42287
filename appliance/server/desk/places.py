"""The pages of the desk, in the order of the navigation, each with the role that it takes. Pure."""

from dataclasses import dataclass

from appliance.people.records import Role

ROOT = "/desk"


@dataclass(frozen=True, slots=True)
class Place:
    """`label` is an English sentence of the phrases; `group` keeps those together that belong together."""

    label: str
    address: str
    role: Role
    group: int


PLACES = (
    Place("Status", ROOT, "editor", 0),
    Place("Library", "/library", "editor", 1),
    Place("Sources", f"{ROOT}/sources", "editor", 1),
    Place("Documents", "/documents", "editor", 1),
    Place("People", f"{ROOT}/people", "admin", 2),
    Place("Answers", f"{ROOT}/answers", "admin", 2),
    Place("Usage", f"{ROOT}/usage", "editor", 2),
    Place("Wi-Fi and name", f"{ROOT}/network", "admin", 3),
    Place("Clock", f"{ROOT}/clock", "admin", 3),
    Place("Backup", f"{ROOT}/backup", "admin", 3),
    Place("Logs", f"{ROOT}/logs", "admin", 3),
    Place("Power", f"{ROOT}/power", "admin", 3),
)


def place(address: str) -> Place:
    """The page that an address belongs to: `/desk/people/7` is of `/desk/people`. Raises KeyError."""
    found = [one for one in PLACES if address == one.address or address.startswith(f"{one.address}/")]
    if not found:
        raise KeyError(address)
    return max(found, key=lambda one: len(one.address))
