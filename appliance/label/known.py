"""What a label must say, from wherever it is known.

What is given on the command line comes first. Then, on a box, what this start made of its settings;
elsewhere the first partition of a box's card, as any computer shows it: `lamplight.toml`, and
`lamplight-box.txt` for a passphrase that the box made.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from appliance.device import card, owner, ownerfile
from appliance.device.box import read_box
from appliance.device.owner import Owner
from appliance.device.radio import refusal
from appliance.errors import LabelError
from appliance.label.facts import Facts
from appliance.settings import Settings

MADE = re.compile(r"^Passphrase:\s+([a-z0-9]{4}(?:-[a-z0-9]{4})+)\s*$", re.MULTILINE)


def unseen(passphrase: str) -> bool:
    """Whether it has spaces that print does not show."""
    return passphrase != passphrase.strip() or "  " in passphrase


def found(given: Settings, options: Mapping[str, str | None], place: Path | None) -> Facts:
    """What the label says, from wherever it is known."""
    known: dict[str, str] = {}
    if place is not None:
        known = of_card(place)
    elif given.device and (box := read_box(Path(given.device))):
        known = {
            "network": box.ssid,
            "passphrase": box.passphrase,
            "name": box.name,
            "language": box.language,
        }
    known |= {name: value for name, value in options.items() if value is not None}
    if "network" not in known:
        raise LabelError(
            "It is not known which network the label is for.",
            "Give --card FOLDER (the first partition of a box's card), or --network and --passphrase.",
        )
    if "passphrase" not in known:
        raise LabelError(
            f"The passphrase of {known['network']} is not known.",
            'Give it with --passphrase; for an open network --passphrase "".',
        )
    if known["passphrase"] and (reason := refusal(known["passphrase"])):
        raise LabelError(f"This is no passphrase of a Wi-Fi network: {reason}.", "Give the one in use.")
    for setting, value, what in (("ssid", known["network"], "network"), ("name", known.get("name"), "box")):
        if value is not None and (reason := owner.refusal(setting, value)):
            raise LabelError(f"This is no name of a {what}: {reason}.", "Give the one in use.")
    defaults = {"name": owner.DEFAULT.name, "language": given.language}
    return Facts(**{**defaults, **known})


def of_card(place: Path) -> dict[str, str]:
    """What a card's first partition says; without `passphrase` where only the box knows it."""
    try:
        settings = ownerfile.parse((place / card.SETTINGS).read_bytes())
    except OSError as error:
        raise LabelError(
            f"{place / card.SETTINGS} cannot be read: {error.strerror}.",
            "Give the folder in which the first partition of the card is seen.",
        ) from error
    if not isinstance(settings, Owner):
        raise LabelError(f"{card.SETTINGS} cannot be used. {settings[0]}", "Correct it, then make the label.")
    known = {"network": settings.ssid, "name": settings.name, "language": settings.language}
    if settings.open_network or settings.passphrase:
        return known | {"passphrase": settings.passphrase}
    told = (place / card.BOX).read_text("utf-8", "replace") if (place / card.BOX).is_file() else ""
    made = MADE.search(told.replace("\r\n", "\n"))
    return known | ({"passphrase": made[1]} if made else {})
