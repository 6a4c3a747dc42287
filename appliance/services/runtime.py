"""The runtime folder: private sockets, and the notes of the supervisor for the status page.

Sockets lie in a folder that only this user can enter, so that the embedder and the language model
answer nobody else. Leaves starting and watching to `supervise`.
"""

import json
import os
import stat
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from appliance.errors import SetupError
from appliance.settings import SOCKET_PATH_BYTES

AGAIN = "again"  # a file that asks for it


@dataclass(frozen=True, slots=True)
class ServiceState:
    """One process as the status page shows it. `state`: starting, ready, waiting (before a restart),
    stopped (given up) or off; `sentence` says why it is not ready, for a person."""

    name: str
    state: str
    sentence: str = ""
    pid: int = 0
    restarts: int = 0


def prepare(folder: Path) -> None:
    """Makes the folder, mode 0700. Raises SetupError when it belongs to somebody else or cannot be made."""
    hint = "Give another folder with --home, or for this alone with --runtime."
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise SetupError(f"The runtime folder {folder} cannot be made: {error.strerror}.", hint) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise SetupError(f"The runtime folder {folder} is not a folder of this user.", hint)
    folder.chmod(0o700)


def socket_path(folder: Path, name: str) -> Path:
    """Where the process `name` listens. Raises SetupError for a path that no socket can have."""
    path = folder / f"{name}.sock"
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise SetupError(
            f"The socket's path {path} has {len(os.fsencode(path))} bytes; at most {SOCKET_PATH_BYTES} work.",
            "Give a shorter folder with --runtime.",
        )
    return path


def write_states(folder: Path, states: list[ServiceState]) -> bool:
    """Replaces the note for the status page as a whole; False when it cannot be written (a full disk)."""
    beside = folder / "services.json.part"
    try:
        beside.write_text(json.dumps([asdict(state) for state in states]), "utf-8")
        beside.replace(folder / "services.json")
    except OSError:
        return False
    return True


def read_states(folder: Path) -> tuple[ServiceState, ...]:
    """What the supervisor last wrote; on the card, where that is systemd, what each unit noted of its process
    (image/rootfs/usr/lib/lamplight/note). Empty when neither runs here."""
    return _states(folder / "services.json") or tuple(
        state for file in sorted((folder / "states").glob("[a-z]*.json")) for state in _states(file)
    )


def supervised(folder: Path) -> bool:
    """Whether the processes of this folder are watched by a supervisor of ours, now."""
    return bool(_states(folder / "services.json"))


def ask_again(folder: Path) -> None:
    """Asks the supervisor to end all its processes and to start them with the settings of then."""
    (folder / AGAIN).touch()


def asked_again(folder: Path) -> bool:
    """Whether somebody asked since the last look."""
    try:
        (folder / AGAIN).unlink()
    except OSError:
        return False
    return True


def _states(file: Path) -> tuple[ServiceState, ...]:
    try:
        found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
        return tuple(ServiceState(**row) for row in found)
    except (OSError, ValueError, TypeError):
        return ()
