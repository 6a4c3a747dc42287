"""The clock that leaves out what other work of this machine took."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from waiting import Clock

BUSY = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


@pytest.mark.slow
def test_a_clock_leaves_out_what_a_process_waited_for_the_processor() -> None:
    one = str(min(os.sched_getaffinity(0)))
    rivals = [subprocess.Popen([sys.executable, "-c", BUSY, one]) for _ in range(2)]
    clock, began = Clock(rivals[0].pid), time.monotonic()
    time.sleep(0.3)
    counted, passed = clock(), time.monotonic() - began
    for rival in rivals:
        rival.kill()
        rival.wait()
    assert 0 < counted < passed
    assert 0.02 < clock.waited < passed
    assert clock() >= counted  # goes on when the process has ended


@pytest.mark.slow
def test_what_there_is_no_time_for_is_listed_as_not_run() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "slow", "-p", "no:cacheprovider"]
    here = f"{Path(__file__)}::{test_a_clock_leaves_out_what_a_process_waited_for_the_processor.__name__}"
    late = {**os.environ, "LAMPLIGHT_UNTIL": "1"}
    done = subprocess.run([*command, here], env=late, capture_output=True, text=True, check=True)
    assert "NOT RUN" in done.stdout
    assert "1 tests were not run: the minutes that were given had passed" in done.stdout
