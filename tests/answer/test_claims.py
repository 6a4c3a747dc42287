import pytest

from answer.fakes import BRIDGE, LAMP, TETANUS
from appliance.answer.claims import Ground, supporting

QUESTION = "Who opened the bridge in 1994?"
GROUNDS = [Ground(text, QUESTION) for text in (TETANUS, LAMP, BRIDGE)]


@pytest.mark.parametrize(
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
