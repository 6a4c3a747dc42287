"""Writing to a stick: on a box it is mounted for reading, and only root changes that, so the helper is asked
to open it and to close it again. Elsewhere it is as whoever mounted it wanted it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.bundles import mounts
from appliance.device import client
from appliance.device.actions import CLOSED
from appliance.device.verbs import DEVICE, CloseStick, OpenStick
from appliance.errors import BundleError, LamplightError

PATIENCE = 200.0  # seconds: what is on its way to a slow stick is written out first
AGAIN = "Plug the stick in again."


def read_only(stick: Path) -> bool:
    """Whether a stick is mounted for reading alone."""
    return bool(os.statvfs(stick).f_flag & os.ST_RDONLY)


@contextmanager
def writable(run: str, stick: Path, read_only: Callable[[Path], bool] = read_only) -> Iterator[None]:
    """The stick may be written to while this lasts; `run` is the setting `device`, "" where there is no
    helper. At its end everything is on the stick, and it can be pulled out. Raises BundleError, DeviceError
    or ServiceDown when it cannot be opened, BundleError when it cannot be closed."""
    if not run:
        yield
        return
    device = _device(stick)
    name = mounts.label_of(stick)
    written = False
    try:
        client.ask(Path(run), OpenStick(device), PATIENCE)
        if read_only(stick):
            raise BundleError(f"The stick {name} cannot be written to.", CLOSED)
        yield
        written = True
    finally:
        closed = _close(Path(run), device) and read_only(stick)
        if written and not closed:  # else what went wrong before is told
            raise BundleError(f"The stick {name} was written to, but not closed.", "Write it again.")


def _close(run: Path, device: str) -> bool:
    try:
        client.ask(run, CloseStick(device), PATIENCE)
    except LamplightError:
        return False
    return True


def _device(stick: Path) -> str:
    """What the kernel calls the stick that is mounted here: a hidden file for each device, beside the sticks'
    folders, has its folder's name. Raises BundleError when there is none."""
    for note in stick.parent.iterdir():
        device = note.name.removeprefix(".")
        if note.name.startswith(".") and DEVICE.fullmatch(device) and _text(note) == stick.name:
            return device
    raise BundleError(f"The stick {mounts.label_of(stick)} is no longer there.", AGAIN)


def _text(note: Path) -> str:
    try:
        return note.read_text("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError):
        return ""
