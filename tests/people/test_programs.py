"""Programs act for somebody, never with a larger role than theirs."""

import pytest
from every import every

from appliance.errors import PeopleError
from people.boxes import WORDS, people


def test_a_program_has_the_smaller_of_both_roles() -> None:
    box = people()
    box.persons.add("Anna", "admin", WORDS)
    box.persons.add("Peter", "admin", WORDS)
    small, large = box.programs.add(2, "reads", "reader"), box.programs.add(2, "does all", "admin")
    assert small.startswith("lamp_")
    assert box.programs.find(small)[0].role == "reader"
    assert box.programs.find(large)[0].role == "admin"
    box.persons.set_role(2, "editor")
    assert box.programs.find(large)[0].role == "editor"
    assert [one.name for one in box.programs.listed()] == ["reads", "does all"]
    assert box.programs.end(1)
    assert box.programs.find(small) is None
    box.persons.remove(2)
    assert box.programs.find(large) is None


@every("token", ["", "lamp_", "lamp_x", "sk-anything", "lamp_\udcff"])
def test_what_is_no_token_is_nobodys(token: str) -> None:
    assert people().programs.find(token) is None


def test_a_program_needs_a_name_and_a_person() -> None:
    box = people()
    box.persons.add("Anna", "admin", WORDS)
    for person, name in ((1, " "), (2, "x")):
        with pytest.raises(PeopleError):
            box.programs.add(person, name, "reader")
