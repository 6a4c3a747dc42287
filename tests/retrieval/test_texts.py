import zlib

import pytest

from appliance.errors import EntryMissing
from appliance.records import Block, Document, Evidence
from appliance.retrieval.texts import Distinct, DocumentCache, block_at, checked, unwrapped


def document(path, text):
    blocks = (Block("heading", 0, 4, (), "h"), Block("paragraph", 6, len(text), ("Head",), "p1"))
    return Document(path, path.title(), text, blocks)


def evidence(text):
    return Evidence("a", "p", "P", (), "", text, 0, 1.0)


def test_a_document_is_read_once_and_the_cache_stays_bounded():
    reads = []

    def read(path):
        reads.append(path)
        return document(path, "x" * 40)

    cache = DocumentCache(capacity=100)
    for path in ("a", "b", "a", "c", "a", "b"):
        cache.get("zim", path, read)
    assert reads == ["a", "b", "c", "b"]  # c pushed b out, the least lately used


def test_the_same_path_in_two_archives_is_two_documents():
    cache = DocumentCache()
    assert cache.get("one", "p", lambda path: document(path, "one text")).text == "one text"
    assert cache.get("two", "p", lambda path: document(path, "two text")).text == "two text"


def test_a_missing_entry():
    def read(path):
        raise EntryMissing(path)

    assert DocumentCache().try_get("zim", "p", read) is None
    with pytest.raises(EntryMissing):
        DocumentCache().get("zim", "p", read)


def test_a_text_that_changed_is_not_the_passage():
    found = document("a", "Head\n\nKöln lies on the Rhine.")
    crc32 = zlib.crc32("Köln".encode())
    assert checked(found, 6, 4, crc32) == "Köln"
    assert checked(found, 7, 4, crc32) is None
    assert checked(found, 600, 4, crc32) is None


def test_block_at():
    found = document("a", "Head\n\nText of it.")
    assert block_at(found, 0).kind == "heading"
    assert block_at(found, 5).kind == "heading"
    assert block_at(found, 9).anchor == "p1"
    assert block_at(Document("a", "A", "", ()), 0) is None


def test_near_duplicates_are_merged():
    text = (
        "The Suez Canal is an artificial waterway in Egypt that joins the Mediterranean Sea and the Red Sea."
    )
    distinct = Distinct()
    assert distinct.add(evidence(text))
    assert not distinct.add(evidence(text))
    assert not distinct.add(evidence(text.replace("Egypt", "EGYPT") + " Really."))
    assert distinct.add(evidence("The Panama Canal joins two oceans and was opened in the year 1914."))
    assert distinct.add(evidence("Suez"))
    assert not distinct.add(evidence("suez"))
    assert len(distinct.items) == 3


def test_lines_that_were_broken_for_their_width_run_on_and_every_place_stays():
    prose = (
        "The stone bridge, which my father helped to build, was\n"
        "opened in 1871 and fell when the Isk broke its\nbank."
    )
    log = (
        "11/04/1923  crossings 22, toll 1 s 10 d, wind W\n"
        "12/04/1923  no crossings, flood, boat lost, and nobody came to look for it"
    )
    text = f"{prose}\n\n{log}\n\nshort\nlines"
    starts = [text.index(part) for part in (prose, log, "short")]
    ends = [starts[0] + len(prose), starts[1] + len(log), len(text)]
    blocks = tuple(Block("paragraph", a, b, ()) for a, b in zip(starts, ends, strict=True))
    whole = unwrapped(Document("p", "P", text, blocks), 0, text)
    assert len(whole) == len(text)
    assert whole.startswith("The stone bridge, which my father helped to build, was opened in 1871 and fell")
    assert whole[starts[1] :] == text[starts[1] :]
    part = unwrapped(Document("p", "P", text, blocks), 20, text[20:80])
    assert part == whole[20:80]


def test_code_keeps_its_lines():
    text = "value = some_function(first_argument, second_argument,\n    third_argument)"
    found = Document("p", "P", text, (Block("code", 0, len(text), ()),))
    assert unwrapped(found, 0, text) == text
