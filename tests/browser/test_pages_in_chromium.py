"""The pages as people see them: small and wide, light and dark, with scripts and without."""

import time

import pytest
from playwright.sync_api import expect
from server import fakes

from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser

PAGES = {
    "home": "/",
    "answer": "/ask?q=tetanus+spasms",
    "near": "/ask?q=tetanos+wombat+xylophone+toxine+zebra+nothing",
    "nothing": "/ask?q=quibblonia",
    "long": "/ask?q=" + "w" * 3000,
    "source": "/source?archive=first_aid_en&path=Tetanus&start=77&length=171#passage",
    "title": "/source?archive=first_aid_en&path=" + "a" * 300,
    "status": "/status",
    "error": "/nowhere",
    "outside": "/read/catch/external?source=https://a.example/" + "x" * 300,
}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_fits_its_screen(reader: Open, shots: Shots, width: int, scripts: bool) -> None:
    reader(width, scripts).fits(PAGES, shots, "" if scripts else "-plain")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_answer_is_written_above_its_passages(
    reader: Open, model: fakes.ScriptedModel, shots: Shots, scripts: bool
) -> None:
    # Two words lie between the ends of its two sentences, and only whole ones are shown.
    model.pause, model.places = 0.45, (2, 1, 0)
    opened = reader(scripts=scripts)
    page = opened.goto("/ask?q=tetanus+spasms", "commit")
    expect(page.locator("#p1")).to_be_visible()
    expect(page.get_by_text("1 question before yours")).to_be_attached()
    assert page.locator(".text").count() == 0  # passages first
    text = page.locator(".text")
    expect(text).to_contain_text("lockjaw, is a disease")
    early = text.inner_text()
    shots.take(page, f"streaming-360{'' if scripts else '-plain'}.png")
    expect(text).to_contain_text("animal bites” [2]")
    assert len(text.inner_text()) > len(early)
    answer, passage = text.bounding_box(), page.locator("#p1").bounding_box()
    assert answer["y"] + answer["height"] < passage["y"]
    expect(page.get_by_text("check the sources")).to_be_visible()


WEIGHT = "words => getComputedStyle(words).fontWeight"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_words_that_answer_are_bolder_than_the_sentence(reader: Open, scripts: bool) -> None:
    page = reader(360, scripts).goto("/ask?q=tetanus+spasms")
    words = page.locator(".text b")
    expect(words).to_have_text("disease with painful muscle")
    assert int(words.evaluate(WEIGHT)) >= 600 > int(page.locator(".text").evaluate(WEIGHT))


CUT = "quote => quote.scrollHeight > quote.clientHeight + 1"


@pytest.mark.parametrize("width", [360, 1280])
def test_where_no_answer_is_written_the_passages_are_whole_and_wide(
    reader: Open, model: fakes.ScriptedModel, width: int
) -> None:
    model.down = True
    page = reader(width).goto("/ask?q=clostridium+tetani+bacterium")
    assert page.locator("#p1").bounding_box()["width"] > min(width - 40, 700)
    assert not page.locator("#p1 blockquote").evaluate(CUT)
    expect(page.locator("#p1 .whole")).to_be_hidden()


def test_a_passage_that_is_cut_is_opened_without_scripts(reader: Open, model: fakes.ScriptedModel) -> None:
    model.words = ("An oil lamp ", "burns oil ", "with a wick ", "[1].")
    page = reader(360, scripts=False).goto("/ask?q=oil+lamp+light+houses")
    quote = page.locator("#p1 blockquote")
    height = quote.bounding_box()["height"]
    page.locator("#p1").get_by_label("Whole passage").check()
    assert quote.bounding_box()["height"] > height


def test_a_citation_opens_its_passage_marked_and_in_sight(reader: Open) -> None:
    page = reader().goto("/ask?q=tetanus+spasms")
    page.locator(".text .cite").last.click()
    mark = page.locator("#passage")
    expect(mark).to_contain_text("poison of the bacterium")
    expect(mark).to_be_in_viewport()
    assert mark.evaluate("mark => getComputedStyle(mark).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_a_citation_lights_its_passage(reader: Open) -> None:
    page = reader(1280).goto("/ask?q=tetanus+spasms")
    page.locator(".text .cite").last.focus()
    expect(page.locator("#p2.lit")).to_have_count(1)
    page.locator("#q").focus()
    expect(page.locator(".lit")).to_have_count(0)


def test_stop_ends_the_answer_and_the_models_work(reader: Open, model: fakes.ScriptedModel) -> None:
    model.hangs_after = 5
    page = reader().goto("/ask?q=tetanus+spasms", "commit")
    expect(page.locator(".text")).to_contain_text("lockjaw, is a disease")
    page.get_by_role("button", name="Stop").click()
    stopped = time.monotonic()
    expect(page.get_by_text("You stopped the answer here.")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    while not model.stopped and time.monotonic() - stopped < 2:
        time.sleep(0.01)
    assert model.stopped == 1
    expect(page.locator("#p1")).to_be_visible()


def test_stop_is_gone_when_the_answer_is_there(reader: Open) -> None:
    page = reader().goto("/ask?q=tetanus+spasms")
    expect(page.locator("[data-end]")).to_have_count(1)
    expect(page.locator(".stop")).to_have_count(0)


def test_titles_while_typing_by_keyboard(reader: Open) -> None:
    page = reader().goto("/")
    page.locator("#q").press_sequentially("tet")
    option = page.get_by_role("option")
    expect(option).to_contain_text(["Tetanus"])
    page.keyboard.press("ArrowDown")
    expect(option.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(option).to_have_count(0)
    page.locator("#q").press_sequentially("a")
    expect(option).to_contain_text(["Tetanus"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Tetanus")


def test_asking_without_scripts_in_one_archive(reader: Open) -> None:
    page = reader(scripts=False).goto("/")
    page.locator("summary").click()
    page.get_by_label("Santé").check()
    page.locator("#q").fill("bactérie tétanos")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Only in")).to_be_visible()
    expect(page.locator("#p1 blockquote")).to_have_attribute("lang", "fr")


def test_what_people_type_is_never_run(reader: Open) -> None:
    opened = reader()
    for question in ('"><svg onload=alert(1)>', "<script>alert(1)</script>", "javascript:alert(1)"):
        page = opened.goto("/")
        page.locator("#q").fill(question)
        page.keyboard.press("Enter")
        expect(page.locator("#q")).to_have_value(question)
        expect(page.locator("main svg, main script")).to_have_count(0)


def test_the_first_tab_skips_to_the_answer(reader: Open) -> None:
    page = reader().goto("/ask?q=tetanus+spasms")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_be_focused()


def test_what_is_touched_is_large_enough(reader: Open) -> None:
    page = reader().goto("/")
    for box in page.locator("button, .line input, .only summary, a.open, footer a").all():
        found = box.bounding_box()
        assert found is None or found["height"] >= 40, box.inner_text()


ROOM = """one => {
    const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    return one.clientWidth - padding - pen.measureText(one.placeholder).width;
}"""


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_what_stands_in_the_empty_box_is_not_cut(reader: Open, language: str) -> None:
    opened = reader(width=360)
    opened.page.set_extra_http_headers({"accept-language": language})
    for path in ("/", "/status"):
        assert opened.goto(path).locator("#q").evaluate(ROOM) >= 0, path
