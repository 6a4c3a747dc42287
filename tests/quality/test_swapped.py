import numpy as np

from appliance.quality.questions import Question
from appliance.quality.swapped import by_kind, make
from appliance.retrieval.numbers import numbers
from appliance.retrieval.words import fold, words

PAGES = {
    "Bonn": "Bonn\nIn 1949 the town Bonn had 115,394 people. By Bonn the second bridge of Rheinau fell.",
    "Ell": "Ell\nKing Harald ruled in Ellmark for 12 years. Crops grow in Ellmark.",
}
ASKED = [
    Question("How many people lived in Bonn in 1949?", "SQuAD", True, "Bonn"),
    Question("Why did the second bridge of Rheinau fall apart?", "SQuAD", True, "Bonn"),
    Question("Who ruled for 12 years in Ellmark with crops?", "SQuAD", True, "Ell"),
    Question("which crops grow in ellmark fields", "NQ", True, "Ell"),
    Question("where does the bridge of rheinau end", "NQ", True, "Bonn"),
    Question("Which three bridges fell down?", "SQuAD", True, "Bonn"),
    Question("Which topic was taken out in 1949?", "SQuAD", False, "Gone"),
]


class Passages:
    """The word lists of an index over a few passages."""

    def __init__(self, *texts):
        self._texts = [set(map(fold, words(text))) for text in texts]
        self.size = len(texts)

    def postings(self, term):
        return np.array([n for n, text in enumerate(self._texts, 1) if fold(term) in text], np.int64)

    def frequency(self, term):
        return len(self.postings(term))

    def similar_terms(self, _term, _limit):
        return []


def made(*texts):
    return make(ASKED, Passages(*(texts or PAGES.values())), PAGES.__getitem__)


def test_one_thing_is_another_that_the_page_does_not_have():
    found = made().questions
    assert {one.kind for one in found} == {"year", "number", "order", "name"}
    for one in found:
        page = PAGES[one.question.page]
        assert one.into in one.question.text
        assert not one.question.answerable
        if one.kind == "name":
            assert not {fold(word) for word in words(one.into)} & {fold(word) for word in words(page)}
        else:
            (value,) = numbers(one.into).values
            assert not numbers(page).has(value)


def test_the_same_each_time():
    assert made() == made()


def test_a_name_in_small_letters_is_swapped_for_one():
    found = {one.out: one.into for one in made().questions if one.question.group == "NQ"}
    assert found == {"ellmark": "rheinau", "rheinau": "ellmark"}


def test_what_another_passage_may_answer_is_left_out():
    before = [one for one in made().questions if one.kind == "year"]
    (swap,) = before
    also = f"In {swap.into} many people lived in Bonn."
    assert not [one for one in made(*PAGES.values(), also).questions if one.kind == "year"]
    assert made(*PAGES.values(), also).left_out["year", "elsewhere"] == 1


def test_how_many_things_are_asked_for_is_not_swapped():
    assert not [one for one in made().questions if "bridges" in one.question.text and one.kind == "number"]


def test_shares_by_kind():
    found = made().questions
    shares = by_kind(found, [one.kind == "year" for one in found])
    assert shares["SQuAD", "year"] == (1, 1.0)
    assert shares["SQuAD", "order"] == (1, 0.0)
