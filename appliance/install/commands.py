"""Runs a program for the set-up: its output goes to a log and, line by line, to a step's progress.

The program gets a process group of its own, which ends with us, whatever ends us.
"""

import os
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from appliance.errors import SetupError
from appliance.log import Step

OnLine = Callable[[str], None]

_NO_NETWORK = re.compile(
    r"Temporary failure in name resolution|Name or service not known|NewConnectionError|ConnectTimeout"
    r"|Network is unreachable|Failed to establish a new connection|No address associated"
)


def run(
    command: Sequence[str], what: str, log: Path, on_line: OnLine | None = None, **variables: str
) -> None:
    """Runs `command` to its end. Raises SetupError, with its own words, when it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    with (
        log.open("a", encoding="utf-8") as out,
        subprocess.Popen(
            command,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process,
        ExitStack() as interrupted,
    ):
        interrupted.callback(os.killpg, process.pid, signal.SIGTERM)  # nothing may go on working behind it
        for line in process.stdout or ():
            out.write(line)
            lines.append(line.strip())
            if on_line:
                on_line(line)
        process.wait()
        interrupted.pop_all()
    if process.returncode:
        raise _failed(what, lines, log)


def _failed(what: str, lines: Sequence[str], log: Path) -> SetupError:
    if any(_NO_NETWORK.search(line) for line in lines):
        return SetupError(
            f"{what} could not be fetched: the network does not answer.",
            "The network is needed for the set-up only. Start again when it is there: what is done is kept.",
        )
    if any("CERTIFICATE_VERIFY_FAILED" in line for line in lines):
        return SetupError(
            f"{what} could not be fetched: the certificate of the package index is not trusted here.",
            "Behind a proxy with a certificate of its own, name that file in PIP_CERT.",
        )
    said = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")]
    last = "; ".join(said or [line for line in lines if line][-1:])
    return SetupError(f"{what} could not be put in place: {last}", f"All of its output is in {log}.")


def counting(step: Step, pattern: str) -> OnLine:
    """Advances a step by one for each line that begins with `pattern`."""
    begins = re.compile(pattern)
    return lambda line: step.advance() if begins.match(line) else None


def ninja(step: Step) -> OnLine:
    """Reads `[12/340]` at the head of ninja's lines as progress and total."""

    def read(line: str) -> None:
        if found := re.match(r"\s*\[(\d+)/(\d+)\] ", line):
            done, total = map(float, found.groups())
            if step.total is None:
                step.total = total
            step.advance(max(0.0, done - step.done))

    return read
