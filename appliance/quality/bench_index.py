"""How fast passages are indexed, against a bare onnxruntime loop over the same batches in the same run.

The loop is the least that must be done: texts already cut into tokens, sorted and padded, one session with
all cores, nothing else. The indexer starts its workers, reads and cuts the archive, embeds, writes words,
cells and file, and checks it. Half of the loop runs before it and half after, so that a machine which slows
down in between does not decide the figure; the machine must otherwise be idle.
"""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.embedding import batches, cut, open_session
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
WARM_UP = 5  # batches

Feed = dict[str, NDArray[np.int64]]


class _FirstEntries(ZimArchive):
    """The beginning of an archive, as an archive."""

    def entry_count(self) -> int:
        return min(ENTRIES, super().entry_count())


def bench_index(archive: Path, model: Path, tokenizer: Path) -> list[dict[str, Any]]:
    """One result: passages/s of the indexer and of the bare loop, their ratio, bytes per passage."""
    opened = _FirstEntries.open(archive)
    feeds, passages = _feeds(opened, Tokens(tokenizer))
    session = open_session(model, os.cpu_count() or 1)

    def loop(part: Sequence[Feed]) -> float:
        for feed in part[:WARM_UP]:
            session.run(None, feed)
        started = time.perf_counter()
        for feed in part:
            session.run(None, feed)
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
    """The padded batches that the indexer's workers run, window by window, and the number of passages."""
    feeds: list[Feed] = []
    texts: list[str] = []
    passages = 0
    for _, document in archive.documents():
        if isinstance(document, Document):
            texts += _texts(document, tokens)
        if len(texts) >= WINDOW:
            feeds += _padded(tokens.ids(texts))
            passages, texts = passages + len(texts), []
    return [*feeds, *_padded(tokens.ids(texts))], passages + len(texts)


def _texts(document: Document, tokens: Tokens) -> list[str]:
    found = chunk(document, tokens.count, MAX_TOKENS)
    return [
        embedding_text(document.title, one.headings, document.text[one.start : one.start + one.length])
        for one in found
    ]


def _padded(ids: Sequence[Sequence[int]]) -> list[Feed]:
    feeds: list[Feed] = []
    for rows in batches([len(cut(row)) for row in ids]):
        mask = np.zeros((len(rows), max(len(cut(ids[row])) for row in rows)), np.int64)
        words = np.zeros_like(mask)
        for place, row in enumerate(rows):
            short = cut(ids[row])
            mask[place, : len(short)] = 1
            words[place, : len(short)] = short
        feeds.append({"input_ids": words, "attention_mask": mask, "token_type_ids": np.zeros_like(words)})
    return feeds
