"""What is to be built, and where everything lies. Pure: nothing here touches a disk."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from appliance.device import owner
from appliance.errors import SettingsError

PROJECT = Path(__file__).parent.parent.parent
NO_MODEL = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """One image. `model`: a name of the catalogue, `none`, or empty for the best of the profile pi4 that can
    be had. `country` and `hostname` are empty when lamplight.toml keeps its own. `card` is in 10^9 bytes, as
    printed on cards; `epoch` (seconds since 1970) is the time of every file."""

    home: Path
    dist: Path
    version: str
    epoch: int = 0
    model: str = ""
    bundles: tuple[Path, ...] = ()
    country: str = ""
    hostname: str = ""
    kiosk: bool = False
    card: int = 8
    project: Path = PROJECT

    def __post_init__(self) -> None:
        # As the box will read them: what it refuses there must not get onto a card.
        if self.country and (reason := owner.refusal("country", self.country)):
            raise SettingsError(
                f"--country: {reason}.",
                "For instance FR or KE (ISO 3166): it decides which channels the radio may use.",
            )
        if self.hostname and (reason := owner.refusal("name", self.hostname)):
            raise SettingsError(f"--hostname: {reason}.", "For instance: lamplight-school.")

    @property
    def recipe(self) -> Path:
        return self.project / "image"

    @property
    def lock(self) -> Path:
        """The kiosk's image has packages of its own, so a lock of its own."""
        return self.recipe / ("lock-kiosk.toml" if self.kiosk else "lock.toml")

    @property
    def cache(self) -> Path:
        """Kept from build to build."""
        return self.home / "image"

    @property
    def work(self) -> Path:
        """Made anew by every build."""
        return self.cache / "work"

    @property
    def root(self) -> Path:
        """The card's root, unpacked."""
        return self.work / "root"

    @property
    def boot(self) -> Path:
        """What goes to the FAT partition."""
        return self.work / "boot"

    @property
    def data(self) -> Path:
        """What the data partition holds at first."""
        return self.work / "data"

    @property
    def log(self) -> Path:
        """All output of the programs that the build runs."""
        return self.cache / "build.log"

    @property
    def name(self) -> str:
        return f"lamplight-{self.version}{'-kiosk' if self.kiosk else ''}"

    @property
    def image(self) -> Path:
        return self.dist / f"{self.name}.img"


def key(*parts: bytes | str) -> str:
    """The name under which something made is kept: a digest of everything that it is made from."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:16]


def packages(lists: Iterable[str]) -> list[str]:
    """The names in files like packages.txt, sorted; `#` begins a comment."""
    lines = (line.partition("#")[0].strip() for text in lists for line in text.splitlines())
    return sorted({line for line in lines if line})
