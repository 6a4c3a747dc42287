import re
from collections.abc import Callable
from pathlib import Path

import pytest
from every import every
from starlette.testclient import TestClient

from appliance.records import Quote
from appliance.server import guard
from appliance.server.app import create_app
from server import fakes

Answering = Callable[..., TestClient]


def words(page: str) -> str:
    """The page's text as a reader sees it, white space single."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_home_shows_the_shelf_with_languages_and_problems(client: TestClient) -> None:
    page = client.get("/")
    seen = words(page.text)
    assert page.status_code == 200
    assert "First aid &amp; light" in page.text
    assert "English 12 articles 2026-05-01 41 MB CC BY-SA 4.0" in seen
    assert "French 1 article " in seen
    assert "older edition" in seen
    assert '<h3 lang="fr"' in page.text
    assert "/read/" not in page.text  # no kiwix-serve, so no links to it


@pytest.mark.parametrize(("reads", "first"), [("en", "First aid"), ("fr", "Santé")])
def test_archives_in_the_readers_language_come_first(client: TestClient, reads: str, first: str) -> None:
    page = client.get("/", headers={"accept-language": reads}).text
    assert page.partition('class="book"')[2].partition("</h3>")[0].find(first) > 0


def test_home_of_an_empty_shelf(answering: Answering) -> None:
    page = answering(None, library=fakes.FakeLibrary(())).get("/")
    assert "No archive is here yet" in page.text


def test_an_answer_comes_after_its_passages_with_links_to_sources(answering: Answering) -> None:
    page = answering(fakes.ScriptedModel()).get("/ask", params={"q": "tetanus spasms"}).text
    assert page.index('class="passages"') < page.index('class="text"')
    assert "is a <b>disease with painful muscle</b> spasms” <a" in page
    link = (
        r'muscle</b> spasms” <a class="cite" href="([^"]+)" data-n="1" title="Tetanus">\[1\]</a>\. “Tetanus'
    )
    first = re.search(link, page[page.index('class="text"') :])
    assert first is not None
    assert first[1].startswith("/source?archive=first_aid_en&amp;path=Tetanus&amp;start=0&amp;length=70#")
    assert "check the sources" in words(page)
    assert page.rstrip().endswith("</html>")
    assert "\0" not in page


def test_an_answer_ends_with_its_limits(answering: Answering) -> None:
    page = answering(fakes.ScriptedModel()).get("/ask", params={"q": "tetanus spasms"}).text
    assert "Limits of this answer It rests on a single source." in words(page[page.index("data-end") :])


def test_a_marker_without_a_passage_is_no_link(answering: Answering) -> None:
    words = ("Tetanus is a disease with painful muscle spasms ", "[99]", " [1].")
    page = answering(fakes.ScriptedModel(words=words))
    text = page.get("/ask", params={"q": "tetanus spasms"}).text
    assert 'data-n="99"' not in text
    assert "[99]" not in text
    assert 'data-n="1"' in text


def test_without_a_model_the_passages_are_the_result(client: TestClient) -> None:
    page = client.get("/ask", params={"q": "tetanus spasms"}).text
    assert 'class="passages alone"' in page
    assert words(page).count("come nearest") == 1
    assert "Reading the passages" not in page


def test_a_follow_up_says_how_it_was_understood(client: TestClient) -> None:
    asked = {
        "q": "and its cause?",
        "before": "What is tetanus?",
        "about": "Tetanus",
        "archive": "first_aid_en",
    }
    page = client.get("/ask", params=asked).text
    assert '<h1 dir="auto">and its cause?</h1>' in page
    assert "Understood as: What is the cause of tetanus?" in words(page)
    assert '<input type="hidden" name="before" value="What is the cause of tetanus?">' in page
    as_typed = "/ask?q=and%20its%20cause%3F&amp;archive=first_aid_en&amp;literal=1"
    assert f'<a href="{as_typed}">' in page
    assert "Understood as" not in client.get(as_typed.replace("&amp;", "&")).text
    assert "Understood as" not in client.get("/ask", params={"q": "and its cause?"}).text  # nothing is kept


def test_the_next_question_carries_what_this_one_was_about(answering: Answering) -> None:
    page = answering(fakes.ScriptedModel()).get("/ask", params={"q": "tetanus <spasms>"}).text
    form = page[page.index('<form class="further"') :]
    assert 'name="before" value="tetanus &lt;spasms&gt;"' in form
    assert 'name="about" value="Tetanus"' in form
    assert 'name="said" value="“Tetanus, also called' in form
    assert form.index("</form>") < form.index("</section>")


def test_the_quick_answer_is_quoted_over_the_answer(answering: Answering) -> None:
    sentence = "Tetanus, also called lockjaw, is a disease with painful muscle spasms."
    client = answering(fakes.ScriptedModel(), quick=lambda *_: Quote(1, sentence, 0, 0.99))
    page = client.get("/ask", params={"q": "tetanus spasms"}).text
    assert f"From Tetanus [1] “{sentence}”" in words(page)
    assert page.index('class="quick"') < page.index('class="live"') < page.index('class="text"')
    assert f"path=Tetanus&amp;start=0&amp;length={len(sentence)}#passage" in page
    assert 'class="quick"' not in client.get("/ask", params={"q": "quibblonia"}).text


def test_what_a_form_carries_is_bounded(client: TestClient) -> None:
    long = {"before": "x" * 50_000, "about": "\0" * 300, "said": "<b>" * 900}
    page = client.get("/ask", params={"q": "and its cause?", **long})
    assert page.status_code == 200
    assert "<b>" not in page.text


def test_the_question_heads_its_page(client: TestClient) -> None:
    page = client.get("/ask", params={"q": "tetanus <spasms>"}).text
    assert '<h1 dir="auto">tetanus &lt;spasms&gt;</h1>' in page


@pytest.mark.parametrize(("model", "shown"), [(fakes.ScriptedModel(), 2), (None, 3)])
def test_passages_far_below_the_best_are_folded(
    answering: Answering, model: fakes.ScriptedModel | None, shown: int
) -> None:
    page = answering(model, library=fakes.SpreadLibrary(fakes.shelf())).get("/ask?q=tetanus+spasms").text
    open_, folded = page.split("<details><summary>More passages (", 1)
    assert f'id="p{shown}"' in open_
    assert f'<ol start="{shown + 1}">\n<li id="p{shown + 1}"' in folded
    cited = [int(n) for n in re.findall(r'class="cite"[^>]* data-n="(\d+)"', page)]
    assert max(cited, default=0) == (2 if model else 0)


def test_what_the_model_writes_never_goes_out_and_what_is_quoted_is_escaped(answering: Answering) -> None:
    written = ("Tetanus is a disease with painful <mus", "cle spasms> [1].")
    page = answering(fakes.ScriptedModel(written)).get("/ask", params={"q": "tetanus spasms"}).text
    assert fakes.SHOWN[0].partition(" [")[0] in page
    assert "muscle spasms&gt;" not in page
    assert "<muscle" not in page


def test_places_in_the_queue_are_shown(answering: Answering) -> None:
    model = fakes.ScriptedModel(places=(3, 2, 1, 0))
    page = words(answering(model).get("/ask", params={"q": "tetanus spasms"}).text)
    assert "2 questions before yours 1 question before yours Your question is next" in page


def test_a_refusal_never_calls_the_model(answering: Answering) -> None:
    model = fakes.ScriptedModel()
    client = answering(model)
    near = words(client.get("/ask", params={"q": "tetanos wombat xylophone toxine zebra nothing"}).text)
    assert "comes close, but does not answer this" in near
    assert "Close, but they do not answer it" in near
    assert "Looked in First aid &amp; light , Santé" in near
    assert "Did you mean: What causes tetanus?" in near
    assert "Articles with such a title" in near
    nothing = words(client.get("/ask", params={"q": "quibblonia"}).text)
    assert "The library does not answer this" in nothing
    far = words(client.get("/ask", params={"q": "lamp " + " ".join(f"zz{n}" for n in range(9))}).text)
    assert "Looked at, but not about this Show the passages (2)" in far
    assert model.started == 0


def test_only_the_chosen_archives_are_searched(client: TestClient) -> None:
    page = client.get("/ask", params={"q": "bactérie tétanos", "archive": "santé_fr"}).text
    assert "Only in" in page
    assert "archive=sant%C3%A9_fr&amp;path=T%C3%A9tanos" in page
    assert "archive=first_aid_en&amp;path" not in page


def test_a_model_that_is_down_gives_passages_and_a_sentence(answering: Answering) -> None:
    page = answering(fakes.ScriptedModel(down=True)).get("/ask", params={"q": "tetanus spasms"})
    assert page.status_code == 200
    assert 'id="p1"' in page.text
    assert 'class="text"' not in page.text
    assert page.text.count("data-end") == 1
    assert page.text.rstrip().endswith("</html>")


def test_a_model_that_dies_leaves_what_was_written(answering: Answering) -> None:
    model = fakes.ScriptedModel(breaks_after=6)
    page = answering(model).get("/ask", params={"q": "tetanus spasms"}).text
    assert fakes.FIRST in page
    assert "broke off" in words(page).lower()
    assert 'id="p1"' in page
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize("after", [0, 3])
def test_a_defect_in_the_middle_ends_in_a_sentence(
    answering: Answering, capsys: pytest.CaptureFixture[str], after: int
) -> None:
    words_then_defect = [*fakes.ANSWER[:after], None]
    page = answering(fakes.ScriptedModel(words_then_defect)).get("/ask", params={"q": "tetanus spasms"}).text
    assert "Something went wrong in this library." in page
    assert 'id="p1"' in page
    assert page.rstrip().endswith("</html>")
    assert page.count("<section") == page.count("</section>")
    assert page.count("<div") == page.count("</div>")
    assert "Error" in capsys.readouterr().err


def test_a_search_that_fails_is_a_sentence(answering: Answering) -> None:
    page = answering(None, library=fakes.FailingLibrary(fakes.shelf())).get("/ask", params={"q": "x"}).text
    assert "The archive first_aid_en cannot be read." in page
    assert page.rstrip().endswith("</html>")
    assert page.count("<div") == page.count("</div>")


def test_status_says_what_is_wrong_and_what_helps(client: TestClient) -> None:
    page = words(client.get("/status").text)
    assert "Working, with one thing to look at" in page
    assert "Search by meaning starting It is being started." in page
    assert "broken.zim needs a look The file ends after 10,000 bytes. Copy it again." in page


@every(
    "question",
    [
        '"><svg onload=alert(1)>',
        "<b>",
        "*",
        '" OR NEAR(',
        "🔥",
        "w" * 5000,
        "a\0b",
        "'; DROP TABLE x",
        "日本",
        "\u202e",
    ],
)
def test_odd_questions_are_answered_and_escaped(client: TestClient, question: str) -> None:
    page = client.get("/ask", params={"q": question})
    assert page.status_code == 200
    assert "<svg" not in page.text
    assert "<b>" not in page.text


@every(
    ("address", "status"),
    [
        ("/ask", 400), ("/ask?q=", 400), ("/ask?q=%00", 400), ("/ask?q=x&archive=nowhere", 404),
        ("/nowhere", 404), ("/static/nowhere.js", 404), ("/static/../pyproject.toml", 404),
        ("/ask?q=%ff%fe", 200), ("/read/x", 503), ("/docs", 404),
    ],
)  # fmt: skip
def test_bad_addresses_are_calm_pages(client: TestClient, address: str, status: int) -> None:
    page = client.get(address)
    assert page.status_code == status
    assert page.headers["content-type"].startswith("text/html")
    assert 'action="/ask"' in page.text


def test_pages_only_read(client: TestClient) -> None:
    for address in ("/", "/ask?q=x", "/source", "/status", "/read/x"):
        assert client.post(address).status_code == 405


@every("address", ["/", "/ask?q=tetanus", "/nowhere", "/api/search?q=x", "/static/lamplight.js"])
def test_every_reply_carries_the_strict_policy(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["content-security-policy"] == guard.POLICY
    assert "unsafe" not in guard.POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_pages_hold_no_inline_code_and_no_outside_address(client: TestClient) -> None:
    pages = ["/", "/ask?q=tetanus spasms", "/ask?q=quibblonia", "/status", "/nowhere"]
    pages.append("/source?archive=first_aid_en&path=Tetanus&start=0&length=9")
    for address in pages:
        page = client.get(address).text
        assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", page), address
        assert not re.search(r"<script(?! async src=\"/static/)", page), address
        assert not re.search(r"""(?:src|href|action)="(?![/#])""", page), address


def test_another_host_is_not_served_on_the_loopback(client: TestClient, tmp_path: Path) -> None:
    for host, status in (
        ("127.0.0.1:8080", 200),
        ("localhost", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
    ):
        assert client.get("/", headers={"host": host}).status_code == status
    opened = create_app(fakes.appliance(tmp_path, host="0.0.0.0"))
    assert TestClient(opened, "http://lamp.local").get("/").status_code == 200


def test_static_files_are_small() -> None:
    static = Path(__file__).parents[2] / "web/static"
    assert (static / "lamplight.css").stat().st_size < 15_000
    of_screen = {"kiosk.js", "keyboard.js"}  # which no phone loads
    of_one_page = {"documents.js", "sources.js", "desk.js"}
    sizes = {file.name: file.stat().st_size for file in static.glob("*.js")}
    assert sum(size for name, size in sizes.items() if name not in of_screen | of_one_page) < 8_000
    assert sizes["documents.js"] < 5_000  # on the page that takes files alone
    assert sizes["sources.js"] + sizes["desk.js"] < 3_500  # on the desk
    assert sum(sizes[name] for name in of_screen) < 10_000
