"""The environment of our processes: the settings of `appliance/settings.py` as this box has them. Pure."""

import re
from collections.abc import Mapping
from pathlib import Path

from appliance.device import desk
from appliance.device.board import Board, Load
from appliance.device.names import LEASES
from appliance.device.network import WIFI, full_name
from appliance.device.owner import AUTO, Owner
from appliance.settings import CHOICES

APP, ENGINE = "/opt/lamplight/app", "/opt/lamplight/engine"
HOME, LIBRARY = "/data/home", "/opt/lamplight/library"
STORE = "/data/bundles"
RUN = "/run/lamplight"
TRUSTED_KEYS = "trusted-keys.txt"  # there, of the owner's settings
ADMIN_CODE = "/run/credentials/lamplight-web.service/admin-code"  # LoadCredential= of that unit
READER = "http://127.0.0.1:8081"
GENERIC, DOT_PRODUCT = "armv8-a", "armv8.2-a"  # the engine's two builds


def variables(owner: Owner, board: Board, load: Load) -> dict[str, str]:
    """What the processes find in their environment: of what the desk may choose only what was decided for
    this start. The rest is read from its file, and may be chosen anew meanwhile."""
    left = [row.variable for row in CHOICES if row.desk != "box" and row.name in desk.free(owner)]
    found = _variables(owner, board, load)
    return {name: value for name, value in found.items() if name not in left}


def _variables(owner: Owner, board: Board, load: Load) -> dict[str, str]:
    return {
        "LAMPLIGHT_HOME": HOME,
        "LAMPLIGHT_LIBRARY": LIBRARY,
        "LAMPLIGHT_STORE": STORE,
        "LAMPLIGHT_STICKS": f"{RUN}/sticks",
        "LAMPLIGHT_TRUSTED_KEYS": f"{RUN}/{TRUSTED_KEYS}",
        "LAMPLIGHT_DOCUMENTS": owner.documents,
        "LAMPLIGHT_ADMIN_CODE": ADMIN_CODE,
        "LAMPLIGHT_RUNTIME": f"{RUN}/services",
        "LAMPLIGHT_DEVICE": RUN,
        "LAMPLIGHT_READER": READER,
        "LAMPLIGHT_PORTAL": full_name(owner.name),
        "LAMPLIGHT_LEASES": str(Path(LEASES[WIFI]).parent),
        "LAMPLIGHT_LANGUAGE": owner.language,
        "LAMPLIGHT_KIOSK": "yes" if owner.kiosk else "no",
        "LAMPLIGHT_PROFILE": load.profile,
        "LAMPLIGHT_GATE": owner.gate,
        "LAMPLIGHT_MODEL": load.model,
        "LAMPLIGHT_BUNDLE_MODEL": "yes" if owner.model == AUTO else "no",
        "LAMPLIGHT_SEARCH_ONLY": "yes" if load.search_only else "no",
        "LAMPLIGHT_FREE": ",".join(sorted(desk.free(owner))),
        "PYTHONPATH": f"{APP}:{ENGINE}/{DOT_PRODUCT if board.dot_product else GENERIC}",
        "TZ": owner.timezone,
    }


def file(values: Mapping[str, str]) -> str:
    """As systemd reads it (systemd.exec(5), EnvironmentFile=): each value between double quotes."""
    return "".join(f'{name}="{_quoted(value)}"\n' for name, value in values.items())


def _quoted(value: str) -> str:
    return "".join(f"\\{sign}" if sign in '"\\`$' else sign for sign in value)


def with_portal(text: str, name: str) -> str:
    """The same file where the box has another name."""
    line = f'LAMPLIGHT_PORTAL="{_quoted(name)}"'
    return re.sub(r"^LAMPLIGHT_PORTAL=.*$", lambda _found: line, text, flags=re.MULTILINE)
