"""A known difference is told where a question asks for just that, and nowhere else."""

from collections.abc import Iterator, Sequence

import pytest
from every import every

from appliance.answer.ask import considered
from appliance.documents.contradictions import dismiss, find, listed
from appliance.documents.known import known
from appliance.documents.store import Store
from appliance.records import Evidence, Found, Judgement
from documents.test_contradictions import MILLER, OURS, PASTOR, add, agrees, no_vectors


@pytest.fixture
def store() -> Iterator[Store]:
    kept = Store.open()
    add(kept, "Pastor", PASTOR)
    add(kept, "Miller", MILLER)
    find(kept, agrees, no_vectors)
    yield kept
    kept.close()


def evidence(path: str, text: str, archive: str = "documents") -> Evidence:
    return Evidence(archive, path, "T", (), "", text, 0, 0.9)


BOTH = (evidence("2", MILLER), evidence("1", PASTOR))


def by_words(question: str, texts: Sequence[str]) -> list[float]:
    """A reader that finds an answer where a word of five letters or more is shared."""
    asked = {word.strip("?.").lower() for word in question.split() if len(word) > 4}
    return [1.0 if asked & {word.strip("?.").lower() for word in text.split()} else -1.0 for text in texts]


def test_both_sides_are_told_in_the_order_of_the_passages(store: Store) -> None:
    found = known(store, by_words)("When was the stone bridge built?", BOTH)
    assert found is not None
    assert (found.kind, [(side.value, side.ns) for side in found.sides]) == (
        "date", [("1871", (1,)), ("1868", (2,))],
    )  # fmt: skip
    assert found.sides[1].sentence == "The stone bridge was built in 1868."


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("Who built the stone bridge?", BOTH),  # asks for another kind of thing
        ("When was the chapel painted?", BOTH),  # the reader says that neither answers
        ("When was the stone bridge built?", BOTH[:1]),
        ("When was the stone bridge built?", (BOTH[0], evidence("1", PASTOR, "wikipedia"))),
    ],
)
def test_it_is_told_nowhere_else(store: Store, question: str, passages: Sequence[Evidence]) -> None:
    assert known(store, by_words)(question, passages) is None


HOUSES = ("Seven houses were flooded.", "Nine houses were flooded, and not one more.")
MEADOW = (
    "The chapel meadow belonged to the widow Tansy.",
    "The chapel meadow belonged to the brothers Pike.",
)


def doubts(question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG001
    """A reader that is not sure, as the real one is of what a question adds."""
    return [-3.0 for _ in texts]


def opens_or_closes(question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG001
    """A reader that takes closing for opening."""
    return [2.0 for _ in texts]


@every(
    ("question", "texts", "values"),
    [
        ("How many houses were flooded in April 1923?", HOUSES, ["Seven", "Nine"]),
        ("How many houses were painted white?", HOUSES, []),
        ("Who owned the chapel meadow before the bridge?", MEADOW, ["the widow Tansy", "the brothers Pike"]),
        ("Whose was the chapel meadow?", MEADOW, ["the widow Tansy", "the brothers Pike"]),
        ("Who bought the chapel meadow?", MEADOW, []),
        ("Who owned the forge?", MEADOW, []),
    ],
)
def test_a_reader_in_doubt_is_believed_where_the_question_says_all_that_both_sides_say(
    question: str, texts: tuple[str, str], values: list[str]
) -> None:
    kept = Store.open()
    for n, text in enumerate(texts):
        add(kept, f"Teller {n}", text)
    find(kept, agrees, no_vectors)
    found = known(kept, doubts)(question, [evidence(str(n), text) for n, text in enumerate(texts, 1)])
    assert [side.value for side in found.sides] == values if found else not values
    kept.close()


def test_who_asks_when_it_was_closed_is_not_told_when_it_was_opened() -> None:
    kept, texts = Store.open(), ("The school was opened in 1873.", "The school was opened in 1874.")
    for n, text in enumerate(texts):
        add(kept, f"Teller {n}", text)
    find(kept, agrees, no_vectors)
    passages = [evidence(str(n), text) for n, text in enumerate(texts, 1)]
    assert known(kept, opens_or_closes)("When was the school closed?", passages) is None
    assert known(kept, opens_or_closes)("When was the school opened?", passages) is not None
    kept.close()


def test_what_was_dismissed_is_not_told(store: Store) -> None:
    for one in listed(store, OURS)[0]:
        dismiss(store, OURS, one.id)
    assert known(store, agrees)("When was the stone bridge built?", BOTH) is None


def test_it_takes_the_place_of_an_answer_only_where_a_side_may_be_cited(store: Store) -> None:
    found = Found("When was the stone bridge built?", BOTH, Judgement("answer", 0.9))
    told = considered(found, "desktop", None, known(store, by_words)).disagreement
    assert told is not None
    refused = Found(found.question, BOTH, Judgement("near", 0.2))
    assert considered(refused, "desktop", None, known(store, by_words)).disagreement is None
