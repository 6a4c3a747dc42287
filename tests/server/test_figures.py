"""Numbers and sizes read as the language of the page has them."""

import pytest
from every import every

from appliance.server.figures import FIXED, NARROW, figure, number, size
from appliance.server.phrases import Phrases


@pytest.mark.parametrize(
    ("value", "english", "french", "spanish"),
    [
        (7, "7", "7", "7"),
        (6132, "6,132", f"6{NARROW}132", "6132"),
        (12345678, "12,345,678", f"12{NARROW}345{NARROW}678", f"12{NARROW}345{NARROW}678"),
    ],
)
def test_numbers(value: int, english: str, french: str, spanish: str) -> None:
    assert [number(value, one) for one in ("en", "fr", "es")] == [english, french, spanish]


@every(
    ("value", "english", "french", "spanish"),
    [
        (0, "0 kB", f"0{FIXED}ko", f"0{FIXED}kB"),
        (4_100_000, "4.1 MB", f"4,1{FIXED}Mo", f"4,1{FIXED}MB"),
        (41e6, "41 MB", f"41{FIXED}Mo", f"41{FIXED}MB"),
        (12_345e9, "12,345 GB", f"12{NARROW}345{FIXED}Go", f"12{NARROW}345{FIXED}GB"),
    ],
)
def test_sizes(value: float, english: str, french: str, spanish: str) -> None:
    assert [size(value, one) for one in ("en", "fr", "es")] == [english, french, spanish]


@every("text", ["3.11.2", "1,2", "valley 1.2", "2026-11-30", "12,34", "", "GB", "1.2.3 MB"])
def test_what_is_no_figure_stays_as_it_is(text: str) -> None:
    assert figure(text, "fr") == text


@every(
    ("note", "french"),
    [
        ("6,132 passages", f"6{NARROW}132 passages"),
        ("1.5 of 28.9 GB are free.", "1,5 Go libres sur 28,9."),
        ("123 MB", f"123{FIXED}Mo"),
        ("6,132", f"6{NARROW}132"),
        ("valley 1.2 is copied to the card.", "valley 1.2 est copiée sur la carte."),
        ("1.2 is copied to the card.", "1.2 est copiée sur la carte."),
    ],
)
def test_values_in_a_note_read_so_too(note: str, french: str) -> None:
    assert Phrases("fr")(note) == french
    assert Phrases("en")(note) == note
