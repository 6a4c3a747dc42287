"""Whether what is derived agrees with the archive, passage by passage; what does not is made again.

The archive itself is checked too. What is wrong there cannot be made again from anything: it is said, and a
backup is the remedy.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from appliance.documents import derived, keeping
from appliance.documents.derived import Made
from appliance.documents.search import Documents
from appliance.errors import DocumentError
from appliance.sqlite import Connection, Error


@dataclass(frozen=True, slots=True)
class Report:
    """`lost`: sentences about the archive, which only a backup heals. `healed`: passages of which words or
    vector were missing, wrong or too many; `waiting`: passages whose vector the embedder has yet to make."""

    documents: int
    passages: int
    lost: tuple[str, ...]
    healed: int
    waiting: int


def check(documents: Documents) -> Report:
    """Looks at everything and makes the words again where they are not right; the vectors then wait for
    `keeping.update_vectors`."""
    lost = tuple(_archive(documents))
    try:
        wrong = _disagreeing(documents)
    except (DocumentError, Error):  # the file itself is damaged
        wrong = None
    with documents.made.write() as connection:
        before = int(str(connection.execute("SELECT count(*) FROM part").get)) if wrong is None else 0
        if wrong is None:
            derived.refill(connection)
        else:
            derived.drop(connection, sorted(wrong))
    waiting = keeping.update_words(documents.store, documents.made)
    with documents.store.read() as connection:
        counts: Any = next(
            iter(connection.execute("SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM passage)"))
        )
    found, passages = counts
    return Report(found, passages, lost, before if wrong is None else len(wrong), waiting)


def _archive(documents: Documents) -> Iterator[str]:
    with documents.store.read() as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            yield f"The file is damaged: {found[0][0]}."
        for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchall()[:5]:
            yield f"A row of {table} belongs to nothing."
        for what in ("section", "passage"):
            outside = connection.execute(
                f"SELECT count(*) FROM {what} x JOIN document d ON d.id = x.document_id "
                "WHERE x.start < 0 OR x.length < 0 OR x.start + x.length > length(d.text)"
            ).get
            if outside:
                yield f"{outside} {what}s lie outside their document's text."


def _disagreeing(documents: Documents) -> set[int]:
    """Ids of passages of which anything derived is missing, wrong or too much. Raises DocumentError."""
    with documents.store.read() as connection:
        ids = [int(str(row[0])) for row in connection.execute("SELECT id FROM document ORDER BY id")]
    wrong: set[int] = set()
    right: set[int] = set()
    with documents.made.write() as made:
        if made.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise DocumentError("derived.db is damaged.")
        made.execute("INSERT INTO word(word) VALUES('integrity-check')")
    for document in ids:
        parts = keeping.document_parts(documents.store, document)
        with documents.made.read() as made:
            wrong |= {part.passage for part in parts if not _agrees(made, document, part)}
        right |= {part.passage for part in parts}
    with documents.made.read() as made:
        for table, key in (("part", "passage"), ("word", "rowid"), ("vector", "rowid")):
            there = {int(str(row[0])) for row in made.execute(f"SELECT {key} FROM {table}")}
            wrong |= there - right
    return wrong


def _agrees(made: Connection, document: int, part: Made) -> bool:
    sql = "SELECT document, crc32, vector_crc32 FROM part WHERE passage = ?"
    row: Any = next(iter(made.execute(sql, (part.passage,))), None)
    if row is None or row[:2] != (document, part.crc32):
        return False
    if made.execute("SELECT text FROM word WHERE rowid = ?", (part.passage,)).get != part.words:
        return False
    vector = made.execute("SELECT embedding FROM vector WHERE rowid = ?", (part.passage,)).get
    found = zlib.crc32(vector) if isinstance(vector, bytes) else None
    return bool(found == row[2])
