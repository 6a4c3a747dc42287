import json

from answer.fakes import evidence

from appliance.quality.answers import Reply, answer_figures, listed
from appliance.quality.questions import Question
from appliance.records import Answer, Citation

TEXT = "The battle was fought on April 19 , 1775 . It lasted a day ."
BATTLE = evidence(TEXT, "Battle")
ASKED = Question("When was the battle?", "NQ", True, "Battle", "", ("April 19 , 1775",))
UNASKED = Question("Who lost the cup?", "NQ", False)


def reply(question, text, struck=0, finish="stop"):
    cited = (Citation(1, BATTLE),) if text else ()
    return Reply(question, Answer(text, cited, struck, finish))


REPLIES = [
    reply(ASKED, "It was fought on April 19, 1775 [1]. It lasted a day [1]."),
    reply(ASKED, "It lasted a day [1].", struck=2),
    reply(ASKED, "", finish="refused"),
    reply(UNASKED, "It lasted a day [1]."),
]


def test_marks_and_spaces_make_no_difference_to_a_gold_answer():
    assert answer_figures(REPLIES) == {
        "refused": 0.3333,
        "answered": 0.6667,
        "answers_with_gold": 0.5,
        "first_sentences_with_gold": 0.5,
        "citations_with_gold": 1.0,
        "struck": 0.5,
        "unanswerable_answered": 1.0,
    }


def test_each_shown_sentence_is_listed_with_what_it_cites():
    rows = [json.loads(line) for line in listed(REPLIES)]
    assert [row["sentence"] for row in rows[:2]] == [
        "It was fought on April 19, 1775 [1].",
        "It lasted a day [1].",
    ]
    assert {row["evidence"][0]["text"] for row in rows} == {TEXT}
    assert {row["verdict"] for row in rows} == {""}
    assert len(rows) == 4
