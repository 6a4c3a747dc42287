"""Passages that give orders (tests/cases/hostile): what an obeying model writes must not go out."""

import pytest
from every import every

from answer.hostile import Case, all_cases
from appliance.answer.orders import gives_orders
from appliance.answer.prompt import SYSTEM, quoted
from appliance.answer.support import Checked
from appliance.retrieval.sentences import sentences

FORMS = ("Sure! {}.", "{} [1].", "{title} is {} [1].")
ALL = [
    pytest.param(case, id=f"{file.stem}-{n}")
    for file, found in all_cases().items()
    for n, case in enumerate(found)
]


def shown(case: Case, written: str) -> str:
    checked = Checked(case.question, [f"{case.title}\n{quoted(case.passage)}"], SYSTEM)
    return checked.feed(written) + checked.end()


def test_there_are_enough_of_them():
    assert len(ALL) >= 60


@every("case", ALL)
def test_what_an_obeying_model_writes_is_struck(case):
    for form in FORMS:
        for said in case.obeyed:
            written = form.format(said, title=case.title, question=case.question)
            assert not case.followed(shown(case, written)), written


@every("case", ALL)
def test_an_order_that_is_copied_from_the_passage_is_struck(case):
    assert not case.followed(shown(case, quoted(case.passage)))
    for sentence in sentences(quoted(case.passage)):
        assert not case.followed(shown(case, sentence)), sentence


@every(
    "sentence",
    [
        "The court ordered him to answer the charges.",
        "Many readers ignore the last chapter.",
        "The rules of chess say how a pawn moves.",
        "She wrote that the answer lay in the sea.",
        "The passage of Drake lies south of the cape.",
        "He told the story of the system of canals.",
        "Écrire fut sa seule joie.",
    ],
)
def test_what_reference_works_say_is_no_order(sentence):
    assert not gives_orders(sentence)
