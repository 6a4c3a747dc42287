import json
import re
from pathlib import Path

from every import every

from appliance.answer.followup import LONGEST, conversation, understood
from appliance.answer.topic import Turn, telling
from appliance.retrieval.words import fold, words

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases/followups.jsonl").read_text("utf-8").splitlines()
]
FRAMES = (
    "what is are the of does do have how in and tell me more about quel quelle quels est sont la le les de "
    "du d l et dis m en plus sur cual cuales es son el los las del y dime mas sobre s"
)


def turns(case):
    return [Turn(**turn) for turn in case["history"]]


@every("case", CASES, ids=lambda case: case["question"])
def test_cases(case):
    assert understood(case["question"], turns(case)) == case["expected"]


@every("title", ["", "title"])
@every("case", CASES, ids=lambda case: case["question"])
def test_quotation_marks_and_a_title_before_them_do_no_harm(case, title):
    quoted = []
    for turn in case["history"]:
        said = re.sub(r"\s*(?:\[\d\])?\.?$", "", turn.get("answer", ""))
        before = f"{turn['title']}: " if title and turn.get("title") else ""
        quoted.append(Turn(**{**turn, "answer": f"{before}“{said}” [1]." if said else ""}))
    assert understood(case["question"], quoted) == case["expected"]


@every(
    ("answer", "words", "expected"),
    [
        ("“The ship sank on 15 April 1912 near Lund” [1].", [(18, 13)], "15 April 1912"),
        ("“Bread is made from flour by Ada” [1].", [(20, 5)], "“Bread is made from flour by Ada” [1]."),
        ("“It is a play by the poet Will Spere” [1].", [(26, 10)], "Will Spere"),
        ("“It is a play” [1].", [], "“It is a play” [1]."),
    ],
)
def test_of_an_answer_the_words_that_answer_are_told_where_they_are_names(answer, words, expected):
    assert telling(answer, words) == expected


@every("case", CASES, ids=lambda case: case["question"])
def test_nothing_is_added_but_words_of_the_conversation_and_of_grammar(case):
    given = " ".join(part for turn in case["history"] for part in turn.values())
    known = {fold(word) for word in words(f"{given} {case['question']} {FRAMES}")}
    assert {fold(word) for word in words(understood(case["question"], turns(case)))} <= known


def test_the_first_question_stays_as_it_is():
    assert understood("and its population?", []) == "and its population?"


def test_who_wrote_it_is_not_known_without_an_answer():
    asked = "when was he born?"
    assert understood(asked, [Turn("Who wrote Faust?", "Faust")]) == asked


@every("question", ["", "?", "it", "and", "and ", "y", "¿?", "its", "in", "why", "\0", "he he he " * 40])
@every("before", ["", "?", "What is it?", "France", "a" * 3000, "[[((", "What is (a+)+?"])
def test_odd_text_is_taken(question, before):
    understood(question, [Turn(before, before, before)])


def test_long_questions_say_what_they_mean():
    long = "and " * LONGEST + "its population?"
    assert understood(long, [Turn("What is the capital of France?")]) == long


def test_a_topic_lasts_over_several_turns():
    told = conversation(
        [Turn("What is the capital of France?"), Turn("and its population?"), Turn("and Spain?")]
    )
    assert [turn.question for turn in told[1:]] == [
        "What is the population of France?",
        "What is the population of Spain?",
    ]
