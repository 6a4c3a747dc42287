"""People are made, let in by their passphrase, given other roles; the last admin stays."""

import pytest
from every import every

from appliance.errors import PeopleError
from appliance.passphrases import Cost
from appliance.people.people import open_people
from appliance.people.persons import Persons
from people.boxes import CHEAP, WORDS, people


def test_somebody_is_let_in_by_their_name_and_passphrase() -> None:
    persons = people().persons
    anna = persons.add("Anna  Müller", "editor", WORDS)
    assert (anna.name, anna.role) == ("Anna Müller", "editor")
    assert persons.check("anna MÜLLER ", WORDS) == anna
    assert persons.check("Anna Müller", "correct horse") is None
    assert persons.check("Peter", WORDS) is None
    assert persons.check("", "") is None


def test_the_file_has_nothing_that_lets_anybody_in() -> None:
    box = people()
    anna = box.persons.add("Anna", "admin", WORDS)
    cookie = box.sessions.begin(anna.id, "Firefox")
    token = box.programs.add(anna.id, "feeder", "editor")
    with box.store.read() as connection:
        kept = str(
            [connection.execute(f"SELECT * FROM {t}").fetchall() for t in ("person", "session", "program")]
        )
    for secret in (WORDS, cookie, cookie.partition(".")[0], token):
        assert secret not in kept


@every("name", ["", " ", "a/b", "-a", "a" * 41, "<b>", "a\nb\x00", "\ud800"])
def test_names_that_cannot_be_used(name: str) -> None:
    with pytest.raises(PeopleError, match="no name"):
        people().persons.add(name, "reader", WORDS)


@every("words", ["", "short", "aaaaaaaaaaaa", "a" * 1_001, "Benjamin", "Password1", "lamplight"])
def test_passphrases_that_cannot_be_used(words: str) -> None:
    with pytest.raises(PeopleError):
        people().persons.add("benjamin", "reader", words)


def test_names_that_differ_in_how_they_are_typed_are_one() -> None:
    persons = people().persons
    persons.add("José", "reader", WORDS)
    for again in ("josé", "JOSE\u0301", " José "):
        with pytest.raises(PeopleError, match="already"):
            persons.add(again, "reader", WORDS)


def test_the_last_admin_stays() -> None:
    persons = people().persons
    anna, peter = persons.add("Anna", "admin", WORDS), persons.add("Peter", "editor", WORDS)
    for act in (lambda: persons.remove(anna.id), lambda: persons.set_role(anna.id, "reader")):
        with pytest.raises(PeopleError, match="last admin"):
            act()
    persons.set_role(peter.id, "admin")
    persons.remove(anna.id)
    assert [(one.name, one.role) for one in persons.listed()] == [("Peter", "admin")]
    with pytest.raises(PeopleError, match="no such person"):
        persons.set_role(anna.id, "admin")


def test_another_passphrase_ends_sessions_and_programs_but_the_one_in_which_it_was_given() -> None:
    box = people()
    anna = box.persons.add("Anna", "admin", WORDS)
    here, there = (box.sessions.begin(anna.id, label) for label in ("here", "there"))
    token = box.programs.add(anna.id, "feeder", "admin")
    found = box.sessions.find(here)
    assert found is not None
    box.persons.set_passphrase(anna.id, "another passphrase", but=found[1].id)
    assert box.sessions.find(here) is not None
    assert box.sessions.find(there) is None
    assert box.programs.find(token) is None
    assert box.persons.check("Anna", WORDS) is None
    assert box.persons.check("Anna", "another passphrase") == anna


def test_a_hash_of_another_cost_is_made_again_when_somebody_signs_in() -> None:
    box = people()
    box.persons.add("Anna", "admin", WORDS)
    dearer = Persons(box.store, Cost(16, 1))
    assert dearer.check("Anna", WORDS) is not None
    with box.store.read() as connection:
        assert "m=16,t=1" in str(connection.execute("SELECT lock FROM person").get)
    assert box.persons.check("Anna", WORDS) is not None


@pytest.mark.slow
def test_people_are_kept_for_their_owner_alone(tmp_path) -> None:
    box = open_people(tmp_path / "people", None, CHEAP)
    box.persons.add("Anna", "admin", WORDS)
    cookie = box.sessions.begin(1, "Firefox")
    box.store.close()
    again = open_people(tmp_path / "people", None, CHEAP)
    assert again.persons.check("Anna", WORDS) is not None
    assert again.sessions.find(cookie) is not None
    assert (tmp_path / "people/people.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "people").stat().st_mode & 0o777 == 0o700
    again.store.close()
