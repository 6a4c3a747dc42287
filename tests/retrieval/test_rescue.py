"""What a question names exactly: told apart from what it only mentions, and put where it is seen."""

from every import every

from appliance.records import Evidence
from appliance.retrieval.rescue import placed, tokens


@every(
    ("question", "exact", "names"),
    [
        ("clc; clear; close all;", ["clc; clear; close all;"], []),
        ("interp1", ["interp1"], []),
        ("What does ERR-4471 mean on the pump?", ["ERR-4471"], []),
        ("What happened on 12/04/1923?", ["12/04/1923"], []),
        ("how do I call np.array() in python3?", ["np.array()", "python3"], []),
        ("what does “the long road” say", ["the long road"], []),
        ("where is snake_case or camelCase used", ["snake_case", "camelCase"], []),
        ("Who was Marguerite Okonkwo?", [], ["Marguerite Okonkwo"]),
        ("where did Anna Smith go in Paris", [], ["Anna Smith", "Paris"]),
        ("What does --force-with-lease do?", ["--force-with-lease"], []),
        ("git push -f or --no-verify=all?", ["-f", "--no-verify=all"], []),
        ("where is billing.invoice.render_pdf", ["billing.invoice.render_pdf"], []),
        ("what is in /etc/library/api.env and switches.toml?", ["/etc/library/api.env", "switches.toml"], []),
        ("E1234: no such host", ["E1234"], []),
        ("retry_backoff_ms", ["retry_backoff_ms"], []),
        ("is a well-known state-of-the-art pump, e.g. ours and/or theirs, better", [], []),
        ("it broke. then - as always - nothing", [], []),
        ("What is the capital of a country?", [], []),
        ("who won in 1998?", [], []),
        ("WHO WAS IT", [], []),
        ("", [], []),
    ],
)
def test_what_a_question_names(question: str, exact: list[str], names: list[str]) -> None:
    found = tokens(question)
    assert [token.text for token in found if token.exact] == exact
    assert [token.text for token in found if not token.exact] == names


def evidence(text: str) -> Evidence:
    return Evidence("documents", "1", "", (), "", text, 0, 0.5)


def order(question: str, *texts: str) -> list[str]:
    return [item.text for item in placed([evidence(text) for text in texts], tokens(question))]


def test_what_holds_an_exact_token_comes_first_in_the_order_it_had() -> None:
    found = order("What does ERR-4471 mean?", "ERR-4472 is oil", "b", "see ERR-4471", "err-4471 is water")
    assert found == ["see ERR-4471", "err-4471 is water", "ERR-4472 is oil", "b"]


def test_what_stands_by_itself_comes_before_what_stands_in_a_longer_word() -> None:
    found = order("what is --force?", "use --force-with-lease", "b", "git push --force asks nobody")
    assert found == ["git push --force asks nobody", "use --force-with-lease", "b"]
    found = order("page.title", "page.title.short is x", "page.title, then", "y")
    assert found == ["page.title, then", "page.title.short is x", "y"]
    assert order("E1234", "E12345", "E1234: no such host") == ["E1234: no such host", "E12345"]
    assert order("--force", "never --force", "---force") == ["never --force", "---force"]


def test_a_name_is_among_the_first_three_and_moves_nothing_else() -> None:
    assert order("Who was Ada Obi?", "a", "b", "c", "d", "Ada Obi sang") == [
        "a",
        "b",
        "Ada Obi sang",
        "c",
        "d",
    ]
    assert order("Who was Ada Obi?", "a", "Ada Obi", "c", "Ada Obi too") == [
        "a",
        "Ada Obi",
        "c",
        "Ada Obi too",
    ]


def test_without_anything_named_nothing_moves() -> None:
    assert order("What is it?", "b", "a") == ["b", "a"]
