"""How fast passages are indexed, against a bare onnxruntime loop over the same batches in the same run.

The loop is the least that must be done: texts already cut into tokens and sorted, the same session as the
embedder's with all cores for each text, nothing else. The indexer starts its workers, reads and cuts the
archive, embeds, writes words, cells and file, and checks it. Half of the loop runs before it and half after,
so that a machine which slows down in between does not decide the figure; the machine must otherwise be idle.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.embedding import cut, feed, open_session
from appliance.indexer.build import build
from appliance.indexer.chunk import chunk, embedding_text
from appliance.indexer.windows import WINDOW
from appliance.indexer.workers import minilm
from appliance.log import step
from appliance.records import Document
from appliance.sources.zim import ZimArchive
from appliance.tokens import Tokens
from appliance.vectors import MAX_TOKENS

ENTRIES = 3000
WARM_UP = 5  # texts

Feed = dict[str, NDArray[np.int64]]


class _FirstEntries(ZimArchive):
    """The beginning of an archive, as an archive."""

    def entry_count(self) -> int:
        return min(ENTRIES, super().entry_count())


def bench_index(archive: Path, model: Path, tokenizer: Path) -> list[dict[str, Any]]:
    """One result: passages/s of the indexer and of the bare loop, their ratio, bytes per passage."""
    opened = _FirstEntries.open(archive)
    feeds, passages = _feeds(opened, Tokens(tokenizer))
    session = open_session(model, os.cpu_count() or 1, in_bytes=True)

    def loop(part: Sequence[Feed]) -> float:
        for one in part[:WARM_UP]:
            session.run(None, one)
        started = time.perf_counter()
        for one in part:
            session.run(None, one)
        return time.perf_counter() - started

    with step("Bare onnxruntime, first half"):
        bare = loop(feeds[::2])
    with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
        started = time.perf_counter()
        report = build(opened, Path(folder) / "bench.index", minilm(model, tokenizer))
        indexing = time.perf_counter() - started
    with step("Bare onnxruntime, second half"):
        bare += loop(feeds[1::2])
    return [
        {
            "benchmark": "index",
            "archive": opened.name,
            "documents": report.documents,
            "passages": report.passages,
            "workers": os.cpu_count(),
            "index_passages_per_second": round(passages / indexing, 2),
            "bare_passages_per_second": round(passages / bare, 2),
            "share_of_bare": round(bare / indexing, 3),
            "bytes_per_passage": round(report.bytes / report.passages, 1),
        }
    ]


def _feeds(archive: ZimArchive, tokens: Tokens) -> tuple[list[Feed], int]:
    """The texts that the indexer's workers run, window by window, and the number of passages."""
    feeds: list[Feed] = []
    texts: list[str] = []
    passages = 0
    for _, document in archive.documents():
        if isinstance(document, Document):
            texts += _texts(document, tokens)
        if len(texts) >= WINDOW:
            feeds += _feeds_of(tokens.ids(texts))
            passages, texts = passages + len(texts), []
    return [*feeds, *_feeds_of(tokens.ids(texts))], passages + len(texts)


def _texts(document: Document, tokens: Tokens) -> list[str]:
    found = chunk(document, tokens.count, MAX_TOKENS)
    return [
        embedding_text(document.title, one.headings, document.text[one.start : one.start + one.length])
        for one in found
    ]


def _feeds_of(ids: Sequence[Sequence[int]]) -> list[Feed]:
    """Each text by itself, as the embedder runs it, the longest first."""
    return [feed(cut(row)) for row in sorted(ids, key=len, reverse=True)]
