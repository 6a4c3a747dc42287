from every import every

from appliance.retrieval.answertype import expected, given
from appliance.retrieval.words import fold, words

KINDS = [
    ("who designed the garden", "name"),
    ("In what year did Tesla die?", "year"),
    ("Name the man who was president when the war began", "name"),
    ("how many episodes are there", "number"),
    ("how long did it take", "duration"),
    ("where is it filmed", "place"),
    ("what percentage of people drive", "percent"),
    ("How much did it cost?", "money"),
    ("How tall is it?", "length"),
    ("how old was she", "age"),
    ("Quand est-il né ?", "time"),
    ("¿Dónde nació?", "place"),
    ("¿Cuántos habitantes tiene?", "number"),
    ("what causes tetanus", None),
]
GIVEN = [
    ("who designed the garden", "It was designed by Raymond Unwin.", 1.0),
    ("Who designed the Garden?", "The Garden was designed in two years.", 0.0),
    ("When did Tesla die?", "Tesla died on 7 January 1943.", 1.0),
    ("When did the war of 1943 end?", "The war of 1943 came to an end.", 0.0),
    ("how many people live there", "Some people live there.", 0.0),
    ("how many people live there", "Twelve people live there.", 1.0),
    ("How tall is it?", "It has 12 floors.", 0.0),
    ("How tall is it?", "It is 12 m high.", 1.0),
    ("where was he born", "He was born in Split.", 1.0),
    ("what causes tetanus", "A bacterium.", 0.5),
]


@every(("question", "kind"), KINDS)
def test_the_kind_asked_for(question, kind):
    assert expected(question) == kind


@every(("question", "sentence", "score"), GIVEN)
def test_a_thing_of_the_kind_that_the_question_did_not_say(question, sentence, score):
    assert given(expected(question), {fold(word) for word in words(question)}, sentence) == score
