"""Growth to a million passages (bench_scale), as figures."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from appliance.quality import questions
from appliance.quality.bench_scale import bench_scale
from appliance.quality.bench_search import dev_archive
from appliance.quality.library import open_book, open_encoder
from appliance.quality.results import Figure
from appliance.settings import Settings

ASKED = 100  # questions whose vectors are searched for
MILLION = 1_000_000
ROWS = (
    # name in bench_scale's row, words for it, unit, what to reach at a million, divisor
    ("dense_p50_ms", "nearest cells: p50", "ms", "at most 30", 1),
    ("dense_p95_ms", "nearest cells: p95", "ms", "", 1),
    ("recall_at_20", "nearest cells: recall@20 of exact", "share", "at least 0.95", 1),
    ("bytes_read_per_question", "nearest cells: read of the file", "MB", "at most 10", 1e6),
    ("flat_p50_ms", "flat sqlite-vec: p50", "ms", "", 1),
    ("times_faster_than_flat", "nearest cells, faster than flat", "times", "at least 10", 1),
    ("file_bytes_per_passage", "file, vectors only", "bytes", "", 1),
)


def scale(given: Settings, data: Path) -> list[Figure]:
    """The dense leg over made vectors, beside a flat sqlite-vec table in the same run."""
    given = dev_archive(given, data)
    book = open_book(given, given.archive[0])
    if book.index is None:
        return []
    asked = [one.text for one in questions.sample(questions.wiki(data / "wiki"), ASKED) if one.answerable]
    rows = bench_scale(book.index.path, open_encoder(given).encode(asked[:ASKED]))
    return [figure for row in rows for figure in _figures(row)]


def _figures(row: Mapping[str, Any]) -> Iterator[Figure]:
    size = int(row["passages"])
    for key, words, unit, bound, divisor in ROWS:
        value = float(row[key]) / divisor
        yield Figure("scale", f"{size:,} passages, {words}", value, unit, bound if size == MILLION else "")
