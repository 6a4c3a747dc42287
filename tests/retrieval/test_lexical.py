import numpy as np
import pytest
from every import every

from appliance.retrieval import lexical
from appliance.retrieval.lexical import Term


class ListedIndex:
    """A real, tiny index of words: passages are lists of words."""

    def __init__(self, passages, size=None):
        self.passages = passages
        self.size = size or len(passages)

    def postings(self, term):
        return np.array([n for n, held in enumerate(self.passages, 1) if term in held], np.int64)

    def frequency(self, term):
        return len(self.postings(term))

    def similar_terms(self, term, limit):
        held = sorted({word for passage in self.passages for word in passage})
        return [(word, self.frequency(word)) for word in held if word[0] == term[0].lower()][:limit]


INDEX = ListedIndex(
    [["tetanus", "lockjaw"], ["tetanus", "caus"], ["caus", "war"], ["diabet"], ["diabet", "caus"]]
)


def test_a_passage_that_holds_every_word_has_share_one():
    hits = lexical.search(INDEX, lexical.weigh(INDEX, ["tetanus", "lockjaw"]))
    assert hits.passages.tolist() == [1, 2]
    assert hits.shares[0] == pytest.approx(1)
    assert 0 < hits.shares[1] < 0.5  # the commoner word tells less


def test_best_first_and_zero_for_strangers():
    hits = lexical.search(INDEX, lexical.weigh(INDEX, ["caus", "diabet"]))
    assert hits.best(1).tolist() == [5]
    assert hits.share_of(np.array([1, 5])).tolist() == [0, pytest.approx(1)]


@pytest.mark.parametrize("words", [[], ["quibblonia"]])
def test_no_word_no_hit(words):
    hits = lexical.search(INDEX, lexical.weigh(INDEX, words))
    assert len(hits.passages) == 0
    assert hits.best(5).tolist() == []
    assert hits.share_of(np.array([1, 2])).tolist() == [0, 0]


def test_a_word_that_the_archive_lacks_lowers_every_share():
    known = lexical.search(INDEX, lexical.weigh(INDEX, ["tetanus"]))
    with_unknown = lexical.search(INDEX, lexical.weigh(INDEX, ["tetanus", "quibblonia"]))
    assert with_unknown.shares.max() < known.shares.max() / 2


def test_words_that_stand_everywhere_are_left_out_of_a_large_archive():
    passages = [["the"]] * 6 + [["rare"]]
    large = ListedIndex(passages, size=lexical.LARGE)
    large.frequency = lambda term: {"the": lexical.LARGE // 10, "rare": 1}.get(term, 0)
    assert [term.word for term in lexical.weigh(large, ["the", "rare"])] == ["rare"]
    assert [term.word for term in lexical.weigh(large, ["the", "unknown"])] == ["the", "unknown"]
    assert [term.word for term in lexical.weigh(ListedIndex(passages), ["the", "rare"])] == ["the", "rare"]


def test_the_number_of_words_is_bounded():
    assert len(lexical.weigh(INDEX, [f"w{n}" for n in range(500)])) == lexical.MAX_WORDS


@every(
    ("typed", "meant"),
    [("diabeti", "diabet"), ("tetanis", "tetanus"), ("lockjow", "lockjaw"), ("quibblonia", ""),
     ("wor", ""), ("1994", "")],
)  # fmt: skip
def test_a_slip_of_the_pen_is_put_right(typed, meant):
    assert lexical.correction([INDEX], typed) == meant


def test_only_words_that_stand_nowhere_are_corrected():
    assert lexical.corrected(["tetanus", "diabeti"], [INDEX], lambda text: [text]) == {"diabeti": "diabet"}
    assert lexical.corrected(["diabeti"], [], lambda text: [text]) == {}


def test_weight_falls_with_frequency():
    weights = [lexical.weight(frequency, 100) for frequency in (0, 1, 10, 100)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0
    assert Term("x", weights[0], 0).weight > 4
