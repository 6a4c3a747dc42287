"""Files on the card's first partition: replaced as a whole, and not touched when they are right already."""

import os

from appliance.device import card
from appliance.device.problems import Problem

PROBLEMS = (Problem("value", "passphrase", "Found 7 characters.", "Correct it."),)


def test_a_file_is_written_replaced_and_removed(tmp_path):
    card.write(tmp_path, card.PROBLEMS, b"one")
    card.write(tmp_path, card.PROBLEMS, b"two")
    assert (tmp_path / card.PROBLEMS).read_bytes() == b"two"
    card.write(tmp_path, card.PROBLEMS, None)
    assert os.listdir(tmp_path) == []


def test_what_is_right_already_is_not_written_again(tmp_path):
    card.write(tmp_path, card.PROBLEMS, b"one")
    before = (tmp_path / card.PROBLEMS).stat().st_ino
    card.write(tmp_path, card.PROBLEMS, b"one")
    card.write(tmp_path, "other.txt", None)
    assert (tmp_path / card.PROBLEMS).stat().st_ino == before


def test_half_a_file_of_an_earlier_start_is_no_hindrance(tmp_path):
    (tmp_path / f".{card.PROBLEMS}.part").write_bytes(b"hal")
    card.write(tmp_path, card.PROBLEMS, b"whole")
    assert os.listdir(tmp_path) == [card.PROBLEMS]


def test_windows_notepad_shows_lines():
    text = card.told(PROBLEMS)
    assert text.count(b"\n") == text.count(b"\r\n") == 3
    assert b"- passphrase: Found 7 characters. Correct it.\r\n" in text
