from every import every

from answer.fakes import TETANUS, evidence
from appliance.answer.matches import citations, located, made, written
from appliance.answer.support import Checked
from appliance.records import Calculation, Disagreement, Input, Match, Side

TEXT = "Over\u00adland. The  bridge[3] opened\nin 1932 <span and was 4\u200b12 m long. It is\xa0red."


@every(
    ("sentence", "found"),
    [
        (
            "The bridge opened in 1932 ‹span and was 412 m long.",
            "The  bridge[3] opened\nin 1932 <span and was 4\u200b12 m long.",
        ),
        ("It is red.", "It is\xa0red."),
        ("Overland.", "Over\u00adland."),
        ("The bridge was red.", None),
        ("", None),
        ("[3]", None),
    ],
)
def test_a_sentence_is_found_in_the_text_as_it_is(sentence: str, found: str | None) -> None:
    span = located(sentence, TEXT)
    assert (TEXT[slice(*span)] if span else None) == found


def checked(*passages: str, written: str, question: str = "what causes tetanus") -> Checked:
    one = Checked(question, passages, "")
    one.feed(written)
    one.end()
    return one


def test_what_is_quoted_has_its_place_in_the_document() -> None:
    source = evidence(f"Before it. {TETANUS}", "Tetanus")
    one = checked(f"Tetanus\n{source.text}", written="Tetanus is caused by a poison of a bacterium [1].")
    (match,) = written(one.rests, [source])[1]
    assert (match.claim, match.kind, match.quote) == (0, "copied", TETANUS)
    assert source.text[match.start : match.start + len(match.quote)] == TETANUS


def test_figures_and_sides_are_found_where_they_stand() -> None:
    sources = [evidence("It is 412 metres long."), evidence("The bridge measures 410 metres.")]
    sum_of = Calculation((Input("412 metres", 1), Input("3", 0)), "412 × 3", "1,236 metres")
    assert made(sum_of, None, sources) == {1: [Match(-1, "figure", "412 metres", 6)]}
    sides = (Side("412 metres", "It is 412 metres long.", (1,)), Side("410 metres", "not there", (2,)))
    found = made(None, Disagreement("number", sides), sources)
    assert found == {1: [Match(-1, "figure", "It is 412 metres long.", 0)]}
    assert [(one.n, len(one.matches)) for one in citations({2, 1}, sources, found)] == [(1, 1), (2, 0)]
