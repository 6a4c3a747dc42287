"""How the dense leg grows from ten thousand to a million passages, beside a flat search in the same run.

No archive of a million passages is at hand, so vectors are made from the real ones of an index: each is a
real passage moved along the differences to its real neighbours, so it varies in the directions, and by the
distances, in which real passages vary. The spread is fitted: as many made vectors as there are real ones must
have the same median cosine to their nearest neighbour as the real ones have. The questions are real. The file
is written by the indexer's own staging, cells and packing. Exact neighbours come from numpy.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance import indexformat, sqlite
from appliance.indexer.staging import Ready, Staging
from appliance.indexfile import Index
from appliance.log import say, step
from appliance.records import Passage
from appliance.vectors import DIMENSION, quantise

SIZES = (10_000, 100_000, 1_000_000)
NEAREST = 20
NEIGHBOURS = 16  # real neighbours whose differences span the directions of a made vector
MIXED = 8  # of these, how many are drawn for one
FLAT_QUESTIONS = 10
_BLOCK = 10_000

Floats = NDArray[np.float32]


def bench_scale(real: Path, questions: Floats, sizes: Sequence[int] = SIZES) -> list[dict[str, Any]]:
    """One result for each size: latency, recall@20, bytes read, and the flat search's latency.

    `real` is an index of real passages, `questions` [n, 384] unit vectors of real questions."""
    vectors = _all_vectors(real)
    maker = _fitted(vectors)
    results = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="bench-scale-") as folder, step(f"{size:,} passages"):
            results.append(_measure(Path(folder), maker, questions, size))
    return results


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes vectors. `real_cosine` and `made_cosine`: medians to the nearest neighbour, after fitting."""

    real: Floats
    neighbours: NDArray[np.int64]
    spread: float
    real_cosine: float
    made_cosine: float

    def make(self, count: int, seed: int) -> Floats:
        """[count, 384] unit vectors; every real one is moved about equally often."""
        random = np.random.default_rng(seed)
        made = np.empty((count, DIMENSION), np.float32)
        for first in range(0, count, _BLOCK):
            places = (np.arange(first, min(first + _BLOCK, count)) + seed * count) % len(self.real)
            made[first : first + len(places)] = _moved(
                self.real, self.neighbours, places, self.spread, random
            )
        return made


def _moved(
    real: Floats,
    neighbours: NDArray[np.int64],
    places: NDArray[np.int64],
    spread: float,
    random: np.random.Generator,
) -> Floats:
    result = real[places].copy()
    for _ in range(MIXED):
        others = neighbours[places, random.integers(0, NEIGHBOURS, len(places))]
        weights = random.standard_normal((len(places), 1)).astype(np.float32) * spread / MIXED**0.5
        result += weights * (real[others] - real[places])
    result /= np.linalg.norm(result, axis=1, keepdims=True)
    return result


def _fitted(real: Floats) -> _Maker:
    """Halves the interval of the spread until made vectors lie as near to each other as real ones do."""
    neighbours, nearest = _neighbours(real, NEIGHBOURS)
    wanted = float(np.median(nearest))
    low, high = 0.0, 2.0
    for _ in range(6):
        spread = (low + high) / 2
        made = _moved(real, neighbours, np.arange(len(real)), spread, np.random.default_rng(0))
        found = float(np.median(_neighbours(made, 1)[1]))
        low, high = (spread, high) if found > wanted else (low, spread)
    say(f"Spread {spread:.2f}: median cosine to the nearest neighbour {wanted:.3f} real, {found:.3f} made.")
    return _Maker(real, neighbours, spread, wanted, found)


def _neighbours(vectors: Floats, count: int) -> tuple[NDArray[np.int64], Floats]:
    """Nearest others of each vector [n, count] and the cosine of the very nearest [n]; equals left out."""
    places = np.empty((len(vectors), count), np.int64)
    nearest = np.empty(len(vectors), np.float32)
    for first in range(0, len(vectors), 1000):
        cosines = vectors[first : first + 1000] @ vectors.T
        cosines[cosines > 0.999] = -1
        block = np.argpartition(-cosines, count, axis=1)[:, :count]
        places[first : first + 1000] = block
        nearest[first : first + 1000] = cosines.max(axis=1)
    return places, nearest


def _all_vectors(path: Path) -> Floats:
    connection = sqlite.connect(path, "read")
    try:
        vectors = indexformat.read_vectors(connection, range(1, Index.open(path).meta.passages + 1))
    finally:
        connection.close()
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _measure(folder: Path, maker: _Maker, questions: Floats, size: int) -> dict[str, Any]:
    vectors = quantise_blocks(maker.make(size, seed=1))
    exact = _exact(vectors, questions)
    path = folder / "scale.index"
    started = time.perf_counter()
    _write(folder, path, vectors)
    seconds = time.perf_counter() - started
    index = Index.open(path)
    found, latencies = _timed(lambda question: index.nearest(question, NEAREST), questions)
    read = _bytes_read(lambda: [index.nearest(question, NEAREST) for question in questions]) / len(questions)
    flat_found, flat = _flat(folder / "flat.db", vectors, questions[:FLAT_QUESTIONS])
    p50 = float(np.median(latencies))
    return {
        "benchmark": "scale",
        "passages": size,
        "cells": len(index.cell_sizes),
        "largest_cell": int(index.cell_sizes.max()),
        "questions": len(questions),
        "dense_p50_ms": round(p50 * 1e3, 2),
        "dense_p95_ms": round(float(np.percentile(latencies, 95)) * 1e3, 2),
        "recall_at_20": round(_recall(found, exact), 4),
        "bytes_read_per_question": round(read),
        "file_bytes_per_passage": round(path.stat().st_size / size, 1),
        "seconds_to_cells_and_file": round(seconds, 1),
        "flat_p50_ms": round(float(np.median(flat)) * 1e3, 1),
        "flat_recall_at_20": round(_recall(flat_found, exact), 4),
        "times_faster_than_flat": round(float(np.median(flat)) / p50, 1),
        "spread": round(maker.spread, 3),
        "nearest_cosine_real": round(maker.real_cosine, 3),
        "nearest_cosine_made": round(maker.made_cosine, 3),
    }


def quantise_blocks(vectors: Floats) -> NDArray[np.int8]:
    result = np.empty(vectors.shape, np.int8)
    for first in range(0, len(vectors), _BLOCK):
        result[first : first + _BLOCK] = quantise(vectors[first : first + _BLOCK])
    return result


def _write(folder: Path, target: Path, vectors: NDArray[np.int8]) -> None:
    """Through the indexer's staging: documents of one passage without words, so the dense part is it all."""
    staging = Staging(folder / "scale.part", {})
    try:
        for first in range(0, len(vectors), _BLOCK):
            block = vectors[first : first + _BLOCK]
            staging.add([_document(row) for row in block], [], first + len(block))
        meta = dict.fromkeys(
            ("archive_name", "archive_uuid", "archive_checksum", "model", "model_sha256"), "made"
        )
        numbers = {"format": indexformat.FORMAT, "extractor": 0, "chunker": 0}
        staging.assemble(meta | numbers | {"created": "now"})
        staging.write(target)
    finally:
        staging.close()


def _document(vector: NDArray[np.int8]) -> Ready:
    return Ready("", "", (Passage(0, 500),), (0,), ("",), vector[None])


def _exact(vectors: NDArray[np.int8], questions: Floats) -> Floats:
    """[n, 20] best cosines of each question over all vectors, best first."""
    asked = quantise(questions).astype(np.float32)
    best = np.empty((len(asked), 0), np.float32)
    for first in range(0, len(vectors), _BLOCK):
        block = vectors[first : first + _BLOCK].astype(np.float32)
        cosines = asked @ (block / np.linalg.norm(block, axis=1, keepdims=True)).T
        best = -np.sort(-np.hstack([best, cosines]), axis=1)[:, :NEAREST]
    best /= np.linalg.norm(asked, axis=1, keepdims=True)
    return best


Found = list[list[tuple[int, float]]]


def _recall(found: Found, exact: Floats) -> float:
    """Share of the 20 best that were found; a cosine as good as the 20th counts, ids of equals differ."""
    pairs = zip(found, exact, strict=False)
    return float(
        np.mean([sum(cosine >= row[-1] - 1e-6 for _, cosine in one) / NEAREST for one, row in pairs])
    )


def _timed(
    search: Callable[[Floats], list[tuple[int, float]]], questions: Floats
) -> tuple[Found, list[float]]:
    """Answers and seconds of each question, after one round that warms the caches."""
    for question in questions[:10]:
        search(question)
    found, seconds = [], []
    for question in questions:
        started = time.perf_counter()
        found.append(search(question))
        seconds.append(time.perf_counter() - started)
    return found, seconds


def _bytes_read(act: Callable[[], object]) -> int:
    """Bytes that `act` asks the system for, from the page cache or from the disk (Linux only)."""
    before = _read_counter()
    act()
    return _read_counter() - before


def _read_counter() -> int:
    return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])


def _flat(path: Path, vectors: NDArray[np.int8], questions: Floats) -> tuple[Found, list[float]]:
    """The baseline: sqlite-vec as it comes, one table without cells, every vector compared."""
    connection = sqlite.connect(path, "write")
    try:
        connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF").fetchall()
        connection.execute(
            f"CREATE VIRTUAL TABLE flat USING vec0(embedding INT8[{DIMENSION}] distance_metric=cosine)"
        )
        with connection:
            connection.executemany(
                "INSERT INTO flat(rowid, embedding) VALUES(?, vec_int8(?))", _numbered(vectors)
            )
        sql = "SELECT rowid, distance FROM flat WHERE embedding MATCH vec_int8(?) AND k = ?"

        def search(question: Floats) -> list[tuple[int, float]]:
            asked = quantise(question[None])[0].tobytes()
            return [(int(i), 1 - float(d)) for i, d in connection.execute(sql, (asked, NEAREST))]

        return _timed(search, questions)
    finally:
        connection.close()


def _numbered(vectors: NDArray[np.int8]) -> Iterator[tuple[int, bytes]]:
    return ((number, vector.tobytes()) for number, vector in enumerate(vectors, 1))
