"""A box for the pages of the desk: the small appliance, and a card's folders as the set-up leaves them."""

import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from appliance.device import client, clock, helper, journal
from appliance.device.box import Box, write_box
from appliance.device.verbs import Journal, SetClock, Verb
from appliance.errors import DeviceError
from appliance.server.app import create_app
from server import fakes, signing

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
    found = TestClient(app, signing.NAMED, client=("127.0.0.1", 50000))
    signing.signed_in(found, app.state.rights)
    return found


def visitor(app: FastAPI) -> TestClient:
    """A phone on the Wi-Fi."""
    return TestClient(app, signing.NAMED, client=("10.42.0.77", 50000), follow_redirects=False)


LOGGED = (
    journal.Line(1_790_000_000, 6, "lamplight-web.service", "Started lamplight-web.service."),
    journal.Line(1_790_000_060, 4, "nginx.service", "upstream timed out, client: [address]"),
    journal.Line(1_790_000_120, 3, "kernel", "I/O error, dev mmcblk0, sector 2048"),
)


class Root:
    """What the helper does here: it notes what it was asked for, and says what the real one says."""

    def __init__(self) -> None:
        self.asked: list[Verb] = []
        self.refusal: DeviceError | None = None

    def __call__(self, verb: Verb) -> str:
        self.asked.append(verb)
        if self.refusal:
            raise self.refusal
        match verb:
            case SetClock(seconds):
                clock.forward(1_790_000_000, seconds, 1_780_000_000)
                return clock.STANDS.format(now=clock.told(seconds))
            case Journal():
                return "".join(f"{x.time}\t{x.severity}\t{x.unit}\t{x.message}\n" for x in LOGGED)
        return "Done."


@contextmanager
def helped(tmp: Path) -> Iterator[Root]:
    """The helper of this box over its real socket; it ends soon after the last question."""
    root, done = Root(), threading.Event()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp / "run" / client.SOCKET))
        listening.listen()

        def serve() -> None:
            while not done.is_set():
                helper.serve(listening, root, {os.getuid()}, idle=0.02)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield root
        finally:
            done.set()
            thread.join(60)
        assert not thread.is_alive()


def token(page: str) -> str:
    """Of the forms on a page."""
    return re.search('name="token" value="([^"]+)"', page)[1]
