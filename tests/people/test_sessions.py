"""Sessions: a cookie of ours alone is one; each can be ended; none outlives its two ages."""

import pytest

from appliance.errors import PeopleError
from appliance.people.people import restored
from appliance.people.sessions import IDLE, LONGEST, MOST
from people.boxes import WORDS, Clock, people


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def box(clock):
    found = people(clock=clock)
    found.persons.add("Anna", "admin", WORDS)
    found.persons.add("Peter", "reader", WORDS)
    return found


def test_a_cookie_finds_its_person(box) -> None:
    cookie = box.sessions.begin(1, "Firefox on Android")
    person, session = box.sessions.find(cookie)
    assert (person.name, session.label) == ("Anna", "Firefox on Android")


@pytest.mark.parametrize("change", [
    lambda _: "", lambda _: "x", lambda c: c[:-1], lambda c: c.partition(".")[0], lambda c: "." + c,
    lambda c: c.replace(".", ".0", 1), lambda c: "A" + c[1:] if c[0] != "A" else "B" + c[1:],
    lambda c: c + "\udcff", lambda c: "é." + c, lambda c: c.partition(".")[2] + "." + c.partition(".")[2],
])  # fmt: skip
def test_a_cookie_that_was_changed_is_none(box, change) -> None:
    assert box.sessions.find(change(box.sessions.begin(1, ""))) is None


def test_a_cookie_of_another_box_is_none(box) -> None:
    assert people().sessions.find(box.sessions.begin(1, "")) is None


def test_a_session_ends_by_itself(box, clock) -> None:
    cookie = box.sessions.begin(1, "")
    began = clock.now
    while clock.now < began + LONGEST - IDLE:
        clock.now += IDLE - 1
        _, session = box.sessions.find(cookie)
        box.sessions.touch(session)
    clock.now = began + LONGEST + 1
    assert box.sessions.find(cookie) is None
    second = box.sessions.begin(1, "")
    clock.now += IDLE + 1
    assert box.sessions.find(second) is None
    assert box.sessions.listed() == []


def test_what_was_seen_is_written_now_and_then(box, clock) -> None:
    cookie = box.sessions.begin(1, "")
    _, session = box.sessions.find(cookie)
    assert not box.sessions.stale(session)
    clock.now += 601
    assert box.sessions.stale(session)
    box.sessions.touch(session)
    assert box.sessions.find(cookie)[1].seen == int(clock.now)
    clock.now -= 86_400  # the clock was wrong
    assert box.sessions.stale(box.sessions.find(cookie)[1])


def test_a_session_from_the_future_is_none(box, clock) -> None:
    """Where the clock was years ahead and was put right, it would otherwise never end."""
    clock.now += 5 * 365 * 86_400
    cookie = box.sessions.begin(1, "")
    assert box.sessions.find(cookie)
    clock.now -= 5 * 365 * 86_400
    assert box.sessions.find(cookie) is None
    assert box.sessions.listed() == []


def test_sessions_are_listed_and_ended_one_by_one_or_all(box) -> None:
    one, other = box.sessions.begin(1, "one"), box.sessions.begin(1, "other")
    theirs = box.sessions.begin(2, "theirs")
    assert [found.label for found in box.sessions.listed(1)] == ["other", "one"]
    number = box.sessions.find(one)[1].id
    assert not box.sessions.end(number, person=2)
    assert box.sessions.end(number, person=1)
    assert box.sessions.find(one) is None
    assert box.sessions.find(other) is not None
    box.sessions.end_all(1)
    assert box.sessions.find(other) is None
    assert box.sessions.find(theirs) is not None
    box.sessions.end_all()
    assert box.sessions.listed() == []


def test_nobody_fills_the_file_with_sessions(box) -> None:
    first = box.sessions.begin(1, "first")
    for _ in range(MOST):
        last = box.sessions.begin(1, "x" * 500)
    assert len(box.sessions.listed(1)) == MOST
    assert box.sessions.find(first) is None
    assert len(box.sessions.find(last)[1].label) == 60


def test_a_role_is_in_force_at_once_and_a_person_who_goes_takes_their_sessions(box) -> None:
    box.persons.set_role(2, "editor")
    cookie = box.sessions.begin(2, "")
    assert box.sessions.find(cookie)[0].role == "editor"
    box.persons.set_role(2, "reader")
    assert box.sessions.find(cookie)[0].role == "reader"
    box.persons.remove(2)
    assert box.sessions.find(cookie) is None
    assert box.sessions.listed() == []


def test_a_backup_brings_no_session_back(box) -> None:
    cookie, token = box.sessions.begin(1, ""), box.programs.add(1, "feeder", "admin")
    restored(box)
    assert box.sessions.find(cookie) is None
    assert box.programs.find(token) is None
    assert box.persons.check("Anna", WORDS) is not None


def test_what_was_changed_while_somebody_signs_in_lets_them_in_no_more(box) -> None:
    """The hash takes its time: meanwhile the passphrase was replaced, or the person removed."""
    late = box.persons.check("Anna", WORDS)
    box.persons.set_passphrase(1, "another passphrase")
    with pytest.raises(PeopleError, match="just now"):
        box.sessions.begin(late.id, "", late.lock)
    with pytest.raises(PeopleError, match="just now"):
        box.persons.set_passphrase(late.id, "a third passphrase", 0, late.lock)
    assert box.persons.check("Anna", "another passphrase")
    gone = box.persons.check("Peter", WORDS)
    box.persons.remove(2)
    with pytest.raises(PeopleError, match="just now"):
        box.sessions.begin(gone.id, "", gone.lock)
    again = box.persons.check("Anna", "another passphrase")
    assert box.sessions.find(box.sessions.begin(again.id, "", again.lock))
    assert again.lock not in repr(again)
