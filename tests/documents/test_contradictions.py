"""Documents that differ: found when they come, listed with both sides, dismissed; nothing else is."""

from collections.abc import Iterator, Sequence

import pytest
from every import every

from appliance.documents import contradictions
from appliance.documents.claims import claims, differ
from appliance.documents.contradictions import Difference, dismiss, find, listed
from appliance.documents.judging import Placed, of_one_thing
from appliance.documents.records import Scope
from appliance.documents.store import Store
from documents.keep import whole

OURS = Scope()


def placed(text: str, above: str = "") -> list[Placed]:
    return [Placed(n, hash(text), 0, claim.start, above, claim) for n, claim in enumerate(claims(text))]


def clash(one: str, other: str, titles: tuple[str, str] = ("", "")) -> set[str]:
    """Kinds of claim in which two texts differ, by the rules alone."""
    return {
        a.claim.kind
        for a in placed(one, titles[0])
        for b in placed(other, titles[1])
        if a.claim.kind == b.claim.kind and differ(a.claim, b.claim) and of_one_thing(a, b)
    }


@every(
    ("kind", "one", "other"),
    [
        (
            "date",
            "The stone bridge, which was built in 1868, fell at once.",
            "The stone bridge was built in 1871.",
        ),
        (
            "date",
            "It was on 12 April 1923 that the Isk broke its bank.",
            "The Isk broke its bank on 11 April 1923.",
        ),
        ("date", "Le peintre Emil Ott est né à Lund en 1901.", "Le peintre Emil Ott est né à Lund en 1903."),
        ("number", "Seven houses were flooded.", "Nine houses were flooded, not one more."),
        (
            "number",
            "The new bridge of iron was opened. It is 46 metres long.",
            "The new bridge of iron is 52 metres long.",
        ),
        (
            "number",
            "The tower of Saint Anne is 31 metres high.",
            "The tower of Saint Anne is 25 metres high.",
        ),
        ("place", "The old bell now hangs in the school.", "The old bell hangs in the fire station."),
        (
            "owner",
            "The chapel meadow belonged to the widow Tansy.",
            "The chapel meadow, they say, belonged to the Pikes.",
        ),
        (
            "owner",
            "The miller's house belongs to Anna Pell.",
            "The miller's house belongs to George Pell.",
        ),
        (
            "date",
            "The parish school was opened on\n1 October 1874.",
            "The parish school was opened on 5 October 1873.",
        ),
    ],
)
def test_a_difference_is_seen(kind: str, one: str, other: str) -> None:
    assert clash(one, other) == {kind}


@every(
    ("one", "other"),
    [
        ("The stone bridge was built in 1871.", "The iron bridge was built in 1926."),
        ("The stone bridge was built in 1871.", "The stone bridge was built in the 1870s."),
        ("The stone bridge was built in 1871.", "The stone bridge was not built in 1868."),
        ("The school was opened in 1874.", "The school was closed in 1911."),
        ("The cooperative had 84 members in 1923.", "The cooperative had 112 members in 1924."),
        ("The new bridge is 46 metres long.", "The old bridge is 38 metres long."),
        ("The new bridge is 46 metres long.", "The new bridge is 46.2 metres long."),
        ("The new bridge is 46 metres long.", "The new bridge is 4 metres wide."),
        ("The well at Upper Mill is 22 metres deep.", "The well at Hazel Bank is 8 metres deep."),
        (
            "All households were visited between 7 and 18 September 1998.",
            "All households were visited in October 2011.",
        ),
        ("- 2 tablespoons of butter", "- 4 tablespoons of butter"),
        ("Preheat the oven to 180 °C.", "Preheat the oven to 220 °C."),
        ("The old bell hangs in the school.", "The old bell hangs in the school house."),
        ("Were nine houses flooded?", "Seven houses were flooded."),
        ("The miller's house belongs to Anna Pell.", "The miller's house belongs to A. Pell."),
        ("The miller's house belongs to George Pell.", "The miller's house belongs to Mr Pell."),
        ("The miller's house belongs to the Pells.", "The miller's house belongs to George Pell."),
        (
            "The quantities here are for about two adult portions.",
            "The quantities here are for about four adult portions.",
        ),
        (
            "This recipe was written for six hungry people.",
            "This recipe was written for four hungry people.",
        ),
        ("Ces quantités sont ici pour deux portions.", "Ces quantités sont ici pour quatre portions."),
    ],
)
def test_what_only_looks_like_one_is_not(one: str, other: str) -> None:
    assert clash(one, other) == set()


def test_two_editions_speak_of_different_times() -> None:
    one, other = "The village of Lower Isk has 340 people.", "The village of Lower Isk has 280 people."
    assert clash(one, other) == {"number"}
    assert clash(one, other, ("Survey of 1998", "Survey of 2011")) == set()


@pytest.fixture
def store() -> Iterator[Store]:
    kept = Store.open()
    yield kept
    kept.close()


def add(store: Store, title: str, text: str, owner: str = "") -> int:
    with store.write() as connection:
        connection.execute(
            "INSERT INTO document(sha256, owner, name, title, media_type, added, text) "
            "VALUES(?, ?, ?, ?, 'text/plain', '2026-01-01T00:00:00Z', ?)",
            (title.encode(), owner, title, title, text),
        )
        document = connection.last_insert_rowid()
        whole(connection, document, text)
    return document


def agrees(_question: str, texts: Sequence[str]) -> list[float]:
    return [2.0] * len(texts)


def refuses(_question: str, texts: Sequence[str]) -> list[float]:
    return [-2.0] * len(texts)


def down(_question: str, _texts: Sequence[str]) -> list[float]:
    return []


def no_vectors(_passage: int, _others: Sequence[int]) -> dict[int, float]:
    return {}


def told(found: Sequence[Difference]) -> list[set[str]]:
    return [{side.value for side in one.sides} for one in found]


PASTOR = "I tell it as it was. Seven houses were flooded. The stone bridge was built in 1868."
MILLER = "I had the mill then. Nine houses were flooded. The stone bridge was built in 1871."


def test_differences_are_found_when_a_document_comes(store: Store) -> None:
    add(store, "Pastor", PASTOR)
    assert find(store, agrees, no_vectors) == 0
    add(store, "Miller", MILLER)
    assert find(store, agrees, no_vectors) == 2
    assert find(store, agrees, no_vectors) == 0
    found, count = listed(store, OURS)
    assert count == 2
    assert sorted(map(sorted, told(found))) == [["1868", "1871"], ["Nine", "Seven"]]
    side = next(side for one in found for side in one.sides if side.value == "1868")
    assert side.before + side.value + side.after == "The stone bridge was built in 1868."
    assert PASTOR[side.start : side.start + side.length] == "The stone bridge was built in 1868."
    assert side.title == "Pastor"


def test_a_sentence_that_leans_on_the_one_before_brings_it_along(store: Store) -> None:
    add(store, "Pastor", "The iron bridge was opened in 1926. It is 46 metres long.")
    add(store, "Miller", "The iron bridge is 52 metres long.")
    find(store, agrees, no_vectors)
    ((one,), _) = listed(store, OURS)
    assert [side.context for side in one.sides] == ["", "The iron bridge was opened in 1926."]


def test_the_reader_has_a_word_and_is_waited_for(store: Store) -> None:
    add(store, "Pastor", PASTOR)
    add(store, "Miller", MILLER)
    assert find(store, down, no_vectors) == 0
    assert listed(store, OURS)[1] == 0
    assert find(store, agrees, no_vectors) == 2  # it went on where it had stopped


def test_what_the_reader_refuses_is_not_listed(store: Store) -> None:
    add(store, "Pastor", PASTOR)
    add(store, "Miller", MILLER)
    assert find(store, refuses, no_vectors) == 0


def test_passages_that_are_far_from_each_other_are_not_compared(store: Store) -> None:
    add(store, "Pastor", PASTOR)
    add(store, "Miller", MILLER)
    far = contradictions.LEAST_COSINE - 0.01
    assert find(store, agrees, lambda _, others: dict.fromkeys(others, far)) == 0


def test_one_can_be_dismissed_and_taken_back(store: Store) -> None:
    add(store, "Pastor", PASTOR)
    add(store, "Miller", MILLER)
    find(store, agrees, no_vectors)
    number = listed(store, OURS)[0][0].id
    assert dismiss(store, OURS, number)
    assert not dismiss(store, OURS, number)
    assert (listed(store, OURS)[1], listed(store, OURS, dismissed=True)[1]) == (1, 1)
    find(store, agrees, no_vectors)
    assert listed(store, OURS)[1] == 1
    assert dismiss(store, OURS, number, dismissed=False)
    assert listed(store, OURS)[1] == 2


def test_only_who_may_see_both_documents_sees_that_they_differ(store: Store) -> None:
    add(store, "Pastor", PASTOR, owner="ann")
    add(store, "Miller", MILLER)
    find(store, agrees, no_vectors)
    assert listed(store, OURS)[1] == 0
    assert listed(store, Scope(("ann",)))[1] == 0
    found, count = listed(store, Scope(("", "ann")))
    assert count == 2
    assert not dismiss(store, OURS, found[0].id)


def test_a_deleted_document_takes_its_differences_along(store: Store) -> None:
    document = add(store, "Pastor", PASTOR)
    add(store, "Miller", MILLER)
    find(store, agrees, no_vectors)
    with store.write() as connection:
        connection.execute("DELETE FROM document WHERE id = ?", (document,))
        assert connection.execute("SELECT count(*) FROM disagreement").get == 0
        assert connection.execute("SELECT count(*) FROM claim WHERE document_id = ?", (document,)).get == 0
