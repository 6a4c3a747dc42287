"""Which sentences the model reads, and on which its answer must rest."""

import asyncio
from dataclasses import replace

import pytest

from answer.fakes import ScriptedModel, desk, says
from appliance.answer.ask import Finished, ask
from appliance.answer.events import Done, Text, Waiting
from appliance.answer.focus import KEPT, Focus, Seen, focus, narrowed, readable
from appliance.answer.support import Checked
from appliance.records import Evidence, Told
from appliance.retrieval.sentences import sentences

QUESTION = "Who wrote Orvando?"
PAGES = (
    (
        "Orvando",
        "Orvando is a tragedy in five acts. It was written by Will Spere in 1601. It is set in Lund.",
    ),
    ("Lars Oliv", "Lars Oliv was an actor. He won a prize for playing Orvando in a film. He died in Melden."),
)
BEST = "Orvando: It was written by Will Spere in 1601."


def evidence(table: dict[str, float] | None = None) -> list[Evidence]:
    """With one logit for each sentence; -9 for those that are not in the table. None: none was read."""
    return [
        Evidence("a", title, title, (), "", text, 0, 1.0, told=told(title, text, table))
        for title, text in PAGES
    ]


def told(title: str, text: str, table: dict[str, float] | None) -> tuple[Told, ...]:
    parts = map(str.strip, sentences(text)) if table is not None else ()
    return tuple(Told(part, (table or {}).get(f"{title}: {part}", -9.0)) for part in parts)


def test_the_sentences_of_all_passages_in_their_order():
    seen = focus(evidence({}))
    assert seen is not None
    assert [one.n for one in seen.told] == [1, 1, 1, 2, 2, 2]
    assert seen.told[0].sentence == "Orvando is a tragedy in five acts."


def test_without_a_reader_there_is_no_focus():
    assert focus(evidence()) is None
    assert focus([]) is None


def test_the_model_reads_the_best_sentences_in_their_order():
    table = {
        BEST: 4.0,
        "Orvando: Orvando is a tragedy in five acts.": 1.0,
        "Orvando: It is set in Lund.": 2.0,
    }
    seen = focus(evidence(table))
    assert seen is not None
    (only,) = narrowed(evidence(), seen)
    assert only.text == PAGES[0][1]
    assert len(only.text.split(". ")) == KEPT


def test_a_passage_before_the_last_one_read_keeps_a_sentence():
    table = {f"Lars Oliv: {text}": 1.0 for text in ("Lars Oliv was an actor.", "He died in Melden.")}
    table["Lars Oliv: He won a prize for playing Orvando in a film."] = 2.0
    seen = focus(evidence(table))
    assert seen is not None
    first, second = narrowed(evidence(), seen)
    assert first.text == "Orvando is a tragedy in five acts."
    assert second.text == PAGES[1][1]


def test_a_passage_that_was_not_read_closely_is_whole():
    first, second = evidence({"Lars Oliv: He died in Melden.": 1.0})
    bare = [replace(first, told=()), second]
    seen = focus(bare)
    assert seen is not None
    assert narrowed(bare, seen)[0].text == PAGES[0][1]


def test_only_sentences_near_the_best_answer():
    seen = focus(evidence({BEST: 4.0, "Lars Oliv: Lars Oliv was an actor.": 3.0}))
    assert seen is not None
    assert seen.answers(1, "It was written by Will Spere in 1601.", restates=False)
    assert not seen.answers(2, "Lars Oliv was an actor.", restates=False)  # of another passage than the first
    assert seen.answers(2, "Lars Oliv was an actor.", restates=True)
    assert not seen.answers(2, "He died in Melden.", restates=True)
    assert not seen.answers(2, "It was written by Will Spere in 1601.", restates=True)  # not of that passage


def answered(written: str, table: dict[str, float] | None) -> str:
    async def run() -> str:
        box = desk(says(written), evidence=evidence(table))
        *_, last = [event async for event in ask(box, QUESTION)]
        assert isinstance(last, Finished)
        return last.answer.text

    return asyncio.run(run())


WRITTEN = "Orvando: “It was written by Will Spere in 1601” [1]."


def test_a_sentence_that_points_at_another_than_the_best_is_no_answer():
    beside = "Lars Oliv won a prize for playing Orvando in a film [2]."
    assert answered(beside, None) == "Lars Oliv: “He won a prize for playing Orvando in a film” [2]."
    assert answered(beside, {BEST: 4.0}) == ""


@pytest.mark.parametrize(
    ("question", "shown"),
    [("What is the capital of Velland?", True), ("What is the port of Velland?", False), ("Velland?", False)],
)
def test_one_that_says_the_whole_question_again_is_one(question, shown):
    said = "Tarn is the capital and largest city of Velland."
    other = "Its main centre is Oster, with a port."
    grounds = [f"Tarn\n{said}", f"Velland\n{other}"]
    checked = Checked(question, grounds, "", Focus((Seen(1, said, -2.0), Seen(2, other, -1.0))))
    checked.feed(said)
    checked.end()
    assert bool(checked.text) is shown


@pytest.mark.parametrize(
    "written",
    [
        "Will Spere [1].",
        "Who wrote Orvando is Will Spere [2].",
        "Will Spere was written by Orvando.",
    ],
)
def test_whatever_the_model_makes_of_the_best_sentence_that_sentence_goes_out(written):
    assert answered(written, {BEST: 4.0}) == WRITTEN


@pytest.mark.parametrize(
    "written",
    [
        "Orvando was written by Will Spere in 1602.",  # another year
        "Orvando was not written by Will Spere.",
        "Orvando was first written by Will Spere.",
        "Orvando was written by Lars Oliv.",
        "The author of Orvando is Will Spere [1].",  # "author" is nowhere
        "Orvando was written.",  # nothing new
    ],
)
def test_what_it_does_not_say_points_at_nothing(written):
    assert answered(written, {BEST: 4.0}) == ""


def test_passages_of_another_language_than_the_question_are_left_out_behind_the_best():
    english, other = evidence()
    french = replace(other, text="Lars Oliv est un acteur de la ville de Melden et il est mort en 1901.")
    assert [*readable(QUESTION, [english, french, other])] == [english]
    assert [*readable(QUESTION, [english, other, french])] == [english, other]
    assert [*readable(QUESTION, [french, english])] == [french, english]
    assert [*readable("Orvando", [english, french])] == [english, french]  # of no language


class Twice(ScriptedModel):
    """Writes another text each time."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.texts = list(texts)

    async def generate(self, messages, max_tokens):
        self.events = [Waiting(0), Text(self.texts[len(self.calls)]), Done("stop", 100, 5)]
        async for event in super().generate(messages, max_tokens):
            yield event


def asked(model: Twice, table: dict[str, float]) -> tuple[list[object], Finished]:
    async def run() -> list[object]:
        return [event async for event in ask(desk(model, evidence=evidence(table)), QUESTION)]

    *before, last = asyncio.run(run())
    assert isinstance(last, Finished)
    return before, last


def test_where_nothing_is_left_the_best_sentence_alone_is_asked():
    model = Twice("Orvando eats fish.", "It was written by Lars Oliv. Will Spere wrote it.")
    before, last = asked(model, {BEST: 4.0})
    assert len(model.calls) == 2
    assert "five acts" not in model.calls[1][-1].content
    assert "<passage 1: Orvando>\nIt was written by Will Spere in 1601.\n" in model.calls[1][-1].content
    assert [event for event in before if isinstance(event, Text)] == [Text(last.answer.text, ((28, 10),))]
    assert last.answer.text == WRITTEN
    assert [citation.n for citation in last.answer.citations] == [1]
    assert last.answer.struck == 2  # of both times


def test_it_is_asked_once_more_and_not_after_a_refusal_or_an_answer():
    for texts, calls in (
        (("Orvando eats fish.", "Orvando eats crabs."), 2),
        (("The passages do not say.",), 1),
        (("It was written by Will Spere in 1601.",), 1),
    ):
        model = Twice(*texts)
        _, last = asked(model, {BEST: 4.0})
        assert len(model.calls) == calls
        assert bool(last.answer.text) is texts[0].startswith("It")


def test_behind_a_single_sentence_stands_the_next_best_of_its_passage():
    acts = "Orvando: Orvando is a tragedy in five acts."
    more = "“Orvando is a tragedy in five acts” [1]."
    assert answered("Will Spere.", {BEST: 4.0, acts: 1.5}) == f"{WRITTEN} {more}"
    assert answered("Will Spere.", {BEST: 4.0, acts: 0.5}) == WRITTEN
    assert answered("Will Spere.", {BEST: 4.0, "Orvando: It is set in Lund.": 1.5}) == (
        f"{WRITTEN} “It is set in Lund” [1]."  # "it" is what the question is about
    )
    prize = "Lars Oliv: He won a prize for playing Orvando in a film."
    assert answered("Will Spere.", {BEST: 4.0, prize: 3.0}) == WRITTEN  # of another passage
    twice = "Will Spere. It is set in Lund."
    assert answered(twice, {BEST: 4.0, acts: 3.0}) == f"{WRITTEN} “It is set in Lund” [1]."
