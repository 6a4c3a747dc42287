"""Where two documents claim different things of the same thing: found when documents arrive, never decided.

Candidates share words of what they speak of and stand in passages whose vectors are not far from each other;
rules (`judging`) and the reader judge them. `find` goes on where it ended, whatever stopped it. A pair that
was dismissed stays dismissed as long as both documents are there.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from appliance.documents import rows
from appliance.documents.claims import FEWEST, Kind, claims, differ, preceding
from appliance.documents.judging import Placed, Read, of_one_thing, sure
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.sqlite import Connection

VERSION = 3  # of the reading: a higher one reads every document again
SURE = 0.0  # mean logit of the reader from which on a pair is listed
LEAST_COSINE = 0.25  # of two passages, where both have a vector
FEW, SHARE = 8, 0.02  # claims that share a word, and the share of all, up to which the word tells something
CONTEXT = 240  # letters before a claim's sentence
MOST = 40  # claims that one is compared with

Near = Callable[[int, Sequence[int]], Mapping[int, float]]
"""Cosines of a passage with others, by their ids; without those that have no vector yet."""


@dataclass(frozen=True, slots=True)
class Side:
    """One claim as it stands in its document: `before`, `value` and `after` are its sentence, `context` the
    one before where a pronoun leads there."""

    document: int
    title: str
    language: str
    folder: str
    written: str
    start: int
    length: int
    context: str
    before: str
    value: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two claims that cannot both hold; neither is preferred. `sure`: the reader's mean logit."""

    id: int
    kind: Kind
    sides: tuple[Side, Side]
    sure: float
    dismissed: bool


def find(store: Store, read: Read, near: Near) -> int:
    """Compares every document that was not compared yet with those that were; gives how many differences are
    new. Stops early, and is to be called again, while the reader is down."""
    new = 0
    with store.read() as connection:
        waiting = connection.execute(
            "SELECT document.id FROM document LEFT JOIN reading ON document_id = document.id "
            "WHERE coalesce(claims, 0) < ? ORDER BY document.id",
            (VERSION,),
        ).fetchall()
    for (document,) in waiting:
        found = _compared(store, int(str(document)), read, near)
        if found is None:
            break
        new += _keep(store, int(str(document)), *found)
    return new


Found = tuple[list[Placed], list[tuple[int, int, float]]]


def _compared(store: Store, document: int, read: Read, near: Near) -> Found | None:
    """The document's claims, and (place among them, id of another claim, sureness) of what differs; None
    while the reader is down."""
    with store.read() as connection:
        own = _of_document(connection, document)
        pairs = [(n, other) for n, one in enumerate(own) for other in _candidates(connection, one, near)]
    differing = []
    for n, other in pairs:
        if differ(own[n].claim, other.claim) and of_one_thing(own[n], other):
            logit = sure(own[n].claim, other.claim, read)
            if logit is None:
                return None
            if logit >= SURE:
                differing.append((n, other.id, logit))
    return own, differing


def _of_document(connection: Connection, document: int) -> list[Placed]:
    row: Any = connection.execute("SELECT title, text FROM document WHERE id = ?", (document,)).fetchone()
    if row is None:  # deleted meanwhile
        return []
    title, text = row
    return [
        Placed(0, document, passage.id, passage.start + claim.start, title, claim)
        for passage in rows.passages(connection, document)
        for claim in claims(text[passage.start : passage.start + passage.length])
    ]


def _candidates(connection: Connection, one: Placed, near: Near) -> list[Placed]:
    """Kept claims of other documents that share the most telling words and stand in passages near by."""
    total = int(str(connection.execute("SELECT count(*) FROM claim").get))
    counts: Counter[int] = Counter()
    for name in one.claim.about:
        sharing = connection.execute(
            "SELECT claim_id FROM claim_name JOIN claim ON claim.id = claim_id "
            "WHERE name = ? AND kind = ? AND document_id <> ?",
            (name, one.claim.kind, one.document),
        ).fetchall()
        if len(sharing) <= max(FEW, SHARE * total):
            counts.update(int(str(row[0])) for row in sharing)
    likely = [number for number, shared in counts.most_common(MOST) if shared >= FEWEST]
    found = [other for number in likely if (other := placed(connection, number))]
    cosines = near(one.passage, [other.passage for other in found]) if found else {}
    return [other for other in found if cosines.get(other.passage, 1.0) >= LEAST_COSINE]


def placed(connection: Connection, number: int) -> Placed | None:
    """A kept claim, read anew from its passage."""
    row: Any = connection.execute(
        "SELECT d.id, d.title, p.id, p.start, substr(d.text, p.start + 1, p.length), c.start, c.kind, "
        "c.place FROM claim c JOIN document d ON d.id = c.document_id JOIN passage p ON p.id = c.passage_id "
        "WHERE c.id = ?",
        (number,),
    ).fetchone()
    document, title, passage, begin, text, start, kind, place = row
    for claim in claims(text):
        if (begin + claim.start, claim.kind, claim.place) == (start, kind, place):
            return Placed(number, document, passage, start, title, claim)
    return None  # read by an older form of the rules


def _keep(
    store: Store, document: int, own: Sequence[Placed], differing: Sequence[tuple[int, int, float]]
) -> int:
    """Writes what was found of a document, if that is still there; gives how many differences."""
    with store.write() as connection:
        if connection.execute("SELECT 1 FROM document WHERE id = ?", (document,)).get is None:
            return 0
        connection.execute("DELETE FROM claim WHERE document_id = ?", (document,))
        ids = [_insert(connection, placed) for placed in own]
        before = connection.total_changes()
        connection.executemany(
            "INSERT OR IGNORE INTO disagreement(one, other, sure, found) "
            "SELECT ?, id, ?, ? FROM claim WHERE id = ?",
            [
                (ids[n], logit, datetime.now(UTC).isoformat(timespec="seconds"), other)
                for n, other, logit in differing
            ],
        )
        new = connection.total_changes() - before
        connection.execute(
            "INSERT INTO reading(document_id, claims) VALUES(?, ?) "
            "ON CONFLICT DO UPDATE SET claims = excluded.claims",
            (document, VERSION),
        )
    return new


def _insert(connection: Connection, placed: Placed) -> int:
    claim = placed.claim
    connection.execute(
        "INSERT INTO claim(document_id, passage_id, start, length, kind, value, place) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)",
        (
            placed.document,
            placed.passage,
            placed.start,
            len(claim.sentence),
            claim.kind,
            claim.value,
            claim.place,
        ),
    )
    number = connection.last_insert_rowid()
    connection.executemany("INSERT INTO claim_name VALUES(?, ?)", [(name, number) for name in claim.about])
    return number


_ASKED = """
    SELECT {columns} FROM disagreement g
    JOIN claim a ON a.id = g.one JOIN document d ON d.id = a.document_id
    JOIN claim b ON b.id = g.other JOIN document e ON e.id = b.document_id
    WHERE {mine} AND {theirs} AND (dismissed IS NOT NULL) = ?
"""


def listed(
    store: Store, scope: Scope, dismissed: bool = False, skip: int = 0, limit: int = 50
) -> tuple[list[Difference], int]:
    """Differences of which both documents are in scope, the surest first, and how many there are."""
    sql, values = _asked(scope, dismissed)
    columns = "g.id, a.kind, g.sure, " + ", ".join(_side(*pair) for pair in ("da", "eb"))
    with store.read() as connection:
        count = int(str(connection.execute(sql.format(columns="count(*)"), values).get))
        found: Any = connection.execute(
            sql.format(columns=columns) + " ORDER BY g.sure DESC, g.id LIMIT ? OFFSET ?",
            (*values, limit, skip),
        ).fetchall()
    half = (len(found[0]) - 3) // 2 if found else 0
    return [
        Difference(row[0], row[1], (_made(row[3 : 3 + half]), _made(row[3 + half :])), row[2], dismissed)
        for row in found
    ], count


def dismiss(
    store: Store, scope: Scope, number: int, dismissed: bool = True, but: Scope | None = None
) -> bool:
    """Puts a difference aside, or takes it back; whether there is such a one in scope. One that is wholly in
    the scope `but` stays."""
    sql, values = _asked(scope, not dismissed)
    others, theirs = _asked(but or Scope(()), not dismissed)
    now = datetime.now(UTC).isoformat(timespec="seconds") if dismissed else None
    with store.write() as connection:
        connection.execute(
            f"UPDATE disagreement SET dismissed = ? WHERE id = ? AND id IN ({sql.format(columns='g.id')}) "
            f"AND id NOT IN ({others.format(columns='g.id')})",
            (now, number, *values, *theirs),
        )
        return connection.changes() > 0


def _asked(scope: Scope, dismissed: bool) -> tuple[str, list[Any]]:
    mine, values = rows.within(scope)
    theirs = mine.replace("d.", "e.")
    return _ASKED.format(columns="{columns}", mine=mine, theirs=theirs), [*values, *values, int(dismissed)]


def _side(document: str, claim: str) -> str:
    d, c = document, claim
    return (
        f"{d}.id, {d}.title, {d}.language, {d}.folder, coalesce({d}.written, ''), {c}.start, {c}.length, "
        f"substr({d}.text, {c}.start + 1, {c}.length), {c}.place, {c}.value, "
        f"substr({d}.text, max(1, {c}.start + 1 - {CONTEXT}), min({c}.start, {CONTEXT}))"
    )


def _made(row: Sequence[Any]) -> Side:
    document, title, language, folder, written, start, length, sentence, place, value, around = row
    end = place + len(value)
    return Side(
        document, title, language, folder, written, start, length, preceding(sentence, around),
        sentence[:place], sentence[place:end], sentence[end:],
    )  # fmt: skip


def near_in(made: Store) -> Near:
    """Cosines by the vectors of `derived.db`."""

    def near(passage: int, others: Sequence[int]) -> dict[int, float]:
        sql = (
            "SELECT rowid, vec_distance_cosine(embedding, (SELECT embedding FROM vector WHERE rowid = ?)) "
            "FROM vector WHERE rowid IN (SELECT value FROM json_each(?))"
        )
        with made.read() as connection:
            found: Any = connection.execute(sql, (passage, json.dumps(list(others)))).fetchall()
        return {number: 1.0 - distance for number, distance in found if distance is not None}

    return near
