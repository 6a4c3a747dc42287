"""Secrets that are made on the device, each once: no two boxes share one, and none is in the image.

`admin-code`: the code that only somebody at the device can see; the admin's first password is set with it.
`session-key`: signs what the pages remember. `wifi-passphrase`: the network's, where the owner gave none.
Standard library alone; runs as root on the device.
"""

import os
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance.device import files

FOLDER = "secrets"
# Letters and digits that nobody takes for another one, in any hand; in groups, so that they can be read out.
PLAIN = "abcdefghjkmnpqrstuvwxyz23456789"
GROUP = 4
CODE = 2  # groups, 39 bits: whoever asks for the code allows few tries
PASSPHRASE = 3  # groups, 59 bits: tries at a recorded greeting cost 4096 rounds each


@dataclass(frozen=True, slots=True)
class Keys:
    """Of this box."""

    admin_code: str
    session_key: str
    wifi_passphrase: str


def keep(data: Path, group: int) -> Keys:
    """The box's secrets, those made now that are missing or not whole; `group` may read what the pages need.
    Raises OSError."""
    folder = data / FOLDER
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    os.chown(folder, -1, group)
    return Keys(
        admin_code=_kept(folder / "admin-code", _pattern(CODE), lambda: _grouped(CODE), group),
        session_key=_kept(folder / "session-key", r"[0-9a-f]{64}", lambda: secrets.token_hex(32), group),
        wifi_passphrase=_kept(
            folder / "wifi-passphrase", _pattern(PASSPHRASE), lambda: _grouped(PASSPHRASE), None
        ),
    )


def _kept(file: Path, pattern: str, made: Callable[[], str], group: int | None) -> str:
    """The content of a file that is whole, else a new one."""
    found = (files.read(file) or b"").decode("ascii", "replace").strip()
    if re.fullmatch(pattern, found):
        return found
    new = made()
    files.replace(file, f"{new}\n".encode(), 0o600 if group is None else 0o640, group)
    return new


def _grouped(groups: int) -> str:
    return "-".join("".join(secrets.choice(PLAIN) for _ in range(GROUP)) for _ in range(groups))


def _pattern(groups: int) -> str:
    return "-".join([f"[{PLAIN}]{{{GROUP}}}"] * groups)
