"""Keeps `derived.db` in step with `archive.db`: takes out what is gone, makes what is missing.

Documents one after the other by their ids; a text's vector depends on that text alone, so whatever the order,
and however often it was interrupted, the same passages give the same words and vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from appliance.documents import derived, rows
from appliance.documents.derived import Made
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.records import Document
from appliance.sqlite import Connection
from appliance.vectors import Encoder, quantise

TOGETHER = 64  # passages embedded at once
_ALL = "SELECT id, document_id FROM passage"


@dataclass(frozen=True, slots=True)
class Step:
    """How far it is: passages with a vector, passages in all."""

    done: int
    total: int


def update_words(store: Store, made: Store) -> int:
    """Brings the words up to date, and takes out passages that are gone. Gives how many wait for a vector."""
    with store.read() as connection:
        wanted = dict(_pairs(connection, _ALL))
        identity = rows.identity(connection)
    derived.own(made, identity)
    with made.read() as connection:
        there = dict(_pairs(connection, "SELECT passage, document FROM part"))
    gone = [passage for passage in there if passage not in wanted]
    if gone:
        with made.write() as connection:
            derived.drop(connection, gone)
    for document in sorted({wanted[passage] for passage in wanted.keys() - there.keys()}):
        add_words(store, made, document)
    with made.read() as connection:
        return int(str(connection.execute("SELECT count(*) FROM part WHERE vector_crc32 IS NULL").get))


def update_vectors(
    store: Store, made: Store, encoder: Encoder, told: Callable[[Step], bool] = lambda _: True
) -> bool:
    """Makes the vectors that are missing. `told` hears after each step how far it is; its False stops it.
    Gives whether all are made. Raises ServiceDown when the encoder is not there."""
    while True:
        with made.read() as connection:
            sql = "SELECT DISTINCT document FROM part WHERE vector_crc32 IS NULL ORDER BY document"
            documents = [int(row[0]) for row in _pairs(connection, sql)]
        if not documents:
            return True
        waiting, found = _waiting(store, made, documents), False
        while some := list(islice(waiting, TOGETHER)):
            found = True
            vectors = quantise(encoder.encode([part.reading for part in some]))
            with made.write() as connection:
                derived.put_vectors(connection, [part.passage for part in some], vectors)
            if not told(progress(made)):
                return False
        if not found:
            update_words(store, made)  # the documents have gone since


def _waiting(store: Store, made: Store, documents: Sequence[int]) -> Iterator[Made]:
    """What has no vector yet, document by document. Nothing stays open between two of them."""
    sql = "SELECT passage FROM part WHERE vector_crc32 IS NULL AND document = ?"
    for document in documents:
        with made.read() as connection:
            ids = {int(row[0]) for row in connection.execute(sql, (document,))}
        yield from (part for part in document_parts(store, document) if part.passage in ids)


def progress(made: Store) -> Step:
    with made.read() as connection:
        row: Any = next(iter(connection.execute("SELECT count(vector_crc32), count(*) FROM part")))
    return Step(*row)


def document_parts(store: Store, document: int) -> list[Made]:
    """What is to be made of a document's passages; nothing for one that is gone."""
    with store.read() as connection:
        owner = connection.execute("SELECT owner FROM document WHERE id = ?", (document,)).get
        if owner is None:
            return []
        found = rows.drawn(connection, document, Scope((str(owner),)))
        passages = rows.passages(connection, document)
    assert found is not None  # one reading sees one state
    _check(found, [(one.start, one.length) for one in passages])
    return derived.made(found, [(one.id, one.start, one.length) for one in passages])


def _check(document: Document, places: Sequence[tuple[int, int]]) -> None:
    if any(start < 0 or length < 1 or start + length > len(document.text) for start, length in places):
        raise DocumentError(
            f"Document {document.path} has a passage outside its text.", "Run: appliance documents check."
        )


def add_words(store: Store, made: Store, document: int) -> None:
    """The words of one document; those that are there already stay."""
    parts = document_parts(store, document)
    with made.write() as connection:
        there = {
            row[0] for row in connection.execute("SELECT passage FROM part WHERE document = ?", (document,))
        }
        derived.put_words(connection, document, [part for part in parts if part.passage not in there])


def _pairs(connection: Connection, sql: str) -> list[Any]:
    return connection.execute(sql).fetchall()
