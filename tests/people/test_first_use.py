"""The code of first use makes one admin, once, whoever comes at the same time."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from appliance.errors import PeopleError
from appliance.people import first
from people.boxes import WORDS, people


@pytest.fixture
def file(tmp_path):
    (tmp_path / "code").write_text("kq7m-x2pd\n")
    return tmp_path / "code"


def test_the_code_makes_an_admin_once(file) -> None:
    box = people(code=file)
    assert box.first.open()
    for wrong in ("", "-", "kq7m-x2pe", "\ud800"):
        with pytest.raises(PeopleError, match="not the code"):
            box.first.take(wrong, "Eve", WORDS)
    anna = box.first.take(" KQ7M x2pd", "Anna", WORDS)
    assert (anna.name, anna.role) == ("Anna", "admin")
    assert not box.first.open()
    with pytest.raises(PeopleError, match="not the code"):
        box.first.take("kq7m-x2pd", "Eve", WORDS)
    assert [one.name for one in box.persons.listed()] == ["Anna"]


def test_a_name_that_cannot_be_used_does_not_use_the_code_up(file) -> None:
    box = people(code=file)
    for name, words in (("a/b", WORDS), ("Anna", "short")):
        with pytest.raises(PeopleError):
            box.first.take("kq7mx2pd", name, words)
    assert box.first.open()


def test_another_code_lets_an_admin_in_who_forgot_the_passphrase(file) -> None:
    box = people(code=file)
    box.first.take("kq7mx2pd", "Anna", WORDS)
    cookie = box.sessions.begin(1, "")
    code = first.make(file)
    assert box.first.take(code, "anna", "another passphrase").name == "Anna"
    assert box.sessions.find(cookie) is None
    assert box.persons.check("Anna", WORDS) is None
    assert len(box.persons.listed()) == 1


@pytest.mark.parametrize("content", [None, b"", b"\n", b"--\n", b"\xff"])
def test_without_a_code_nobody_gets_in(tmp_path, content) -> None:
    """An empty code must not equal an empty field."""
    file = tmp_path / "code"
    if content is not None:
        file.write_bytes(content)
    for box in (people(code=file), people()):
        assert not box.first.open()
        for given in ("", "-", "\xff"):
            with pytest.raises(PeopleError):
                box.first.take(given, "Eve", WORDS)


def test_a_code_is_for_the_eyes_of_its_owner(tmp_path) -> None:
    file = tmp_path / "people" / "code"
    code = first.make(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert first.make(file) != code
    assert len(file.read_text().strip()) == 9


@pytest.mark.slow
def test_of_many_who_come_at_once_one_becomes_admin(tmp_path, file) -> None:
    """Each with connections of its own, as two processes have."""
    boxes = [people(tmp_path / "people", file) for _ in range(8)]

    def come(number: int) -> str:
        try:
            return boxes[number].first.take("kq7mx2pd", f"Anna {number}", WORDS).name
        except PeopleError:
            return ""

    with ThreadPoolExecutor(8) as pool:
        made = list(filter(None, pool.map(come, range(8))))
    assert len(made) == 1
    assert [one.name for one in boxes[0].persons.listed()] == made
    for box in boxes:
        box.store.close()
