"""Documents, sections and passages in the tables of `archive.db`: written, listed, read, taken out.

Every reading takes a `Scope`, and gives nothing of what lies outside it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from appliance import records
from appliance.documents.forgetting import forget
from appliance.documents.parts import Cut
from appliance.documents.records import Document, Listed, Passage, Scope, Section
from appliance.documents.sections import Draft
from appliance.sqlite import Connection

_LISTED = (
    "d.id, d.owner, d.folder, d.name, d.title, d.media_type, d.language, d.written, d.added, "
    "length(d.text), (SELECT count(*) FROM passage p WHERE p.document_id = d.id)"
)
_WHOLE = (
    "d.id, d.sha256, d.owner, d.folder, d.name, d.title, d.media_type, d.language, d.written, d.added, "
    "d.text, d.meta"
)


@dataclass(frozen=True, slots=True)
class New:
    """A document before it has an id; `blocks` are those of its text as they are drawn."""

    sha256: bytes
    owner: str
    folder: str
    name: str
    title: str
    media_type: str
    language: str
    written: str | None
    added: str
    text: str
    meta: dict[str, str]
    blocks: Sequence[records.Block]


def within(scope: Scope) -> tuple[str, list[Any]]:
    """A condition on `document d`, and its values, that hold for what is in scope."""
    sql = "d.owner IN (SELECT value FROM json_each(?))"
    values: list[Any] = [json.dumps(scope.owners)]
    if scope.folder is not None:
        sql += " AND (d.folder = ? OR substr(d.folder, 1, ?) = ?)"
        values += [scope.folder, len(scope.folder) + 1, scope.folder + "/"]
    if scope.document is not None:
        sql += " AND d.id = ?"
        values.append(scope.document)
    return sql, values


def insert(connection: Connection, new: New, drafts: Sequence[Draft], cuts: Sequence[Cut]) -> int:
    """The document with all its parts; gives its id."""
    connection.execute(
        "INSERT INTO document(sha256, owner, folder, name, title, media_type, language, written, added, "
        "meta, blocks, text) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.sha256, new.owner, new.folder, new.name, new.title, new.media_type, new.language, new.written,
            new.added, json.dumps(new.meta, ensure_ascii=False), packed(new.blocks), new.text,
        ),
    )  # fmt: skip
    document = connection.last_insert_rowid()
    sections = []
    for ordinal, draft in enumerate(drafts):
        connection.execute(
            "INSERT INTO section(document_id, ordinal, heading_path, start, length, kind, date) "
            "VALUES(?, ?, ?, ?, ?, ?, ?)",
            (
                document,
                ordinal,
                json.dumps(draft.headings),
                draft.start,
                draft.length,
                draft.kind,
                draft.date,
            ),
        )
        sections.append(connection.last_insert_rowid())
    connection.executemany(
        "INSERT INTO passage(document_id, section_id, ordinal, start, length) VALUES(?, ?, ?, ?, ?)",
        [(document, sections[cut.section], n, cut.start, cut.length) for n, cut in enumerate(cuts)],
    )
    return document


def known(connection: Connection, owner: str, sha256: bytes) -> Listed | None:
    """The document of the same bytes in an owner's area."""
    sql = f"SELECT {_LISTED} FROM document d WHERE d.owner = ? AND d.sha256 = ?"
    row = next(iter(connection.execute(sql, (owner, sha256))), None)
    return Listed(*row) if row else None


def listed(connection: Connection, scope: Scope, skip: int = 0, limit: int = -1) -> list[Listed]:
    """What is in scope, by folder and title: at most `limit` (-1: all) from `skip` on. Which these are is
    found first, without reading any text."""
    condition, values = within(scope)
    order = "ORDER BY d.folder, d.title, d.id"
    wanted = f"SELECT d.id FROM document d WHERE {condition} {order} LIMIT ? OFFSET ?"
    sql = f"SELECT {_LISTED} FROM document d WHERE d.id IN ({wanted}) {order}"
    return [Listed(*row) for row in connection.execute(sql, (*values, limit, skip))]


def count(connection: Connection, scope: Scope) -> int:
    """How many documents are in scope."""
    condition, values = within(scope)
    return int(str(connection.execute(f"SELECT count(*) FROM document d WHERE {condition}", values).get))


def folders(connection: Connection, scope: Scope) -> dict[str, int]:
    """The folders in scope, in order, with how many documents lie in each itself; "" is the one above all."""
    condition, values = within(scope)
    sql = f"SELECT d.folder, count(*) FROM document d WHERE {condition} GROUP BY 1 ORDER BY 1"
    return {str(folder): int(str(found)) for folder, found in connection.execute(sql, values)}


def find(connection: Connection, document: int, scope: Scope) -> Document | None:
    """A document in scope by its id; None for another."""
    condition, values = within(scope)
    sql = f"SELECT {_WHOLE} FROM document d WHERE d.id = ? AND {condition}"
    row: Any = next(iter(connection.execute(sql, (document, *values))), None)
    return Document(*(*row[:-1], json.loads(row[-1]))) if row else None


def drawn(connection: Connection, document: int, scope: Scope) -> records.Document | None:
    """The same as search, reader and pages know documents: by its id as path, with its blocks."""
    condition, values = within(scope)
    sql = f"SELECT d.title, d.text, d.blocks FROM document d WHERE d.id = ? AND {condition}"
    row = next(iter(connection.execute(sql, (document, *values))), None)
    return records.Document(str(document), row[0], row[1], unpacked(row[2])) if row else None


def sections(connection: Connection, document: int) -> list[Section]:
    sql = (
        "SELECT id, document_id, ordinal, heading_path, start, length, kind, date FROM section "
        "WHERE document_id = ? ORDER BY ordinal"
    )
    rows: Iterable[Any] = connection.execute(sql, (document,))
    return [
        Section(number, of, ordinal, tuple(json.loads(path)), start, length, kind, date)
        for number, of, ordinal, path, start, length, kind, date in rows
    ]


def passages(connection: Connection, document: int) -> list[Passage]:
    sql = (
        "SELECT id, document_id, section_id, ordinal, start, length FROM passage "
        "WHERE document_id = ? ORDER BY ordinal"
    )
    rows: Iterable[Any] = connection.execute(sql, (document,))
    return [Passage(*row) for row in rows]


def places(connection: Connection, ids: Sequence[int]) -> dict[int, Passage]:
    """Passages by their ids, those that are there."""
    sql = (
        "SELECT id, document_id, section_id, ordinal, start, length FROM passage "
        "WHERE id IN (SELECT value FROM json_each(?))"
    )
    rows: Iterable[Any] = connection.execute(sql, (json.dumps([int(i) for i in ids]),))
    return {row[0]: Passage(*row) for row in rows}


def identity(connection: Connection) -> str:
    """What tells this archive, in this state of being restored, from every other."""
    return str(connection.execute("SELECT value FROM about WHERE key = 'identity'").get)


def remove(connection: Connection, ids: Sequence[int], scope: Scope) -> int:
    """Takes documents in scope out, with their sections and passages and what conversations say in their
    words; gives how many there were."""
    condition, values = within(scope)
    sql = f"SELECT d.id FROM document d WHERE d.id IN (SELECT value FROM json_each(?)) AND {condition}"
    there: Any = connection.execute(sql, (json.dumps(list(ids)), *values)).fetchall()
    for (document,) in there:
        forget(connection, document)
        connection.execute("DELETE FROM document WHERE id = ?", (document,))
    return len(there)


def packed(blocks: Sequence[records.Block]) -> str:
    """Blocks as JSON: the heading paths once, and for each block its kind, place and path."""
    paths = list(dict.fromkeys(block.headings for block in blocks))
    number = {path: n for n, path in enumerate(paths)}
    found = [[block.kind, block.start, block.end, number[block.headings]] for block in blocks]
    return json.dumps([paths, found], ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> tuple[records.Block, ...]:
    found = json.loads(text)
    if not found:
        return ()
    paths = [tuple(path) for path in found[0]]
    return tuple(records.Block(kind, start, end, paths[path]) for kind, start, end, path in found[1])
