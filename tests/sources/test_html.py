"""HTML -> Document. The cases are files: NAME.html, and beside it NAME.txt with one line for each block:
`kind: text (heading > path) #anchor`; ⏎ is a line break; path and anchor only where the case has any."""

from pathlib import Path

import pytest
from every import every

from appliance.errors import EntryUnreadable
from appliance.sources.html import MAX_DEPTH, extract, read_page

CASES = Path(__file__).parent.parent / "cases/html"


def line(document, block, anchors):
    text = f"{block.kind}: {document.text[block.start : block.end]}".replace("\n", "⏎")
    if anchors and block.headings:
        text += f" ({' > '.join(block.headings)})"
    return f"{text} #{block.anchor}" if anchors and block.anchor else text


@every("case", sorted(CASES.glob("*.html")), ids=lambda path: path.stem)
def test_case(case):
    expected = case.with_suffix(".txt").read_text("utf-8").rstrip("\n").split("\n")
    document = extract(case.read_text("utf-8"), case.name, "")
    anchors = any(" #" in wanted for wanted in expected)
    assert [line(document, block, anchors) for block in document.blocks] == expected


@every("case", sorted(CASES.glob("*.html")), ids=lambda path: path.stem)
def test_blocks_are_in_order_and_hold_all_of_the_text(case):
    document = extract(case.read_text("utf-8"), case.name, "")
    end = 0
    for block in document.blocks:
        assert document.text[end : block.start].strip() == ""
        assert document.text[block.start : block.end].strip() != ""
        assert block.start >= end
        end = block.end
    assert end == len(document.text)


def test_endless_divisions_are_refused_not_parsed():
    with pytest.raises(EntryUnreadable, match="nested"):
        extract("<div>" * 200_000, "deep", "Deep")


def test_deep_but_possible_nesting_is_read():
    depth = MAX_DEPTH - 10
    assert extract("<div>" * depth + "fact" + "</div>" * depth, "deep", "Deep").text == "fact"


@pytest.mark.slow
def test_many_paragraphs_that_nobody_closed_are_not_deep():
    document = extract("<p><a name=x>word" * 20_000, "flat", "Flat")
    assert len(document.blocks) == 20_000


def test_a_row_of_very_many_cells_loses_none():
    document = extract("<table><tr>" + "<td>x" * 5000 + "</table>", "wide", "Wide")
    assert document.text.count("x") == 5000


def test_a_table_whose_cells_span_thousands_of_rows_stays_small():
    rows = "".join(f"<tr><td rowspan=9999 colspan=9999>{n}</td></tr>" for n in range(2000))
    assert len(extract(f"<table>{rows}</table>", "wide", "Wide").text) < 100_000


@every(
    ("kind", "title", "body"),
    [
        ("disambiguation", "Mercury", "<p>Mercury may refer to:</p><ul><li>a planet</li></ul>"),
        ("disambiguation", "Mercure (homonymie)", "<p>Une planète.</p>"),
        (
            "disambiguation",
            "Merkur",
            '<table id="disambigbox"><tr><td>x</td></tr></table><p>Viele Dinge.</p>',
        ),
        ("disambiguation", "M", '<meta property="mw:PageProp/disambiguation"><p>A letter.</p>'),
        ("article", "Terms", "<p>In law the word may refer to a court or to a town of that name.</p>"),
        ("article", "Mercury", '<p>A planet. <a class="mw-disambig" href="x">Other uses</a></p>'),
        ("contents", "Contents", '<ul><li><a href="a">First part of it</a></li></ul>'),
        (
            "contents",
            "Everything",
            "".join(f'<li><a href="{n}">Title number {n}</a></li>' for n in range(300)),
        ),
        ("article", "Contents", "<p>The contents of a first-aid kit are renewed every second year.</p>"),
        ("redirect", "Gone", '<meta http-equiv="refresh" content="0;url=x"><p>Redirecting to x</p>'),
        ("article", "Empty", ""),
    ],
)
def test_the_kind_of_a_page(kind, title, body):
    assert read_page(f"<html><body>{body}</body></html>", "path", title)[1] == kind


def test_a_page_without_a_title_takes_its_own():
    assert extract("<title>Own  name</title><p>x</p>", "a/b.html", "a/b.html").title == "Own name"


def test_the_same_page_gives_the_same_text():
    source = (CASES / "infobox.html").read_text("utf-8")
    assert extract(source, "p", "t") == extract(source, "p", "t")
