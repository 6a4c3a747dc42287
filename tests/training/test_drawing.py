"""What the reader is shown while it learns."""

import itertools
import random

from appliance.training.drawing import WRONG, draw, epochs, without_answer

RIGHT = (
    "Bridge: The Hohenzollern Bridge crosses the Rhine and carries trains and people on foot. "
    "It was opened in 1911. Its three arches were blown up at the end of the war and built again "
    "afterwards, without the old towers."
)


def example(right=True, group="SQuAD", wrong=8):
    candidates = [{"text": f"Page {n}: Something else altogether.", "right": False} for n in range(wrong)]
    if right:
        candidates.insert(3, {"text": RIGHT, "right": True})
    return {
        "question": "when was the bridge opened",
        "group": group,
        "answerable": right,
        "answers": ["1911"] if right else [],
        "candidates": candidates,
    }


def test_the_sentence_that_answers_is_taken_out():
    left = without_answer(RIGHT, ["1911"])
    assert left.startswith("Bridge: The Hohenzollern Bridge")
    assert "1911" not in left
    assert "arches" in left


def test_too_little_left_is_nothing():
    assert without_answer("Bridge: It was opened in 1911. It is long.", ["1911"]) == ""
    assert without_answer(RIGHT, []) == ""
    assert without_answer(RIGHT, ["Cologne"]) == ""


def test_a_question_is_drawn_with_its_right_passage_and_wrong_ones():
    seen = [draw(example(), random.Random(seed)) for seed in range(20)]
    for drawn in seen:
        assert drawn.labels[0] == 1
        assert drawn.passages[0] == RIGHT
        assert set(drawn.labels[1:]) == {0}
        assert len(drawn.passages) == len(set(drawn.passages)) <= WRONG + 2
    emptied = without_answer(RIGHT, ["1911"])
    assert 0 < sum(emptied in drawn.passages for drawn in seen) < 20


def test_a_wrong_passage_that_holds_the_answer_is_neither_right_nor_wrong():
    asked = example(wrong=0)
    asked["candidates"].append({"text": "Year: In 1911 it rained.", "right": False})
    drawn = draw(asked, random.Random(1))
    assert drawn.labels[drawn.passages.index("Year: In 1911 it rained.")] == -1


def test_without_an_answer_all_are_wrong_and_without_a_right_passage_nothing_is_learnt():
    assert set(draw(example(right=False), random.Random(1)).labels) == {0}
    assert draw(example() | {"candidates": [{"text": "x", "right": False}]}, random.Random(1)) is None


def test_natural_questions_come_twice_as_often():
    asked = [example(group="NQ") | {"question": "natural"}, *(example() for _ in range(2))]
    steps = list(itertools.islice(epochs(asked, 4, random.Random(1)), 25))
    drawn = [one.question for step in steps for one in step]
    assert len(drawn) == 100
    assert drawn.count("natural") == 50
