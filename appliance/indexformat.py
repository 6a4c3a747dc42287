"""The form of an index file: schema, format version, what it was made from; made, checked and read here.

`indexfile` asks such a file, `indexer.staging` fills one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.errors import IndexFileError
from appliance.sqlite import TOKENIZER, Connection
from appliance.vectors import DIMENSION

FORMAT = 1
AGAIN = "Run `appliance index` on its archive again."
HEADER_BYTES = 100  # of SQLite's file format
APPLICATION_ID = 0x4C414D50  # "LAMP", in the header of every index file
DOCLISTS = f"content='', detail=none, columnsize=0, tokenize='{' '.join(TOKENIZER)}'"

SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE document(id INTEGER PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE passage(id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL,
                     char_offset INTEGER NOT NULL, char_len INTEGER NOT NULL, crc32 INTEGER NOT NULL);
CREATE TABLE cell(id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, centroid BLOB NOT NULL);
CREATE TABLE term(term TEXT PRIMARY KEY, frequency INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE word USING fts5(text, {DOCLISTS});
CREATE VIRTUAL TABLE word_row USING fts5vocab(word, row);
CREATE VIRTUAL TABLE word_instance USING fts5vocab(word, instance);
"""
# The size of a chunk is what sqlite-vec allocates at once: the last chunk of every cell is half empty on
# average. sqlite-vec looks for the chunks of a cell without an index of its own, so one is added.
CHUNK_ROWS = 32
VECTOR_SCHEMA = f"""
CREATE VIRTUAL TABLE vector USING vec0(cell INTEGER PARTITION KEY,
    embedding INT8[{DIMENSION}] distance_metric=cosine, chunk_size={CHUNK_ROWS});
CREATE INDEX vector_cell ON vector_chunks(partition00);
"""


@dataclass(frozen=True, slots=True)
class Meta:
    """What an index was made from and with; `skipped` counts entries that could not be read."""

    format: int
    archive_name: str
    archive_uuid: str
    archive_checksum: str
    model: str
    model_sha256: str
    dimension: int
    scale: int
    extractor: int
    chunker: int
    documents: int
    passages: int
    skipped: int
    created: str


def read_meta(connection: Connection) -> Meta:
    """Raises IndexFileError when the file is not an index, or one of another format."""
    rows: Iterable[tuple[str, Any]] = connection.execute("SELECT key, value FROM meta")
    found = dict(rows)
    if found.get("format") != FORMAT:
        raise IndexFileError(
            f"Its format is {found.get('format')}, expected {FORMAT}.",
            AGAIN,
        )
    missing = sorted({field.name for field in fields(Meta)} - found.keys())
    if missing:
        raise IndexFileError(f"It does not say its {', '.join(missing)}.", AGAIN)
    for field in fields(Meta):
        if type(found[field.name]) is not field.type:
            expected = "text" if field.type is str else "a whole number"
            raise IndexFileError(f"Its {field.name} is {found[field.name]!r}, expected {expected}.", AGAIN)
    return Meta(**{field.name: found[field.name] for field in fields(Meta)})


def check_header(path: Path) -> None:
    """Looks at the first bytes, so that the commonest mistakes get a sentence of their own."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise IndexFileError(f"The index {path.name} cannot be opened: {error.strerror}.") from error
    check_beginning(path.name, header)


def check_beginning(name: str, header: bytes, size: int | None = None) -> None:
    """Looks at the first HEADER_BYTES of an index, and whether it has the size that it says, where `size` is
    given (https://www.sqlite.org/fileformat.html). Raises IndexFileError."""
    if len(header) < HEADER_BYTES or not header.startswith(b"SQLite format 3\0"):
        raise IndexFileError(f"{name} is not an index file: it does not begin like one.", AGAIN)
    if 2 in header[18:20]:
        raise IndexFileError(
            f"The index {name} is in journal mode WAL, which a read-only medium cannot open; "
            "expected DELETE.",
            AGAIN,
        )
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise IndexFileError(f"{name} is a SQLite file, but not an index file of this software.", AGAIN)
    page = int.from_bytes(header[16:18], "big")
    expected = (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")
    if size not in (None, expected):
        raise IndexFileError(f"The index {name} has {size:,} bytes and says that it has {expected:,}.", AGAIN)


def create(connection: Connection, page_size: int = 4096) -> None:
    """An empty index file without vectors; `add_vectors` makes their table once the cells are known."""
    connection.execute(f"PRAGMA page_size = {page_size}; PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}; {SCHEMA}")


def write_meta(connection: Connection, values: dict[str, Any]) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", values.items())


def read_vectors(connection: Connection, ids: Sequence[int]) -> NDArray[np.float32]:
    """The vectors [n, 384] of passages in the order of `ids`, as the whole numbers that the file holds."""
    sql = "SELECT embedding FROM vector WHERE rowid = ?"
    blobs = [bytes(row[0]) for row in connection.executemany(sql, ((i,) for i in ids))]
    return np.frombuffer(b"".join(blobs), np.int8).reshape(-1, DIMENSION).astype(np.float32)
