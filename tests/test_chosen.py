"""The file of what the desk has chosen: whole or not at all, and never a reason not to start."""

import os
import stat

import pytest

from appliance import chosen
from appliance.errors import SettingsError
from appliance.settings import CHOICES, choices

VALUES = {"gate": "strict", "kiosk": True, "conversations": 30, "language": "fr"}


def test_what_is_written_is_read(tmp_path):
    chosen.write(tmp_path, VALUES)
    assert chosen.read(tmp_path, CHOICES) == chosen.Chosen(VALUES)
    assert stat.S_IMODE((tmp_path / chosen.FILE).stat().st_mode) == 0o600
    chosen.write(tmp_path, {"gate": "open"})
    assert choices(tmp_path).values == {"gate": "open"}
    assert [file.name for file in tmp_path.iterdir()] == [chosen.FILE]


def test_without_the_file_nothing_is_chosen(tmp_path):
    assert chosen.read(tmp_path, CHOICES) == chosen.Chosen()


@pytest.mark.parametrize(
    ("content", "left", "told"),
    [
        (b'gate = "closed"\nkiosk = true\n', {"kiosk": True}, "expected one of strict"),
        (b"conversations = 99999\n", {}, "expected 0 to 36500"),
        (b'host = "0.0.0.0"\n', {}, "knows no choice host"),
        (b"gate = ", {}, "not TOML"),
        (b"\xff\xfe", {}, "not TOML"),
        (b"[gate]\n", {}, "expected"),
        (b"x = " + b"[" * 8_000, {}, "not TOML"),
        (b"#" * (chosen.LARGEST + 1), {}, "no plain file"),
    ],
)
def test_what_cannot_be_used_is_left_out_and_told(tmp_path, content, left, told):
    (tmp_path / chosen.FILE).write_bytes(content)
    found = chosen.read(tmp_path, CHOICES)
    assert found.values == left
    assert told in " ".join(found.problems)


def test_no_link_is_followed_and_no_pipe_waited_for(tmp_path):
    """Root reads it on the card, in a folder of the pages."""
    (tmp_path / "there").write_text('gate = "open"\n')
    (tmp_path / chosen.FILE).symlink_to("there")
    assert chosen.read(tmp_path, CHOICES).values == {}
    (tmp_path / chosen.FILE).unlink()
    os.mkfifo(tmp_path / chosen.FILE)
    assert "no plain file" in chosen.read(tmp_path, CHOICES).problems[0]


def test_where_nothing_can_be_written_the_old_choice_stays(tmp_path):
    chosen.write(tmp_path, VALUES)
    (tmp_path / f".{chosen.FILE}.part").mkdir()  # as a full disk would refuse it
    with pytest.raises(SettingsError, match="cannot be kept"):
        chosen.write(tmp_path, {"gate": "open"})
    assert choices(tmp_path).values == VALUES
