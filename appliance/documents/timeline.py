"""The dates of own documents on one line: read when a document has come, asked by stretches of time.

A date belongs to a stretch that holds the whole span that it can mean; what is wider ("the 19th century"
while looking at months) is told apart. `read_dates` goes on where it ended, whatever stopped it.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from appliance.documents import calendar, rows, unmarked
from appliance.documents.calendar import Span
from appliance.documents.mentioned import mentioned
from appliance.documents.periods import Period
from appliance.documents.records import Scope
from appliance.documents.store import Store
from appliance.sqlite import Connection, stems

VERSION = 1  # of the reading: a higher one reads every document again
AROUND = 160  # letters that a line shows before and after its date
MOST_WIDER = 20
HEADING = 80  # letters of an entry within which its own date stands

Kind = Literal["document", "entry", "mentioned"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Moment:
    """One date on the line. `start` and `length` are its place in the document's text, 0 and 0 where the
    document tells its date elsewhere; `before`, `words` and `after` are the stretch around it."""

    document: int
    title: str
    language: str
    kind: Kind
    span: Span
    resolved: bool
    start: int
    length: int
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of time and how many dates lie in it."""

    period: Period
    count: int


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of the timeline: its parts, the dates in it from `skip` on, and how many there are; `wider`:
    dates that hold the whole stretch."""

    period: Period
    bars: tuple[Bar, ...]
    moments: tuple[Moment, ...]
    count: int
    wider: tuple[Moment, ...]


def read_dates(store: Store) -> int:
    """Reads every document whose dates are not kept yet, each in a transaction of its own; how many."""
    with store.read() as connection:
        waiting = [
            int(str(row[0]))
            for row in connection.execute(
                "SELECT document.id FROM document LEFT JOIN reading ON document_id = document.id "
                "WHERE coalesce(dates, 0) < ? ORDER BY document.id",
                (VERSION,),
            )
        ]
    for document in waiting:
        with store.read() as connection:
            found = _read(connection, document)
        with store.write() as connection:  # nothing is worked out in it: whoever writes waits for it
            _keep(connection, document, found)
    return len(waiting)


Row = tuple[int, int | None, int, int, int, int, str, Kind, int]
"""As `mention` has it, without its id."""


def _read(connection: Connection, document: int) -> list[Row]:
    row = connection.execute("SELECT text, written FROM document WHERE id = ?", (document,)).fetchone()
    if row is None:  # deleted meanwhile
        return []
    passages: Any = connection.execute(
        "SELECT start + length, id FROM passage WHERE document_id = ? ORDER BY start", (document,)
    ).fetchall()
    ends, ids = [end for end, _ in passages], [number for _, number in passages]
    sections = _sections(connection, document, len(str(row[0])))
    return [
        (document, _passage(ends, ids, start), start, length, *_fields(span), kind, int(resolved))
        for start, length, span, kind, resolved in _dates(str(row[0]), str(row[1] or ""), sections)
    ]


def _fields(span: Span) -> tuple[int, int, str]:
    return span.first, span.last, span.grain


def _keep(connection: Connection, document: int, found: Sequence[Row]) -> None:
    """Writes what was read of a document, if that is still there."""
    if connection.execute("SELECT 1 FROM document WHERE id = ?", (document,)).get is None:
        return
    connection.execute("DELETE FROM mention WHERE document_id = ?", (document,))
    connection.executemany(
        "INSERT INTO mention(document_id, passage_id, start, length, first, last, grain, kind, resolved) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        found,
    )
    connection.execute(
        "INSERT INTO reading(document_id, dates) VALUES(?, ?) "
        "ON CONFLICT DO UPDATE SET dates = excluded.dates",
        (document, VERSION),
    )


def _dates(
    text: str, date: str, sections: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, Span, Kind, bool]]:
    """(start, length, span, kind, resolved) of the document's own date, of its entries, of those in them."""
    written = calendar.iso(date)
    if written:
        yield 0, 0, written, "document", False
    for start, length, own in sections:
        entry = calendar.iso(own)
        if entry:
            yield start, 0, entry, "entry", False
        for one in mentioned(text[start : start + length], entry or written):
            if one.span != entry or one.start > HEADING:  # else the entry's own heading
                yield start + one.start, one.end - one.start, one.span, "mentioned", one.resolved


def _sections(connection: Connection, document: int, length: int) -> list[tuple[int, int, str]]:
    """(start, length, date) of each section; the whole text where a document has none."""
    found = [(one.start, one.length, one.date or "") for one in rows.sections(connection, document)]
    return found or [(0, length, "")]


def _passage(ends: Sequence[int], ids: Sequence[int], start: int) -> int | None:
    """The passage that holds a place, else the next one; `ends` of the passages, ascending."""
    at = bisect_right(ends, start)
    return ids[min(at, len(ids) - 1)] if ids else None


def line(
    store: Store,
    scope: Scope,
    period: Period,
    words: str = "",
    kinds: Collection[Kind] = KINDS,
    skip: int = 0,
    limit: int = 50,
) -> Line:
    """What the documents of a scope tell of a stretch of time. `words`: each must stand in the passage of the
    date or in the document's title, in any of its forms; `skip` and `limit` page through the dates."""
    with store.read() as connection:
        found = _rows(connection, scope, period.span, kinds, frozenset(stems(words)))
        inside = [row for row in found if period.holds(row.span)]
        wider = [row for row in found if period.span and row.span.holds_all(period.span)]
        shown = tuple(_moment(connection, row) for row in inside[skip : skip + limit])
        above = tuple(_moment(connection, row) for row in wider[:MOST_WIDER] if not period.holds(row.span))
    if not inside:
        return Line(period, (), (), 0, above)
    whole = Span(inside[0].span.first, max(row.span.last for row in inside))
    counts = Counter(period.part_of(row.span, whole) for row in inside)
    bars = tuple(Bar(part, counts[part]) for part in period.parts(whole))
    return Line(period, bars, shown, len(inside), above)


@dataclass(frozen=True, slots=True)
class _Row:
    document: int
    title: str
    language: str
    start: int
    length: int
    span: Span
    kind: Kind
    resolved: bool


def _rows(
    connection: Connection, scope: Scope, span: Span | None, kinds: Collection[Kind], wanted: frozenset[str]
) -> list[_Row]:
    """Every date of the scope that touches the span, in order."""
    where, given = rows.within(scope)
    if span:
        where, given = f"{where} AND first <= ? AND last >= ?", [*given, span.last, span.first]
    text = "substr(text, passage.start + 1, passage.length)" if wanted else "''"
    asked = connection.execute(
        "SELECT d.id, title, d.language, mention.start, mention.length, first, last, grain, "
        f"kind, resolved, {text} FROM mention JOIN document d ON d.id = mention.document_id "
        f"LEFT JOIN passage ON passage.id = passage_id WHERE {where} "
        f"AND kind IN ({', '.join('?' * len(kinds))}) ORDER BY first, last, d.id, mention.start",
        (*given, *kinds),
    )
    held: dict[str, bool] = {}  # a passage tells several dates

    def holds(row: Sequence[Any]) -> bool:
        text = f"{row[1]} {row[10]}"
        if text not in held:
            held[text] = wanted <= frozenset(stems(text))
        return held[text]

    return [_row(row) for row in asked if not wanted or holds(row)]


def _row(row: Sequence[Any]) -> _Row:
    return _Row(row[0], row[1], row[2], row[3], row[4], Span(row[5], row[6], row[7]), row[8], bool(row[9]))


def _moment(connection: Connection, row: _Row) -> Moment:
    begin = max(0, row.start - AROUND)
    stretch: Any = connection.execute(
        "SELECT substr(text, ?, ?), media_type FROM document WHERE id = ?",
        (begin + 1, row.start - begin + row.length + AROUND, row.document),
    ).fetchone()
    text, media_type = stretch or ("", "")
    marked, at = media_type == unmarked.MEDIA_TYPE, row.start - begin
    before, after = _end(text[:at], marked), _cut(_PARAGRAPH.split(text[at + row.length :])[0], marked)
    if row.kind != "mentioned":  # what begins here, under its heading too
        before, after = "", _cut(text[at:], marked, begins=True)
    return Moment(
        row.document, row.title, row.language, row.kind, row.span, row.resolved, row.start, row.length,
        before, text[at : at + row.length], after,
    )  # fmt: skip


def _end(text: str, marked: bool) -> str:
    """The last paragraph of what stands before a date, on one line; where it is cut, whole words. `marked`:
    with Markdown's marks, which are left out."""
    paragraph = _PARAGRAPH.split(text)[-1]
    if len(paragraph) >= AROUND:
        paragraph = f"…{paragraph.partition(' ')[2]}"
    shown = unmarked.unmarked(paragraph) if marked else paragraph
    return _SPACES.sub(" ", shown).lstrip()


def _cut(text: str, marked: bool, begins: bool = False) -> str:
    """What stands after it, likewise; `begins`: at the beginning of a line."""
    if len(text) >= AROUND:
        text = f"{text.rpartition(' ')[0]}…"
    shown = unmarked.unmarked(text, begins).rstrip(" ·\n") if marked else text
    return _SPACES.sub(" ", shown).rstrip()


_PARAGRAPH = re.compile(r"\n\s*(?=\n|[-*|#>\d])")
_SPACES = re.compile(r"\s+")
