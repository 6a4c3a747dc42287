"""A start with a card's folder: what lies in /run then, what is kept, what is told where (cases 36, 42)."""

import json
import os
import re
import stat

import pytest

from appliance import chosen, models, settings
from appliance.device import apply, environment, keys, problems
from appliance.device.board import Board
from appliance.device.radio import key

pytestmark = pytest.mark.slow

BOARD = Board("Raspberry Pi 4 Model B Rev 1.5", 3795, False)
GROUP = os.getgid()
GOOD = b'ssid = "Clinic"\npassphrase = "water and light"\ncountry = "KE"\nethernet = "serve"\n'
CLOSED = b'ssid = "Clinic"\npassphrase = "1234567"\n'


@pytest.fixture
def places(tmp_path):
    for name in ("card", "data", "run", "models", "zones"):
        (tmp_path / name).mkdir()
    (tmp_path / "zones/UTC").touch()
    found = apply.Places(
        tmp_path / "card", tmp_path / "data", tmp_path / "run", tmp_path / "networks", tmp_path / "models",
        tmp_path / "zones",
    )  # fmt: skip
    (found.card / "lamplight.toml").write_bytes(GOOD)
    return found


def start(places):
    done = apply.apply(places, BOARD, GROUP)
    return done.box, done.problems


def written(places):
    return dict(
        re.fullmatch(r'([A-Z_]+)="(.*)"', line).groups()
        for line in (places.run / "environment").read_text().splitlines()
    )


def test_a_good_file_is_in_force_and_kept(places):
    box, found = start(places)
    assert found == ()
    assert (box.ssid, box.passphrase, box.settings) == ("Clinic", "water and light", "card")
    assert f"wpa_psk={key('water and light', 'Clinic')}" in (places.run / "hostapd.conf").read_text()
    assert "Address=10.43.0.1/22" in (places.networks / "20-lamplight-cable.network").read_text()
    assert (places.data / apply.KEPT).read_bytes() == GOOD
    assert not (places.card / "lamplight-problems.txt").exists()


def test_a_wrong_file_leaves_the_last_good_network_and_is_told_in_three_places(places):
    start(places)
    (places.card / "lamplight.toml").write_bytes(CLOSED)
    box, found = start(places)
    assert (box.ssid, box.passphrase, box.settings) == ("Clinic", "water and light", "kept")
    assert (places.data / apply.KEPT).read_bytes() == GOOD
    told = (places.card / "lamplight-problems.txt").read_text()
    for text in (told, " ".join(map(str, found)), " ".join(map(str, problems.read(places.run)))):
        assert "passphrase: Found 7 characters" in text
        assert "The last good settings are in force." in text
        assert "1234567" not in text


def test_settings_that_cannot_be_kept_are_used_and_told(places):
    (places.data / apply.KEPT).parent.write_text("in the way")  # as a full partition would refuse it
    box, found = start(places)
    assert (box.ssid, box.settings) == ("Clinic", "card")
    assert "cannot be kept" in str(found[0])
    assert "cannot be kept" in (places.card / "lamplight-problems.txt").read_text()


def test_a_file_of_any_size_is_read_no_further_than_it_can_be_used(places):
    with (places.card / "lamplight.toml").open("wb") as file:
        file.truncate(1 << 40)  # a hole: to read all of it would take the memory of any board
    box, found = start(places)
    assert box.settings == "default"
    assert "more than 65,536 bytes" in str(found[0])


def test_what_was_put_right_is_told_no_longer(places):
    (places.card / "lamplight.toml").write_bytes(CLOSED)
    start(places)
    (places.card / "lamplight.toml").write_bytes(GOOD)
    assert start(places)[1] == ()
    assert problems.read(places.run) == ()
    assert not (places.card / "lamplight-problems.txt").exists()


def test_a_wrong_first_file_gives_a_closed_network_with_a_passphrase_of_the_box_s_own(places):
    (places.card / "lamplight.toml").write_bytes(CLOSED)
    box, _ = start(places)
    assert (box.ssid, box.settings) == ("Lamplight", "default")
    assert re.fullmatch(r"[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}", box.passphrase)
    assert "wpa=2" in (places.run / "hostapd.conf").read_text()
    assert box.passphrase in (places.card / "lamplight-box.txt").read_text()
    assert start(places)[0].passphrase == box.passphrase


def test_the_card_never_has_a_passphrase_that_the_owner_chose(places):
    start(places)
    text = (places.card / "lamplight-box.txt").read_text()
    assert "water and light" not in text
    assert "as lamplight.toml says" in text
    assert apply.apply(places, BOARD, GROUP).about == text.replace("\n", "\r\n")  # nor does the console
    assert keys.keep(places.data, GROUP).admin_code in text


def test_an_open_network_needs_its_word(places):
    (places.card / "lamplight.toml").write_bytes(b"open_network = true\n")
    box, _ = start(places)
    assert box.passphrase == ""
    assert "wpa=0" in (places.run / "hostapd.conf").read_text()


def test_secrets_are_not_for_everyone(places):
    start(places)
    for name, mode in (("hostapd.conf", 0o600), ("box.json", 0o640)):
        assert stat.S_IMODE((places.run / name).stat().st_mode) == mode
    assert stat.S_IMODE((places.data / apply.KEPT).stat().st_mode) == 0o600
    assert "water" not in (places.run / "environment").read_text()


def test_the_environment_gives_settings_that_load(places):
    start(places)
    found = settings.load({}, written(places))
    assert (found.profile, found.search_only) == ("pi4", True)  # no model's file lies in this folder
    assert found.reader == environment.READER
    assert found.device == environment.RUN
    assert found.leases == "/run/lamplight/dnsmasq"
    assert not found.kiosk


def test_the_screen_s_unit_starts_where_the_owner_wants_it(places):
    for wanted in ("true", "false"):
        (places.card / "lamplight.toml").write_text(f"kiosk = {wanted}\n")
        start(places)
        assert (places.run / apply.KIOSK).exists() == (wanted == "true")
        assert settings.load({}, written(places)).kiosk == (wanted == "true")


def test_a_model_on_the_card_is_used(places):
    model = models.catalogue().files["qwen2.5-0.5b-instruct"]
    with (places.models / model.file).open("wb") as file:
        file.truncate(model.bytes)
    box, _ = start(places)
    assert box.model == model.name
    assert written(places)["LAMPLIGHT_SEARCH_ONLY"] == "no"
    assert written(places)["LAMPLIGHT_MODEL"] == model.name


def test_a_model_that_only_the_bundle_in_use_has_is_used(places):
    """On a card that was made without one; what the owner names comes before it."""
    model = models.catalogue().files["qwen2.5-0.5b-instruct"]
    folder = places.data / "bundles/valley-1/models"
    folder.mkdir(parents=True)
    (places.data / "bundles/current").symlink_to("valley-1")
    with (folder / model.file).open("wb") as file:
        file.truncate(model.bytes)
    assert start(places)[0].model == model.name
    found = written(places)
    assert (found["LAMPLIGHT_SEARCH_ONLY"], found["LAMPLIGHT_BUNDLE_MODEL"]) == ("no", "yes")
    (places.card / "lamplight.toml").write_text('model = "qwen2.5-1.5b-instruct"\n')
    assert start(places)[0].model == ""
    found = written(places)
    assert (found["LAMPLIGHT_SEARCH_ONLY"], found["LAMPLIGHT_BUNDLE_MODEL"]) == ("yes", "no")


@pytest.mark.parametrize(("fast", "build"), [(False, "armv8-a"), (True, "armv8.2-a")])
def test_the_engine_is_the_processor_s(places, fast, build):
    apply.apply(places, Board("x", 3795, fast), GROUP)
    assert written(places)["PYTHONPATH"].endswith(f"/engine/{build}")


def test_a_missing_card_is_told_and_the_last_good_settings_are_used(places):
    start(places)
    (places.card / "lamplight.toml").unlink()
    (places.card / "lamplight-box.txt").unlink()
    places.card.rmdir()
    box, found = start(places)
    assert box.settings == "kept"
    assert "is not there" in str(found)


def test_box_json_is_what_was_made(places):
    box, _ = start(places)
    found = json.loads((places.run / "box.json").read_text())
    assert found["ssid"] == box.ssid
    assert found["phones"] == 6
    assert found["address"] == "http://lamplight.home.arpa/"


def test_values_of_the_environment_are_quoted_as_systemd_reads_them():
    assert environment.file({"A": 'say "hi" \\ $x `y`'}) == 'A="say \\"hi\\" \\\\ \\$x \\`y\\`"\n'


def test_what_the_desk_chose_is_in_force_where_the_owner_says_nothing(places):
    (places.data / "home").mkdir()
    chosen.write(places.data / "home", {"gate": "open", "kiosk": True, "language": "fr", "search_only": True})
    (places.card / "lamplight.toml").write_text('language = "es"\n')
    box, found = start(places)
    assert (box.language, box.kiosk, found) == ("es", True, ())
    assert (places.run / apply.KIOSK).exists()
    now = settings.load({}, {**written(places), "LAMPLIGHT_HOME": str(places.data / "home")})
    assert (now.gate, now.language, now.kiosk, now.search_only) == ("open", "es", True, True)


def test_a_file_of_choices_that_is_none_keeps_no_box_from_starting(places):
    (places.data / "home").mkdir()
    (places.data / "home" / chosen.FILE).symlink_to("/etc/shadow")
    assert start(places)[1] == ()
