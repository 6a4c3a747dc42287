"""The first start: the data partition over the whole card, its folders, the box's secrets. Every start looks
again, and does what is missing. Runs as root, after /data is mounted; standard library alone."""

import os
from pathlib import Path

from appliance.device import grow, keys, problems
from appliance.device.problems import Problem
from appliance.errors import DeviceError

LABEL = Path("/dev/disk/by-label/lamp-data")
MODELS = Path("/opt/lamplight/models")
LOST = "What is set up now is lost when the box stops."


def first_boot(data: Path, run: Path, user: int, group: int, label: Path = LABEL) -> tuple[Problem, ...]:
    """Gives what is wrong, which the status page gets too. `user` and `group` are those of the pages."""
    found: list[Problem] = []
    if not label.exists():
        found.append(
            Problem("box", "Data", f"The card has no data partition. {LOST}", "Write the image again.")
        )
    elif not data.is_mount():
        found.append(
            Problem("box", "Data", f"The data partition cannot be used. {LOST}", "Write the image again.")
        )
    else:
        try:
            grow.grow(label)
        except (DeviceError, OSError) as error:
            found.append(Problem("box", "Data", str(error), getattr(error, "hint", "")))
    prepare(data, user, group)
    keys.keep(data, group)
    problems.write(run, "firstboot", found)
    return tuple(found)


def prepare(data: Path, user: int, group: int, models: Path = MODELS) -> None:
    """The folders of the data partition, and the way to the models, which lie on the system's."""
    for name in ("home", "bundles"):
        (data / name).mkdir(mode=0o750, exist_ok=True)
        os.chown(data / name, user, group)
    link = data / "home" / "models"
    if not link.is_symlink() and not link.exists():
        link.symlink_to(models)
