"""What happens on the builder's desk, as figures: speed of indexing (bench_index), growth (bench_scale)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from appliance import models
from appliance.quality import questions
from appliance.quality.bench_index import bench_index
from appliance.quality.bench_scale import bench_scale
from appliance.quality.bench_search import dev_archive
from appliance.quality.library import open_book, open_encoder
from appliance.quality.results import Figure
from appliance.settings import Settings

ASKED = 100  # questions whose vectors are searched for
MILLION = 1_000_000

# Name in a row of bench_index or bench_scale, words for it, unit, what to reach, divisor.
Row = tuple[str, str, str, str, float]
INDEX: tuple[Row, ...] = (
    ("index_passages_per_second", "appliance index", "passages/s", "", 1),
    ("bare_passages_per_second", "bare onnxruntime loop, the same batches", "passages/s", "", 1),
    ("share_of_bare", "appliance index against the bare loop", "share", "at least 0.9", 1),
    ("bytes_per_passage", "index file of these few alone, bytes per passage", "bytes", "", 1),
)
SCALE: tuple[Row, ...] = (
    ("dense_p50_ms", "nearest cells: p50", "ms", "at most 30", 1),
    ("dense_p95_ms", "nearest cells: p95", "ms", "", 1),
    ("recall_at_20", "nearest cells: recall@20 of exact", "share", "at least 0.95", 1),
    ("bytes_read_per_question", "nearest cells: read of the file", "MB", "at most 10", 1e6),
    ("flat_p50_ms", "flat sqlite-vec: p50", "ms", "", 1),
    ("times_faster_than_flat", "nearest cells, faster than flat", "times", "at least 10", 1),
    ("file_bytes_per_passage", "file, vectors only", "bytes", "", 1),
)


def index(given: Settings, data: Path) -> list[Figure]:
    """Passages a second of the indexer and of the least that must be done, in the same run, over a part of
    the archive: what of the file does not grow weighs more there than in a whole index (bench_search)."""
    given = dev_archive(given, data)
    model, tokenizer = (models.path(given.home, name) for name in models.EMBEDDING)
    rows = bench_index(given.archive[0], model, tokenizer)
    return [figure for row in rows for figure in _figures("index", "", row, INDEX)]


def scale(given: Settings, data: Path) -> list[Figure]:
    """The dense leg over made vectors, beside a flat sqlite-vec table in the same run."""
    given = dev_archive(given, data)
    book = open_book(given, given.archive[0])
    if book.index is None:
        return []
    asked = [one.text for one in questions.sample(questions.wiki(data / "wiki"), ASKED) if one.answerable]
    found: list[Figure] = []
    for row in bench_scale(book.index.path, open_encoder(given).encode(asked[:ASKED])):
        size = int(row["passages"])
        figures = _figures("scale", f"{size:,} passages, ", row, SCALE)
        found += figures if size == MILLION else [replace(one, bound="") for one in figures]
    return found


def _figures(part: str, before: str, row: Mapping[str, Any], wanted: Iterable[Row]) -> Iterator[Figure]:
    for key, words, unit, bound, divisor in wanted:
        yield Figure(part, before + words, float(row[key]) / divisor, unit, bound)
