"""The product, running: `appliance run` as a user starts it, for measurements and end-to-end tests."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from appliance import settings as table
from appliance.errors import SetupError
from appliance.services import runtime
from appliance.services.run import free_port
from appliance.services.runtime import ServiceState
from appliance.settings import Settings


@dataclass(frozen=True)
class Box:
    """A box that answers: its `settings`, the supervisor's `process`, a client for its pages, and how many
    seconds passed until it said so."""

    settings: Settings
    process: subprocess.Popen[str]
    http: httpx.Client
    seconds: float

    def states(self) -> Mapping[str, ServiceState]:
        return {state.name: state for state in runtime.read_states(self.settings.runtime)}


@contextmanager
def running(given: Settings, patience: float = 120.0, before: tuple[str, ...] = ()) -> Iterator[Box]:
    """Starts a box on a free port and ends it like Ctrl-C does. `before`: a command that starts ours.
    Raises SetupError when it does not get ready within `patience` seconds."""
    given = replace(given, port=free_port(), reader="")
    began = time.monotonic()
    process = subprocess.Popen(
        [*before, sys.executable, "-m", "appliance", "run"],
        env={**os.environ, **table.environment(given)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _await_word(process, patience)
        seconds = time.monotonic() - began
        address = f"http://127.0.0.1:{given.port}"
        with httpx.Client(base_url=address, timeout=60, trust_env=False) as http:
            yield Box(given, process, http, seconds)
    finally:
        end(process)


def end(process: subprocess.Popen[str]) -> int:
    """Like Ctrl-C, once; gives the exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return process.returncode


def memory(pid: int) -> tuple[float, float]:
    """(PSS, RSS) of a process in MB; PSS counts a page shared by n processes as 1/n (proc(5))."""
    rows = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines())
    kilobytes = {row[0]: int(row[1]) for row in rows if row[0] in ("Pss:", "Rss:")}
    return kilobytes["Pss:"] / 1024, kilobytes["Rss:"] / 1024


def _await_word(process: subprocess.Popen[str], patience: float) -> None:
    """Reads what the box says until it is ready; ends it after `patience` seconds."""
    said = []
    late = threading.Timer(patience, process.terminate)
    late.start()
    try:
        for line in process.stderr or ():
            said.append(line)
            if "Lamplight is ready" in line:
                return
    finally:
        late.cancel()
    raise SetupError(f"The box did not get ready. It said: {''.join(said[-5:])}")
