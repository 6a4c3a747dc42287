"""A run that was stopped goes on where it was, and ranking is that of the search."""

from dataclasses import replace

import pytest

from appliance.quality.questions import Question
from appliance.quality.recordings import NOTHING, UNSET, Asked, Recorder, Recordings, ranked
from appliance.records import Document, Evidence, Told
from appliance.retrieval.gate import Gate, Logistic
from appliance.retrieval.lexical import Term
from appliance.retrieval.rerank import CLOSELY

FOUND = tuple(
    Evidence("a", f"p{n}", "Page", (), "", f"Text {n}.", 0, 0.5, 0.5, 0.5, float(-n)) for n in range(8)
)
ASKED = [(Question(f"question {n}", "NQ", True, "p3", "", ("Text 3",)), False) for n in range(3)]


class Library:
    """Answers everything with FOUND, and breaks off at a question."""

    def __init__(self, recorder, breaks=None):
        self.recorder, self.breaks, self.asked = recorder, breaks, []

    def search(self, text, _limit):
        if text == self.breaks:
            raise KeyboardInterrupt
        self.asked.append(text)
        told = (Told("Text.", 1.0),)
        self.recorder.judge(text, [Term("word", 1, 1, 0.5)], [replace(e, told=told) for e in FOUND], list)

    def document(self, _archive, path):
        return Document(path, "Page", "", ())


class Gold:
    def rank(self, _question, places):
        return 1 if places[0].path == "p3" else None


def collect(file, breaks=None):
    recorder = Recorder()
    library = Library(recorder, breaks)
    return Recordings(file).collect(library, recorder, ASKED, Gold()), library.asked


def test_a_run_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    file = tmp_path / "kept.pkl"
    monkeypatch.setattr("appliance.quality.recordings.EVERY", 1)
    with pytest.raises(KeyboardInterrupt):
        collect(file, "question 2")
    found, asked = collect(file)
    assert asked == ["question 2"]
    assert [one.text for one in found] == [one.text for one, _ in ASKED]
    assert found[0].right == tuple(item.path == "p3" for item in FOUND)
    assert found[0].evidence == FOUND
    assert found[0].terms[0].capital == 0
    assert not list(tmp_path.glob("*.part"))


def test_without_a_file_nothing_is_kept():
    assert len(collect(None)[1]) == 3


def test_the_first_ones_are_ranked_again_by_their_sentences_and_no_others():
    gate = Gate(Logistic({"read": 1.0}, 0.0), Logistic({"told": 1.0}, 0.0), UNSET, UNSET, "", "")
    told = [replace(item, told=(Told(item.text, float(n)),)) for n, item in enumerate(FOUND)]
    found = ranked(gate, told[::-1])
    first = [item.path for item in found[:CLOSELY]]
    assert first == [f"p{n}" for n in range(CLOSELY)][::-1]
    assert [item.path for item in found[CLOSELY:]] == ["p5", "p6", "p7"]
    assert all(not item.told for item in found[CLOSELY:])


def test_a_recorder_ranks_and_judges_nothing():
    recorder = Recorder()
    assert recorder.ranked(FOUND) == list(FOUND)
    assert recorder.judge("q", (), FOUND, list).verdict == "nothing"
    assert NOTHING.probability({}) == 0.5
    assert isinstance(recorder.last, tuple)
    assert Asked(ASKED[0][0], "q", (), FOUND, ()).swapped is False
