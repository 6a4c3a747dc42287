"""Codes that only somebody at the device can see. Standard library alone: the card's set-up makes one too."""

import secrets
from pathlib import Path

# Letters and digits that nobody takes for another one, in any hand; in groups, so that they can be read out.
PLAIN = "abcdefghjkmnpqrstuvwxyz23456789"
GROUP = 4
GROUPS = 2  # 39 bits: whoever asks for the code allows few tries
FOLDER, FILE = "people", "first-use-code"  # in the home


def grouped(groups: int = GROUPS) -> str:
    """A new one, as in `kq7m-x2pd`."""
    return "-".join("".join(secrets.choice(PLAIN) for _ in range(GROUP)) for _ in range(groups))


def plain(code: str) -> str:
    """As people type it: without spaces and dashes, small or large letters."""
    return "".join(letter for letter in code if letter.isalnum()).casefold()


def file(home: Path, named: str = "") -> Path:
    """Where the code of a box is: in the file that is named, or in its home."""
    return Path(named) if named else home / FOLDER / FILE
