import tomllib
from pathlib import Path

import pytest
from every import every

from answer.fakes import BRIDGE, LAMP, TETANUS
from appliance.answer.claims import Ground, supporting

QUESTION = "Who opened the bridge in 1994?"
GROUNDS = [Ground(text, QUESTION) for text in (TETANUS, LAMP, BRIDGE)]


FILES = sorted((Path(__file__).parent.parent / "cases" / "claims").glob("*.toml"))
CASES = [
    pytest.param(case, id=f"{file.stem}-{n}")
    for file in FILES
    for n, case in enumerate(tomllib.loads(file.read_text("utf-8"))["case"])
]


def ground(case) -> Ground:
    question = case.get("question", f"What is said about {case['title']}?")
    return Ground(f"{case['title']}\n{case['passage']}", question)


@every("case", CASES)
def test_a_claim_that_turns_what_the_passage_says_is_not_supported(case):
    """tests/cases/claims: nearly all words of a claim stand in the passage, and one thing is turned."""
    grounds = [ground(case)]
    assert [claim for claim in case["claims"] if supporting(claim, [1], grounds)] == []


@every("case", CASES)
def test_a_claim_that_says_the_same_is_supported(case):
    grounds = [ground(case)]
    assert [claim for claim in case["kept"] if not supporting(claim, [1], grounds)] == []


MORE = (
    "The Wadden bridge is one of five. The Wadden bridge is seventy years old. Le pont Wadden est fermé. "
    "Le pont est de Lena Holm. South Wadden has a port. "
    "Le pont Wadden est un pont."
)


@every(
    ("question", "claim", "answers"),
    [
        ("How long is the Wadden bridge?", "The Wadden bridge is 412 metres long.", True),
        ("How long is the Wadden bridge?", "The Wadden bridge was opened by Lena Holm.", False),  # no number
        ("When was the Wadden bridge opened?", "The Wadden bridge was opened by Lena Holm.", False),
        ("When was the Wadden bridge opened?", "It was opened in 1932.", True),
        ("Who opened the Wadden bridge?", "The Wadden bridge was opened.", False),  # nothing new
        ("Who opened the Wadden bridge?", "The bridge is 412 metres long.", False),
        ("Who opened the Wadden bridge?", "Lena Holm.", True),
        ("What colour is the paint of the ferry boats?", "It is 412 metres long.", False),  # beside the point
        ("Where was the Wadden bridge opened?", "The Wadden bridge was opened in 1932.", False),  # a time
        ("Where does the Wadden bridge open?", "The Wadden bridge opened in 1932.", False),
        ("Where is Wadden?", "South Wadden has a port.", False),  # another place's
        ("Where is South Wadden?", "South Wadden has a port.", True),
        ("Combien de piles a le pont Wadden ?", "Le pont Wadden est un pont.", False),  # an article
        ("Combien de ponts y a-t-il ?", "Le pont Wadden est un pont.", True),
        ("How wide is the Wadden bridge?", "The Wadden bridge is one of five.", False),  # no measure
        ("How old is the Wadden bridge?", "The Wadden bridge is seventy years old.", True),
        ("Qui a construit le pont Wadden ?", "Le pont Wadden est fermé.", False),  # no name, an accent
        ("Qui a construit le pont Wadden ?", "Le pont est de Lena Holm.", True),
    ],
)
def test_a_true_sentence_must_also_answer(question, claim, answers):
    one = Ground(f"Wadden bridge\n{BRIDGE} {MORE}", question)
    support = one.support(claim)
    assert support.share
    assert (one.concerns(support) and one.answers(claim, support)) is answers


@every(
    ("claim", "holds"),
    [
        ("The path is 3,000 m long.", True),
        ("The path is 3 kilometres long.", True),
        ("The path is 3000 km long.", False),
        ("The path is 3 miles long.", False),
    ],
)
def test_an_amount_may_be_written_in_another_unit(claim, holds):
    one = Ground("Sea path\nThe path is 3 km long.", "How long is the path?")
    assert bool(one.support(claim).share) is holds


@every(
    ("claim", "cited", "expected"),
    [
        ("Lena Holm opened the Wadden bridge.", [3], (3,)),
        ("Lena Holm opened the Wadden bridge.", [], (3,)),  # cites nothing: the passage that supports it
        ("Lena Holm opened the Wadden bridge.", [1], (3,)),  # cites another: set right
        ("The bridge was opened in 1932.", [3], (3,)),
        ("The bridge was opened in 1994.", [3], ()),  # the question's year stands in no passage
        ("The bridge is 413 metres long.", [3], ()),
        ("The bridge was opened by Max Frey.", [3], ()),  # another name
        ("Max Frey opened the Wadden bridge in 1932.", [3], ()),  # also where a capital is the rule
        ("1932.", [3], (3,)),
        ("Vaccines protect children everywhere.", [1], ()),
        ("Higher wicks give larger flames.", [2], (2,)),  # other forms of the words
        ("Tetanus lives in dust and a lamp burns oil with a wick.", [1, 2], ()),  # no passage says both
    ],
)
def test_a_claim_is_held_against_the_passages(claim, cited, expected):
    assert tuple(supporting(claim, cited, GROUNDS)) == expected


def test_languages_without_spaces():
    grounds = [Ground("東京は日本の首都である。", ""), Ground("大阪は西日本の都市である。", "")]
    assert [*supporting("日本の首都は東京です", [], grounds)] == [1]
    assert not supporting("火星に人が住む", [], grounds)


def test_a_name_that_only_the_question_says_supports_nothing():
    question = "Who designed the garden city of New Earswick?"
    johnson = Ground(
        "Philip Johnson\nPhilip Johnson was an American architect who designed modern works.", question
    )
    unwin = Ground("New Earswick\nRaymond Unwin was commissioned to design the garden village.", question)
    claim = "Philip Johnson designed the garden city of New Earswick."
    assert not supporting(claim, [1], [johnson, unwin])
    assert [*supporting("Raymond Unwin designed the garden village.", [1], [johnson, unwin])] == [2]
