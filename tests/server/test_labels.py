"""The label over HTTP: for phones on the Wi-Fi alone, made by a process of its own."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.device.box import Box, write_box
from appliance.server.app import create_app
from server import fakes, signing

pytestmark = pytest.mark.slow

BOX = Box(
    name="lamplight", address="http://lamplight.home.arpa/", language="en", ssid="Lamplight",
    passphrase="water and light", phones=6, ethernet="off", kiosk=False, board="x", memory_mb=1000, model="",
    less="", settings="card",
)  # fmt: skip
PHONE, CABLE, SCREEN = "10.42.0.77", "10.43.0.77", "127.0.0.1"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(fakes.appliance(tmp_path, portal="lamplight.home.arpa", device=str(tmp_path / "run")))
    (tmp_path / "run").mkdir()
    with TestClient(app, "http://lamplight", client=("127.0.0.1", 50000)) as found:
        yield found


def ask(client: TestClient, path: str, visitor: str = PHONE):
    return client.get(path, headers={"x-real-ip": visitor})


def test_a_phone_gets_the_label_and_no_one_else(client: TestClient, tmp_path: Path) -> None:
    write_box(tmp_path / "run", BOX, -1)
    for kind, start in (("pdf", b"%PDF-"), ("png", b"\x89PNG")):
        for visitor in (CABLE, SCREEN, "198.51.100.7", "nonsense"):
            assert ask(client, f"/label.{kind}", visitor).status_code == 404
        reply = ask(client, f"/label.{kind}")
        assert reply.status_code == 200
        assert reply.content.startswith(start)
        assert reply.headers["cache-control"] == "no-store"
    assert ask(client, "/label.exe").status_code == 404


def test_an_admin_gets_it_from_elsewhere_too(client: TestClient, tmp_path: Path) -> None:
    """The desk leads to it; an editor needs no passphrase of the network."""
    write_box(tmp_path / "run", BOX, -1)
    for role, status in (("editor", 404), ("admin", 200)):
        signing.signed_in(client, client.app.state.rights, role)
        assert ask(client, "/label.png", CABLE).status_code == status


def test_a_name_that_cannot_be_printed_is_said(client: TestClient, tmp_path: Path) -> None:
    fields = {name: getattr(BOX, name) for name in Box.__slots__}
    write_box(tmp_path / "run", Box(**{**fields, "ssid": "図"}), -1)
    reply = ask(client, "/label.pdf")
    assert reply.status_code == 503
    assert "no letter “図”" in reply.text


def test_a_label_that_cannot_be_made_is_not_tried_again(client: TestClient, tmp_path: Path) -> None:
    """A try takes seconds of a board's core; any phone may ask."""
    fields = {name: getattr(BOX, name) for name in Box.__slots__}
    write_box(tmp_path / "run", Box(**{**fields, "ssid": "図"}), -1)
    assert ask(client, "/label.pdf").status_code == 503
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    assert [ask(client, "/label.png").status_code for _ in range(20)] == [503] * 20
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime == began  # no process was started
    write_box(tmp_path / "run", BOX, -1)
    assert ask(client, "/label.pdf").status_code == 200


def test_without_a_box_there_is_none(client: TestClient, tmp_path: Path) -> None:
    assert ask(client, "/label.pdf").status_code == 404
    desktop = TestClient(create_app(fakes.appliance(tmp_path)), "http://127.0.0.1")
    assert desktop.get("/label.pdf").status_code == 404


def test_the_status_page_leads_phones_there(client: TestClient) -> None:
    assert 'href="/label.pdf"' in ask(client, "/status").text
    assert "label.pdf" not in ask(client, "/status", SCREEN).text
