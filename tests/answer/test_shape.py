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

MORE = "It lives in soil."
SAID = f"“{TETANUS[:-1]}” [1]. “{MORE[:-1]}” [1]."
SOURCE = evidence(f"{TETANUS} {MORE}", "Tetanus")
CITED = Citation(1, SOURCE, (Match(0, "copied", TETANUS, 0), Match(1, "copied", MORE, len(TETANUS) + 1)))


def found(question: str, *sources, verdict: str = "answer", lacking: tuple[str, ...] = ()) -> Passages:
    return Passages(Found(question, sources, Judgement(verdict, 0.9, "", lacking)))


def answered(text: str, *citations: Citation, struck: int = 0, finish: str = "stop") -> Finished:
    return Finished(Answer(text, citations, struck, finish))


def test_the_answer_comes_first_then_what_the_archive_says_then_what_it_does_not() -> None:
    made = shape(found("What causes tetanus in Norway?", SOURCE), answered(SAID, CITED, struck=1))
    assert made.direct == f"“{TETANUS[:-1]}” [1]."
    assert made.context == (Line(MORE, (1,), len(TETANUS) + 1),)
    assert made.limitations == (UNSAID.format(names="“Norway”"), ONE_SOURCE, LEFT_OUT_ONE)
    assert made.citations == (CITED,)


def test_only_words_of_the_direct_answer_are_stressed() -> None:
    given = Answer(SAID, (CITED,), 0, "stop", ((1, 7), (len(SAID) - 9, 5)))
    about = found("What causes tetanus?", SOURCE)
    assert shape(about, Finished(given)).stressed == ((1, 7),)
    sum_of = Calculation((Input("20", 0),), "20 × 2", "40")
    calculated = Passages(about.found, sum_of)
    assert shape(calculated, Finished(given)).stressed == ()


def test_what_is_quoted_of_several_passages_keeps_its_order() -> None:
    lamp = Citation(1, evidence(LAMP, "L"), (Match(2, "copied", LAMP, 0),))
    other = Citation(2, SOURCE, (Match(0, "copied", TETANUS, 0), Match(1, "copied", MORE, 99)))
    text = f"“{TETANUS[:-1]}” [2]. “{MORE[:-1]}” [2]. “{LAMP[:-1]}” [1]."
    made = shape(found("What causes tetanus?", lamp.evidence, SOURCE), answered(text, lamp, other))
    assert [line.text for line in made.context] == [MORE, LAMP]


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
    for question in (
        "In what year was the poison found?",
        "How old is the poison of soil?",
        "Where does the poison come from, originally?",
    ):
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


def test_a_calculation_is_the_answer_and_what_is_quoted_its_context() -> None:
    base = found("How long are 3 bridges?", SOURCE)
    made = shape(
        Passages(base.found, Calculation((Input("412", 1), Input("3", 0)), "412 × 3", "1,236", rounded=True)),
        answered(SAID, CITED),
    )
    assert made.direct == "412 × 3 ≈ 1,236 [1]"
    assert [line.text for line in made.context] == [TETANUS, MORE]


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
