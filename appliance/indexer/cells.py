"""Cells: which vectors lie together. Spherical k-means of a sample (faiss), then each to its centroid.

A question then reads the few cells nearest to it, so its work does not grow with the archive. Large cells are
split, so that no question pays for one crowded corner.
"""

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from appliance.embedding import DIMENSION
from appliance.errors import IndexingError

ROWS_PER_CELL = 256
SAMPLE_PER_CELL = 48
LARGEST = 4  # a cell holds at most so many times the mean
ITERATIONS = 8
_BLOCK = 8192

Vectors = NDArray[np.int8]


def cell_count(passages: int) -> int:
    return max(1, round(passages / ROWS_PER_CELL))


def train(sample: Vectors, cells: int, seed: int = 0) -> NDArray[np.float32]:
    """[cells, 384] unit centroids of a sample of int8 vectors."""
    if cells == 1 or len(sample) <= cells:
        return unit(sample.astype(np.float32).mean(axis=0, keepdims=True))
    means = _faiss().Kmeans(
        DIMENSION,
        cells,
        niter=ITERATIONS,
        seed=seed,
        spherical=True,
        min_points_per_centroid=1,
        max_points_per_centroid=10 * SAMPLE_PER_CELL,
    )
    means.train(unit(sample.astype(np.float32)))
    centroids: NDArray[np.float32] = means.centroids.reshape(-1, DIMENSION).astype(np.float32)
    return centroids


def assign(blocks: Iterable[Vectors], centroids: NDArray[np.float32]) -> NDArray[np.int32]:
    """The number of the nearest centroid of every vector, blocks in order."""
    nearest = [
        _nearest(block[at : at + _BLOCK], centroids)
        for block in blocks
        for at in range(0, len(block), _BLOCK)
    ]
    return np.concatenate(nearest) if nearest else np.zeros(0, np.int32)


def divide(
    count: int, vectors: Callable[[NDArray[np.int64]], Vectors], blocks: Callable[[], Iterator[Vectors]]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Centroids [cells, 384] and the cell of each of `count` vectors.

    `vectors` gives the rows of ascending places, `blocks` all rows in order; one block and the sample are in
    memory at once.
    """
    cells = cell_count(count)
    random = np.random.default_rng(0)
    size = min(count, cells * SAMPLE_PER_CELL)
    sample = vectors(np.sort(random.choice(count, size, replace=False)))
    centroids = train(sample, cells)
    labels = assign(blocks(), centroids)
    return _split_large(centroids, labels, vectors)


def _split_large(
    centroids: NDArray[np.float32], labels: NDArray[np.int32], vectors: Callable[[NDArray[np.int64]], Vectors]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Splits every cell of over LARGEST times the mean; empty cells go."""
    mean = len(labels) / len(centroids)
    sizes = np.bincount(labels, minlength=len(centroids))
    for cell in np.flatnonzero(sizes > LARGEST * mean):
        places = np.flatnonzero(labels == cell)
        rows = vectors(places)
        parts = train(rows[:: max(1, len(rows) // 20_000)], round(len(rows) / mean))
        inner = _nearest(rows, parts)
        labels[places] = np.where(inner == 0, cell, len(centroids) + inner - 1)
        centroids[cell] = parts[0]
        centroids = np.concatenate([centroids, parts[1:]])
    used, places = np.unique(labels, return_inverse=True)
    return centroids[used], places.astype(np.int32)


def _nearest(block: Vectors, centroids: NDArray[np.float32]) -> NDArray[np.int32]:
    nearest: NDArray[np.int32] = np.argmax(block.astype(np.float32) @ centroids.T, axis=1).astype(np.int32)
    return nearest


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: NDArray[np.float32] = vectors / np.maximum(lengths, 1e-12)
    return result


def _faiss() -> ModuleType:
    try:
        import faiss  # only who makes indexes needs it
    except ImportError as error:
        raise IndexingError(
            "Making an index needs the package faiss-cpu, which is not installed.",
            "Install the extra: pip install 'lamplight[desktop]'.",
        ) from error
    return faiss
