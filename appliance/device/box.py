"""What this start made of the owner's settings and the board: `lamplight-settings` writes it, the pages and
the box's own screen read it. Not for other users, since it has the passphrase. Standard library alone."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance import durable
from appliance.device import files
from appliance.device.owner import DEFAULT

FILE = "box.json"


@dataclass(frozen=True, slots=True)
class Box:
    """`passphrase` "" means an open network; `model` "" search only, and `less` says why it is less than was
    asked for; `settings` where they are from: card, kept (the last good ones) or default."""

    name: str
    address: str
    language: str
    ssid: str
    passphrase: str
    phones: int
    ethernet: str
    kiosk: bool
    board: str
    memory_mb: int
    model: str
    less: str
    settings: str
    country: str = DEFAULT.country
    band: str = DEFAULT.band
    channel: int = DEFAULT.channel


def write_box(run: Path, box: Box, group: int) -> None:
    """`group` may read it. Raises OSError."""
    durable.replace(run / FILE, json.dumps(asdict(box)).encode(), 0o640, group)


def read_box(run: Path) -> Box | None:
    """None when it was not written, or not by this version."""
    try:
        return Box(**json.loads(files.read(run / FILE) or b""))
    except (ValueError, TypeError):
        return None
