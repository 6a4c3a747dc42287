"""image/lock.toml: every outside input of the image, as it was when the lock was written.

Debian's mirrors keep only the newest version of a package. So the lock pins: apt takes exactly the locked
version where the mirror still has it. Where it has not, the newer one is taken (signed by Debian as ever)
and said by name; with `--locked` the build ends there. Wheels are pinned by requirements*.lock, models by
models/catalogue.toml, the texts of the starter library by bundles/starter.toml; nothing of that is repeated.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from appliance.errors import SetupError

SNAPSHOT = "%Y%m%dT%H%M%SZ"
_FIELD = re.compile(r"^(Package|Version|Architecture|Size|SHA256): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Package:
    """One Debian package: `bytes` and `sha256` are those of its .deb file."""

    name: str
    version: str
    architecture: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Lock:
    """`epoch`: time of every file, in seconds since 1970, never in a box's future. `snapshot`: when the lock
    was written. `sizes`: bytes that each part took in the root then."""

    epoch: int
    suite: str
    snapshot: str
    sizes: Mapping[str, int]
    packages: Mapping[str, Package]


def read(file: Path) -> Lock:
    """Raises SetupError when the file is not what `written` gives."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        debian = found["debian"]
        packages = {name: Package(name, **row) for name, row in debian["packages"].items()}
        return Lock(found["epoch"], debian["suite"], debian["snapshot"], found["sizes"], packages)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(
            f"The lock {file} cannot be read: {error!r}.", "`git checkout` brings it back as it was."
        ) from error


def seconds(snapshot: str) -> int:
    """The time of a snapshot in seconds since 1970."""
    return int(datetime.strptime(snapshot, SNAPSHOT).replace(tzinfo=UTC).timestamp())


def written(lock: Lock) -> str:
    """The lock as text; `read` gives the same lock from it."""
    sizes = "\n".join(f"{name} = {count:_}" for name, count in sorted(lock.sizes.items()))
    rows = "\n".join(_row(lock.packages[name]) for name in sorted(lock.packages))
    return f"""\
# Every outside input of the card's image; `./build.sh image --update-lock` writes this file.
# Wheels: requirements.lock and requirements-model.lock, with hashes. Models: models/catalogue.toml.
# The texts of the starter library: bundles/starter.toml.

epoch = {lock.epoch} # the time of every file of the image, in seconds since 1970

[sizes] # bytes in the root, for the sum that is made before anything is fetched
{sizes}

[debian] # raspi-firmware is fetched and unpacked, not installed
suite = "{lock.suite}"
snapshot = "{lock.snapshot}" # a mirror of this time (DEBIAN_MIRROR) has all of them

[debian.packages]
{rows}
"""


def _row(package: Package) -> str:
    fields = f'version = "{package.version}", architecture = "{package.architecture}"'
    return f'"{package.name}" = {{ {fields}, bytes = {package.bytes:_}, sha256 = "{package.sha256}" }}'


def recorded(text: str) -> dict[str, Package]:
    """What apt says about the packages of a root, paragraphs as `apt-cache show` prints them.

    Raises SetupError for a paragraph that lacks a field.
    """
    packages = {}
    for paragraph in filter(str.strip, text.split("\n\n")):
        field: dict[str, Any] = dict(_FIELD.findall(paragraph))
        try:
            name, version, size = field["Package"], field["Version"], int(field["Size"])
            packages[name] = Package(name, version, field["Architecture"], size, field["SHA256"])
        except KeyError as error:
            raise SetupError(f"apt says nothing of {error} in: {paragraph[:80]!r}.") from error
    return packages


def preferences(packages: Iterable[Package]) -> str:
    """apt_preferences(5) that take the locked version wherever the mirror has it, over any other."""
    row = "Package: {0.name}\nPin: version {0.version}\nPin-Priority: 1001\n"
    return "\n".join(row.format(package) for package in sorted(packages, key=lambda package: package.name))


def differences(locked: Mapping[str, Package], found: Mapping[str, Package]) -> list[str]:
    """A line for each package that is not as locked; empty when all are."""
    lines = []
    for name in sorted(locked.keys() | found.keys()):
        before, now = locked.get(name), found.get(name)
        if before is None or now is None:
            lines.append(f"{name} is {'not in the lock' if now else 'not in the image'}")
        elif before.version != now.version:
            lines.append(f"{name}: {now.version}, locked is {before.version}")
        elif before.sha256 != now.sha256:
            lines.append(f"{name} {now.version}: SHA-256 {now.sha256}, locked is {before.sha256}")
    return lines
