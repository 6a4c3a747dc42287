"""Passages: they fit the embedder, keep what belongs together, and lose nothing."""

import random
import re

import pytest
from every import every

from appliance.indexer.chunk import GOAL, LETTERS_PER_TOKEN, chunk, embedding_text
from appliance.records import Block, Document
from appliance.sources.html import extract
from appliance.sources.zim import ZimArchive
from appliance.tokens import Tokens
from appliance.vectors import MAX_TOKENS

LIMIT = 256


def count(texts):
    """Words and signs, one token each, and two special ones, as a WordPiece tokenizer counts plain words."""
    return [len(re.findall(r"\w+|[^\w\s]", text)) + 2 for text in texts]


def texts(document, passages):
    return [document.text[p.start : p.start + p.length] for p in passages]


def page(body, title="A page"):
    return extract(f"<body>{body}</body>", "page", title)


def sentences(number, words=10):
    return " ".join(f"Sentence {n} " + "word " * (words - 3) + "ends." for n in range(number))


def check(document, passages, limit=LIMIT):
    """What holds for every document: in order, inside the text, not empty, not too long, nothing lost."""
    covered = bytearray(len(document.text))
    last_end = 0
    for passage in passages:
        assert passage.length > 0
        assert passage.start >= last_end
        last_end = passage.start + passage.length
        text = document.text[passage.start : last_end]
        assert text == text.rstrip().lstrip("\n")
        assert len(text) <= limit * LETTERS_PER_TOKEN
        assert count([embedding_text(document.title, passage.headings, text)]) <= [limit]
        covered[passage.start : last_end] = b"\1" * passage.length
    for block in document.blocks:
        if block.kind != "heading":
            lost = [
                n for n in range(block.start, block.end) if not covered[n] and not document.text[n].isspace()
            ]
            assert not lost, document.text[block.start : block.end]


def test_paragraphs_of_a_good_size_stay_apart():
    document = page(f"<p id='p0'>{sentences(12)}</p><p id='p1'>{sentences(12)}</p>")
    passages = chunk(document, count, LIMIT)
    assert [passage.anchor for passage in passages] == ["p0", "p1"]


def test_small_neighbours_under_one_heading_are_joined():
    document = page("<h2 id='s0'>Signs</h2><p>Fever.</p><p>Cough.</p><h2 id='s1'>Cure</h2><p>Rest.</p>")
    passages = chunk(document, count, LIMIT)
    assert texts(document, passages) == ["Fever.\n\nCough.", "Rest."]
    assert [(p.headings, p.anchor) for p in passages] == [(("Signs",), "s0"), (("Cure",), "s1")]


def test_joined_passages_do_not_pass_the_goal():
    document = page("".join(f"<p>{sentences(3)}</p>" for _ in range(40)))
    passages = chunk(document, count, LIMIT)
    check(document, passages)
    sizes = count(texts(document, passages))
    assert max(sizes) <= GOAL + 40
    assert min(sizes) > GOAL // 2


def test_a_long_paragraph_is_cut_at_sentence_ends_into_even_parts():
    document = page(f"<p>{sentences(60)}</p>")
    passages = chunk(document, count, LIMIT)
    check(document, passages)
    assert all(text.endswith("ends.") and text.startswith("Sentence") for text in texts(document, passages))
    sizes = count(texts(document, passages))
    assert max(sizes) - min(sizes) <= 30


@every(
    "body",
    [
        "<p>" + "word " * 3000 + "</p>",
        "<p>" + "first clause, second clause; " * 400 + "</p>",
        "<p>" + "x" * 50_000 + "</p>",
        "<p>" + "東京は日本の首都である。" * 300 + "</p>",
        "<p>" + "首都" * 4000 + "</p>",
        "<table><tr><th>Drug</th><th>Dose</th></tr>"
        + "<tr><td>Aspirin</td><td>500 mg</td></tr>" * 400
        + "</table>",
        "<ul>" + "<li>one two three four five</li>" * 500 + "</ul>",
        "<pre>" + "\n".join(f"line {n} = {n}" for n in range(900)) + "</pre>",
        "<h2>Only</h2><h2>Headings</h2><h3>Here</h3>",
        "<p>😀</p>" * 900,
    ],
)
def test_nothing_is_lost_and_nothing_is_too_long(body):
    document = page(body, "A title of some words")
    passages = chunk(document, count, LIMIT)
    assert passages
    check(document, passages)


def test_a_title_of_300_letters_and_long_headings_leave_room_for_the_text():
    document = page(
        f"<h2>{'Heading ' * 60}</h2><h3>{'deeper ' * 60}</h3><p>{sentences(200)}</p>", "Title " * 50
    )
    passages = chunk(document, count, 128)
    check(document, passages, 128)


def test_code_and_formulas_that_fit_are_never_cut():
    code = "\n".join(f"value_{n} = compute({n})" for n in range(25))
    document = page(f"<p>{sentences(14)}</p><pre>{code}</pre><p>{sentences(14)}</p>")
    assert code in texts(document, chunk(document, count, LIMIT))


def test_rows_keep_their_header_words_and_stay_apart_from_prose():
    rows = "".join(f"<tr><td>Drug{n}</td><td>{n} mg</td></tr>" for n in range(1, 60))
    document = page(f"<p>{sentences(8)}</p><table><tr><th>Drug</th><th>Dose</th></tr>{rows}</table>")
    passages = chunk(document, count, LIMIT)
    check(document, passages)
    prose, *tables = texts(document, passages)
    assert prose.startswith("Sentence 0")
    assert all(
        re.fullmatch(r"Drug: Drug(\d+); Dose: \1 mg", line) for text in tables for line in text.split("\n")
    )


def test_a_line_that_announces_a_list_keeps_it():
    items = "".join(f"<li>{sentences(2)}</li>" for _ in range(8))
    document = page(f"<p>{sentences(5)}</p><p>Take along:</p><ul>{items}</ul>")
    found = next(text for text in texts(document, chunk(document, count, LIMIT)) if "Take along:" in text)
    assert found.count("Sentence 0") >= 1
    assert not found.endswith("Take along:")


def test_an_announcement_is_not_left_behind_at_the_end_of_a_passage():
    document = page(f"<p>{sentences(10)}</p><p>Look for these signs:</p><ul><li>{sentences(9)}</li></ul>")
    first, second = texts(document, chunk(document, count, LIMIT))
    assert "signs:" not in first
    assert second.startswith("Look for these signs:\n\nSentence 0")


def test_a_heading_with_nothing_below_is_text():
    document = page("<h2>Open questions</h2><p>Some.</p><h2>Is the bridge closed in winter?</h2>")
    assert texts(document, chunk(document, count, LIMIT)) == ["Some.", "Is the bridge closed in winter?"]


def test_a_document_without_text_has_no_passages():
    assert chunk(Document("p", "Title", "", ()), count, LIMIT) == []


def test_title_and_headings_stand_in_front_for_the_embedder():
    assert embedding_text("Water", ("Boiling", "Altitude"), "Text.") == "Water: Boiling: Altitude\nText."
    assert embedding_text("Water", ("Water",), "Text.") == "Water\nText."
    assert embedding_text("", (), "Text.") == "Text."


def test_random_documents_keep_every_promise():
    chance = random.Random(7)
    kinds = ("heading", "paragraph", "item", "row", "formula", "code")
    for _ in range(150):
        parts, blocks, start, path = [], [], 0, ()
        for _ in range(chance.randrange(1, 12)):
            kind = chance.choice(kinds)
            words = chance.choices(
                ["water", "x", "12", "Dr.", "end.", "a,", "b;", "東京", "\n"], k=chance.randrange(1, 400)
            )
            text = " ".join(words).strip() or "x"
            parts.append(text)
            blocks.append(Block(kind, start, start + len(text), path))
            start += len(text) + 2
            if kind == "heading":
                path = (*path[: chance.randrange(3)], text[:80])
        document = Document("p", "Title", "\n\n".join(parts), tuple(blocks))
        check(document, chunk(document, count, LIMIT))


def test_the_small_archive_chunks(small_archive):
    for _, document in ZimArchive.open(small_archive).documents():
        check(document, chunk(document, count, LIMIT))


@pytest.mark.models
def test_no_passage_is_longer_than_the_real_model_reads(home, shared):
    tokens = Tokens(home / "models/minilm-l6-v2-tokenizer.json")
    archives = ("real/wikipedia_en_ray_charles_2015-06.zimaa", "real/wikibooks_be_all_nopic_2017-02.zim")
    documents = [
        document
        for name in archives
        for _, document in ZimArchive.open(shared / "data/zims" / name).documents()
        if isinstance(document, Document)
    ]
    documents += [
        page(f"<p>{text}</p>") for text in ("東京は首都。" * 400, "😀" * 3000, "x" * 9000, "ab,cd;ef." * 900)
    ]
    for document in documents:
        passages = chunk(document, tokens.count, MAX_TOKENS)
        read = [
            embedding_text(document.title, passage.headings, text)
            for passage, text in zip(passages, texts(document, passages), strict=True)
        ]
        assert max(tokens.count(read)) <= MAX_TOKENS
