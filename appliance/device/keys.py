"""Secrets that are made on the device, each once: no two boxes share one, and none is in the image.

`admin-code`: the code that only somebody at the device can see; it makes an admin, once. `wifi-passphrase`:
the network's, where the owner gave none. Standard library alone; runs as root on the device.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from appliance import durable
from appliance.device import files
from appliance.people.code import GROUP, GROUPS, PLAIN, grouped

FOLDER = "secrets"
PASSPHRASE = 3  # groups, 59 bits: tries at a recorded greeting cost 4096 rounds each


@dataclass(frozen=True, slots=True)
class Keys:
    """Of this box."""

    admin_code: str
    wifi_passphrase: str


def keep(data: Path, group: int, new_code: bool = False) -> Keys:
    """The box's secrets, those made now that are missing or not whole; `group` may read what the pages need.
    With `new_code` another admin's code is made, since each is good for once. Raises OSError."""
    folder = data / FOLDER
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    os.chown(folder, -1, group)
    if new_code:
        (folder / "admin-code").unlink(missing_ok=True)
    return Keys(
        admin_code=_kept(folder / "admin-code", GROUPS, group),
        wifi_passphrase=_kept(folder / "wifi-passphrase", PASSPHRASE, None),
    )


def _kept(file: Path, groups: int, group: int | None) -> str:
    """The content of a file that is whole, else a new one."""
    found = (files.read(file) or b"").decode("ascii", "replace").strip()
    if re.fullmatch(_pattern(groups), found):
        return found
    new = grouped(groups)
    durable.replace(file, f"{new}\n".encode(), 0o600 if group is None else 0o640, group)
    return new


def _pattern(groups: int) -> str:
    return "-".join([f"[{PLAIN}]{{{GROUP}}}"] * groups)
