"""The first start: the data partition over the whole card, its folders, the box's secrets. Every start looks
again, and does what is missing. A box whose data partition is lost starts too, with what it needs in memory.
Runs as root, after /data is mounted; standard library alone."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from appliance import durable
from appliance.device import grow, keys, problems
from appliance.device.problems import Problem
from appliance.errors import LamplightError

LABEL = Path("/dev/disk/by-label/lamp-data")
MODELS = Path("/opt/lamplight/models")
TAKEN_OVER = (keys.FOLDER, "settings")  # where data that cannot be written may still be read
LOST = "What is set up now is lost when the box stops."
AGAIN = "Write the image again, onto another card if this one is old."


def first_boot(
    data: Path,
    run: Path,
    user: int,
    group: int,
    label: Path = LABEL,
    larger: Callable[[Path], object] = grow.grow,
) -> tuple[Problem, ...]:
    """Gives what is wrong; the status page gets it too. `user` and `group` are those of the pages; `larger`
    grows the partition at `label`. Raises OSError when /run cannot be written."""
    found = tuple(_look(data, run, label, larger))
    kept = lasting(data, run)
    prepare(kept, user, group)
    keys.keep(kept, group)
    problems.write(run, "firstboot", found)
    return found


def _look(data: Path, run: Path, label: Path, larger: Callable[[Path], object]) -> Iterator[Problem]:
    if not label.exists():
        yield Problem("box", "Data", f"The card has no data partition. {LOST}", AGAIN)
    elif not data.is_mount():
        yield Problem("box", "Data", f"The data partition cannot be used. {LOST}", AGAIN)
    elif lasting(data, run) != data:
        yield Problem("box", "Data", f"The data partition cannot be written. {LOST}", AGAIN)
    else:
        try:
            larger(label)
        except LamplightError as error:
            yield Problem("box", "Data", str(error), error.hint)
        except OSError as error:
            yield Problem("box", "Data", f"It stays as small as it is: {error}.", "Start the box again.")


def lasting(data: Path, run: Path) -> Path:
    """Where things are kept: the data partition, or a folder in memory when that cannot be written. What can
    be read of it is taken over: phones know the network's passphrase, and the label has it."""
    probe = data / ".probe"
    try:
        durable.replace(probe, b"")
        probe.unlink()
    except OSError:
        instead = run / "data"
        instead.mkdir(mode=0o755, exist_ok=True)
        for name in TAKEN_OVER:
            if not (instead / name).exists():
                with suppress(OSError):  # what cannot be read is made anew
                    shutil.copytree(data / name, instead / name)
        return instead
    return data


def prepare(data: Path, user: int, group: int, models: Path = MODELS) -> None:
    """The folders of the data partition, and the way to the models, which lie on the system's."""
    for name in ("home", "bundles"):
        (data / name).mkdir(mode=0o750, exist_ok=True)
        os.chown(data / name, user, group)
    link = data / "home" / "models"
    if not link.is_symlink() and not link.exists():
        link.symlink_to(models)
