"""Programs of the set-up: progress from their output, errors in their own words, nothing left running."""

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from appliance.errors import SetupError
from appliance.install.commands import counting, ninja, run
from appliance.log import Step

pytestmark = pytest.mark.slow


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def a_step() -> Step:
    return Step("testing", None, "parts", io.StringIO())


def test_output_goes_to_the_log_and_to_the_progress(tmp_path: Path) -> None:
    step = a_step()
    run(
        python("print('Collecting a'); print('other'); print('Collecting b')"),
        "It",
        tmp_path / "log",
        counting(step, "Collecting "),
    )
    assert step.done == 2
    assert (tmp_path / "log").read_text() == "Collecting a\nother\nCollecting b\n"


def test_ninja_lines_give_progress_and_total() -> None:
    step = a_step()
    read = ninja(step)
    for line in ("  -- configuring", "  [1/140] cc a.c", "  [17/140] cc b.c", "  [12/140] cc late.c"):
        read(line)
    assert (step.done, step.total) == (17, 140)


def test_a_failure_says_what_the_program_said(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="It could not be put in place: no room at all") as error:
        run(python("print('ERROR: no room at all'); raise SystemExit(3)"), "It", tmp_path / "log")
    assert str(tmp_path / "log") in error.value.hint


def test_a_network_that_is_not_there_is_named(tmp_path: Path) -> None:
    said = "Retrying … NewConnectionError(Failed to establish a new connection: [Errno -3])"
    with pytest.raises(SetupError, match="the network does not answer") as error:
        run(python(f"print({said!r}); raise SystemExit(1)"), "It", tmp_path / "log")
    assert "what is done is kept" in error.value.hint


GRANDCHILD = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {GRANDCHILD!r}])"
SET_UP = """
import signal, sys
from pathlib import Path
from appliance.install.commands import run
signal.signal(signal.SIGTERM, signal.default_int_handler)
say = lambda line: print(line, end="", flush=True)
run([sys.executable, "-c", sys.argv[1]], "It", Path(sys.argv[2]), say)
"""


def test_what_the_program_started_ends_with_us(tmp_path: Path) -> None:
    """The set-up is interrupted while a compiler, started by another program, works."""
    command = [*python(SET_UP), CHILD, str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        grandchild = int(process.stdout.readline()) if process.stdout else 0
        assert alive(grandchild)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    deadline = time.monotonic() + 5
    while alive(grandchild) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(grandchild)


def alive(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
