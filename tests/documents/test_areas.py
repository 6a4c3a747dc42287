"""Areas: a passphrase opens one, and what is kept of it opens nothing."""

import pytest

from appliance.documents import areas
from appliance.documents.store import Store
from appliance.errors import DocumentError

pytestmark = pytest.mark.slow

WORDS = "correct horse battery"


def test_the_passphrase_opens_it_and_nothing_else_does() -> None:
    store = Store.open()
    assert areas.make(store, "Anna", WORDS) is True
    assert areas.opened(store, "Anna", WORDS)
    assert not areas.opened(store, "Anna", WORDS + " ")
    assert not areas.opened(store, "anna", WORDS)
    assert not areas.opened(store, "Peter", "")
    with store.read() as connection:
        assert WORDS not in str(connection.execute("SELECT * FROM area").fetchall())


def test_another_passphrase_shuts_the_old_one_out_and_closing_shuts_all_out() -> None:
    store = Store.open()
    areas.make(store, "Anna", WORDS)
    assert areas.make(store, "Anna", "another passphrase") is False
    assert not areas.opened(store, "Anna", WORDS)
    assert areas.listed(store) == ["Anna"]
    assert areas.remove(store, "Anna")
    assert not areas.opened(store, "Anna", "another passphrase")
    assert not areas.remove(store, "Anna")


@pytest.mark.parametrize(
    ("name", "words"), [("", WORDS), ("a/b", WORDS), ("a" * 41, WORDS), ("Anna", "short")]
)
def test_names_and_passphrases_that_cannot_be_used(name: str, words: str) -> None:
    with pytest.raises(DocumentError):
        areas.make(Store.open(), name, words)
