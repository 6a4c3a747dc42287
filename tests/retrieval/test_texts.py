import zlib

import pytest

from appliance.errors import EntryMissing
from appliance.records import Block, Document, Evidence
from appliance.retrieval.texts import Distinct, DocumentCache, block_at, checked


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
