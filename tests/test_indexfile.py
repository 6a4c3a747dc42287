"""The index file: what is refused and how it is said; what is found."""

import sqlite3  # writes files that are not ours, as some other program would
import threading
import zlib

import numpy as np
import pytest

from appliance import sqlite
from appliance.errors import IndexFileError, VectorError
from appliance.indexer.staging import Ready, Staging
from appliance.indexfile import Index
from appliance.indexformat import FORMAT
from appliance.records import Passage
from appliance.sqlite import lexical_text, stems
from appliance.vectors import DIMENSION, HashEncoder, quantise

TEXTS = [
    "Tetanus, also called lockjaw, is caused by a toxin.",
    "Lime plaster is made from quicklime and sand.",
    "Mars orbits the Sun in 687 days.",
    "Diabetes raises the sugar in the blood.",
    "東京タワーは港区にある。",
    "Köln lies on the Rhine; a C++ program runs on an AS/400.",
    "Diabetes is treated with insulin.",
]
META = {
    "format": FORMAT,
    "archive_name": "small",
    "archive_uuid": "u",
    "archive_checksum": "c",
    "model": "hash",
    "model_sha256": "m",
    "extractor": 1,
    "chunker": 1,
    "created": "2026-01-01",
}
FITTING = {"archive_uuid": "u", "archive_checksum": "c", "model_sha256": "m", "extractor": 1, "chunker": 1}


def write(folder, vectors, texts=TEXTS, meta=META):
    """An index with one passage for each text, written as the indexer writes it."""
    staging = Staging(folder / "x.part", {})
    rows = enumerate(zip(texts, vectors, strict=True))
    ready = [
        Ready(
            f"A/{i}",
            f"Page {i}",
            (Passage(0, len(t)),),
            (zlib.crc32(t.encode()),),
            (lexical_text(t),),
            v[None],
        )
        for i, (t, v) in rows
    ]
    staging.add(ready, [("A/bad", "unreadable")], len(texts))
    staging.assemble(dict(meta))
    staging.write(folder / "x.index")
    staging.close()
    return folder / "x.index"


@pytest.fixture(scope="module")
def vectors():
    return quantise(HashEncoder().encode(TEXTS))


@pytest.fixture(scope="module")
def path(tmp_path_factory, vectors):
    return write(tmp_path_factory.mktemp("index"), vectors)


@pytest.fixture
def index(path):
    return Index.open(path)


@pytest.fixture
def copy(tmp_path, path):
    """A file of one's own to change."""
    target = tmp_path / "x.index"
    target.write_bytes(path.read_bytes())
    return target


def change(path, sql):
    connection = sqlite.connect(path, "write")
    connection.execute(sql)
    connection.close()


def test_the_nearest_comes_first_with_its_cosine(index):
    question = HashEncoder().encode([TEXTS[2]])[0]
    found = index.nearest(question, 3)
    assert found[0][0] == 3
    assert found[0][1] == pytest.approx(1, abs=0.001)
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)


@pytest.mark.parametrize(("k", "count"), [(0, 1), (-1, 1), (2, 2), (5000, len(TEXTS))])
def test_k_is_clamped(index, k, count):
    assert len(index.nearest(HashEncoder().encode(["sugar"])[0], k)) == count


@pytest.mark.parametrize("budget", [0, -5, 1, 10**9])
def test_every_budget_finds_something(index, budget):
    assert index.nearest(HashEncoder().encode(["sugar"])[0], 1, budget)


def test_a_question_vector_that_cannot_be_one_is_refused(index):
    for bad in (
        np.zeros(DIMENSION, np.float32),
        np.full(DIMENSION, np.nan, np.float32),
        np.ones(3, np.float32),
    ):
        with pytest.raises(VectorError):
            index.nearest(bad, 5)


def test_floats_bound_to_the_int8_column_are_an_error_not_silence(path):
    """What `nearest` quantises would raise if it did not: sqlite-vec never falls back by itself."""
    connection = sqlite.connect(path, "read")
    sql = "SELECT rowid FROM vector WHERE embedding MATCH ? AND k = 5 AND cell = 0"
    with pytest.raises(Exception, match="int8"):
        connection.execute(sql, (np.ones(DIMENSION, np.float32).tobytes(),)).fetchall()
    connection.close()


def test_zero_vectors_in_a_file_are_never_found(tmp_path, vectors):
    spoilt = vectors.copy()
    spoilt[[0, 1, 5, 6]] = 0
    index = Index.open(write(tmp_path, spoilt))
    found = index.nearest(HashEncoder().encode(["Mars orbits the Sun"])[0], 3)
    assert sorted(i for i, _ in found) == [3, 4, 5]
    assert all(np.isfinite(cosine) for _, cosine in index.nearest(HashEncoder().encode(["lime"])[0], 4096))


def test_words_are_found_stemmed_folded_and_unspaced(index):
    assert index.postings("diabetes").tolist() == [4, 7]
    assert index.postings("orbiting").tolist() == [3]
    assert index.postings("KOLN").tolist() == [6]
    assert index.postings("東京").tolist() == [5]
    assert index.frequency("diabetes") == 2


@pytest.mark.parametrize(
    "term", ["", " ", '"', "*", "a OR b", "NEAR(", "x" * 5000, "\0", "🙂", "-", "'; DROP TABLE"]
)
def test_any_word_may_be_asked(index, term):
    assert index.postings(term).tolist() == []
    assert index.frequency(term) == 0
    assert index.similar_terms(term, 5) == []


def test_a_term_of_several_stems_needs_all_of_them(index):
    assert index.postings("AS/400").tolist() == [6]
    assert index.postings("Mars/400").tolist() == []
    assert index.frequency("Diabetes/sugar") == 1


def test_words_spelt_alike_are_offered_in_stems(index):
    assert index.similar_terms("diabeti", 5) == [("diabet", 2)]
    assert index.similar_terms("diabeti", 0) == []


def test_stems_are_those_of_the_index():
    assert stems("Running 東京タワー in Köln") == ("run", "東京", "京タ", "タワ", "ワー", "in", "koln")
    assert stems("") == ()


def test_pointers_come_in_the_order_asked(index):
    found = index.pointers([3, 1])
    assert [(one.id, one.path, one.title, one.start, one.length) for one in found] == [
        (3, "A/2", "Page 2", 0, len(TEXTS[2])),
        (1, "A/0", "Page 0", 0, len(TEXTS[0])),
    ]
    assert found[0].crc32 == zlib.crc32(TEXTS[2].encode())
    assert index.pointers([]) == []
    with pytest.raises(IndexFileError, match="no passage 99"):
        index.pointers([1, 99])


def test_what_could_not_be_read_is_listed(index):
    assert index.meta.skipped == 1
    assert index.skipped_entries() == [("A/bad", "unreadable")]


def test_an_index_that_fits_is_taken(index):
    index.require(**FITTING)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("archive_uuid", "other", "another archive"),
        ("archive_checksum", "other", "another edition of its archive"),
        ("model_sha256", "other", "another embedding model"),
        ("extractor", 2, "another version of the extractor"),
        ("chunker", 2, "another version of the chunker"),
    ],
)
def test_an_index_that_does_not_fit_says_what_to_rebuild(index, name, value, sentence):
    with pytest.raises(IndexFileError, match=sentence) as caught:
        index.require(**{**FITTING, name: value})
    assert str(value) in str(caught.value)
    assert "appliance index small.zim" in caught.value.hint


def test_a_file_in_journal_mode_wal_is_refused(copy):
    change(copy, "PRAGMA journal_mode = WAL; UPDATE meta SET value = value")
    with pytest.raises(IndexFileError, match=r"journal mode WAL.*expected DELETE"):
        Index.open(copy)


def test_a_shipped_file_is_in_journal_mode_delete_on_a_read_only_folder(copy):
    copy.chmod(0o444)
    copy.parent.chmod(0o555)
    try:
        assert Index.open(copy).postings("mars").tolist() == [3]
        assert [file.name for file in copy.parent.iterdir()] == ["x.index"]
    finally:
        copy.parent.chmod(0o755)


def test_another_format_is_refused(copy):
    change(copy, "UPDATE meta SET value = 2 WHERE key = 'format'")
    with pytest.raises(IndexFileError, match=r"x\.index cannot be used.*format is 2, expected 1"):
        Index.open(copy)


def test_a_missing_statement_in_the_meta_is_named(copy):
    change(copy, "DELETE FROM meta WHERE key = 'model'")
    with pytest.raises(IndexFileError, match="does not say its model"):
        Index.open(copy)


def test_a_number_that_is_no_number_is_named(copy):
    change(copy, "UPDATE meta SET value = 'many' WHERE key = 'passages'")
    with pytest.raises(IndexFileError, match="passages is 'many', expected a whole number"):
        Index.open(copy)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"%PDF-1.7" + bytes(200)])
def test_a_file_that_is_no_database_is_refused(tmp_path, content):
    (tmp_path / "x.index").write_bytes(content)
    with pytest.raises(IndexFileError, match="not an index file"):
        Index.open(tmp_path / "x.index")


def test_a_database_of_another_program_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "x.index") as connection:
        connection.execute("CREATE TABLE t(x)")
    connection.close()
    with pytest.raises(IndexFileError, match="not an index file of this software"):
        Index.open(tmp_path / "x.index")


@pytest.mark.parametrize("keep", [0.02, 0.3, 0.6])
def test_a_truncated_file_is_an_error_when_opened_or_read(copy, keep):
    whole = copy.read_bytes()
    copy.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(IndexFileError, match=r"x\.index"):
        ask_everything(Index.open(copy))


def ask_everything(index):
    index.nearest(HashEncoder().encode(["sugar"])[0], 50)
    for text in TEXTS:
        for word in text.split():
            index.postings(word)
            index.frequency(word)
    index.pointers(range(1, 1 + len(TEXTS)))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(IndexFileError, match=r"none\.index cannot be opened"):
        Index.open(tmp_path / "none.index")


def test_an_index_of_nothing_opens_and_finds_nothing(tmp_path):
    index = Index.open(write(tmp_path, [], []))
    assert index.meta.passages == 0
    assert index.nearest(HashEncoder().encode(["sugar"])[0], 5) == []
    assert index.postings("sugar").tolist() == []


def test_several_threads_ask_at_once(index):
    question = HashEncoder().encode([TEXTS[3]])[0]
    expected = index.nearest(question, 5)
    found = []
    threads = [threading.Thread(target=lambda: found.append(index.nearest(question, 5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_a_replaced_file_is_not_mixed_with_the_old_one(copy, tmp_path, vectors):
    """A second connection would read the new file with the old one's cells."""
    index = Index.open(copy)
    (tmp_path / "new").mkdir()
    write(tmp_path / "new", vectors[:3], TEXTS[:3]).replace(copy)
    with index._borrow(), pytest.raises(IndexFileError, match="was replaced"):
        index.postings("mars")
    assert index.postings("mars").tolist() == [3]


def test_a_removed_file_is_an_error_in_a_sentence(copy):
    """The open connections go on; a further one cannot be had."""
    index = Index.open(copy)
    copy.unlink()
    with index._borrow(), pytest.raises(IndexFileError, match="cannot be opened"):
        index.postings("mars")
    assert index.postings("mars").tolist() == [3]


@pytest.mark.parametrize("text", ["0" * 32, "12345678901234567890123456789012", "1e10", "007"])
def test_texts_of_digits_stay_texts(tmp_path, vectors, text):
    meta = META | {"archive_checksum": text, "archive_name": text}
    index = Index.open(write(tmp_path, vectors, meta=meta))
    assert (index.meta.archive_checksum, index.meta.archive_name) == (text, text)
    index.require(**FITTING | {"archive_checksum": text})
