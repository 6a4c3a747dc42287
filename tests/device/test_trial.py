"""A new network on trial: in /run alone, kept in the owner's file with everything else as it was."""

import os
from dataclasses import replace

import pytest

from appliance.device import apply, trial
from appliance.device.board import Board
from appliance.device.box import read_box
from appliance.device.ownerfile import parse
from appliance.device.radio import key
from appliance.device.verbs import TryNetwork
from appliance.errors import DeviceError

pytestmark = pytest.mark.slow

FILE = b"""\xef\xbb\xbf# My clinic\r
name = "clinic"   # as on the door\r
ssid = "Clinic"\r
passphrase = "water and light"\r
country = "KE"\r
"""
NEW = TryNetwork("clinic", "Cl\u00ednica \U0001f3e5", 'say "hi" \\ now ', "KE", "2.4", 0)
RENAMED = replace(NEW, name="school")


@pytest.fixture
def places(tmp_path):
    """/run and the card as the start of a box leaves them."""
    return started(tmp_path, FILE)


def started(folder, content):
    found = apply.Places(
        card=folder / "card",
        data=folder / "data",
        run=folder / "run",
        networks=folder / "networks",
        models=folder,
        zones=folder,
    )
    for place in (found.card, found.data, found.run):
        place.mkdir(exist_ok=True)
    (folder / "UTC").touch()
    (found.card / "lamplight.toml").write_bytes(content)
    apply.apply(found, Board("Raspberry Pi 4 Model B", 3795, False), os.getgid())
    return found.run, found.card


def contents(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def now(run):
    return (run / "hostapd.conf").read_text()


def test_what_is_staged_changes_nothing_yet(places):
    run, card = places
    before = contents(run)
    trial.stage(run, card, NEW)
    assert {**contents(run), trial.TRIAL: b""} == {**before, trial.TRIAL: b""}
    assert (run / trial.TRIAL).stat().st_mode & 0o077 == 0  # it has a passphrase
    with pytest.raises(DeviceError, match="on trial"):
        trial.keep(run, card)


def test_a_trial_changes_the_network_and_not_the_card(places):
    run, card = places
    trial.stage(run, card, NEW)
    assert not trial.begin(run, card)  # the box's name stays
    assert f"wpa_psk={key(NEW.passphrase, NEW.ssid)}" in now(run)
    assert "country_code=KE" in now(run)
    assert (card / "lamplight.toml").read_bytes() == FILE
    box = read_box(run)
    assert (box.ssid, box.passphrase) == (NEW.ssid, NEW.passphrase)  # what the label says


def test_a_trial_of_the_name_tells_the_pages(places):
    run, card = places
    trial.stage(run, card, RENAMED)
    assert trial.begin(run, card)
    assert 'LAMPLIGHT_PORTAL="school.home.arpa"' in (run / "environment").read_text()
    assert read_box(run).address == "http://school.home.arpa/"


@pytest.mark.parametrize("content", [FILE, b'country = "KE"\nchannel = 11\n', b"open_network = true\n"])
@pytest.mark.parametrize("wanted", [NEW, RENAMED, replace(NEW, country="00"), replace(NEW, passphrase="")])
def test_a_trial_that_is_not_kept_leaves_nothing(tmp_path, content, wanted):
    run, card = started(tmp_path, content)
    before = contents(run)
    trial.stage(run, card, wanted)
    renamed = trial.begin(run, card)
    assert contents(run) != before
    assert trial.back(run) == renamed
    assert contents(run) == before
    assert trial.back(run) is None
    with pytest.raises(DeviceError, match="on trial"):
        trial.keep(run, card)
    assert (card / "lamplight.toml").read_bytes() == content


def test_while_one_is_on_trial_there_is_no_other(places):
    """Its passphrase may be kept from the one before, which must be the owner's."""
    run, card = places
    trial.stage(run, card, NEW)
    trial.stage(run, card, RENAMED)
    trial.begin(run, card)
    with pytest.raises(DeviceError, match="on trial already"):
        trial.stage(run, card, NEW)


def test_where_the_radio_has_the_usual_channel_the_trial_is_there_too(places):
    run, card = places
    (run / "hostapd").mkdir()
    (run / "hostapd/refused").write_text("refused\nrefused\n")
    trial.stage(run, card, NEW)
    trial.begin(run, card)
    tried = (run / "hostapd-usual.conf").read_text()
    assert f"wpa_psk={key(NEW.passphrase, NEW.ssid)}" in tried
    assert "country_code" not in tried
    assert not (run / "hostapd/refused").exists()  # the new channel has its own chances


def test_a_passphrase_that_is_not_given_stays(tmp_path):
    run, card = started(tmp_path, b'name = "clinic"\n')
    made = read_box(run).passphrase
    trial.stage(run, card, replace(NEW, passphrase=""))
    trial.begin(run, card)
    assert f"wpa_psk={key(made, NEW.ssid)}" in now(run)
    trial.keep(run, card)
    assert b"passphrase" not in (card / "lamplight.toml").read_bytes()
    assert f"Passphrase:          {made}" in (card / "lamplight-box.txt").read_text()


def test_an_open_network_stays_open_without_a_passphrase_and_is_closed_by_one(tmp_path):
    run, card = started(tmp_path, b"open_network = true\n")
    trial.stage(run, card, replace(NEW, passphrase=""))
    trial.begin(run, card)
    assert "wpa=0" in now(run)
    owner = parse(trial.rewritten(b"open_network = true\n", NEW))
    assert not owner.open_network
    assert owner.passphrase == NEW.passphrase


def test_a_trial_that_is_kept_is_in_the_owner_s_file(places):
    run, card = places
    trial.stage(run, card, replace(RENAMED, channel=11))
    trial.begin(run, card)
    trial.keep(run, card)
    content = (card / "lamplight.toml").read_bytes()
    owner = parse(content)
    assert (owner.ssid, owner.passphrase, owner.name) == (NEW.ssid, NEW.passphrase, "school")
    assert (owner.country, owner.band, owner.channel) == ("KE", "2.4", 11)
    assert b"# My clinic" in content
    assert b"band" not in content  # a line for what is as it was is not made
    told = (card / "lamplight-box.txt").read_text()
    assert "Wi-Fi network:       Cl\u00ednica" in told
    assert "Passphrase:          as lamplight.toml says" in told
    assert "Address:             http://school.home.arpa/" in told
    assert "Admin's first code:" in told
    assert trial.back(run) is None
    assert f"wpa_psk={key(NEW.passphrase, NEW.ssid)}" in now(run)
    assert [name for name in contents(run) if name.endswith(trial.BEFORE) or name == trial.TRIAL] == []


@pytest.mark.parametrize(
    "content",
    [b'passphrase = "short"\n', b"", b'name = """\nssid = "x"\n"""\n', b'"ssid" = "Quoted"\n', b"\xff"],
)
def test_a_file_that_cannot_take_them_is_left_alone(places, content):
    run, card = places
    before = contents(run)
    (card / "lamplight.toml").write_bytes(content)
    with pytest.raises(DeviceError, match="cannot be used"):
        trial.stage(run, card, NEW)
    assert contents(run) == before


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"null", b'{"wanted": 1}', b'{"wanted": {"ssid": "x"}}']
)
def test_a_note_that_is_none_begins_nothing(places, content):
    run, card = places
    (run / trial.TRIAL).write_bytes(content)
    with pytest.raises(DeviceError, match="is to be tried"):
        trial.begin(run, card)
    assert trial.back(run) is None
