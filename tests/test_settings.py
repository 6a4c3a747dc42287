"""The table of settings: where a value comes from, and what happens to one that cannot be used."""

from dataclasses import replace
from pathlib import Path

import pytest
from every import every

from appliance import chosen, settings
from appliance.errors import SettingsError


def test_defaults_fill_every_row():
    found = settings.load(environment={})
    assert (found.host, found.port, found.search_only, found.archive) == ("127.0.0.1", 8080, False, ())
    assert found.library == found.home / "library"
    assert found.runtime.parent == found.home or found.runtime.name.startswith("lamplight-")


def test_the_table_and_the_record_have_the_same_names():
    assert [row.name for row in settings.TABLE] == list(settings.Settings.__slots__)


def test_command_line_beats_environment_beats_file(tmp_path):
    file = tmp_path / "lamplight.toml"
    file.write_text('port = 1001\nresults = 11\nprofile = "pi4"\n')
    found = settings.load({"port": 1003}, {"LAMPLIGHT_PORT": "1002", "LAMPLIGHT_RESULTS": "12"}, file)
    assert (found.port, found.results, found.profile) == (1003, 12, "pi4")


def test_a_value_that_was_not_given_falls_through():
    assert settings.load({"port": None}, {"LAMPLIGHT_PORT": "1002"}).port == 1002


def test_settings_survive_the_environment(tmp_path):
    first = settings.load(
        {"home": tmp_path, "archive": ["a:b.zim", "c d.zim"], "search_only": True, "reader": "http://x"}, {}
    )
    assert settings.load(None, settings.environment(first)) == first
    assert settings.load(None, settings.environment(settings.load(environment={}))).archive == ()


@every("word", ["1", "true", "YES", "on"])
def test_words_for_yes(word):
    assert settings.load(None, {"LAMPLIGHT_SEARCH_ONLY": word}).search_only is True


@every("word", ["0", "False", "no", "off", ""])
def test_words_for_no(word):
    assert settings.load(None, {"LAMPLIGHT_SEARCH_ONLY": word}).search_only is False


@every(
    ("name", "value", "expected"),
    [
        ("port", "80a", "a whole number"),
        ("port", 80.5, "a whole number"),
        ("port", True, "a whole number"),
        ("port", "0", "1 to 65535"),
        ("port", "70000", "1 to 65535"),
        ("search_only", "maybe", "yes or no"),
        ("profile", "pi3", "one of desktop, pi5, pi4"),
        ("home", "", "a path"),
        ("archive", 5, "paths"),
        ("host", 5, "text"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name, value, expected):
    with pytest.raises(SettingsError) as caught:
        settings.load({name: value}, {})
    assert f"--{name.replace('_', '-')}: found {value!r}, expected {expected}." in str(caught.value)


def test_an_unknown_key_in_the_file_is_named(tmp_path):
    file = tmp_path / "lamplight.toml"
    file.write_text("prot = 1\n")
    with pytest.raises(SettingsError, match="unknown keys: prot"):
        settings.load(None, {}, file)


@pytest.mark.parametrize("content", [b"port =", b"\xff\xfe"])
def test_a_broken_file_is_an_error_with_its_name(tmp_path, content):
    file = tmp_path / "lamplight.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=r"lamplight\.toml cannot be read"):
        settings.load(None, {}, file)


def test_sockets_fit_whatever_the_home():
    short, long = Path("/srv/box"), Path("/srv") / ("x" * 120)
    assert settings.default_runtime(short) == short / "run"
    assert len(str(settings.default_runtime(long) / "embedder.sock")) <= settings.SOCKET_PATH_BYTES
    assert settings.default_runtime(long) != settings.default_runtime(long / "other")


def chosen_in(home, text):
    (home / chosen.FILE).write_text(text)
    return home


def test_the_desk_s_choice_beats_the_default_and_nothing_else(tmp_path):
    home = chosen_in(tmp_path, 'gate = "open"\nlanguage = "fr"\nkiosk = true\ndocuments = "nobody"\n')
    file = tmp_path / "lamplight.toml"
    file.write_text('documents = "everyone"\n')
    found = settings.load({"home": home, "gate": "strict"}, {"LAMPLIGHT_LANGUAGE": "es"}, file)
    assert (found.gate, found.language, found.documents, found.kiosk) == ("strict", "es", "everyone", True)
    assert [name for name in ("gate", "language", "documents", "kiosk", "usage") if found.is_free(name)] == [
        "kiosk",
        "usage",
    ]


def test_a_process_that_starts_later_sees_what_was_chosen_meanwhile(tmp_path):
    first = settings.load({"home": tmp_path, "language": "fr"}, {})
    chosen.write(tmp_path, {"gate": "strict", "language": "es"})
    later = settings.load(None, settings.environment(first))
    assert (first.gate, later.gate, later.language) == ("balanced", "strict", "fr")
    assert settings.again(first) == later


def test_a_choice_that_is_taken_back_is_gone_for_who_starts_later(tmp_path):
    chosen.write(tmp_path, {"search_only": True, "language": "fr"})
    first = settings.load({"home": tmp_path}, {})
    chosen.write(tmp_path, {"language": "es"})
    later = settings.again(first)
    assert (first.search_only, later.search_only, later.language) == (True, False, "es")
    assert later.is_free("search_only")


def test_a_value_that_another_part_has_put_in_counts_until_the_desk_chooses(tmp_path):
    """As a test or a benchmark does: `replace`, then the environment of a process."""
    first = replace(settings.load({"home": tmp_path}, {}), gate="open")
    assert settings.again(first).gate == "open"


def test_on_the_card_what_its_units_need_was_decided_at_the_start(tmp_path):
    home = chosen_in(tmp_path, 'model = "large"\nkiosk = true\ngate = "open"\n')
    environment = {
        "LAMPLIGHT_HOME": str(home),
        "LAMPLIGHT_DEVICE": "/run/lamplight",
        "LAMPLIGHT_MODEL": "small",
        "LAMPLIGHT_KIOSK": "no",
        "LAMPLIGHT_GATE": "balanced",
        "LAMPLIGHT_FREE": "gate,kiosk,model",
    }
    found = settings.load(None, environment)
    assert (found.model, found.kiosk, found.gate) == ("small", False, "open")
    assert settings.load(None, {**environment, "LAMPLIGHT_FREE": ""}).gate == "balanced"


def test_no_choice_can_move_the_box(tmp_path):
    """Only rows that say so: the file is the pages' own, and root reads it on the card."""
    found = settings.load({"home": chosen_in(tmp_path, 'host = "0.0.0.0"\nstore = "/etc"\n')}, {})
    assert (found.host, found.store) == ("127.0.0.1", tmp_path / "installed")
