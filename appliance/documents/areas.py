"""Areas of people on one box, each opened with a passphrase, of which only a hash is kept (`passphrases`).

An area keeps documents apart; it does not encrypt them: who takes the card has them.
"""

import re
from datetime import UTC, datetime

from appliance import passphrases
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.passphrases import COST, Cost

_NAME = re.compile(r"[^\W_][\w .-]{0,38}[^\W_]|[^\W_]")


def make(store: Store, owner: str, passphrase: str, cost: Cost = COST) -> bool:
    """Makes an area, or gives it another passphrase; whether it is new. `cost` is that of the hash. Raises
    DocumentError."""
    if not _NAME.fullmatch(owner):
        raise DocumentError(
            f"“{owner[:40]}” is no name for an area.", "Use up to 40 letters, digits and spaces."
        )
    if reason := passphrases.refusal(passphrase, owner):
        raise DocumentError(reason, "Use a few words.")
    lock = passphrases.locked(passphrase, cost)
    with store.write() as connection:
        new = connection.execute("SELECT 1 FROM area WHERE owner = ?", (owner,)).get is None
        connection.execute(
            "INSERT INTO area VALUES(?, ?, ?) ON CONFLICT(owner) DO UPDATE SET lock = excluded.lock",
            (
                owner,
                lock,
                datetime.now(UTC).isoformat(timespec="seconds"),
            ),
        )
    return new


def opened(store: Store, owner: str, passphrase: str, cost: Cost = COST) -> str:
    """What is kept of the passphrase, if it is the area's; else "". Takes as long for an area that is not
    there."""
    lock = kept(store, owner)
    return lock if passphrases.opens(lock or passphrases.nobodys(cost), passphrase) else ""


def kept(store: Store, owner: str) -> str:
    """What is kept of an area's passphrase now; "" where there is no such area. Another passphrase leaves
    another, also the same one that was set anew."""
    with store.read() as connection:
        return str(connection.execute("SELECT lock FROM area WHERE owner = ?", (owner,)).get or "")


def listed(store: Store) -> list[str]:
    with store.read() as connection:
        return [str(row[0]) for row in connection.execute("SELECT owner FROM area ORDER BY owner")]


def remove(store: Store, owner: str) -> bool:
    """Takes the area away, not its documents. Whether it was there."""
    with store.write() as connection:
        connection.execute("DELETE FROM area WHERE owner = ?", (owner,))
        return connection.changes() > 0
