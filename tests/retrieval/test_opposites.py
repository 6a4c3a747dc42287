import pytest

from appliance.retrieval.opposites import asked, met


@pytest.mark.parametrize(
    ("question", "sentence", "score"),
    [
        ("What is the largest lake?", "The biggest lake is Superior.", 1.0),
        ("What is the largest lake?", "The smallest lake is a pond.", 0.0),
        ("What is the largest lake?", "The lake is blue.", 0.5),
        ("Who was the first king?", "The second king was Harald.", 0.0),
        ("Who was the first king?", "The original king was Harald.", 1.0),
        ("Which king was first crowned in the north?", "First he was crowned in the south.", 0.0),
        ("What does vitamin C prevent?", "Too much of it causes pain.", 0.0),
        ("Which bird cannot be kept and does not fly?", "The ostrich never flies.", 1.0),
        ("Which bird does not fly?", "The swift flies.", 0.5),
        ("¿Cuál fue el primero?", "El último fue Harald.", 0.0),
        ("Quel pays est au nord ?", "Le pays au sud.", 0.0),
        ("Who was the king?", "The last queen.", 0.0),
        ("Where is the lake?", "The smallest lake.", 1.0),
    ],
)
def test_a_word_is_not_met_by_its_opposite(question, sentence, score):
    assert met(asked(question), sentence) == score
