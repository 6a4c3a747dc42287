"""`appliance label`: writes `lamplight-label.pdf` and `.png`."""

from collections.abc import Mapping
from pathlib import Path

from appliance.durable import replace
from appliance.label import NAME
from appliance.label.known import found, unseen
from appliance.label.picture import png
from appliance.label.sheet import pdf
from appliance.log import say
from appliance.settings import Settings


def make(given: Settings, options: Mapping[str, str | None], place: Path | None, to: Path) -> list[Path]:
    """The files that were written. `options` may have network, passphrase, name; `place` is the folder of a
    card. Raises LabelError when something is missing or cannot be printed."""
    facts = found(given, options, place)
    if unseen(facts.passphrase):
        say("The passphrase has spaces at an end or side by side: print does not show them.")
    sheet = pdf(facts)
    files = {f"{NAME}.pdf": sheet, f"{NAME}.png": png(sheet)}
    to.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        replace(to / name, content)
    return [to / name for name in files]
