"""Waits until the pages answer through nginx: the access point opens only then. Standard library alone."""

import time
from collections.abc import Callable

from appliance.errors import DeviceError
from appliance.services.probe import answers

PATIENCE = 600.0  # seconds; a slow card under a busy first start
PAUSE = 0.5


def pages_answer() -> bool:
    """Whether the start page comes through nginx."""
    return answers(("127.0.0.1", 80), "/")


def wait(ask: Callable[[], bool], patience: float = PATIENCE, pause: float = PAUSE) -> None:
    """Raises DeviceError when the answer is no for `patience` seconds."""
    until = time.monotonic() + patience
    while not ask():
        if time.monotonic() > until:
            raise DeviceError(
                f"The pages did not answer in {patience:.0f} s; the network stays closed.",
                "The journal says why (journalctl -u lamplight-web).",
            )
        time.sleep(pause)
