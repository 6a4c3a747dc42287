from answer.fakes import LAMP, TETANUS, evidence
from appliance.answer.events import Finished, Passages
from appliance.answer.shape import DISAGREE, LACKING, LEFT_OUT_ONE, ONE_SOURCE, UNSAID, Line, shape
from appliance.records import (
    Answer,
    Calculation,
    Citation,
    Disagreement,
    Found,
    Input,
    Judgement,
    Match,
    Quote,
    Side,
)

SAID = "Tetanus is caused by a poison [1]. It lives in soil [1]."
SOURCE = evidence(TETANUS, "Tetanus")
CITED = Citation(1, SOURCE, (Match(0, "words", TETANUS, 0, 0.9),))


def found(question: str, *sources, verdict: str = "answer", lacking: tuple[str, ...] = ()) -> Passages:
    return Passages(Found(question, sources, Judgement(verdict, 0.9, "", lacking)))


def answered(text: str, *citations: Citation, struck: int = 0, finish: str = "stop") -> Finished:
    return Finished(Answer(text, citations, struck, finish))


def test_the_answer_comes_first_then_what_the_archive_says_then_what_it_does_not() -> None:
    made = shape(found("What causes tetanus in Norway?", SOURCE), answered(SAID, CITED, struck=1))
    assert made.direct == "Tetanus is caused by a poison [1]."
    assert made.context == (
        Line("It lives in soil [1].", (1,), quoted=False),
        Line(TETANUS, (1,), quoted=True, start=0),
    )
    assert made.limitations == (UNSAID.format(names="“Norway”"), ONE_SOURCE, LEFT_OUT_ONE)
    assert made.citations == (CITED,)


def test_what_the_answer_says_in_the_sources_words_is_not_said_twice() -> None:
    copied = Citation(1, SOURCE, (Match(0, "copied", TETANUS, 0),))
    made = shape(found("What causes tetanus?", SOURCE), answered(TETANUS[:-1] + " [1].", copied))
    assert made.context == ()


def test_two_sources_are_not_one() -> None:
    made = shape(
        found("What causes tetanus?", SOURCE), answered(SAID, CITED, Citation(2, evidence(LAMP, "L")))
    )
    assert ONE_SOURCE not in made.limitations


def test_words_are_not_missed_in_another_language_nor_where_most_are_missing() -> None:
    for question in ("Quelle est la cause du tétanos en Norvège ?", "Why do jaws lock up stiffly?"):
        made = shape(found(question, SOURCE), answered(SAID, CITED))
        assert not [limit for limit in made.limitations if limit.startswith(UNSAID[:20])]


def test_a_word_is_not_missed_where_another_form_of_it_stands() -> None:
    source = evidence("Orvando was written by Will Spere. Its tower falls when the sun has set.", "Orvando")
    for question, unsaid in (
        ("Who wrote Orvando?", []),
        ("When did the towers of Orvando fall, under which suns?", []),
        ("Who wrote Orvando and sang it?", [UNSAID.format(names="“sang”")]),
    ):
        made = shape(found(question, source), answered("Will Spere [1].", Citation(1, source)))
        assert made.limitations == (*unsaid, ONE_SOURCE)


def test_birth_is_not_missed_where_its_date_stands_behind_the_name() -> None:
    for brackets, unsaid in (
        ("3 May 1880 – 1 June 1950", []),
        ("a painter", [UNSAID.format(names="“born”")]),
    ):
        source = evidence(f"Ada Renn ({brackets}) lived in Melden.", "Ada Renn")
        made = shape(found("When was Ada Renn born?", source), answered("1880 [1].", Citation(1, source)))
        assert made.limitations == (*unsaid, ONE_SOURCE)


def test_what_is_asked_for_by_its_kind_need_not_be_said() -> None:
    for question in ("In what year was the poison found?", "How old is the poison of soil?"):
        source = evidence("The poison of the soil was found in 1889.", "Tetanus")
        made = shape(found(question, source), answered("It was found in 1889 [1].", Citation(1, source)))
        assert made.limitations == (ONE_SOURCE,)


def test_a_refusal_answers_nothing_and_names_what_is_missing() -> None:
    near = found("Who is Quibblon?", SOURCE, verdict="near", lacking=("Quibblon",))
    made = shape(near, Finished(Answer("", (), 0, "refused"), ("Some reason.",)))
    assert (made.direct, made.context) == ("", ())
    assert made.limitations == (LACKING.format(names="“Quibblon”"),)


def test_without_a_model_the_quoted_sentence_answers() -> None:
    base = found("What causes tetanus?", SOURCE)
    quoted = Passages(base.found, quote=Quote(1, TETANUS, 0, 5.0))
    made = shape(quoted, Finished(Answer("", (), 0, "search_only"), ("No model.",)))
    assert made.direct == f"“{TETANUS}” [1]"
    assert made.limitations == ("No model.",)
    assert made.citations == (Citation(1, SOURCE, (Match(0, "copied", TETANUS, 0),)),)


def test_a_calculation_is_the_answer_and_what_the_model_wrote_its_context() -> None:
    base = found("How long are 3 bridges?", SOURCE)
    made = shape(
        Passages(base.found, Calculation((Input("412", 1), Input("3", 0)), "412 × 3", "1,236", rounded=True)),
        answered("The bridge is long [1].", CITED),
    )
    assert made.direct == "412 × 3 ≈ 1,236 [1]"
    assert made.context[0] == Line("The bridge is long [1].", (1,), quoted=False)


def test_sources_that_disagree_stand_side_by_side_and_none_answers() -> None:
    sides = (Side("1932", "It opened in 1932.", (1, 3)), Side("1934", "It opened in 1934.", (2,)))
    cited = [
        Citation(n, evidence(f"It opened in {year}."), (Match(-1, "figure", f"It opened in {year}.", 0),))
        for n, year in ((1, 1932), (2, 1934), (3, 1932))
    ]
    base = found("When did it open?")
    made = shape(
        Passages(base.found, None, Disagreement("date", sides)), answered("", *cited, finish="disagreement")
    )
    assert made.direct == ""
    assert [(line.text, line.ns) for line in made.context] == [
        ("It opened in 1932.", (1, 3)),
        ("It opened in 1934.", (2,)),
    ]
    assert made.limitations == (DISAGREE,)
