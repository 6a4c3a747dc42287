from appliance.quality.measure import (
    Gold,
    Outcome,
    Place,
    gate_figures,
    holds_answer,
    retrieval_figures,
    titled_rank,
)
from appliance.quality.questions import Question
from appliance.records import Block, Document, Evidence


class OnePage:
    """A library of one page with two paragraphs."""

    def document(self, _archive, path):
        blocks = (Block("paragraph", 0, 10, (), "p0"), Block("paragraph", 12, 30, (), "p1"))
        return Document(path, path, "x" * 30, blocks)


ASKED = Question("q", "NQ", True, "P", "p1")


def test_a_hit_overlaps_the_gold_paragraph():
    gold = Gold(OnePage(), "zim")
    assert gold.rank(ASKED, [Place("Q", 12, 30), Place("P", 0, 11), Place("P", 8, 13)]) == 3
    assert gold.rank(ASKED, [Place("P", 0, 12)]) is None
    assert gold.rank(ASKED, [Place("P", 0, -1)]) == 1  # a search that finds pages
    assert gold.rank(ASKED, [Place("Q", 0, -1)] * 20 + [Place("P", 0, -1)]) is None


def test_a_set_that_names_titles():
    asked = Question("q", "fr", True, "Tour Eiffel", "", ("330 m",))
    found = [
        Evidence("a", "p", title, (), "", text, 0, 1.0) for title, text in (("A", "b"), ("B", "de 330\xa0m."))
    ]
    assert titled_rank(asked, found) == 2
    assert titled_rank(asked, found[:1]) is None


def test_holds_answer():
    assert holds_answer("It lies in  RUNNYMEDE, near Windsor.", ["Runnymede"])
    assert not holds_answer("It lies near Windsor.", ["Runnymede", "1215"])
    assert not holds_answer("anything", [])
    assert not holds_answer("In 1915 it rained.", ["15"])


def test_figures():
    found = retrieval_figures([1, 6, None, 2], [0.01, 0.02, 0.03, 0.04])
    assert found["recall@1"] == 0.25
    assert found["recall@5"] == 0.5
    assert found["recall@20"] == 0.75
    assert 20 <= found["p50_ms"] <= 30
    outcomes = [
        Outcome(Question("q", "NQ", answerable), None, verdict, p, 0.0)
        for answerable, verdict, p in (
            (True, "answer", 0.9), (True, "near", 0.3), (False, "answer", 0.8), (False, "nothing", 0.0),
        )
    ]  # fmt: skip
    assert gate_figures(outcomes) == {"false_answers": 0.5, "false_refusals": 0.5, "auc": 0.75}
