import pytest
from every import every

from appliance.retrieval.exact import Named, capital, missing, named, typed_small
from appliance.retrieval.lexical import Term

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
    ("Who ruled in the 19th century?", "She ruled from 1837."),
    ("Who ruled in the 1800s?", "a queen of the nineteenth century"),
    ("¿Quién reinó en el siglo XIX?", "Reinó en 1850."),
    ("What was watched in the late 80's?", "In 1988 it was watched by many."),
    ("What has twenty-one parts?", "It has 21 parts."),
    ("How did 1.2 million people leave?", "1,200,000 people left"),
    ("Who won the second battle?", "The 2nd battle was won by Ada."),
    ("Which three rivers meet in Bonn?", "The Rhine and the Sieg meet near Bonn."),
    ("What did the United Nations decide?", "The UN decided nothing."),
    ("What did the UNHCR decide?", "The United Nations High Commissioner for Refugees went."),
    ("How did the U.S. army grow?", "The US Army grew."),
    ("Who fought in the WWII?", "World War II was fought by many"),
    ("Who made Spider-Man in Marvel?", "Marvel's Spiderman"),
    ("When did the Spanish king go to China?", "The king of Spain visited the Chinese emperor."),
    ("What happened on April 12, 1923?", "It began on 12/04/1923."),
    ("What is Beyoncé's name?", "BEYONCE GISELLE"),
]
ABSENT = [
    ("Who won in 1994?", "The cup of 1998 went to France.", ["1994"]),
    ("Who won in 1994?", "From 1995 to 1999 nobody won.", ["1994"]),
    ("What happened in the 1990s?", "In 1984 the war ended.", ["1990s"]),
    ("who leads Quibblonia today", "The leader of Bolivia", ["quibblonia"]),
    ("how far is 1300 km", "13,000 km", ["1300"]),
    ("Where is apartment 12 found?", "apartment 112", ["12"]),
    ("Who ruled in the 19th century?", "She ruled from 1737.", ["19th century"]),
    ("Who fought in WWII?", "World War I was fought by many", ["2"]),
    ("What happened to the fourth king?", "The third king fell.", ["4"]),
    ("Who settled in Nigeria first?", "The Niger was settled by farmers.", ["nigeria"]),
    ("Who settled in Austria first?", "Australia was settled by farmers.", ["austria"]),
    ("How wide is the 3.5 m gate?", "The gate is 5 m wide and 3 m high.", ["3.5"]),
    ("Louis XIV of France", "Louis XVI of France", ["14"]),
]


@every(("question", "text"), PRESENT)
def test_named_things_are_found_in_any_written_form(question, text):
    assert missing(named(question), text) == []


@every(("question", "text", "lost"), ABSENT)
def test_named_things_that_are_not_there_are_missed(question, text, lost):
    assert missing(named(question), text) == lost


def test_names_need_capitals_among_small_letters():
    assert named("who was marie curie").names == ()
    assert named("WHO WAS MARIE CURIE").names == ()
    assert named("Who was Marie Curie?").names == ("marie", "curie")
    assert named("Wer war der Kanzler von Österreich?") == Named()


def test_numbers_and_decades():
    wanted = named("1,300 in 1994 and the 1990s of the 20th century")
    assert wanted == Named(("1300", "1994"), (1990,), (20,))


def test_a_name_in_small_letters_is_known_by_the_capitals_of_the_evidence():
    texts = ["The film has Luke Skywalker in it.", "A star rose. Star by star the sky filled."]
    terms = [Term("skywalker", 8.0, 3), Term("star", 6.0, 20)]
    assert named("who played skywalker in the star", terms, texts).names == ("skywalker",)
    assert named("who played skywalker in the star", terms).names == ()


def test_a_name_may_begin_the_question():
    texts = ["It was Napoleon who died."]
    assert named("Napoleon died when?", [Term("Napoleon", 8.0, 3)], texts).names == ("napoleon",)


def test_only_a_name_that_no_archive_has_may_be_mistyped():
    wanted = named("Who was Marie in Paris?", [Term("Marie", 8.0, 3), Term("Paris", 8.0, 3)])
    assert missing(wanted, "Maria lived in Paris.") == ["marie"]
    wanted = named("Who was Mahatma Gandi?", [Term("Mahatma", 8.0, 3), Term("gandhi", 8.0, 3)])
    assert missing(wanted, "Mahatma Gandhi lived.") == []


@every(
    ("question", "small"),
    [
        ("who won the cup in quibblonia", True),
        ("Who won the cup in quibblonia", True),
        ("who won the cup in Quibblonia", False),
        ("WHO WON THE CUP IN QUIBBLONIA", True),
        ("what can I do", True),
        ("wer hat den pokal gewonnen", False),  # German writes every noun large, or none
    ],
)
def test_whether_names_may_be_typed_small(question, small):
    assert typed_small(question) is small


def test_how_much_of_a_name_texts_make_of_a_word():
    assert capital("vail", ["It is in Vail and near Vail."]) == pytest.approx(2 / 3)
    assert capital("vail", ["Vail begins a sentence."]) == 0
    assert capital("star", ["A star. The Star of it. This star."]) == pytest.approx(1 / 4)
    assert capital("vail", []) == 0
