"""Areas of people on one box, each opened with a passphrase, of which only a salted scrypt hash is kept.

An area keeps documents apart; it does not encrypt them: who takes the card has them.
"""

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime

from appliance.documents.store import Store
from appliance.errors import DocumentError

SHORTEST = 8  # letters of a passphrase
COST, BLOCK, LANES = 2**14, 8, 1  # scrypt (RFC 7914): 16 MiB, a twentieth of a second on a desktop
_NAME = re.compile(r"[^\W_][\w .-]{0,38}[^\W_]|[^\W_]")
_NOBODY = f"{'00' * 16}${'00' * 32}"


def make(store: Store, owner: str, passphrase: str) -> bool:
    """Makes an area, or gives it another passphrase; whether it is new. Raises DocumentError."""
    if not _NAME.fullmatch(owner):
        raise DocumentError(
            f"“{owner[:40]}” is no name for an area.", "Use up to 40 letters, digits and spaces."
        )
    if len(passphrase) < SHORTEST:
        raise DocumentError(f"The passphrase has fewer than {SHORTEST} letters.", "Use a few words.")
    with store.write() as connection:
        new = connection.execute("SELECT 1 FROM area WHERE owner = ?", (owner,)).get is None
        connection.execute(
            "INSERT INTO area VALUES(?, ?, ?) ON CONFLICT(owner) DO UPDATE SET lock = excluded.lock",
            (
                owner,
                _locked(passphrase, secrets.token_bytes(16)),
                datetime.now(UTC).isoformat(timespec="seconds"),
            ),
        )
    return new


def opens(store: Store, owner: str, passphrase: str) -> bool:
    """Whether the passphrase is the area's. Takes as long for an area that is not there."""
    with store.read() as connection:
        lock = connection.execute("SELECT lock FROM area WHERE owner = ?", (owner,)).get
    salt = bytes.fromhex(str(lock or _NOBODY).partition("$")[0])
    return hmac.compare_digest(_locked(passphrase, salt), str(lock or _NOBODY)) and lock is not None


def listed(store: Store) -> list[str]:
    with store.read() as connection:
        return [str(row[0]) for row in connection.execute("SELECT owner FROM area ORDER BY owner")]


def remove(store: Store, owner: str) -> bool:
    """Takes the area away, not its documents. Whether it was there."""
    with store.write() as connection:
        connection.execute("DELETE FROM area WHERE owner = ?", (owner,))
        return connection.changes() > 0


def _locked(passphrase: str, salt: bytes) -> str:
    digest = hashlib.scrypt(
        passphrase.encode("utf-8", "replace"), salt=salt, n=COST, r=BLOCK, p=LANES, dklen=32
    )
    return f"{salt.hex()}${digest.hex()}"
