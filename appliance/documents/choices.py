"""What a scope may be chosen from: the folders and documents that somebody may see."""

from dataclasses import dataclass

from appliance.documents.store import Store
from appliance.documents.turns import rows

MOST = 200  # documents in a list to choose from; the others are chosen on their own page


@dataclass(frozen=True, slots=True)
class Choices:
    """Folders by name, documents by id and title, the last added first."""

    folders: tuple[str, ...] = ()
    documents: tuple[tuple[int, str], ...] = ()


def choices(store: Store, owners: tuple[str, ...]) -> Choices:
    """Those of these owners."""
    marks = ", ".join("?" for _ in owners)
    with store.read() as connection:
        folders = rows(
            connection,
            f"SELECT DISTINCT folder FROM document WHERE owner IN ({marks}) AND folder != '' ORDER BY folder",
            owners,
        )
        documents = rows(
            connection,
            f"SELECT id, title FROM document WHERE owner IN ({marks}) ORDER BY id DESC LIMIT {MOST}",
            owners,
        )
    return Choices(tuple(name for (name,) in folders), tuple((id_, title) for id_, title in documents))


def title(store: Store, owners: tuple[str, ...], document: int) -> str:
    """Of one of these owners' documents; "" where it is not there."""
    marks = ", ".join("?" for _ in owners)
    with store.read() as connection:
        found = rows(
            connection,
            f"SELECT title FROM document WHERE id = ? AND owner IN ({marks})",
            (document, *owners),
        )
    return found[0][0] if found else ""
