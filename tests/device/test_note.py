"""What a unit notes of its process is what the status page reads."""

import subprocess
from pathlib import Path

import pytest

from appliance.services.runtime import ServiceState, read_states

NOTE = Path(__file__).parents[2] / "image/rootfs/usr/lib/lamplight/note"
TITLE = "The language model"


@pytest.fixture
def note(tmp_path):
    """The script, with a folder of this test."""
    script = tmp_path / "note"
    script.write_text(NOTE.read_text().replace("/run/lamplight/services/states", f"{tmp_path}/states"))

    def noted(state, **variables):
        environment = {"PATH": "/usr/bin:/bin", **variables}
        subprocess.run(["sh", script, "llama", TITLE, state], check=True, env=environment)
        (found,) = read_states(tmp_path)
        return found

    return noted


def test_a_life(note):
    assert note("starting") == ServiceState("llama", "starting", f"{TITLE} is being started.")
    assert note("ready") == ServiceState("llama", "ready")
    ended = note("waiting", SERVICE_RESULT="signal", EXIT_STATUS="KILL")
    assert ended == ServiceState("llama", "waiting", f"{TITLE} ended (signal, KILL) and is started again.")
    assert note("starting").restarts == 1
    assert note("ready").restarts == 1
    note("waiting")
    assert note("starting").restarts == 2


def test_a_process_that_is_not_to_start_is_not_said_to_come_back(note, tmp_path):
    note("starting")
    with pytest.raises(ValueError, match="not enough values"):  # nothing is noted of it any more
        note("waiting", SERVICE_RESULT="exec-condition")
    assert read_states(tmp_path) == ()


def test_nothing_is_known_where_nobody_notes(tmp_path):
    assert read_states(tmp_path) == ()
