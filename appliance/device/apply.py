"""From the owner's file to the files of this start: what `lamplight-settings` does before any network is.

Reads the card and what the desk has chosen, decides, renders everything into /run, keeps good settings on
the data partition, and tells what is wrong on the console, to the status page and on the card. Runs as root;
standard library alone.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from appliance import durable, models, settings
from appliance.device import card, desk, environment, files, hotspot, keys, names, network, problems
from appliance.device.board import Board, Load, load
from appliance.device.box import Box, write_box
from appliance.device.firstboot import lasting
from appliance.device.keys import Keys
from appliance.device.owner import AUTO
from appliance.device.ownerfile import Decision, decide
from appliance.device.problems import Problem

KEPT = "settings/lamplight.toml"
HOME = "home"  # of the pages
BUNDLED = "bundles/current/models"  # of the bundle in use
KIOSK = "kiosk"  # there when the box's own screen is to show the library (lamplight-kiosk.service)
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
class Applied:
    """What a start came to, for the console; `about` is the text of card.BOX, without the owner's secrets."""

    box: Box
    problems: tuple[Problem, ...]
    about: str


def apply(places: Places, board: Board, group: int) -> Applied:
    """Renders this start's files; `group` is that of the pages. Raises OSError when /run cannot be
    written."""
    data = lasting(places.data, places.run)
    content = card.settings(places.card)
    decision = decide(
        content,
        files.read(data / KEPT),
        lambda name: (places.zones / name).is_file(),
    )
    chosen = settings.choices(places.data / HOME).values
    decision = replace(decision, owner=desk.with_choices(decision.owner, chosen))
    made = keys.keep(data, group, decision.owner.new_admin_code)
    # Whoever names a model means one of the card's own.
    bundled = _here(places.data / BUNDLED) if decision.owner.model == AUTO else []
    here = {*_here(places.models), *bundled}
    loaded = load(board, decision.owner, models.catalogue(), here, bundled)
    box = _box(decision, made, board, loaded)
    _render(places, decision, box, board, loaded)
    write_box(places.run, box, group)
    unkept = _keep(content, data) if decision.source == "card" else ()
    about = card.about(box.ssid, box.address, *_secrets(decision, made))
    return Applied(box, _tell(places, decision, unkept, about), about.decode())


def _here(folder: Path) -> list[str]:
    """Models whose file lies here whole, in the catalogue's order."""
    found = models.catalogue().files.values()
    return [
        model.name
        for model in found
        if (file := folder / model.file).is_file() and file.stat().st_size == model.bytes
    ]


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
        country=owner.country,
        band=owner.band,
        channel=owner.channel,
    )


def _render(places: Places, decision: Decision, box: Box, board: Board, chosen: Load) -> None:
    owner = decision.owner
    places.networks.mkdir(parents=True, exist_ok=True)
    written = environment.file(environment.variables(owner, board, chosen))
    durable.replace(places.run / "environment", written.encode())
    durable.replace(places.run / "hostapd.conf", hotspot.hostapd(owner, box.passphrase).encode(), 0o600)
    if usual := hotspot.usual(owner):
        durable.replace(
            places.run / "hostapd-usual.conf", hotspot.hostapd(usual, box.passphrase).encode(), 0o600
        )
    served = (network.WIFI, network.CABLE) if owner.ethernet == "serve" else (network.WIFI,)
    for interface in served:
        durable.replace(places.run / f"dnsmasq-{interface}.conf", names.dnsmasq(interface).encode())
    durable.replace(places.networks / "20-lamplight-cable.network", network.cable(owner.ethernet).encode())
    durable.replace(places.run / environment.TRUSTED_KEYS, f"{owner.trusted_keys.strip()}\n".encode())
    if owner.kiosk:
        durable.replace(places.run / KIOSK, b"")
    else:
        (places.run / KIOSK).unlink(missing_ok=True)


def _keep(good: bytes | None, data: Path) -> tuple[Problem, ...]:
    """Good settings for the starts to come; what is wrong where they cannot be written, since the box opens
    its network today all the same."""
    if good is None or good == files.read(data / KEPT):
        return ()
    try:
        (data / KEPT).parent.mkdir(parents=True, exist_ok=True)
        durable.replace(data / KEPT, good, 0o600)
    except OSError as error:
        sentence = f"The settings of this start cannot be kept for later ones: {error.strerror}."
        return (Problem("box", "Data", sentence, "Remove what is no longer needed."),)
    return ()


def _tell(
    places: Places, decision: Decision, unkept: tuple[Problem, ...], about: bytes
) -> tuple[Problem, ...]:
    """To the status page and onto the card; gives everything that is wrong."""
    found = list(decision.problems)
    if found:
        found.append(Problem("file", card.SETTINGS, INSTEAD[decision.source]))
    problems.write(places.run, "settings", [*found, *unkept])
    everything = problems.read(places.run)
    try:
        card.write(places.card, card.PROBLEMS, card.told(everything) if everything else None)
        card.write(places.card, card.BOX, about)
    except OSError as error:
        sentence = f"The card's first partition cannot be written: {error.strerror}."
        problems.write(places.run, "card", [Problem("box", "Card", sentence)])
    return problems.read(places.run)


def _secrets(decision: Decision, made: Keys) -> tuple[str, str]:
    """What to say of the passphrase, and the admin's first code."""
    if decision.owner.open_network:
        return "none, anyone may join", made.admin_code
    return ("as lamplight.toml says" if decision.owner.passphrase else made.wifi_passphrase), made.admin_code
