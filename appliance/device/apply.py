"""From the owner's file to the files of this start: what `lamplight-settings` does before any network is.

Reads the card, decides, renders everything into /run, keeps good settings on the data partition, and tells
what is wrong on the console, to the status page and on the card. Runs as root; standard library alone.
"""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance import models
from appliance.device import card, environment, files, hotspot, keys, names, network, problems
from appliance.device.board import Board, Load, load
from appliance.device.keys import Keys
from appliance.device.owner import Decision, decide
from appliance.device.problems import Problem

KEPT, BOX = "settings/lamplight.toml", "box.json"
INSTEAD = {
    "kept": "The last good settings are in force.",
    "default": "The box's own settings are in force: the network Lamplight, with the passphrase in "
    + card.BOX,
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything lies on the device."""

    card: Path = card.PLACE
    data: Path = Path("/data")
    run: Path = Path(environment.RUN)
    networks: Path = Path("/run/systemd/network")
    models: Path = Path("/opt/lamplight/models")
    zones: Path = Path("/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True)
class Box:
    """What the pages, the label and the screen may know of this start (run/box.json; not for other users,
    since it has the passphrase)."""

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


def apply(places: Places, board: Board, group: int) -> tuple[Box, tuple[Problem, ...]]:
    """Renders this start's files; `group` is that of the pages. Gives what was made of it, for the console.
    Raises OSError when /run or the data partition cannot be written."""
    decision = decide(
        files.read(places.card / card.SETTINGS),
        files.read(places.data / KEPT),
        lambda name: (places.zones / name).is_file(),
    )
    made = keys.keep(places.data, group)
    chosen = load(board, decision.owner, models.catalogue(), _here(places.models))
    box = _box(decision, made, board, chosen)
    _render(places, decision, box, board, chosen)
    files.replace(places.run / BOX, json.dumps(asdict(box)).encode(), 0o640, group)
    if decision.source == "card":
        _keep(places)
    return box, _tell(places, decision, box, made)


def _here(folder: Path) -> Collection[str]:
    """Models whose file lies here whole."""
    found = models.catalogue().files.values()
    return {
        model.name
        for model in found
        if (file := folder / model.file).is_file() and file.stat().st_size == model.bytes
    }


def _box(decision: Decision, made: Keys, board: Board, chosen: Load) -> Box:
    owner = decision.owner
    return Box(
        name=owner.name,
        address=f"http://{network.full_name(owner.name)}/",
        language=owner.language,
        ssid=owner.ssid,
        passphrase="" if owner.open_network else owner.passphrase or made.wifi_passphrase,
        phones=hotspot.phones(owner, hotspot.RADIO_CARRIES),
        ethernet=owner.ethernet,
        kiosk=owner.kiosk,
        board=board.name,
        memory_mb=board.memory_mb,
        model=chosen.model,
        less=chosen.sentence,
        settings=decision.source,
    )


def _render(places: Places, decision: Decision, box: Box, board: Board, chosen: Load) -> None:
    owner = decision.owner
    places.networks.mkdir(parents=True, exist_ok=True)
    written = environment.file(environment.variables(owner, board, chosen))
    files.replace(places.run / "environment", written.encode())
    files.replace(places.run / "hostapd.conf", hotspot.hostapd(owner, box.passphrase).encode(), 0o600)
    for interface in (network.WIFI, network.CABLE):
        files.replace(places.run / f"dnsmasq-{interface}.conf", names.dnsmasq(interface).encode())
    files.replace(places.networks / "20-lamplight-cable.network", network.cable(owner.ethernet).encode())


def _keep(places: Places) -> None:
    good = files.read(places.card / card.SETTINGS)
    if good is not None and good != files.read(places.data / KEPT):
        (places.data / KEPT).parent.mkdir(parents=True, exist_ok=True)
        files.replace(places.data / KEPT, good, 0o600)


def _tell(places: Places, decision: Decision, box: Box, made: Keys) -> tuple[Problem, ...]:
    """To the status page and onto the card; gives everything that is wrong."""
    found = list(decision.problems)
    if found:
        found.append(Problem("file", card.SETTINGS, INSTEAD[decision.source]))
    problems.write(places.run, "settings", found)
    everything = problems.read(places.run)
    try:
        card.write(places.card, card.PROBLEMS, card.told(everything) if everything else None)
        card.write(places.card, card.BOX, card.about(box.ssid, box.address, *_secrets(decision, made)))
    except OSError as error:
        sentence = f"The card's first partition cannot be written: {error.strerror}."
        problems.write(places.run, "card", [Problem("box", "Card", sentence)])
    return problems.read(places.run)


def _secrets(decision: Decision, made: Keys) -> tuple[str, str]:
    """The passphrase if the box made it, and the admin's first code."""
    owner = decision.owner
    return "" if owner.open_network or owner.passphrase else made.wifi_passphrase, made.admin_code
