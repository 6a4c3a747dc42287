"""Sections from headings, labels and dated entries; passages that never part code or formulas."""

import time

import pytest
from every import every

from appliance.documents import parts
from appliance.documents.parts import cut, estimate
from appliance.records import Document
from appliance.sources import markdown, textblocks
from appliance.vectors import MAX_TOKENS, HashEncoder

COUNT = HashEncoder().count


def texts(document: Document, count: parts.Count = COUNT) -> list[str]:
    return [document.text[one.start : one.start + one.length] for one in cut(document, count)[1]]


def sections(text: str) -> list[tuple[str, tuple[str, ...], str | None]]:
    document = textblocks.read(text, "a.txt").document
    return [(draft.kind, draft.headings, draft.date) for draft in cut(document, COUNT)[0]]


def test_dated_entries_are_sections_with_their_dates() -> None:
    text = (
        "My journal\n\n12 April 1923. Rain all day. We sowed.\n13/04/1923: The goat died.\n\n"
        "Monday, 5 May 1931\nWe went to the market on 6 May 1931 and back.\n\nOn 7 May 1931 nothing.\n\n"
        "2024-03-01 The well was cleaned.\n"
    )
    assert sections(text) == [
        ("body", (), None),
        ("entry", ("12 April 1923",), "1923-04-12"),
        ("entry", ("13/04/1923",), "1923-04-13"),
        ("entry", ("Monday, 5 May 1931",), "1931-05-05"),
        ("entry", ("2024-03-01",), "2024-03-01"),
    ]


def test_a_date_within_a_sentence_that_was_broken_for_its_width_begins_nothing() -> None:
    text = (
        "My grandmother was among the first pupils. The school was opened on\n5 October 1873, as she told.\n"
    )
    assert sections(text) == [("body", (), None)]


def test_labels_are_sections_and_speakers_are_not() -> None:
    text = "THE LAB\n\nAim: find it.\nMaterials and method: weigh it.\n\n" + "Anna: yes.\n" * 4
    assert sections(text) == [
        ("label", ("THE LAB", "Aim"), None),
        ("label", ("THE LAB", "Materials and method"), None),
    ]


def test_a_long_label_text_carries_the_label() -> None:
    text = "Aim: " + "It is long and says much. " * 90
    drafts, cuts = cut(textblocks.read(text, "a.txt").document, COUNT)
    assert drafts[0].headings == ("Aim",)
    assert len(cuts) > 1


@every(
    ("before", "inside", "after"),
    [
        ("```matlab\n", "clc; clear; close all;\n\n" + "y = interp1(x, v, 3);\n" * 120, "```"),
        ("$$\n", "a + b = c. And so. " * 60, "\n$$"),
        ("Words. " * 90 + "$", "a. B = c; d, e. F", "$ " + "Words. " * 90),
        ("Words. " * 90 + "`", "open(x). Close(y). Z", "` " + "Words. " * 90),
    ],
)
def test_code_and_formulas_are_never_cut(before: str, inside: str, after: str) -> None:
    document = markdown.read(f"Text before.\n\n{before}{inside}{after}\n\nText after.\n", "a.md").document
    assert sum(inside.strip() in text for text in texts(document)) == 1


def test_code_without_end_is_cut_between_lines() -> None:
    code = "".join(f"line {n} = {n};\n" for n in range(3000))
    found = texts(markdown.read(f"```\n{code}```\n", "a.md").document)
    assert len(found) > 10
    assert all(len(text) <= parts.WHOLE for text in found)
    assert "".join(found).count("line ") == 3000
    assert not any("\nline" in text and text.rstrip("`\n").endswith("=") for text in found)


@pytest.mark.parametrize("count", [COUNT, estimate])
def test_passages_hold_all_of_the_text_and_fit(count: parts.Count) -> None:
    text = "\n\n".join(f"# Part {n}\n\n" + f"Sentence {n} of prose, quite long. " * (n * 7) for n in range(9))
    document = markdown.read(text, "a.md").document
    drafts, cuts = cut(document, count)
    assert all(drafts[one.section].start <= one.start for one in cuts)
    assert all(
        drafts[one.section].start + drafts[one.section].length >= one.start + one.length for one in cuts
    )
    assert max(count(texts(document, count))) <= MAX_TOKENS
    held = "".join(texts(document, count))
    assert all(held.count(f"Sentence {n} of") == n * 7 for n in range(9))


def test_a_document_of_headings_alone_is_a_passage() -> None:
    document = markdown.read("# Only this\n", "a.md").document
    drafts, cuts = cut(document, COUNT)
    assert len(drafts) == len(cuts) == 1
    assert (cuts[0].section, cuts[0].start) == (0, drafts[0].start)


def test_the_estimate_is_no_smaller_than_words() -> None:
    for text in ("Hello world", "東京は日本の首都です", "interp1(x, v)", "a" * 40, ""):
        assert estimate([text])[0] >= COUNT([text])[0]


@every("unit", ["``a`", "`a`", "$a$", r"\(a\)", r"\begin{a}x\end{a}", "$$a b$$"])
def test_what_stays_whole_side_by_side_is_cut_between(unit: str) -> None:
    document = textblocks.read(unit * (20_000 // len(unit)), "a.txt").document
    found = texts(document, estimate)
    assert max(map(len, found)) < 2 * 8 * MAX_TOKENS
    assert "".join(found) == document.text
    if unit[0] == "\\":  # two of the others side by side are one, of another kind
        assert all(len(one) % len(unit) == 0 for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [r"\begin{a}", r"\[x", r"\(x", "`a", "$a", "$$a", "``a`", r"\begin"])
def test_what_opens_without_end_takes_no_time(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    began = time.process_time()
    assert sum(1 for _ in parts._inline(text, 0, len(text))) >= 0
    assert time.process_time() - began < 1
