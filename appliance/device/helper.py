"""The helper: does as root what the pages may ask for, over a unix socket, one request at a time.

systemd hands it the socket and starts it with the first caller; after a while without one it ends. It answers
the pages' user and root alone, reads one bounded line, and does nothing that is not in `verbs`. Standard
library alone.
"""

import json
import socket
import struct
import time
from collections.abc import Callable, Collection

from appliance.device.verbs import LONGEST, Verb, parse, refusal
from appliance.errors import LamplightError

FIRST = 3  # the descriptor of the socket that systemd hands over (sd_listen_fds(3))
IDLE = 60.0  # seconds without a caller after which it ends
PATIENCE = 5.0  # seconds for a caller to write its line, and to read the answer
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid of the caller (unix(7), SO_PEERCRED)


def serve(
    listening: socket.socket,
    act: Callable[[Verb], str],
    users: Collection[int],
    idle: float = IDLE,
    patience: float = PATIENCE,
) -> None:
    """Answers until nobody has asked for `idle` seconds; `act` does a verb and gives a sentence."""
    listening.settimeout(idle)
    while True:
        try:
            caller, _ = listening.accept()
        except TimeoutError:
            return
        with caller:
            answer = _answer(caller, act, users, patience)
            caller.settimeout(patience)
            _send(caller, answer)


def _answer(
    caller: socket.socket, act: Callable[[Verb], str], users: Collection[int], patience: float
) -> dict[str, str]:
    try:
        line = _line(caller, patience)
        if _user(caller) not in users:
            raise refusal("it came from another user")
        return {"done": act(parse(line))}
    except LamplightError as error:
        return {"error": str(error), "hint": error.hint}
    except OSError as error:
        return {"error": f"{error.filename or 'The box'}: {error.strerror or error}.", "hint": ""}


def _user(caller: socket.socket) -> int:
    found = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return int(CREDENTIALS.unpack(found)[1])


def _line(caller: socket.socket, patience: float) -> bytes:
    """Up to the end of the line; a caller that writes none in time gets a refusal."""
    found, until = b"", time.monotonic() + patience
    while b"\n" not in found and len(found) <= LONGEST:
        caller.settimeout(max(0.001, until - time.monotonic()))
        try:
            part = caller.recv(LONGEST)
        except TimeoutError as error:
            raise refusal("its line does not end") from error
        if not part:
            break
        found += part
    line, _, rest = found.partition(b"\n")
    if rest:
        raise refusal("it has more than one line")
    return line


def _send(caller: socket.socket, answer: dict[str, str]) -> None:
    try:
        caller.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        return  # the caller has left
