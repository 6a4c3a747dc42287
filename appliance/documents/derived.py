"""`derived.db`: words and vectors of the passages, made of `archive.db` and of nothing else.

May be dropped and made again at any time. Which archive and which model it was made with stands in it; for
another one it is emptied. A passage has its words first, its vector when the embedder has made it.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.documents.normal import searchable
from appliance.documents.store import Form, Store, harmed
from appliance.errors import DocumentError
from appliance.indexer.chunk import embedding_text
from appliance.records import Document
from appliance.retrieval.texts import block_at
from appliance.sqlite import TOKENIZER, Connection
from appliance.vectors import DIMENSION

FILE = "derived.db"
REBUILD = "Make it again: appliance documents rebuild."
_TABLES = ("word_row", "word_instance", "word", "vector", "part", "made_of")
# Contentful, since FTS5 then takes the words of a deleted passage out at once (`secure-delete`).
SCHEMA = (
    "CREATE TABLE made_of(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE part(passage INTEGER PRIMARY KEY, document INTEGER NOT NULL, crc32 INTEGER NOT NULL,
        vector_crc32 INTEGER) STRICT""",
    "CREATE INDEX part_document ON part(document)",
    "CREATE INDEX part_waiting ON part(passage) WHERE vector_crc32 IS NULL",
    f"CREATE VIRTUAL TABLE word USING fts5(text, columnsize=0, tokenize='{' '.join(TOKENIZER)}')",
    "INSERT INTO word(word, rank) VALUES('secure-delete', 1)",
    "CREATE VIRTUAL TABLE word_row USING fts5vocab(word, row)",
    "CREATE VIRTUAL TABLE word_instance USING fts5vocab(word, instance)",
    f"""CREATE VIRTUAL TABLE vector USING vec0(
        embedding INT8[{DIMENSION}] distance_metric=cosine, chunk_size=256)""",
)
DERIVED = Form("the words and vectors of documents", 0x4C414D56, (SCHEMA,), "NORMAL", REBUILD)  # "LAMV"


@dataclass(frozen=True, slots=True)
class Made:
    """What is made of one passage: the text that FTS5 reads, the one that the embedder reads."""

    passage: int
    words: str
    reading: str

    @property
    def crc32(self) -> int:
        return zlib.crc32(f"{self.words}\0{self.reading}".encode("utf-8", "replace"))


def open_derived(path: Path | None, identity: str, model: str, form: Form = DERIVED) -> Store:
    """The file of an archive and a model, emptied where it is of others; made anew where it is damaged."""
    try:
        derived = Store.open(path, form)
    except DocumentError as error:
        if path is None or not harmed(error):
            raise  # it is whole, and another process may have it open
        for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            file.unlink(missing_ok=True)
        derived = Store.open(path, form)
    with derived.write() as connection:
        wanted = {"archive": identity, "model": model}
        rows: Iterable[Any] = connection.execute("SELECT key, value FROM made_of").fetchall()
        if dict(rows) != wanted:
            empty(connection)
            connection.executemany("INSERT INTO made_of VALUES(?, ?)", wanted.items())
    return derived


def own(derived: Store, identity: str) -> None:
    """Empties the file when its archive became another, as by a restore in another process."""
    sql = "SELECT value FROM made_of WHERE key = 'archive'"
    with derived.read() as connection:
        if connection.execute(sql).get == identity:
            return
    with derived.write() as connection:
        if connection.execute(sql).get != identity:
            refill(connection)
            connection.execute("UPDATE made_of SET value = ? WHERE key = 'archive'", (identity,))


def refill(connection: Connection) -> None:
    """Nothing but the tables, and of what archive and model they are."""
    rows: Iterable[Any] = connection.execute("SELECT key, value FROM made_of").fetchall()
    empty(connection)
    connection.executemany("INSERT INTO made_of VALUES(?, ?)", rows)


def empty(connection: Connection) -> None:
    """Nothing but the tables, as new."""
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SCHEMA:
        connection.execute(statement)


def made(document: Document, passages: Sequence[tuple[int, int, int]]) -> list[Made]:
    """What is made of passages (id, start, length) of a document."""
    result = []
    for passage, start, length in passages:
        block = block_at(document, start)
        headings = block.headings if block else ()
        text = document.text[start : start + length]
        words = searchable(" ".join((document.title, *headings, text)))
        result.append(Made(passage, words, embedding_text(document.title, headings, text)))
    return result


def put_words(connection: Connection, document: int, parts: Sequence[Made]) -> None:
    """The words of new passages; their vectors are waited for."""
    connection.executemany(
        "INSERT INTO part(passage, document, crc32) VALUES(?, ?, ?)",
        [(part.passage, document, part.crc32) for part in parts],
    )
    connection.executemany(
        "INSERT INTO word(rowid, text) VALUES(?, ?)", [(part.passage, part.words) for part in parts]
    )


def put_vectors(connection: Connection, ids: Sequence[int], vectors: NDArray[np.int8]) -> None:
    """[n, 384] vectors of passages; those that have gone meanwhile, or have one, are passed over."""
    waiting = "UPDATE part SET vector_crc32 = ? WHERE passage = ? AND vector_crc32 IS NULL"
    for passage, row in zip(ids, vectors, strict=True):
        blob = row.tobytes()
        connection.execute(waiting, (zlib.crc32(blob), passage))
        if connection.changes():
            connection.execute("INSERT INTO vector(rowid, embedding) VALUES(?, vec_int8(?))", (passage, blob))


def drop(connection: Connection, ids: Sequence[int]) -> None:
    """Takes passages out. FTS5 (`secure-delete`) and sqlite-vec overwrite what they held."""
    one = [(i,) for i in ids]
    connection.executemany("DELETE FROM vector WHERE rowid = ?", one)
    connection.executemany("DELETE FROM word WHERE rowid = ?", one)
    connection.executemany("DELETE FROM part WHERE passage = ?", one)
