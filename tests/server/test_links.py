from urllib.parse import parse_qs, unquote, urlsplit

from every import every

from appliance.server import links
from server.fakes import ODD_TITLES


@every("path", [*ODD_TITLES, "A/Quo_Vadis?.html", "a b", "100%25", "ß/É"])
def test_a_path_comes_back_unchanged(path: str) -> None:
    source = urlsplit(links.source_url("wiki en+1", path, 3, 40))
    assert parse_qs(source.query) == {
        "archive": ["wiki en+1"], "path": [path], "start": ["3"], "length": ["40"],
    }  # fmt: skip
    assert source.fragment == "passage"
    article = urlsplit(links.article_url("wiki_en", path))
    assert (unquote(article.path), article.query, article.fragment) == (f"/read/wiki_en/{path}", "", "")


def test_text_directive_names_both_ends_of_the_first_line() -> None:
    passage = (
        "Cause\nOne two three four five six, seven-eight nine ten & eleven twelve thirteen fourteen.\nmore"
    )
    assert links.text_directive(passage) == (
        "text=One%20two%20three%20four%20five%20six%2C,ten%20%26%20eleven%20twelve%20thirteen"
        "%20fourteen.&text=One%20two%20three%20four%20five%20six%2C"
    )


def test_text_directive_of_few_words() -> None:
    assert links.text_directive("twenty-one days") == "text=twenty%2Done%20days"
    assert links.text_directive(" \n ") == ""


def test_article_url_with_anchor_and_text() -> None:
    assert links.article_url("w", "p", "See also", "a b c") == "/read/w/p#See%20also:~:text=a%20b%20c"
    assert links.article_url("w", "p", passage="a b c") == "/read/w/p#:~:text=a%20b%20c"
    assert links.article_url("w", "p", "x") == "/read/w/p#x"
