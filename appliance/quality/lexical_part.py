"""Compares candidates for the lexical part: `python -m appliance.quality.lexical_part --data ../shared/data`.

Over the passages of one index: FTS5 with and without the text stored, ranked by bm25; FTS5 without text,
positions and sizes, ranked by our share of weighted words; the archive's own Xapian index through libzim,
as typed, with the question words dropped, and relaxed word by word. Recall of passages (of pages for
Xapian), time, and bytes for each passage. docs/decisions/0001-lexical-part.md has the choice.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from appliance import settings
from appliance.errors import EntryMissing, EntryUnreadable
from appliance.indexfile import Index, Pointer
from appliance.log import step
from appliance.quality import questions
from appliance.quality.library import open_book
from appliance.quality.measure import DEPTH, Gold, Place, retrieval_figures
from appliance.retrieval import lexical, unindexed
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.retrieval.words import content
from appliance.sources.zim import ZimArchive
from appliance.sqlite import connect, stems
from appliance.wiring import GATE

TOKENIZER = "tokenize = 'porter unicode61 remove_diacritics 2'"
VARIANTS = {
    "FTS5, text stored, bm25": "",
    "FTS5 contentless, bm25": "content = '', ",
    "FTS5 contentless, detail = none, our share": "content = '', detail = none, columnsize = 0, ",
}
Row = tuple[Pointer, str]


class Fts:
    """One FTS5 table over all passages in a file of its own."""

    def __init__(self, file: Path, options: str, rows: Sequence[Row]) -> None:
        self._connection = connect(file, "write")
        self._connection.execute(f"create virtual table words using fts5(title, text, {options}{TOKENIZER})")
        with self._connection:
            self._connection.executemany(
                "insert into words(rowid, title, text) values (?, ?, ?)",
                ((pointer.id, pointer.title, text) for pointer, text in rows),
            )
        self._connection.execute("insert into words(words) values ('optimize')")
        self._connection.execute("vacuum")
        self.size = len(rows)
        self.bytes_per_passage = file.stat().st_size / max(1, len(rows))

    def bm25(self, question: str) -> list[int]:
        query = " OR ".join(f'"{word}"' for word in content(question))
        order = "order by bm25(words, 2.0, 1.0) limit ?"
        sql = f"select rowid from words where words match ? {order}"
        return [int(row[0]) for row in self._connection.execute(sql, (query, DEPTH))]

    def share(self, question: str) -> list[int]:
        hits = lexical.search(self, lexical.weigh(self, content(question)))
        return [int(passage) for passage in hits.best(DEPTH)]

    def postings(self, term: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        if not stems(term):
            return np.empty(0, np.int64)
        rows = self._connection.execute("select rowid from words where words match ?", (f'"{term}"',))
        return np.fromiter((row[0] for row in rows), np.int64)

    def frequency(self, term: str) -> int:
        return len(self.postings(term))

    def similar_terms(self, _term: str, _limit: int) -> list[tuple[str, int]]:
        return []


def _rows(archive: ZimArchive, index: Index) -> list[Row]:
    rows: list[Row] = []
    for pointer in index.pointers(range(1, index.size + 1)):
        try:
            text = archive.document(pointer.path).text
        except (EntryMissing, EntryUnreadable):
            continue
        rows.append((pointer, text[pointer.start : pointer.start + pointer.length]))
    return rows


def _xapian(archive: ZimArchive) -> dict[str, Callable[[str], list[str]]]:
    return {
        "Xapian in the ZIM, as typed": lambda text: archive.fulltext(text, DEPTH),
        "Xapian, question words dropped": lambda text: archive.fulltext(" ".join(content(text)), DEPTH),
        "Xapian, words relaxed step by step": lambda text: unindexed.pages(archive, content(text), DEPTH),
    }


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="lexical_part")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sample", type=int, default=1000, help="questions of each group; 0: all")
    options = parser.parse_args()
    given = settings.load()
    book = open_book(given, options.data / "wiki/wiki_dev.zim")
    if book.index is None:
        raise SystemExit(book.problem)
    gold = Gold(Library([book], None, Gate.load(GATE)), book.archive.name)
    asked = [
        one
        for one in questions.sample(questions.wiki(options.data / "wiki"), options.sample)
        if one.answerable
    ]
    with step("Reading the passages"):
        rows = _rows(book.archive, book.index)
    places = {
        pointer.id: Place(pointer.path, pointer.start, pointer.start + pointer.length) for pointer, _ in rows
    }
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, table) in enumerate(VARIANTS.items()):
            fts = Fts(Path(folder) / f"{number}.db", table, rows)
            rank = fts.share if "share" in name else fts.bm25
            _measure(name, fts.bytes_per_passage, _placed(rank, places), asked, gold)
    for name, pages in _xapian(book.archive).items():
        _measure(name, 0.0, _whole(pages), asked, gold)


def _placed(rank: Callable[[str], list[int]], places: Mapping[int, Place]) -> Callable[[str], list[Place]]:
    return lambda text: [places[number] for number in rank(text)]


def _whole(pages: Callable[[str], list[str]]) -> Callable[[str], list[Place]]:
    return lambda text: [Place(path, 0, -1) for path in pages(text)]


def _measure(
    name: str,
    size: float,
    search: Callable[[str], list[Place]],
    asked: Sequence[questions.Question],
    gold: Gold,
) -> None:
    found, seconds = [], []
    for one in asked:
        began = time.perf_counter()
        found.append(search(one.text))
        seconds.append(time.perf_counter() - began)
    for group in ("NQ", "SQuAD"):
        at = [n for n, one in enumerate(asked) if one.group == group]
        figures = retrieval_figures([gold.rank(asked[n], found[n]) for n in at], [seconds[n] for n in at])
        print(
            f"{name:44} {size:5.0f} bytes  {group:6}",
            "  ".join(f"{k} {v:g}" for k, v in figures.items()),
            flush=True,
        )


if __name__ == "__main__":
    main()
