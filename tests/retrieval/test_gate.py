import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from every import every

from appliance.errors import ModelFileError
from appliance.records import Evidence, Told
from appliance.retrieval.gate import Gate, Logistic, Weights
from appliance.retrieval.lexical import Term
from appliance.retrieval.signals import OF_WORDS, SIGNALS, measure, parted


def stem(text):
    return [word.strip(".,?!;()").casefold() for word in text.split()]


def evidence(text, title="A page", cosine=0.6, read=None):
    return Evidence("a", "p", title, (), "", text, 0, 0.5, cosine, 0.5, read)


def terms(*words):
    return tuple(Term(word, 1.0, 1) for word in words)


ROOT = Path(__file__).parent.parent.parent
AT = {"strict": 0.95, "balanced": 0.6, "open": 0.4}
SURE = Weights(Logistic({"share": 10.0}, -5.0), AT, near_at=0.2)
GATE = Gate(Logistic({"read": 1.0}, 0.0), Logistic({"told": 1.0}, 0.0), SURE, SURE, "abc", "def")


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


def test_the_deed_that_is_asked_for_must_be_told_by_a_passage_that_holds_the_rest():
    words = terms("designed", "cup", "quibblonia")
    other = evidence("The house was designed by Ilse Brandt.")
    name = evidence("Who designed? Not said. The cup of Quibblonia is of gold.")
    judged = GATE.judge("Who designed the cup of Quibblonia?", words, [name, other], stem)
    assert judged.verdict == "answer"
    bare = evidence("The cup of Quibblonia is of gold. The cup of Quibblonia is old.")
    judged = GATE.judge("Who designed the cup of Quibblonia?", words, [bare, other], stem)
    assert (judged.verdict, judged.lacking) == ("near", ("designed",))
    assert "“designed”" in judged.reason


def test_it_must_stand_in_one_passage():
    found = [evidence("France won in 1998."), evidence("In 1994 it rained.")]
    fitting, lost = parted("Did France win in 1994?", found)
    assert fitting == []
    assert lost in (["1994"], ["france"])


def test_a_passage_that_holds_the_name_does_not_vouch_for_one_that_holds_the_rest():
    rest = evidence("The cup was won in a hard match of the two best teams.")
    name = evidence("Quibblonia is a land.")
    question, words = "Who won the cup of Quibblonia?", terms("won", "cup", "quibblonia")
    assert parted(question, [rest, name]) == ([name], [])
    judged = GATE.judge(question, words, [rest, name], stem)
    assert judged.verdict != "answer"
    assert GATE.judge("who won the cup", terms("won", "cup"), [rest, name], stem).verdict == "answer"


@pytest.mark.parametrize(("words", "found"), [((), [evidence("text")]), (("word",), [])])
def test_no_words_or_no_evidence_is_nothing(words, found):
    assert GATE.judge("?", terms(*words), found, stem).verdict == "nothing"


def test_signals():
    found = GATE.ranked(
        [
            evidence("Jaws.", cosine=0.7, read=-1.0),
            evidence("One sentence on jaws. Tetanus stiffens jaws.", cosine=0.5, read=1.0),
        ]
    )
    signals = measure("when does tetanus stiffen jaws", terms("tetanus", "jaws"), found, found, stem)
    assert set(signals) == set(SIGNALS)
    assert signals == {
        "best": pytest.approx(1), "lead": pytest.approx(2), "cosine": 0.7, "share": 1.0, "sentence": 1.0,
        "margin": 0.5, "words": pytest.approx(math.log(3)), "kind": 0.0, "side": 1.0, "unsaid": 0.0,
        "absent": 0.0,
    }  # fmt: skip


@every(
    ("question", "text", "kind", "side"),
    [
        ("when was the bridge opened", "The bridge was opened in 1911.", 1, 1),
        ("when was the bridge opened", "The bridge was opened by the king.", 0, 1),
        ("what is the largest bridge", "It is the smallest bridge.", 0.5, 0),
        ("what is the largest bridge", "It is the biggest bridge.", 0.5, 1),
        ("what is the largest bridge", "It is a bridge.", 0.5, 0.5),
    ],
)
def test_signals_of_what_is_asked_for(question, text, kind, side):
    signals = measure(question, terms("bridge"), [evidence(text)], (), stem)
    assert (signals["kind"], signals["side"]) == (kind, side)


def test_what_was_not_read_is_judged_by_words():
    never = Weights(Logistic({}, -50.0), AT, 0.1)
    found = [evidence("The cup was won.")]
    read = [evidence("The cup was won.", read=0.0)]
    assert set(measure("won cup", terms("cup"), found, (), stem)) == set(OF_WORDS)
    for both, words, shown, verdict in (
        (never, SURE, found, "answer"),
        (SURE, never, found, "nothing"),
        (never, SURE, read, "nothing"),
        (SURE, never, read, "answer"),
    ):
        gate = Gate(GATE.passage, GATE.closely, both, words, "", "")
        assert gate.judge("won cup", terms("won", "cup"), shown, stem).verdict == verdict


@pytest.mark.parametrize(("level", "verdict"), [("strict", "near"), ("balanced", "near"), ("open", "answer")])
def test_the_setting_says_how_sure_it_must_be(level, verdict):
    gate = Gate(GATE.passage, GATE.closely, SURE, SURE, "", "", level)
    judged = gate.judge("who won the cup", terms("won", "cup"), [evidence("The cup is old.")], stem)
    assert (judged.verdict, judged.probability) == (verdict, pytest.approx(0.5))


def test_what_was_read_ranks_first_with_its_probability():
    found = GATE.ranked([evidence("a", read=-2.0), evidence("b", read=2.0), evidence("c")])
    assert [item.text for item in found] == ["b", "a", "c"]
    assert found[0].score == pytest.approx(1 / (1 + math.exp(-2)))
    assert found[2].score < found[1].score


def test_what_was_read_by_its_sentences_ranks_before_what_was_read_whole():
    found = GATE.ranked(
        [
            evidence("a", read=9.0),
            replace(evidence("b. c.", read=1.0), told=(Told("b.", -3.0), Told("c.", 0.5))),
            replace(evidence("d.", read=2.0), told=(Told("d.", 0.0),)),
            evidence("e"),
        ]
    )
    assert [item.text for item in found] == ["b. c.", "d.", "a", "e"]
    assert found[0].score == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


@pytest.mark.parametrize(
    ("texts", "absent"),
    [
        (("It stands in Quibblonia.", "A bridge."), 0.0),
        (("A bridge.", "Bridges of Vail."), 0.5),
        (("A bridge.",), 1.25),
    ],
)
def test_names_typed_small_must_stand_together_somewhere(texts, absent):
    asked = (Term("bridge", 1, 9), Term("quibblonia", 1, 2, 0.75), Term("vail", 1, 2, 0.5))
    if absent == 0.5:
        asked = (asked[0], replace(asked[1], capital=0.5), replace(asked[2], capital=0.5))
    found = [evidence(text) for text in texts]
    if absent == 0.0:
        asked = asked[:2]
    assert measure("bridge in quibblonia", asked, found, (), stem)["absent"] == absent


@pytest.mark.parametrize(
    ("model", "reader", "what"), [("x", "def", "embedding model"), ("abc", "x", "reader")]
)
def test_the_weights_go_with_their_models(model, reader, what):
    GATE.require_models("abc", "def")
    with pytest.raises(ModelFileError, match=f"fitted with the {what}"):
        GATE.require_models(model, reader)


UNKNOWN_SIGNAL = """model_sha256 = "x"
reader_sha256 = "y"
[passage]
intercept = 1
[passage.signals]
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
        (r"balanced = .*", "balanced = -1"),
        (r"strict = .*", "strict = nan"),
        (r"open = .*", "open = 0.9999"),
        (r"near_at = .*", "near_at = 0.99"),
        (r"(\[words.signals\])", r"\1\ncosine = 1"),
    ],
)
def test_a_damaged_gate_does_not_stand_open(tmp_path, line, damaged):
    text = (ROOT / "models" / "gate.toml").read_text("utf-8")
    (tmp_path / "gate.toml").write_text(re.sub(line, damaged, text), "utf-8")
    with pytest.raises(ModelFileError, match="cannot be read: ValueError"):
        Gate.load(tmp_path / "gate.toml")
