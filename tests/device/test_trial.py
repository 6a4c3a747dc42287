"""New Wi-Fi settings: on trial in /run alone, kept in the owner's file with everything else as it was."""

import pytest

from appliance.device import trial
from appliance.device.ownerfile import parse
from appliance.device.radio import key
from appliance.errors import DeviceError

FILE = b"""\xef\xbb\xbf# My clinic\r
name = "clinic"   # as on the door\r
ssid = "Clinic"\r
passphrase = "water and light"\r
country = "KE"\r
"""
NEW = ("Cl\u00ednica \U0001f3e5", 'say "hi" \\ now ')


@pytest.fixture
def places(tmp_path):
    run, card = tmp_path / "run", tmp_path / "card"
    run.mkdir()
    card.mkdir()
    (card / "lamplight.toml").write_bytes(FILE)
    (run / "hostapd.conf").write_text("before")
    return run, card


def now(run):
    return (run / "hostapd.conf").read_text()


def test_a_trial_changes_the_network_and_not_the_card(places):
    run, card = places
    trial.begin(run, card, *NEW)
    assert f"wpa_psk={key(NEW[1], NEW[0])}" in now(run)
    assert "country_code=KE" in now(run)
    assert (card / "lamplight.toml").read_bytes() == FILE


def test_a_trial_that_is_not_kept_leaves_nothing(places):
    run, card = places
    trial.begin(run, card, *NEW)
    trial.begin(run, card, "Other", "another one")
    assert trial.back(run)
    assert now(run) == "before"
    assert not trial.back(run)
    with pytest.raises(DeviceError, match="on trial"):
        trial.keep(run, card)
    assert (card / "lamplight.toml").read_bytes() == FILE


def test_where_the_radio_has_the_usual_channel_the_trial_is_there_too(places):
    run, card = places
    (run / "hostapd-usual.conf").write_text("before, on the usual channel")
    trial.begin(run, card, *NEW)
    tried = (run / "hostapd-usual.conf").read_text()
    assert f"wpa_psk={key(NEW[1], NEW[0])}" in tried
    assert "country_code" not in tried
    assert trial.back(run)
    assert (run / "hostapd-usual.conf").read_text() == "before, on the usual channel"
    assert sorted(file.name for file in run.iterdir()) == ["hostapd-usual.conf", "hostapd.conf"]


def test_a_trial_that_is_kept_is_in_the_owner_s_file(places):
    run, card = places
    trial.begin(run, card, *NEW)
    trial.keep(run, card)
    content = (card / "lamplight.toml").read_bytes()
    owner = parse(content)
    assert (owner.ssid, owner.passphrase, owner.name, owner.country) == (*NEW, "clinic", "KE")
    assert b"# as on the door" in content
    assert not trial.back(run)
    assert f"wpa_psk={key(NEW[1], NEW[0])}" in now(run)


def test_an_open_network_is_closed_by_a_passphrase():
    owner = parse(trial.rewritten(b"open_network = true\n", *NEW))
    assert not owner.open_network
    assert owner.passphrase == NEW[1]


@pytest.mark.parametrize(
    "content",
    [b'passphrase = "short"\n', b"", b'name = """\nssid = "x"\n"""\n', b'"ssid" = "Quoted"\n', b"\xff"],
)
def test_a_file_that_cannot_take_them_is_left_alone(places, content):
    run, card = places
    (card / "lamplight.toml").write_bytes(content)
    with pytest.raises(DeviceError, match="cannot be used"):
        trial.begin(run, card, *NEW)
    assert now(run) == "before"
