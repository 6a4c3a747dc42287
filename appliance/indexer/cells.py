"""Cells: which vectors lie together. Spherical k-means of a sample (faiss), then each to its centroid.

A question then reads the few cells nearest to it, so its work does not grow with the archive. Large cells are
split, so that no question pays for one crowded corner.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from appliance.errors import IndexingError
from appliance.vectors import DIMENSION

ROWS_PER_CELL = 256
SAMPLE_PER_CELL = 48
LARGEST = 4  # a cell holds at most so many times the mean
ITERATIONS = 8
AT_ONCE = 512  # cells trained together
_BLOCK = 8192
_PRODUCTS = 16 * 2**20  # cosines in memory at once

Vectors = NDArray[np.int8]
Places = NDArray[np.int64]
Read = Callable[[Places], Vectors]
"""Gives the vectors at ascending places."""
Cells = tuple[NDArray[np.float32], NDArray[np.int32]]


def train(sample: Vectors, cells: int, seed: int = 0) -> NDArray[np.float32]:
    """[cells, 384] unit centroids of a sample of int8 vectors."""
    if cells == 1 or len(sample) <= cells:
        return unit(sample.astype(np.float32).mean(axis=0, keepdims=True))
    faiss = _faiss()
    faiss.omp_set_num_threads(1 if len(sample) < _BLOCK else os.cpu_count() or 1)
    means = faiss.Kmeans(
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
    size = max(64, _PRODUCTS // len(centroids))
    nearest = [
        _nearest(block[at : at + size], centroids) for block in blocks for at in range(0, len(block), size)
    ]
    return np.concatenate(nearest) if nearest else np.zeros(0, np.int32)


def divide(
    count: int, vectors: Read, blocks: Callable[[], Iterator[Vectors]], rows_per_cell: int = ROWS_PER_CELL
) -> Cells:
    """Centroids [cells, 384] and the cell of each of `count` vectors; `blocks` gives all of them in order."""
    cells = max(1, round(count / rows_per_cell))
    random = np.random.default_rng(0)
    places = np.sort(random.choice(count, min(count, cells * SAMPLE_PER_CELL), replace=False))
    centroids = _train_in_two_steps(places, cells, vectors)
    return _split_large(centroids, assign(blocks(), centroids), vectors)


def _train_in_two_steps(places: Places, cells: int, vectors: Read) -> NDArray[np.float32]:
    """Many cells are trained group by group: memory and time then grow with the root of their number."""
    if cells <= AT_ONCE:
        return train(vectors(places), cells)
    groups = round(cells**0.5)
    step = max(1, len(places) // (groups * 10 * SAMPLE_PER_CELL))
    labels = assign(_read_blocks(places, vectors), train(vectors(places[::step]), groups))
    parts = []
    for group in np.unique(labels):
        own = places[labels == group]
        parts.append(train(vectors(own), max(1, round(cells * len(own) / len(places)))))
    return np.concatenate(parts)


def _split_large(centroids: NDArray[np.float32], labels: NDArray[np.int32], vectors: Read) -> Cells:
    """Splits every cell of over LARGEST times the mean; empty cells go."""
    mean = len(labels) / len(centroids)
    sizes = np.bincount(labels, minlength=len(centroids))
    for cell in np.flatnonzero(sizes > LARGEST * mean):
        places = np.flatnonzero(labels == cell)
        parts = train(vectors(places[:: max(1, len(places) // _BLOCK)]), round(len(places) / mean))
        inner = assign(_read_blocks(places, vectors), parts)
        labels[places] = np.where(inner == 0, cell, len(centroids) + inner - 1)
        centroids[cell] = parts[0]
        centroids = np.concatenate([centroids, parts[1:]])
    used, numbers = np.unique(labels, return_inverse=True)
    return centroids[used], numbers.astype(np.int32)


def _read_blocks(places: Places, vectors: Read) -> Iterator[Vectors]:
    return (vectors(places[first : first + _BLOCK]) for first in range(0, len(places), _BLOCK))


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
