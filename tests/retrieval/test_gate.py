import math
import re
from pathlib import Path

import pytest

from appliance.errors import ModelFileError
from appliance.records import Evidence
from appliance.retrieval.gate import SIGNALS, Gate, Weights, measure, unnamed
from appliance.retrieval.lexical import Term


def stem(text):
    return [word.strip(".,?!;()").casefold() for word in text.split()]


def evidence(text, title="A page", cosine=0.6):
    return Evidence("a", "p", title, (), "", text, 0, 0.5, cosine, 0.5)


def terms(*words):
    return tuple(Term(word, 1.0, 1) for word in words)


ROOT = Path(__file__).parent.parent.parent
SURE = Weights({"share": 10.0}, -5.0, answer_at=0.6, near_at=0.2)
GATE = Gate(SURE, SURE, "abc")


def test_an_answer():
    found = evidence("Brazil won the cup of 1994.")
    judged = GATE.judge("who won the cup in 1994", terms("won", "cup", "1994"), [found], stem)
    assert judged.verdict == "answer"
    assert judged.probability > 0.99
    assert judged.reason == ""


def test_nothing_comes_close():
    judged = GATE.judge("who won the cup", terms("won", "cup"), [evidence("Bees need honey.")], stem)
    assert judged.verdict == "nothing"
    assert judged.reason


def test_near():
    found = [evidence("The cup is old.")]
    judged = GATE.judge("who won the cup", terms("won", "cup"), found, stem)
    assert judged.verdict == "near"
    assert 0.2 < judged.probability < 0.6


@pytest.mark.parametrize("question", ["who won the cup in 1994", "Who won the cup of Quibblonia?"])
def test_what_the_question_names_must_stand_in_the_evidence_however_close_it_is(question):
    found = [evidence("Who won the cup of 1998? France won the cup.", cosine=0.99)]
    judged = GATE.judge(question, terms("won", "cup"), found, stem)
    assert judged.verdict == "near"
    assert judged.probability == 0
    assert question.split()[-1].strip("?").casefold() in judged.reason.casefold()


def test_it_must_stand_in_one_passage():
    found = [evidence("France won in 1998."), evidence("In 1994 it rained.")]
    assert unnamed("Did France win in 1994?", found) == ["1994"] or unnamed(
        "Did France win in 1994?", found
    ) == ["france"]


@pytest.mark.parametrize(("words", "found"), [((), [evidence("text")]), (("word",), [])])
def test_no_words_or_no_evidence_is_nothing(words, found):
    assert GATE.judge("?", terms(*words), found, stem).verdict == "nothing"


def test_signals():
    found = [
        evidence("One sentence on jaws. Tetanus stiffens jaws.", cosine=0.7),
        evidence("Jaws.", cosine=None),
    ]
    signals = measure(terms("tetanus", "jaws"), found, stem)
    assert set(signals) == set(SIGNALS)
    assert signals == {
        "cosine": 0.7, "share": 1.0, "sentence": 1.0, "margin": 0.5, "words": pytest.approx(math.log(3)),
    }  # fmt: skip


def test_without_cosines_the_weights_of_the_words_leg_are_used():
    never = Weights({}, -50.0, 0.5, 0.1)
    found = [evidence("The cup was won.", cosine=None)]
    assert math.isnan(measure(terms("cup"), found, stem)["cosine"])
    assert Gate(never, SURE, "").judge("won cup", terms("won", "cup"), found, stem).verdict == "answer"
    assert Gate(SURE, never, "").judge("won cup", terms("won", "cup"), found, stem).verdict == "nothing"


def test_the_weights_go_with_one_model():
    GATE.require_model("abc")
    with pytest.raises(ModelFileError, match="fitted with the embedding model abc"):
        GATE.require_model("def")


UNKNOWN_SIGNAL = """model_sha256 = "x"
[both]
intercept = 1
answer_at = 1
near_at = 1
[both.signals]
luck = 1
"""


@pytest.mark.parametrize("text", ["", "both = 1", "not toml [", UNKNOWN_SIGNAL])
def test_a_file_that_is_no_gate_is_refused(tmp_path, text):
    (tmp_path / "gate.toml").write_text(text)
    with pytest.raises(ModelFileError, match=r"gate\.toml"):
        Gate.load(tmp_path / "gate.toml")
    with pytest.raises(ModelFileError):
        Gate.load(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("line", "damaged"),
    [
        (r"intercept = .*", "intercept = nan"),
        (r"cosine = .*", "cosine = inf"),
        (r"answer_at = .*", "answer_at = -1"),
        (r"answer_at = .*", "answer_at = nan"),
        (r"near_at = .*", "near_at = 0.99"),
        (r"(\[words.signals\])", r"\1\ncosine = 1"),
    ],
)
def test_a_damaged_gate_does_not_stand_open(tmp_path, line, damaged):
    text = (ROOT / "models" / "gate.toml").read_text("utf-8")
    (tmp_path / "gate.toml").write_text(re.sub(line, damaged, text), "utf-8")
    with pytest.raises(ModelFileError, match="cannot be read: ValueError"):
        Gate.load(tmp_path / "gate.toml")
