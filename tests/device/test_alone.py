"""The pages by themselves, as systemd starts them on the card: their environment file, no supervisor, and the
signs of life that systemd waits for."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from appliance.device import apply, environment
from appliance.device.board import Board
from appliance.services.probe import answers
from appliance.services.run import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOTE = ROOT / "image/rootfs/usr/lib/lamplight/note"
PATIENCE = 120  # seconds; a busy machine


@pytest.fixture
def places(tmp_path):
    """A card of which settings and first start are done."""
    for name in ("card", "data", "run", "models"):
        (tmp_path / name).mkdir()
    (tmp_path / "card/lamplight.toml").write_text('ssid = "Clinic"\npassphrase = "1234567"\n')
    (tmp_path / "run/services/states").mkdir(parents=True)
    found = apply.Places(
        tmp_path / "card", tmp_path / "data", tmp_path / "run", tmp_path / "networks", tmp_path / "models"
    )
    apply.apply(found, Board("Raspberry Pi 4 Model B", 3795, False), os.getgid())
    return found


def variables(places, library, port):
    """Those of the card's file, with the folders and the port of this test."""
    text = (places.run / "environment").read_text()
    for there, here in (
        (environment.HOME, places.data / "home"),
        (environment.LIBRARY, library),
        (environment.RUN, places.run),
        (environment.APP, ROOT),
    ):
        text = text.replace(str(there), str(here))
    found = dict(line.split("=", 1) for line in text.splitlines())
    found = {name: value[1:-1] for name, value in found.items()}
    return {"PATH": os.environ["PATH"], **found, "LAMPLIGHT_PORT": str(port)}


def health(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
        return {check["name"]: check for check in json.load(answer)["checks"]}


def test_the_pages_say_true_things_without_a_supervisor(places, small_archive):
    port = free_port()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(places.run / "notify"))
        systemd.settimeout(PATIENCE)
        given = variables(places, small_archive.parent, port)
        given |= {"NOTIFY_SOCKET": str(places.run / "notify"), "WATCHDOG_USEC": "1500000"}
        process = subprocess.Popen([sys.executable, "-m", "appliance", "web"], env=given, cwd=ROOT)
        try:
            assert systemd.recv(100) == b"READY=1\nWATCHDOG=1"
            assert answers(("127.0.0.1", port), "/")
            began = time.monotonic()
            assert b"WATCHDOG=1" in systemd.recv(100)
            assert time.monotonic() - began < 10
            told(places, health(port), port)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) in (0, -signal.SIGTERM)  # either is a clean end to systemd


def told(places, checks, port):
    """What the status page says of this card."""
    assert checks["passphrase"]["state"] == "wrong"
    assert "Found 7 characters" in checks["passphrase"]["sentence"]
    assert checks["Wi-Fi"]["state"] == "failing"
    assert "No language model" in checks["Model for this board"]["sentence"]
    script = NOTE.read_text().replace("/run/lamplight", str(places.run))
    ended = {"PATH": os.environ["PATH"], "SERVICE_RESULT": "signal", "EXIT_STATUS": "KILL"}
    for state in ("starting", "waiting"):
        subprocess.run(["sh", "-c", script, "note", "embedder", "The embedder", state], check=True, env=ended)
    found = health(port)["Search by meaning"]
    assert found["sentence"] == "The embedder ended (signal, KILL) and is started again."
