import pytest

from answer.fakes import evidence
from appliance.answer.quick import Policy, by_words, pick
from appliance.errors import ModelFileError

BRIDGE = evidence(
    "The old bridge burned down. The Wadden bridge was opened in 1932 by Lena Holm. It is long.",
    "Wadden bridge",
)
CANAL = evidence(
    "The canal was dug by hand. The canal was opened in 1898 and is still in use today.", "Canal"
)


def fixed(*scores):
    return lambda _question, texts: scores[: len(texts)]


def test_the_best_sentence_is_quoted_where_it_stands():
    quote = pick("Who opened the bridge?", [BRIDGE, CANAL], by_words, 0.5)
    assert quote is not None
    assert (quote.n, quote.sentence) == (1, "The Wadden bridge was opened in 1932 by Lena Holm.")
    at = quote.start - BRIDGE.start
    assert BRIDGE.text[at : at + len(quote.sentence)] == quote.sentence


def test_one_that_is_not_sure_enough_is_not_shown():
    assert pick("Who opened the bridge?", [BRIDGE], fixed(0.7, 0.8, 0.2), 0.81) is None
    assert pick("Who opened the bridge?", [BRIDGE], fixed(0.7, 0.8, 0.2), 0.8) is not None


def test_what_the_question_names_must_stand_in_its_passage():
    assert pick("Who opened the bridge in 1994?", [BRIDGE, CANAL], fixed(1, 1, 1, 1), 0.5) is None
    quote = pick("What opened in 1898?", [BRIDGE, CANAL], fixed(1, 1), 0.5)
    assert quote is not None
    assert quote.n == 2


def test_a_sentence_that_only_repeats_the_question_is_no_answer():
    echo = evidence("The Wadden bridge was opened by whom.", "Bridge")
    assert pick("Who was the Wadden bridge opened by?", [echo], fixed(1.0), 0.5) is None


def test_nothing_found_gives_nothing():
    assert pick("Who?", [], by_words, 0.1) is None


@pytest.mark.parametrize(
    "text", ["", "score = 'words'", "score = 'words'\nsure_at = nan\non = true", "sure_at = [", "\x00"]
)
def test_a_damaged_policy_is_refused(tmp_path, text):
    file = tmp_path / "quick.toml"
    file.write_text(text)
    with pytest.raises(ModelFileError, match=r"quick\.toml"):
        Policy.load(file)


def test_only_true_turns_it_on(tmp_path):
    file = tmp_path / "quick.toml"
    file.write_text('score = "words"\nsure_at = 0.9\non = "yes"\n')
    assert not Policy.load(file).on
