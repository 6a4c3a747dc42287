from every import every

from appliance.retrieval.opposites import asked, falls_short, met


@every(
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


@every(
    ("question", "sentence", "short"),
    [
        ("What is the largest planet?", "Eris is the second-largest dwarf planet.", True),
        ("What is the largest planet?", "It is the third biggest planet.", True),
        ("What is the largest planet?", "Mercury is the smallest planet.", True),
        ("What is the largest planet?", "Jupiter is the largest planet, Saturn the second largest.", False),
        ("What is the largest planet?", "The largest planet is larger than the smallest star.", False),
        ("What is the largest planet?", "Mars is a planet.", False),
        ("What is the second largest planet?", "Saturn is the second largest planet.", False),
        ("Which city has the most people?", "Graz is the second most populous city.", True),
        ("Who went west?", "They went second west.", False),
        ("Where is the lake?", "The second largest lake.", False),
    ],
)
def test_the_highest_degree_is_not_met_by_the_next_or_the_lowest(question, sentence, short):
    assert falls_short(question, sentence) is short
