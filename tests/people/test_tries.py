"""Wrong tries are slowed down and bounded; who is right gets in after a bounded wait, whatever others do."""

from appliance.people.tries import ADDRESS, ALL, FORGOTTEN, NAME, Pace, Tries
from people.boxes import Clock

KEYS = ((NAME, "anna"), (ADDRESS, "10.0.0.1"), (ALL, ""))


def tries(most: int = 2_000) -> tuple[Tries, Clock]:
    clock = Clock(0.0)
    return Tries(clock, most), clock


def attack(found: Tries, clock: Clock, keys, seconds: float, step: float = 1.0) -> int:
    """How many tries get through in that time, asked again and again."""
    end, passed = clock.now + seconds, 0
    while clock.now < end:
        passed += found.begin(keys) == 0.0
        clock.now += step
    return passed


def test_pauses_double_to_the_longest() -> None:
    pace = Pace(3, 60.0)
    assert [pace.pause(wrong) for wrong in range(1, 12)] == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert pace.pause(10**6) == 60


def test_a_pause_is_told_and_a_refused_try_does_not_count() -> None:
    found, clock = tries()
    for _ in range(5):
        assert found.begin(KEYS) == 0.0
    assert found.begin(KEYS) == 1.0
    for _ in range(1_000):
        assert found.begin(KEYS) == 1.0
    clock.now += 1.0
    assert found.begin(KEYS) == 0.0
    assert found.begin(KEYS) == 2.0


def test_one_address_gets_a_few_tries_an_hour() -> None:
    found, clock = tries()
    assert attack(found, clock, KEYS, 3_600) < 20
    assert attack(found, clock, KEYS, 40_000, 10.0) < 50


def test_from_many_addresses_a_name_and_all_names_are_tried_no_faster_than_their_pace() -> None:
    found, clock = tries()
    passed = sum(
        found.begin(((NAME, "anna"), (ADDRESS, f"10.0.{n // 250}.{n % 250}"), (ALL, ""))) == 0.0
        for n in range(5_000)
        if (setattr(clock, "now", clock.now + 1.0) or True)
    )
    assert passed < 5_000 / 60 + 20
    found, clock = tries()
    passed = 0
    for n in range(5_000):
        clock.now += 1.0
        passed += found.begin(((NAME, f"name {n}"), (ADDRESS, f"a{n}"), (ALL, ""))) == 0.0
    assert passed < 5_000 / 10 + 60


def test_nobody_waits_longer_than_the_longest_pause_of_their_keys() -> None:
    """Whoever knows the passphrase gets in once the others pause, however long they were at it."""
    found, clock = tries()
    attack(found, clock, KEYS, 5_000)
    fresh = ((NAME, "anna"), (ADDRESS, "10.0.0.2"), (ALL, ""))
    assert found.begin(fresh) <= 60.0
    clock.now += 60.0
    assert found.begin(fresh) == 0.0


def test_one_address_cannot_keep_a_name_from_another() -> None:
    found, clock = tries()
    attack(found, clock, KEYS, 10_000, 0.5)
    fresh, through = ((NAME, "anna"), (ADDRESS, "10.0.0.2"), (ALL, "")), 0
    for _ in range(100):
        found.begin(KEYS)
        if found.begin(fresh) == 0.0:
            found.good(fresh)
            through += 1
        clock.now += 10.0
    assert through > 80


def test_the_right_one_is_not_counted_and_clears_nothing_else() -> None:
    found, clock = tries()
    own = ((NAME, "eve"), (ADDRESS, "10.0.0.1"), (ALL, ""))
    passed = 0
    for _ in range(200):  # her own name in between does not make room for guesses at Anna's
        passed += found.begin(KEYS) == 0.0
        if found.begin(own) == 0.0:
            found.good(own)
        clock.now += 1.0
    assert passed < 15
    clean, _ = tries()
    for _ in range(100):
        assert clean.begin(own) == 0.0
        clean.good(own)
    assert len(clean) == 0


def test_what_is_long_ago_is_forgotten() -> None:
    found, clock = tries()
    attack(found, clock, KEYS, 1_000)
    clock.now += FORGOTTEN
    assert [found.begin(KEYS) for _ in range(5)] == [0.0] * 5


def test_memory_is_bounded() -> None:
    found, clock = tries(most=100)
    for n in range(5_000):
        clock.now += 10.0
        found.begin(((NAME, f"name {n}"), (ADDRESS, f"a{n}")))
    assert len(found) == 100
