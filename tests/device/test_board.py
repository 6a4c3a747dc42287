"""Which board carries which model, and what the status page says when it is less than was asked for."""

from dataclasses import replace

import pytest
from every import every

from appliance import models
from appliance.device.board import Board, load, look, needed_mb, read
from appliance.device.owner import DEFAULT

SMALL, OTHER, LARGE = "qwen2.5-0.5b-instruct", "qwen2.5-coder-0.5b-instruct", "qwen2.5-1.5b-instruct"
ALL = {SMALL, OTHER, LARGE}
ZERO2 = Board("Raspberry Pi Zero 2 W Rev 1.0", 425, False)
PI3 = Board("Raspberry Pi 3 Model B Plus Rev 1.3", 906, False)
PI4_1, PI4_2, PI4_4 = (Board("Raspberry Pi 4 Model B Rev 1.5", memory, False) for memory in (906, 1849, 3795))
PI4_8 = Board("Raspberry Pi 4 Model B Rev 1.5", 7812, False)
PI400 = Board("Raspberry Pi 400 Rev 1.0", 3795, False)
PI5_4, PI5_8 = (Board("Raspberry Pi 5 Model B Rev 1.0", memory, True) for memory in (4050, 8062))
EMULATED = Board("linux,dummy-virt", 1976, False)


def chosen(board, here=ALL, **owner):
    return load(board, replace(DEFAULT, **owner), models.catalogue(), here)


@every(
    ("board", "profile", "model"),
    [
        (ZERO2, "pi4", ""),
        (PI3, "pi4", ""),
        (PI4_1, "pi4", ""),
        (PI4_2, "pi4", SMALL),
        (PI4_4, "pi4", SMALL),
        (PI4_8, "pi4", SMALL),
        (PI400, "pi4", SMALL),
        (PI5_4, "pi5", SMALL),
        (PI5_8, "pi5", LARGE),
        (EMULATED, "pi4", SMALL),
        (Board("", 0, False), "pi4", ""),
    ],
    ids=lambda value: f"{value.name} {value.memory_mb}" if isinstance(value, Board) else value,
)
def test_a_board_gets_what_it_carries(board, profile, model):
    found = chosen(board)
    assert (found.profile, found.model, found.search_only) == (profile, model, not model)


def test_the_model_of_the_bundle_in_use_comes_first_if_the_owner_named_none():
    def with_bundle(board, **owner):
        return load(board, replace(DEFAULT, **owner), models.catalogue(), {SMALL, OTHER}, [OTHER]).model

    assert with_bundle(PI4_2) == OTHER
    assert with_bundle(PI4_2, model=SMALL) == SMALL
    assert with_bundle(PI3) == ""
    assert load(PI4_2, DEFAULT, models.catalogue(), {LARGE, SMALL}, [LARGE]).model == SMALL  # too large


def test_search_only_says_why():
    assert "too little memory" in chosen(ZERO2).sentence
    assert "425 MB" in chosen(ZERO2).sentence
    assert chosen(PI4_2).sentence == ""


def test_a_named_model_that_does_not_fit_gives_way_to_a_smaller_one():
    found = chosen(PI4_2, model=LARGE)
    assert found.model == SMALL
    needed = f"{needed_mb(models.catalogue().files[LARGE]):,} MB"
    assert needed in found.sentence
    assert f"{SMALL} is used instead" in found.sentence


def test_a_named_model_on_a_small_board_ends_in_search_only():
    found = chosen(PI3, model=SMALL)
    assert found.search_only
    assert "Questions get passages." in found.sentence


def test_a_named_model_may_be_larger_than_the_profile_s():
    assert chosen(PI4_4, model=LARGE).model == LARGE
    assert chosen(PI4_4, model=LARGE).sentence == ""


@pytest.mark.parametrize(
    ("name", "sentence"), [("gpt-5", "There is no model gpt-5."), (LARGE, "is not on this card.")]
)
def test_a_named_model_that_is_not_here_is_told(name, sentence):
    found = chosen(PI5_8, here={SMALL}, model=name)
    assert found.model == SMALL
    assert sentence in found.sentence


def test_a_card_without_a_language_model_says_so():
    found = chosen(PI5_8, here=())
    assert found.search_only
    assert "No language model" in found.sentence


def test_the_owner_can_leave_it_out():
    found = chosen(PI5_8, model="none")
    assert found.search_only
    assert "owner" in found.sentence


def test_the_owner_s_profile_is_taken():
    assert chosen(PI4_4, profile="pi5").profile == "pi5"


def test_a_board_is_read_from_the_kernel_s_files():
    board = read(
        b"Raspberry Pi 5 Model B Rev 1.0\0",
        "MemTotal:        8062345 kB\nMemFree: 1 kB\n",
        "processor\t: 0\nFeatures\t: fp asimd evtstrm crc32 asimdhp asimddp\n",
    )
    assert board == Board("Raspberry Pi 5 Model B Rev 1.0", 8062, True)
    assert not read(b"", "", "Features : fp asimd\n").dot_product
    assert look().memory_mb > 0
