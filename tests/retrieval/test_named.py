"""What a question names exactly, and what the gate's word becomes by it."""

from every import every

from appliance.records import Evidence, Judgement
from appliance.retrieval.gate import NEAR
from appliance.retrieval.named import held_to
from appliance.retrieval.rescue import tokens

YES, CLOSE, NO = (
    Judgement("answer", 0.9),
    Judgement("near", 0.1, NEAR),
    Judgement("nothing", 0.01, "Nothing."),
)


def passage(text: str, *headings: str, archive: str = "git:wiki") -> Evidence:
    return Evidence(archive, "a.md", "Errors", headings, "", text, 0, 0.5)


def word(judged: Judgement, question: str, *evidence: Evidence) -> Judgement:
    return held_to(judged, question, evidence, ("git:wiki", "documents"), tokens(question))


@every(
    ("question", "text"),
    [
        ("What does --force-if-includes do?", "Use --force-with-lease on your own branch."),
        ("What does --force do?", "Use --force-with-lease on your own branch."),
        ("What is retry_backoff_jitter_ms set to?", "retry_backoff_ms = 250, retry_backoff_max_ms = 8000"),
        ("billing.invoice.render_csv", "billing.invoice.render_pdf gives the bytes"),
        ("E1236", "E1235: host not reachable; E12361 too"),
        ("What is in /etc/library/pool.ini?", "Set it in /etc/library/api.env."),
    ],
)
def test_what_no_passage_names_is_refused_and_said(question: str, text: str) -> None:
    found = word(YES, question, passage(text))
    assert found.verdict == "near"
    assert found.lacking


@every(
    ("question", "text"),
    [
        ("What does --force do?", "`--force` asks nobody; `--force-with-lease` does."),
        ("What does --FORCE do?", "--force: asks nobody"),
        ("err 4471 or ERR-4471?", "ERR4471 is a dry run"),
        ("ERR-4471", "see ERR_4471."),
        ("What is in api.env?", "Set it in api.env, then restart."),
        ("How do I use interp1 in python3?", "In Python 3 interpolate by hand."),
        ("What happened on 12/04/1923?", "On 12 April 1923 there were no crossings."),
        ("Where is the goat?", "The goat is in the meadow."),
    ],
)
def test_what_is_there_in_any_form_stays_answered(question: str, text: str) -> None:
    assert word(YES, question, passage(text)) == YES


def test_the_library_is_judged_by_the_gate_alone() -> None:
    question = "What is E1236 in food?"
    assert word(YES, question, passage("E1235 is a dye", archive="wikipedia_en")) == YES
    assert held_to(YES, question, [], ("git:wiki",), tokens(question)) == YES


@every("judged", [CLOSE, NO])
@every("question", ["E2041", "What do I do about E2041?", "Is E2041 serious?", "e2041?"])
def test_a_section_under_just_that_code_answers_a_question_for_it(judged: Judgement, question: str) -> None:
    found = word(judged, question, passage("Put the book on the green trolley.", "E2041: another branch"))
    assert (found.verdict, found.probability, found.reason) == ("answer", judged.probability, "")


@every(
    "question",
    [
        "Who invented E2041?",
        "When did E2041 come up first?",
        "How often did E2041 occur?",
        "Why does the importer of the branch print E2041?",
        "E2042",
        "E2041 and E2042",
    ],
)
def test_it_answers_nothing_else(question: str) -> None:
    section = passage("Put the book on the green trolley.", "E2041: another branch")
    assert word(CLOSE, question, section) == CLOSE


def test_a_code_within_the_text_is_no_heading() -> None:
    assert word(NO, "E2041", passage("E2041 and others are listed here.")) == NO
