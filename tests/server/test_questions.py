import pytest
from every import every

from appliance.documents.records import ARCHIVE
from appliance.server import questions
from tests.answer.fakes import evidence


@every(
    ("sent", "clean"),
    [
        ("  what \n is\tthis ", "what is this"),
        ("a\0b\x07c", "a b c"),
        ("\ud800x", "?x"),
        ("\0", ""),
        ("🔥 fire", "🔥 fire"),
    ],
)
def test_clean(sent: str, clean: str) -> None:
    assert questions.clean(sent) == clean


def test_a_long_question_is_cut_and_says_so() -> None:
    question, notes = questions.question("word " * 2000)
    assert len(question) <= questions.LONGEST
    assert "4,000" in notes[0]
    assert questions.question("short") == ("short", ())


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(questions.BadRequest) as caught:
        questions.question(" \0 ")
    assert caught.value.status == 400


def test_chosen() -> None:
    assert questions.chosen([], ["a"]) is None
    assert questions.chosen(["", "b", "b"], ["a", "b"]) == ("b",)
    with pytest.raises(questions.BadRequest) as caught:
        questions.chosen(["<b>"], ["a"])
    assert (caught.value.status, caught.value.field) == (404, "archive")


@pytest.mark.parametrize(
    ("title", "archive", "asked", "topic"),
    [
        ("Lake Victoria", "wiki", "What is the largest lake in Africa?", "Lake Victoria"),
        ("Ledger of 1924", ARCHIVE, "How heavy is the threshing machine?", ""),
        ("Carbonara", ARCHIVE, "How long does carbonara take?", "Carbonara"),
    ],
)
def test_the_title_of_an_own_document_is_a_topic_only_where_it_is_asked_for(
    title: str, archive: str, asked: str, topic: str
) -> None:
    assert questions.topic(evidence("Text.", title, archive), asked) == topic
