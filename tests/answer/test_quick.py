import math

import pytest

from answer.fakes import evidence
from appliance.answer.quick import Policy, pick, quoting
from appliance.errors import ModelFileError
from appliance.records import Told
from appliance.retrieval.sentences import sentences


def read(text, title, *sure):
    """A passage whose sentences answer as surely as given."""
    parts = map(str.strip, sentences(text))
    told = tuple(Told(part, math.log(p / (1 - p))) for part, p in zip(parts, sure, strict=True))
    return evidence(text, title, told=told)


BRIDGE = "The old bridge burned down. The Wadden bridge was opened in 1932 by Lena Holm. It is long."
CANAL = "The canal was dug by hand. The canal was opened in 1898 and is still in use today."


def bridge(*sure):
    return read(BRIDGE, "Wadden bridge", *sure)


def test_the_best_sentence_is_quoted_where_it_stands():
    found = [read(CANAL, "Canal", 0.2, 0.6), bridge(0.1, 0.7, 0.99)]
    quote = pick("Who opened the bridge?", found, 0.5)
    assert quote is not None
    assert (quote.n, quote.sentence) == (2, "The Wadden bridge was opened in 1932 by Lena Holm.")
    assert quote.sure == pytest.approx(0.7)
    assert BRIDGE[quote.start : quote.start + len(quote.sentence)] == quote.sentence


def test_one_that_is_not_sure_enough_is_not_shown():
    assert pick("Who opened the bridge?", [bridge(0.7, 0.8, 0.2)], 0.81) is None
    assert pick("Who opened the bridge?", [bridge(0.7, 0.8, 0.2)], 0.79) is not None


def test_what_the_question_names_must_stand_in_its_passage():
    found = [bridge(0.9, 0.9, 0.9), read(CANAL, "Canal", 0.8, 0.8)]
    assert pick("Who opened the bridge in 1994?", found, 0.5) is None
    quote = pick("What opened in 1898?", found, 0.5)
    assert quote is not None
    assert quote.n == 2


def test_a_sentence_that_only_repeats_the_question_is_no_answer():
    echo = read("The Wadden bridge was opened by whom.", "Bridge", 0.9)
    assert pick("Who was the Wadden bridge opened by?", [echo], 0.5) is None


def test_nothing_found_or_read_gives_nothing():
    assert pick("Who opened the bridge?", [evidence(BRIDGE)], 0.1) is None
    assert pick("Who?", [], 0.1) is None


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


def test_it_quotes_only_with_the_reader_that_it_was_fitted_with():
    assert quoting(Policy("abc", 0.9, True), "abc") is not None
    assert quoting(Policy("abc", 0.9, True), "def") is None
    assert quoting(Policy("abc", 0.9, False), "abc") is None
