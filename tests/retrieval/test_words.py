from every import every

from appliance.retrieval.words import content, fold, language


@every(
    ("question", "kept"),
    [
        ("what causes lockjaw", ["causes", "lockjaw"]),
        ("Où Jeanne d'Arc est-elle morte ?", ["Jeanne", "Arc", "morte"]),
        ("¿Quién es el alcalde de Quibblonia?", ["alcalde", "Quibblonia"]),
        ("Wie hoch ist der Kölner Dom?", ["hoch", "Kölner", "Dom"]),
        ("malaria malaria Malaria", ["malaria"]),
        ("what's my grandmother’s number, don't you know", ["grandmother", "number"]),
        ("vitamin d deficiency", ["vitamin", "d", "deficiency"]),
        ("東京", ["東京"]),
    ],
)
def test_question_words_are_dropped_in_the_questions_own_language(question, kept):
    assert content(question) == kept


def test_a_function_word_of_another_language_is_kept():
    assert "son" in content("Who was the son of the king of Spain?")


def test_a_question_of_nothing_but_function_words_keeps_them():
    assert content("Who is it?") == ["Who", "is", "it"]


@every("question", ["", "*", "🙂", '"><>', "   "])
def test_nothing_is_left_of_marks(question):
    assert content(question) == []


def test_language():
    assert language(["où", "est", "la", "tour"]) == "fr"
    assert language(["lockjaw"]) == "en"


def test_fold():
    assert fold("KÖLN") == fold("köln") == "koln"
