"""What the search is compared with, over the same passages and in the same run.

SQLite's own FTS5 bm25 over stored text, exact vectors without cells, each leg alone, plain reciprocal rank
fusion, and libzim's full-text search (which is what kiwix-serve asks), as typed and with its words relaxed.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from appliance.errors import EntryMissing, EntryUnreadable
from appliance.indexfile import BUDGET, Index, Pointer
from appliance.quality.measure import Place, Ranked
from appliance.retrieval import fuse, lexical, unindexed
from appliance.retrieval.candidates import OVERFETCH
from appliance.retrieval.words import content
from appliance.sources.zim import ZimArchive
from appliance.sqlite import connect

DEPTH = 20
Search = Callable[[str, NDArray[np.float32]], Sequence[Place]]


class Baselines:
    """Every baseline over one archive with its index."""

    def __init__(self, archive: ZimArchive, index: Index) -> None:
        self._archive, self._index = archive, index
        self._pointers = index.pointers(range(1, index.size + 1))
        self._by_id = {pointer.id: pointer for pointer in self._pointers}
        self._fts = connect(archive.path, "memory")
        self._fill()

    def searches(self) -> dict[str, Search]:
        """Name -> search, in the order of the report."""
        return {
            "FTS5 bm25, text stored, title x2": lambda text, _: self._bm25(text),
            "words leg alone": lambda text, _: self._places(self._words(text)),
            "vectors, exact (flat)": lambda _, vector: self._places(self._near(vector, self._index.size)),
            "vectors, nearest cells": lambda _, vector: self._places(self._near(vector)),
            "reciprocal rank fusion (k = 60)": self._fused,
            "libzim's own search, as typed": lambda text, _: self._pages(self._archive.fulltext(text, DEPTH)),
            "libzim's own search, words relaxed": lambda text, _: self._pages(
                unindexed.pages(self._archive, content(text), DEPTH)
            ),
        }

    def run(self, search: Search, texts: Sequence[str], vectors: NDArray[np.float32]) -> list[Ranked]:
        """What a search ranks for each question, with the seconds it took (without the embedding)."""
        ranked = []
        for text, vector in zip(texts, vectors, strict=True):
            began = time.perf_counter()
            places = search(text, vector)
            ranked.append(Ranked(tuple(places[:DEPTH]), time.perf_counter() - began))
        return ranked

    def _fill(self) -> None:
        self._fts.execute(
            "create virtual table passages using fts5(title, text, tokenize = 'porter unicode61')"
        )
        document = None
        with self._fts:
            for pointer in self._pointers:
                try:
                    if document is None or document.path != pointer.path:
                        document = self._archive.document(pointer.path)
                except (EntryMissing, EntryUnreadable):
                    continue
                text = document.text[pointer.start : pointer.start + pointer.length]
                self._fts.execute(
                    "insert into passages(rowid, title, text) values (?, ?, ?)",
                    (pointer.id, pointer.title, text),
                )

    def _bm25(self, text: str) -> list[Place]:
        query = " OR ".join(f'"{word}"' for word in content(text))
        rows = self._fts.execute(
            "select rowid from passages where passages match ? order by bm25(passages, 2.0, 1.0) limit ?",
            (query, DEPTH),
        )
        return self._places([int(row[0]) for row in rows])

    def _words(self, text: str) -> list[int]:
        hits = lexical.search(self._index, lexical.weigh(self._index, content(text)))
        return [int(passage) for passage in hits.best(OVERFETCH)]

    def _near(self, vector: NDArray[np.float32], budget: int = BUDGET) -> list[int]:
        return [passage for passage, _ in self._index.nearest(vector, OVERFETCH, budget)]

    def _fused(self, text: str, vector: NDArray[np.float32]) -> list[Place]:
        joined = fuse.reciprocal_ranks([self._near(vector), self._words(text)])
        return self._places([passage for passage, _ in joined])

    def _places(self, passages: Sequence[int]) -> list[Place]:
        found: list[Pointer] = [self._by_id[passage] for passage in passages[:DEPTH]]
        return [Place(item.path, item.start, item.start + item.length) for item in found]

    def _pages(self, paths: Sequence[str]) -> list[Place]:
        return [Place(path, 0, -1) for path in paths]
