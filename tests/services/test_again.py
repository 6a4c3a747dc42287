"""Who starts what again when a page asks: the supervisor everything, systemd the pages, else nobody."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from appliance import settings
from appliance.services import again
from appliance.services.runtime import ServiceState, asked_again, prepare, write_states

ROOT = Path(__file__).parents[2]
ASKED = "from appliance import settings; from appliance.services import again; again.begin(settings.load())"


def test_under_a_supervisor_it_is_asked(tmp_path):
    given = settings.load({"home": tmp_path}, {})
    prepare(given.runtime)
    assert again.way(given) == ""
    again.begin(given)  # nobody would: nothing happens
    assert not asked_again(given.runtime)
    write_states(given.runtime, [ServiceState("web", "ready")])
    assert again.way(given) == "all"
    again.begin(given)
    assert asked_again(given.runtime)
    assert not asked_again(given.runtime)
    write_states(given.runtime, [])  # it has ended
    assert again.way(given) == ""


@pytest.mark.slow
def test_on_the_card_the_pages_end_and_systemd_starts_them(tmp_path):
    told = {"LAMPLIGHT_HOME": str(tmp_path), "LAMPLIGHT_DEVICE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", ASKED], env={**os.environ, **told}, check=False, timeout=60)
    assert ended.returncode == -signal.SIGTERM
