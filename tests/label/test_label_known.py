from pathlib import Path

import pytest

from appliance import settings
from appliance.device import card
from appliance.device.box import Box, write_box
from appliance.errors import LabelError
from appliance.label.facts import Facts
from appliance.label.known import found, unseen

BOX = Box(
    name="clinic", address="http://clinic.home.arpa/", language="fr", ssid="Clinic",
    passphrase="water and light", phones=6, ethernet="off", kiosk=False, board="x", memory_mb=1000, model="",
    less="", settings="card",
)  # fmt: skip
NOTHING = settings.load({}, environment={})


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The first partition of a card."""
    folder = tmp_path / "LAMPLIGHT"
    folder.mkdir()
    return folder


def toml(place: Path, text: str) -> Path:
    (place / card.SETTINGS).write_text(text, "utf-8")
    return place


def test_on_a_box_everything_is_known(tmp_path: Path) -> None:
    write_box(tmp_path, BOX, -1)
    given = settings.load({"device": str(tmp_path)}, environment={})
    assert found(given, {}, None) == Facts("Clinic", "water and light", "clinic", "fr")


def test_what_is_given_comes_first(tmp_path: Path) -> None:
    write_box(tmp_path, BOX, -1)
    given = settings.load({"device": str(tmp_path)}, environment={})
    options = {"network": "Other", "passphrase": "", "name": None}
    assert found(given, options, None) == Facts("Other", "", "clinic", "fr")


def test_a_card_with_the_owners_passphrase(place: Path) -> None:
    toml(place, "name = 'maktaba'\nlanguage = 'ar'\nssid = 'مكتبة'\npassphrase = 'a\\b;c d e'\n")
    assert found(NOTHING, {}, place) == Facts("مكتبة", "a\\b;c d e", "maktaba", "ar")


def test_a_card_with_a_passphrase_that_the_box_made(place: Path) -> None:
    toml(place, "# all as it was\n")
    told = card.about("Lamplight", "http://lamplight.home.arpa/", "kb7d-x2mq-w9ta", "aaaa-bbbb")
    (place / card.BOX).write_bytes(told)
    assert found(NOTHING, {}, place) == Facts("Lamplight", "kb7d-x2mq-w9ta", "lamplight", "en")


def test_a_card_of_an_open_network(place: Path) -> None:
    assert found(NOTHING, {}, toml(place, "open_network = true\n")).passphrase == ""


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("# as it was", {}, "passphrase of Lamplight is not known"),
        (None, {}, "cannot be read: No such file"),
        ("passphrase = 'short'", {}, "cannot be used. passphrase: Found 5 characters"),
        ("ssid = ", {}, "cannot be used"),
        ("# as it was", {"passphrase": "1234567"}, "no passphrase of a Wi-Fi network: found 7 characters"),
        ("# as it was", {"passphrase": "é" * 8}, "no passphrase of a Wi-Fi network"),
        ("# as it was", {"network": "", "passphrase": "a" * 8}, "no name of a network: found 0 bytes"),
        ("# as it was", {"network": "é" * 17, "passphrase": "a" * 8}, "no name of a network: found 34 bytes"),
        ("# as it was", {"network": "x" * 3000, "passphrase": ""}, "no name of a network"),
        ("# as it was", {"network": "a\nb", "passphrase": ""}, "no name of a network: found a sign"),
        ("# as it was", {"passphrase": "a" * 8, "name": "other.example/#"}, "no name of a box"),
        ("# as it was", {"passphrase": "a" * 8, "name": "n" * 33}, "no name of a box"),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    place: Path, text: str | None, options: dict[str, str], sentence: str
) -> None:
    if text is not None:
        toml(place, text)
    with pytest.raises(LabelError, match=sentence) as error:
        found(NOTHING, options, place)
    assert error.value.hint


def test_nothing_is_known_on_a_desktop() -> None:
    with pytest.raises(LabelError, match="not known which network"):
        found(NOTHING, {}, None)


@pytest.mark.parametrize(
    ("passphrase", "hidden"),
    [("water and light", False), (" water", True), ("water ", True), ("water  light", True), ("", False)],
)
def test_spaces_that_print_does_not_show(passphrase: str, hidden: bool) -> None:
    assert unseen(passphrase) == hidden
