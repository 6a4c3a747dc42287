"""Asking the helper, from the pages' process. Standard library alone."""

import json
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from appliance.device.problems import Problem
from appliance.device.verbs import LONGEST, MOST_PROBLEMS, TEXT, Report, Verb, request
from appliance.errors import DeviceError, ServiceDown
from appliance.records import Check

SOCKET = "helper.sock"
SILENT, AGAIN = "The box's helper does not answer: {why}.", "Start the box again."
PATIENCE = 30.0  # seconds; the helper may have to be started, on a busy board


def tell(run: Path, wrong: Sequence[Check]) -> None:
    """Has the helper write onto the card what is wrong with the library, in the background: the pages do not
    wait for it, and start without a helper too."""
    found = tuple(
        Problem("box", *(_plain(text) for text in (check.name, check.sentence or check.state, check.remedy)))
        for check in wrong[:MOST_PROBLEMS]
    )

    def told() -> None:
        with suppress(ServiceDown, DeviceError):
            ask(run, Report(found))

    threading.Thread(target=told, daemon=True, name="tell-card").start()


def _plain(text: str) -> str:
    """What the helper takes: one line, not too long."""
    return "".join(sign if sign.isprintable() else " " for sign in text)[:TEXT]


def ask(run: Path, verb: Verb, patience: float = PATIENCE) -> str:
    """What the helper did, as a sentence; `run` is the setting `device`. Raises DeviceError with its refusal,
    ServiceDown when it does not answer within `patience` seconds."""
    try:
        with socket.socket(socket.AF_UNIX) as helper:
            helper.settimeout(patience)
            helper.connect(str(run / SOCKET))
            helper.sendall(request(verb))
            with helper.makefile("rb") as answers:
                answer = json.loads(answers.readline(LONGEST))
    except (OSError, ValueError) as error:
        raise ServiceDown(SILENT.format(why=error), AGAIN) from error
    if "error" in answer:
        raise DeviceError(answer["error"], answer.get("hint", ""))
    return str(answer["done"])
