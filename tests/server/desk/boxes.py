"""A box for the pages of the desk: the small appliance, and a card's folders as the set-up leaves them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from appliance.device.box import Box, write_box
from appliance.server.app import create_app
from server import fakes

BOX = Box(
    name="lamplight", address="http://lamplight.home.arpa/", language="en", ssid="Lamplight",
    passphrase="water and light", phones=6, ethernet="off", kiosk=False, board="Raspberry Pi 4 Model B",
    memory_mb=3795, model="qwen2.5-0.5b-instruct", less="", settings="card",
)  # fmt: skip
WITHIN = (
    fakes.FakeCheck("Card", "failing", "Its file systems have met errors (mmcblk0p3: 4).", "Make a backup."),
    fakes.FakeCheck("Temperature", "wrong", "81 °C", "The board slows down: give it air or a cooler."),
    fakes.FakeCheck("Clock", "noticed", "2026-11-30 16:20 UTC, by the time that was kept.", "Set it."),
    fakes.FakeCheck("Phones", "on", "About 3 in the last hour; at most 6 at once."),
)


@contextmanager
def application(tmp: Path, device: bool = True) -> Iterator[FastAPI]:
    """With `device`: on a card, whose folder is `tmp/run`."""
    run = tmp / "run"
    run.mkdir()
    write_box(run, BOX, -1)
    found = fakes.appliance(tmp, **({"device": str(run)} if device else {}))
    if device:
        found.state = replace(found.state, within=WITHIN)
    yield create_app(found)


def admin(app: FastAPI) -> TestClient:
    """A client that may do everything."""
    return TestClient(app, "http://127.0.0.1", client=("127.0.0.1", 50000))


def visitor(app: FastAPI) -> TestClient:
    """A phone on the Wi-Fi."""
    return TestClient(app, "http://127.0.0.1", client=("10.42.0.77", 50000))
