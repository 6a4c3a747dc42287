import pytest

from appliance.answer.hesitation import cleaned


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("When was, no wait, where was Marie Curie born?", "Where was Marie Curie born?"),
        ("Why are er what do oil lamps burn?", "What do oil lamps burn?"),
    ],
)
def test_a_question_that_begins_anew_takes_the_place_of_what_was_said(said, meant):
    assert cleaned(said) == meant


@pytest.mark.parametrize(
    "question",
    [
        "In what year did Spain, sorry, France become a republic?",
        "Where had the prince, no make that, the king lived?",
        "When was um the bridge built?",
        "What animals have no legs?",
        "Is there no water on the Moon?",
        "What does it mean to be sorry?",
        "Why use alcohol instead of soap?",
        "How long should I wait before I eat?",
        "Would you rather walk or run?",
        "What is the ER in a hospital?",
        "When did it begin, no wait, what ended it?",  # "it" was said before: not sure
        "What are three kinds of gas I mean fuel?",  # how many words are taken back?
        "",
        "no, no",
        "sorry",
    ],
)
def test_what_is_no_correction_or_not_a_sure_one_stays(question):
    assert cleaned(question) == question
