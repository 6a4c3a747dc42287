"""Turns that nobody would write by hand: every pair of them ends in a question, never in an error."""

from itertools import product

from every import every

from appliance.answer.followup import conversation, understood
from appliance.answer.topic import Turn

ASKED = (
    "and its population?", "And Spain?", "in Spain?", "Why?", "his mother?", "How old?", "more", "", "?",
    "and {0} %s \\1?", "<b>its</b>", "and \0", "in " + "Aa " * 20, "and the " + "a'" * 90, "its " * 25,
    "y su " + "b" * 900, "et sa " + "’" * 200, "\u202eits\u202c", "how many " + " " * 900 + "x", "İ" * 50,
)  # fmt: skip
EARLIER = (
    "", " ", "\0\1\2", "<script>alert(1)</script>", "a" * 300, "the of " * 70, "Who is " + "Aa " * 150 + "?",
    "\u202eשלום مرحبا\u202c", "’'" * 200, "(((([[[\\d+*?", "\\1 \\g<0>", "Who " + "Ab-" * 160,
    "İ of İstanbul", "Quel est l'" * 40, "What is the capital of \0France?", "{say} {0} %s of %d", "ß" * 100,
)  # fmt: skip


@every("question", ASKED)
def test_any_turn_before_any_question(question: str) -> None:
    for before, title in product(EARLIER, ("", "Aa " * 100)):
        found = understood(question, [Turn(before, title, before)])
        assert len(found) <= len(question) + 3 * (len(before) + len(title)) + 50


def test_a_very_long_conversation() -> None:
    turns = conversation([Turn("What is France?", "France", "")] + [Turn("and its capital?", "", "")] * 1000)
    assert len(turns) == 1001
    assert all(len(turn.question) < 200 for turn in turns)
