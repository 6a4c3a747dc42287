import pytest

from appliance.retrieval.exact import Named, missing, named

PRESENT = [
    ("Who won in 1994?", "The cup of 1994 went to Brazil."),
    ("Who governed in 1994?", "He governed 1991–96."),
    ("Who governed in 1994?", "president from 1990 to 1998"),
    ("What happened in the 1990s?", "In 1994 the war ended."),
    ("how did World War 2 end", "World War II ended in 1945"),
    ("population of 1300 people", "1,300 people live there"),
    ("the 19th century poets", "nineteenth-century poets, the nineteenth century"),
    ("what are 3 symptoms of flu", "three symptoms"),
    ("What did Simón Bolívar do in Bolivia?", "Simon Bolivar freed the Bolivians"),
    ("Who was Gandi in politics?", "Mahatma Gandhi was a lawyer"),
    ("Louis 14 of France", "Louis XIV of France"),
]
ABSENT = [
    ("Who won in 1994?", "The cup of 1998 went to France.", ["1994"]),
    ("Who won in 1994?", "From 1995 to 1999 nobody won.", ["1994"]),
    ("What happened in the 1990s?", "In 1984 the war ended.", ["1990s"]),
    ("who leads Quibblonia today", "The leader of Bolivia", ["quibblonia"]),
    ("how far is 1300 km", "13,000 km", ["1300"]),
    ("Where is apartment 12 found?", "apartment 112", ["12"]),
]


@pytest.mark.parametrize(("question", "text"), PRESENT)
def test_named_things_are_found_in_any_written_form(question, text):
    assert missing(named(question), text) == []


@pytest.mark.parametrize(("question", "text", "lost"), ABSENT)
def test_named_things_that_are_not_there_are_missed(question, text, lost):
    assert missing(named(question), text) == lost


def test_names_need_capitals_among_small_letters():
    assert named("who was marie curie").names == ()
    assert named("WHO WAS MARIE CURIE").names == ()
    assert named("Who was Marie Curie?").names == ("marie", "curie")
    assert named("Wer war der Kanzler von Österreich?") == Named()


def test_numbers_and_decades():
    assert named("1,300 in 1994 and the 1990s") == Named(("1300", "1994"), (1990,), ())
