"""Whose turn it is, with crowds made by chance."""

import random
from collections import Counter, deque

import pytest
from every import every

from appliance.answer.line import Line


def taken(line):
    found = []
    while (item := line.take()) is not None:
        found.append(item)
    return found


def joined(line, *asked):
    for visitor in asked:
        line.join(visitor, (visitor, object()))
    return line


def test_one_who_asks_much_waits_behind_those_who_ask_once():
    line = joined(Line(40), *["flood/1"] * 5, "a/1", "b/1", "c/1")
    assert [visitor for visitor, _ in taken(line)] == [
        "flood/1", "a/1", "b/1", "c/1", "flood/1", "flood/1", "flood/1", "flood/1",
    ]  # fmt: skip


def test_many_names_at_one_address_have_one_turn_among_addresses():
    line = joined(Line(40), "forger/1", "forger/2", "forger/3", "a/1", "b/1")
    assert [visitor for visitor, _ in taken(line)] == ["forger/1", "a/1", "b/1", "forger/2", "forger/3"]


def test_readers_behind_one_address_take_turns():
    line = joined(Line(40), "school/1", "school/1", "school/1", "school/2", "school/3")
    assert [visitor for visitor, _ in taken(line)] == [
        "school/1", "school/2", "school/3", "school/1", "school/1",
    ]  # fmt: skip


@every("seed", range(5))
def test_the_order_that_is_told_is_the_order_of_turns(seed):
    random_ = random.Random(seed)
    line = Line(100)
    for n in range(60):
        line.join(f"{random_.randrange(8)}/{random_.randrange(3)}", n)
        if random_.random() < 0.3:
            line.take()
        if random_.random() < 0.2:
            line.leave(random_.randrange(60))
    told = line.order()
    assert len(told) == len(line)
    assert taken(line) == told
    assert len(line) == 0


@every("seed", range(5))
def test_whoever_waits_with_one_question_never_moves_back(seed):
    """Addresses with a single question: nobody who comes later goes before them."""
    random_ = random.Random(seed)
    line, places = Line(1000), {}
    for n in range(300):
        visitor = f"flood{n % 2}/1" if random_.random() < 0.5 else f"one{n}/1"
        line.join(visitor, (visitor, n))
        if random_.random() < 0.4:
            line.take()
        for place, (who, number) in enumerate(line.order()):
            if who.startswith("one"):
                assert place <= places.get((who, number), place)
                places[who, number] = place


def test_nobody_is_starved_however_many_come_new():
    """Somebody new comes at every turn, for ever; the last question of a flooder is still answered."""
    line = joined(Line(1000), *["flood/1"] * 9, *(f"there{n}/1" for n in range(10)))
    last = [item for item in line.order() if item[0] == "flood/1"][-1]
    for turn in range(1000):
        line.join(f"new{turn}/1", (f"new{turn}/1", turn))
        if line.take() == last:
            break
    else:
        pytest.fail("it was never taken")
    assert turn <= 9 * 20  # never more than twenty wait, and each has one turn before each of the nine


@every("seed", range(5))
def test_turns_are_shared_evenly_while_all_want_more(seed):
    random_ = random.Random(seed)
    visitors = [f"{n}/1" for n in range(7)]
    line = Line(10_000)
    for visitor in visitors:
        for _ in range(random_.randrange(20, 200)):
            line.join(visitor, (visitor, object()))
    counts = Counter(line.take()[0] for _ in range(7 * 20))
    assert set(counts.values()) == {20}


def test_in_a_full_line_one_of_those_who_asked_most_gives_way():
    line = joined(Line(5), *["flood/1"] * 5)
    late = line.join("a/1", ("a/1", 0))
    assert late[0] == "flood/1"
    assert [visitor for visitor, _ in line.order()] == ["flood/1", "a/1", "flood/1", "flood/1", "flood/1"]
    own = ("flood/1", "again")
    assert line.join("flood/1", own) is own
    assert len(line) == 5


@every("seed", range(5))
def test_who_waits_with_one_question_gives_way_to_nobody_who_has_more(seed):
    random_ = random.Random(seed)
    line, waiting = Line(30), deque()
    for n in range(400):
        visitor = random_.choice(["flood/1", "flood/2", f"one{n}/1"])
        late = line.join(visitor, (visitor, n))
        waiting.append((visitor, n))
        if late is not None:
            households = Counter(who.partition("/")[0] for who, _ in line.order())
            mine = late[0].partition("/")[0]
            assert households[mine] + 1 >= max(households.values())
        if random_.random() < 0.3:
            line.take()
