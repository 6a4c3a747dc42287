"""One child process: started in a group of its own, ended with all that it started, quoted in a sentence.

Should this process be killed outright, the kernel ends its children (prctl(2), PR_SET_PDEATHSIG). Leaves to
`supervise` when to start and when to end.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

from appliance.errors import SetupError

CHATTER = (  # what a line has that tells of nothing wrong
    "No stemming for language",  # of libzim, about some archives at each search
    "control-looking token",  # of llama.cpp, about some models at each start
)


def spawn(
    command: Sequence[str], environment: Mapping[str, str], log: Path | None, append: bool = False
) -> subprocess.Popen[bytes]:
    """Starts a process in a group of its own that the kernel ends together with this one. What it says on
    stderr goes to `log` (None: to our own; nowhere when the log cannot be opened, as on a full disk); stdout
    is dropped, since kiwix-serve prints addresses there."""
    guard = shutil.which("setpriv")
    if guard is None:
        raise SetupError("The program setpriv is missing; it ties processes together.", "Install util-linux.")
    with _opened(log, append) if log else nullcontext() as stderr:
        return subprocess.Popen(
            [guard, "--pdeathsig", "KILL", "--", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=dict(environment),
            process_group=0,
        )


def _opened(log: Path, append: bool) -> BinaryIO:
    try:
        return log.open("ab" if append else "wb")
    except OSError:
        return open(os.devnull, "wb")


def ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended. It stays a zombie until `end`, so that its number still means its group."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end(processes: Sequence[subprocess.Popen[bytes]], patience: float) -> None:
    """Asks the groups of these processes to end; after `patience` seconds in all, ends them."""
    running = [process for process in processes if process.returncode is None]
    for process in running:
        _signal(process, signal.SIGTERM)
    until = time.monotonic() + patience
    while time.monotonic() < until and not all(ended(process) for process in running):
        time.sleep(0.02)
    for process in running:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the whole group, which may outlive the process that led it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def exit_words(code: int) -> str:
    """How a process ended, by its return code."""
    if code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def last_words(log: Path) -> str:
    """The end of what a process wrote into its log, as a sentence; "" when it wrote nothing of its own."""
    try:
        lines = log.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    lines = [line for line in lines if not any(chatter in line for chatter in CHATTER)]
    return f"It said last: {' '.join(lines[-2:])}" if lines else ""
