"""Asking the helper, from the pages' process. Standard library alone."""

import json
import socket
from pathlib import Path

from appliance.device.verbs import LONGEST, Verb, request
from appliance.errors import DeviceError, ServiceDown

SOCKET = "helper.sock"
PATIENCE = 30.0  # seconds; the helper may have to be started, on a busy board


def ask(run: Path, verb: Verb) -> str:
    """What the helper did, as a sentence; `run` is the setting `device`. Raises DeviceError with its refusal,
    ServiceDown when it does not answer."""
    try:
        with socket.socket(socket.AF_UNIX) as helper:
            helper.settimeout(PATIENCE)
            helper.connect(str(run / SOCKET))
            helper.sendall(request(verb))
            with helper.makefile("rb") as answers:
                answer = json.loads(answers.readline(LONGEST))
    except (OSError, ValueError) as error:
        raise ServiceDown(f"The box's helper does not answer: {error}.", "Start the box again.") from error
    if "error" in answer:
        raise DeviceError(answer["error"], answer.get("hint", ""))
    return str(answer["done"])
