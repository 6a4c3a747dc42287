import tomllib
from pathlib import Path

import pytest
from every import every

from answer.fakes import BRIDGE
from appliance.answer.ground import Ground
from appliance.answer.support import Checked
from appliance.retrieval.sentences import sentences

FILES = sorted((Path(__file__).parent.parent / "cases" / "claims").glob("*.toml"))
CASES = [
    pytest.param(case, id=f"{file.stem}-{n}")
    for file in FILES
    for n, case in enumerate(tomllib.loads(file.read_text("utf-8"))["case"])
]


def ground(case) -> Ground:
    question = case.get("question", f"What is said about {case['title']}?")
    return Ground(f"{case['title']}\n{case['passage']}", question)


@every("case", CASES)
def test_a_claim_that_turns_what_the_passage_says_never_goes_out(case):
    """tests/cases/claims: nearly all words of a claim stand in the passage, and one thing is turned. Nothing
    goes out, or a sentence of the passage as it is."""
    one = ground(case)
    for claim in case["turned"]:
        checked = Checked(one.question, [one.passage], "")
        checked.feed(claim)
        checked.end()
        said = [sentence.strip().strip("| ").removesuffix(".") for sentence in sentences(case["passage"])]
        assert all(shown.partition("“")[2].removesuffix("”") in said for shown in checked.kept), claim


@every("case", CASES)
def test_a_claim_that_says_the_same_points_at_a_sentence(case):
    one = ground(case)
    assert [claim for claim in case["said"] if not one.holding(claim)] == []


MORE = (
    "The Wadden bridge is one of five. The Wadden bridge is seventy years old. Le pont Wadden est fermé. "
    "Le pont fut construit par Lena Holm. South Wadden has a port. "
    "Le pont Wadden est un pont."
)


@every(
    ("question", "claim", "answers"),
    [
        ("How long is the Wadden bridge?", "The Wadden bridge is 412 metres long.", True),
        ("How long is the Wadden bridge?", "The Wadden bridge was opened by Lena Holm.", False),  # no number
        ("When was the Wadden bridge opened?", "The Wadden bridge was opened by Lena Holm.", False),
        ("When was the Wadden bridge opened?", "It was opened in 1932.", True),
        ("When was the Wadden bridge opened?", "It is 412 metres long.", False),  # no date
        ("Who opened the Wadden bridge?", "The Wadden bridge was opened.", False),  # nothing new
        ("Who opened the Wadden bridge?", "The bridge is 412 metres long.", False),
        ("Who opened the Wadden bridge?", "Lena Holm.", True),
        ("What colour is the paint of the ferry boats?", "It is 412 metres long.", False),  # beside the point
        ("Where was the Wadden bridge opened?", "The Wadden bridge was opened in 1932.", False),  # a time
        ("Where does the Wadden bridge open?", "The Wadden bridge opened in 1932.", False),
        ("Where is Wadden?", "South Wadden has a port.", False),  # another place's
        ("Where is South Wadden?", "South Wadden has a port.", True),
        ("Combien de piles a le pont Wadden ?", "Le pont Wadden est un pont.", False),  # an article
        ("Combien de ponts y a-t-il ?", "Le pont Wadden est un pont.", True),
        ("How wide is the Wadden bridge?", "The Wadden bridge is one of five.", False),  # no measure
        ("How old is the Wadden bridge?", "The Wadden bridge is seventy years old.", True),
        ("Qui a construit le pont Wadden ?", "Le pont Wadden est fermé.", False),  # no name, an accent
        ("Qui a construit le pont Wadden ?", "Le pont fut construit par Lena Holm.", True),
    ],
)
def test_a_sentence_must_also_answer(question, claim, answers):
    one = Ground(f"Wadden bridge\n{BRIDGE} {MORE}", question)
    said = one.holding(claim)
    assert said
    assert any(one.concerns(each) and one.answers(claim, each) for each in said) is answers


@every(
    ("claim", "holds"),
    [
        ("The path is 3,000 m long.", True),
        ("The path is 3 kilometres long.", True),
        ("The path is 3000 km long.", False),
        ("The path is 3 miles long.", False),
    ],
)
def test_an_amount_may_be_written_in_another_unit(claim, holds):
    one = Ground("Sea path\nThe path is 3 km long.", "How long is the path?")
    assert bool(one.holding(claim)) is holds


@every(
    ("claim", "holds"),
    [
        ("Lena Holm opened the Wadden bridge.", True),
        ("The bridge was opened in 1932.", True),
        ("The bridge was opened in 1994.", False),  # the question's year stands in no sentence
        ("The bridge is 413 metres long.", False),
        ("The bridge was opened by Max Frey.", False),  # another name
        ("Max Frey opened the Wadden bridge in 1932.", False),  # also where a capital is the rule
        ("1932.", True),
        ("Vaccines protect children everywhere.", False),
        ("Lena Holm opened it, which is 412 metres long.", False),  # no one sentence says both
    ],
)
def test_a_claim_is_held_against_each_sentence(claim, holds):
    assert bool(Ground(f"Wadden bridge\n{BRIDGE}", "Who opened the bridge in 1994?").holding(claim)) is holds


def test_languages_without_spaces():
    one = Ground("東京\n東京は日本の首都である。")
    assert one.holding("日本の首都は東京です")
    assert not one.holding("火星に人が住む")


def test_what_only_shares_the_question_with_the_claim_does_not_answer():
    question = "Who designed the garden city of New Earswick?"
    johnson = Ground(
        "Philip Johnson\nPhilip Johnson was an American architect who designed modern works.", question
    )
    unwin = Ground("New Earswick\nRaymond Unwin was commissioned to design the garden village.", question)
    claims = (
        "Philip Johnson designed the garden city of New Earswick.",
        "Raymond Unwin designed the village.",
    )
    right = [
        any(one.answers(claim, said) for said in one.holding(claim))
        for claim, one in zip(claims, (johnson, unwin), strict=True)
    ]
    assert right == [False, True]


def test_pieces_of_sentences_are_not_quoted():
    text = "The bridge is long! … and red. !!! Go on. It is new\u2028[sic]"
    assert [said.sentence for said in Ground(f"Bridge\n{text}").said] == ["The bridge is long!", "It is new"]


@every(
    ("sentence", "title", "quoted"),
    [
        ("It is 412 metres long.", "Wadden bridge", "Wadden bridge: “It is 412 metres long”"),
        ("It is 412 metres long.", "", "“It is 412 metres long”"),
        ("The bridge is long...", "Wadden bridge", "“The bridge is long...”"),
        ("The bridge is long.[citation needed]", "", "“The bridge is long”"),
        ("Is it long?", "Wadden bridge", "“Is it long?”"),
        ("| valve | 5 Nm |", "Pump", "“valve | 5 Nm”"),
        ("Era una pintora.", "Marisol Ott", "Marisol Ott: “Era una pintora”"),
    ],
)
def test_how_a_sentence_is_quoted(sentence, title, quoted):
    (said,) = Ground(f"{title}\n{sentence}").said
    assert said.quoted(title) == quoted


@every(
    ("question", "written", "shown"),
    [
        ("v2.8.1-rc3", "v2.8.1-rc3 [1].", True),
        ("v2.8.1-rc3", "Firmware v2.8.1-rc3 forgets its address.", True),
        ("v2.8.1-rc4", "v2.8.1-rc4 [1].", False),
        ("pump firmware", "It forgets its address.", True),
    ],
)
def test_a_code_alone_is_answered_by_what_has_it(question, written, shown):
    passage = "Pump\nFirmware v2.8.1-rc3 forgets its address when the power fails; v2.8.4 does not."
    checked = Checked(question, [passage], "")
    checked.feed(written)
    checked.end()
    assert bool(checked.text) is shown


@every(
    ("question", "sentence", "answers"),
    [
        ("When was Ada Renn born?", "Ada Renn was the president of Velland from 1994 to 1999.", False),
        ("When was Ada Renn born?", "Ada Renn (3 May 1880 – 1 June 1950) was a painter.", True),
        ("When did Ada Renn die?", "Ada Renn (3 May 1880 – 1 June 1950) was a painter.", True),
        ("When did Ada Renn die?", "Ada Renn was born in 1880.", False),
        ("When was Ada Renn born?", "Ada Renn, née le 3 mai 1880, est une peintre.", True),
        ("Quand est née Ada Renn ?", "Ada Renn, née le 3 mai 1880, est une peintre.", True),
        (
            "¿Cuándo murió Ada Renn?",
            "Ada Renn (Melden, 3 de mayo de 1880-Torrin, 1 de junio de 1950) pintó.",
            True,
        ),
        ("¿Cuándo nació Ada Renn?", "Ada Renn fue presidenta desde 1994 hasta 1999.", False),
        (
            "When did Ada Renn discover the comet?",
            "The comet of Ada Renn came in 1907.",
            False,
        ),
        ("When did Ada Renn discover the comet?", "Ada Renn was the first to see the comet, in 1907.", True),
    ],
)
def test_a_deed_that_is_asked_for_must_be_told(question, sentence, answers):
    one = Ground(f"Ada Renn\n{sentence}", question)
    (said,) = one.said
    assert one.answers(sentence, said) is answers
