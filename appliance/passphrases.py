"""What is kept of a passphrase: an Argon2id hash (RFC 9106) with salt and cost. The one door to argon2.

One hash takes `memory` while it is made, so whoever asks for several makes them one after the other.
"""

import secrets
import unicodedata
from dataclasses import dataclass

from argon2 import Type, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError
from argon2.low_level import hash_secret, verify_secret

SHORTEST, LONGEST = 8, 1_000  # letters
# What whoever guesses tries first, of eight letters and more.
_FIRST_GUESSES = """
    password password1 password123 passw0rd 12345678 123456789 1234567890 87654321 qwertyui qwertyuiop
    qwerty123 1q2w3e4r 1qaz2wsx asdfghjk asdfghjkl iloveyou sunshine princess football baseball
    superman trustno1 welcome1 welcome123 letmein1 admin123 admin1234 administrator changeme raspberry
    raspberrypi lamplight lamplight1 motdepasse contraseña azertyui azertyuiop bonjour123 abcd1234
    abcdefgh
"""
FIRST_GUESSES = frozenset(_FIRST_GUESSES.split())
_SALT, _DIGEST = 16, 32  # bytes
_LARGEST = 65_536  # KiB: a file that was put in place of ours must not take the box's memory


@dataclass(frozen=True, slots=True)
class Cost:
    """Memory in KiB and passes over it, on one core."""

    memory: int
    passes: int


# 19 MiB, one pass more than OWASP's least for it: the pages have 400 MiB on a card, and a Pi 4 needs some
# tenths of a second, as an estimate from 0.05 s on a desktop.
COST = Cost(19_456, 3)


def refusal(passphrase: str, name: str = "") -> str:
    """Why a passphrase would not keep anybody out of what has this name; "" where it would."""
    if not SHORTEST <= len(passphrase) <= LONGEST:
        return f"The passphrase has {len(passphrase)} letters, expected {SHORTEST} to {LONGEST:,}."
    plain = passphrase.casefold().strip()
    if len(set(passphrase)) < 4 or plain in FIRST_GUESSES or plain == name.casefold().strip():
        return "This passphrase is guessed at once."
    return ""


def locked(passphrase: str, cost: Cost = COST) -> str:
    """A new hash, in the PHC string format."""
    salt = secrets.token_bytes(_SALT)
    return hash_secret(_bytes(passphrase), salt, cost.passes, cost.memory, 1, _DIGEST, Type.ID).decode()


def opens(lock: str, passphrase: str) -> bool:
    """Whether the hash is of this passphrase; False for one that is none, or too costly to look at."""
    try:
        if extract_parameters(lock).memory_cost > _LARGEST:
            return False
        return verify_secret(lock.encode(), _bytes(passphrase), Type.ID)
    except (Argon2Error, InvalidHashError, UnicodeEncodeError):
        return False


def nobodys(cost: Cost = COST) -> str:
    """A hash that no passphrase is known for: looking at it takes as long as at a real one."""
    return f"$argon2id$v=19$m={cost.memory},t={cost.passes},p=1${'A' * 22}${'A' * 43}"


def outdated(lock: str, cost: Cost = COST) -> bool:
    """Whether a hash should be made again, since its cost is another."""
    found = extract_parameters(lock)
    return (found.memory_cost, found.time_cost) != (cost.memory, cost.passes)


def _bytes(passphrase: str) -> bytes:
    """The same for every keyboard: composed letters (NFC, as in RFC 8265)."""
    return unicodedata.normalize("NFC", passphrase).encode("utf-8", "replace")
