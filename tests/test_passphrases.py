"""What is kept of a passphrase opens nothing, and another passphrase does not open it."""

import pytest
from every import every

from appliance import passphrases
from appliance.passphrases import COST, Cost

CHEAP = Cost(8, 1)
WORDS = "correct horse battery"


def test_a_hash_is_salted_and_opened_by_its_passphrase_alone() -> None:
    one, other = passphrases.locked(WORDS, CHEAP), passphrases.locked(WORDS, CHEAP)
    assert one != other
    assert one.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert passphrases.opens(one, WORDS)
    assert not passphrases.opens(one, WORDS + " ")
    assert not passphrases.opens(one, "")


def test_letters_are_the_same_however_a_keyboard_makes_them() -> None:
    lock = passphrases.locked("caf\u00e9 \u00e0 huit heures", CHEAP)
    assert passphrases.opens(lock, "cafe\u0301 a\u0300 huit heures")
    assert passphrases.opens(passphrases.locked("\ud800 half a letter", CHEAP), "\ud800 half a letter")


@every(
    "lock",
    ["", "x", "00" * 16 + "$" + "00" * 32, "$argon2id$v=19$m=8,t=1,p=1$AAAA", "\ud800", "é$argon2id$"],
)
def test_what_is_no_hash_opens_for_nobody(lock: str) -> None:
    assert not passphrases.opens(lock, WORDS)


def test_a_hash_that_would_take_all_memory_is_not_looked_at() -> None:
    dear = passphrases.locked(WORDS, CHEAP).replace("m=8,", "m=4194304,")
    assert not passphrases.opens(dear, WORDS)


def test_nobodys_hash_costs_as_much_as_a_real_one_and_opens_for_nobody() -> None:
    assert not passphrases.opens(passphrases.nobodys(CHEAP), WORDS)
    assert not passphrases.outdated(passphrases.nobodys(CHEAP), CHEAP)
    assert passphrases.outdated(passphrases.locked(WORDS, CHEAP), COST)


@pytest.mark.slow
def test_the_cost_of_a_box_is_some_hundredths_of_a_second_here_and_19_mib() -> None:
    assert COST.memory * 1024 <= 20 * 2**20
    assert passphrases.opens(passphrases.locked(WORDS), WORDS)
