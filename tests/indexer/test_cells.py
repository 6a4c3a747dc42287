"""Cells: every vector in its nearest one, none too large, and the nearest cells hold the nearest vectors."""

import numpy as np
import pytest

from appliance.indexer.cells import LARGEST, divide
from appliance.vectors import DIMENSION, quantise


def themes(count, seed=0):
    """Unit vectors on 40 themes of very different size, as int8."""
    random, fixed = np.random.default_rng(seed), np.random.default_rng(99)
    centres, directions = fixed.standard_normal((40, DIMENSION)), fixed.standard_normal((12, DIMENSION))
    theme = np.minimum(random.zipf(1.3, count) - 1, 39)
    return quantise(centres[theme] + 0.4 * random.standard_normal((count, 12)) @ directions)


def divided(vectors, rows_per_cell):
    blocks = [vectors[first : first + 500] for first in range(0, len(vectors), 500)]
    return divide(len(vectors), lambda places: vectors[places], lambda: iter(blocks), rows_per_cell)


@pytest.mark.parametrize("rows", [64, 3])  # 31 cells trained at once; 667 cells trained group by group
def test_every_vector_has_a_cell_and_none_is_too_large(rows):
    vectors = themes(2000)
    centroids, labels = divided(vectors, rows)
    sizes = np.bincount(labels, minlength=len(centroids))
    assert labels.shape == (2000,)
    assert sizes.min() > 0
    assert sizes.max() <= 2 * LARGEST * rows
    assert 0.4 * 2000 / rows <= len(centroids) <= 2 * 2000 / rows
    assert np.allclose(np.linalg.norm(centroids, axis=1), 1, atol=1e-4)


@pytest.mark.parametrize("rows", [32, 3])
def test_the_nearest_cells_hold_the_nearest_vectors(rows):
    vectors, questions = themes(2000), themes(100, seed=1).astype(np.float32)
    centroids, labels = divided(vectors, rows)
    exact = np.argsort(-(questions @ vectors.astype(np.float32).T), axis=1)[:, :20]
    cells = np.argsort(-(questions @ centroids.T), axis=1)[:, : len(centroids) // 3]
    found = [np.isin(labels[row], near).mean() for row, near in zip(exact, cells, strict=True)]
    # Trained with one thread and a fixed seed: .971 and .997; eight other seeds give .962 to .999.
    assert np.mean(found) >= 0.95


def test_the_same_vectors_give_the_same_cells():
    first, second = divided(themes(500), 32), divided(themes(500), 32)
    assert (first[1] == second[1]).all()


@pytest.mark.parametrize("count", [1, 2, 63])
def test_few_vectors_are_one_cell(count):
    centroids, labels = divided(themes(count), 64)
    assert len(centroids) == 1
    assert labels.tolist() == [0] * count


def test_equal_vectors_cannot_be_told_apart_and_do_no_harm():
    vectors = np.repeat(themes(1), 1000, axis=0)
    centroids, labels = divided(vectors, 64)
    assert labels.max() < len(centroids)
    assert len(labels) == 1000
