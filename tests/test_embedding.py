"""Vectors: what may be stored, how texts are batched, and the real model."""

import numpy as np
import pytest

from appliance.embedding import BATCH_TOKENS, Embedder, batches, cut
from appliance.errors import ModelFileError, VectorError
from appliance.vectors import DIMENSION, MAX_TOKENS, SCALE, HashEncoder, quantise


def clustered(count, seed=0):
    """Unit vectors around 50 centres that vary in 24 directions, as real ones vary in far fewer than 384."""
    random, fixed = np.random.default_rng(seed), np.random.default_rng(99)
    centres, directions = fixed.standard_normal((50, DIMENSION)), fixed.standard_normal((24, DIMENSION))
    made = centres[random.integers(0, 50, count)] + 0.3 * random.standard_normal((count, 24)) @ directions
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [(np.zeros(DIMENSION), "row 1 is zero"), (np.full(DIMENSION, np.nan), "row 1 is not finite")],
)
def test_a_vector_that_no_text_has_is_refused_by_its_row(bad, sentence):
    vectors = np.vstack([np.ones(DIMENSION), bad]).astype(np.float32)
    with pytest.raises(VectorError, match=sentence):
        quantise(vectors)


@pytest.mark.parametrize("vectors", [np.ones(DIMENSION), np.ones((2, 3)), np.ones((2, DIMENSION), np.int8)])
def test_another_shape_or_type_is_refused(vectors):
    with pytest.raises(VectorError, match="expected"):
        quantise(vectors)


def test_an_unnormalised_vector_is_brought_to_unit_length():
    vector = np.resize([0.5, 1.5, -2.0], DIMENSION).astype(np.float32)
    assert (quantise(vector[None]) == quantise(40 * vector[None])).all()
    stored = quantise(vector[None])[0].astype(float)
    assert np.abs(stored).max() == np.rint(SCALE * 2 / np.linalg.norm(vector))
    assert stored @ vector / np.linalg.norm(stored) / np.linalg.norm(vector) > 0.999


def test_int8_finds_what_floats_find():
    vectors, questions = clustered(4000), clustered(50, seed=1)
    exact = np.argsort(-(questions @ vectors.T), axis=1)[:, :20]
    asked, stored = quantise(7 * questions).astype(np.float32), quantise(3 * vectors).astype(np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    found = np.argsort(-(asked @ stored.T), axis=1)[:, :20]
    recall = np.mean([len(set(a) & set(b)) / 20 for a, b in zip(exact, found, strict=True)])
    assert recall >= 0.95


def test_batches_hold_every_row_once_sorted_and_bounded():
    lengths = [int(n) for n in np.random.default_rng(0).integers(2, MAX_TOKENS + 1, 500)]
    made = batches(lengths)
    assert sorted(row for batch in made for row in batch) == list(range(500))
    assert [lengths[batch[0]] for batch in made] == sorted((lengths[b[0]] for b in made), reverse=True)
    assert all(len(batch) * max(lengths[row] for row in batch) <= BATCH_TOKENS for batch in made)
    assert batches([]) == []


def test_a_batch_given_by_itself_stays_one_batch():
    """The workers get batches as texts and sort them again: that must not cut them in another place."""
    lengths = [int(n) for n in np.random.default_rng(0).integers(2, MAX_TOKENS + 1, 500)]
    assert all(len(batches([lengths[row] for row in batch])) == 1 for batch in batches(lengths))


def test_a_long_text_is_cut_and_closed():
    assert cut(list(range(1000))) == [*range(MAX_TOKENS - 1), 999]
    assert cut([1, 2]) == [1, 2]


def test_the_stand_in_puts_shared_words_near():
    text, near, far = HashEncoder().encode(["lime plaster", "wet lime plaster", "the orbit of Mars"])
    assert text @ near > 0.5 > abs(text @ far)


def test_a_missing_model_is_named(tmp_path):
    with pytest.raises(ModelFileError, match=r"none\.onnx is missing"):
        Embedder(tmp_path / "none.onnx", tmp_path / "none.json")


def test_a_file_that_is_no_model_is_named(tmp_path):
    for name in ("broken.onnx", "broken.json"):
        (tmp_path / name).write_bytes(b"not a model")
    with pytest.raises(ModelFileError, match=r"broken\.json cannot be loaded"):
        Embedder(tmp_path / "broken.onnx", tmp_path / "broken.json")


@pytest.fixture(scope="module")
def model(home):
    return Embedder(home / "models/minilm-l6-v2-int8.onnx", home / "models/minilm-l6-v2-tokenizer.json")


@pytest.mark.models
class TestMiniLM:
    def test_order_and_company_of_texts_do_not_matter(self, model):
        texts = ["Tetanus is caused by a toxin. " * n for n in (1, 9, 3, 20, 2)] + ["How is lime made?"]
        together = model.encode(texts)
        alone = np.vstack([model.encode([text]) for text in texts])
        assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
        assert (np.sum(together * alone, axis=1) > 0.99).all()

    def test_meaning_is_near(self, model):
        question, answer, other = model.encode(
            ["what causes lockjaw", "Tetanus, or lockjaw, is caused by a toxin.", "Mars orbits the Sun."]
        )
        assert question @ answer > 0.6 > 0.2 > question @ other

    def test_a_long_text_is_counted_whole_and_embedded_cut(self, model):
        text = "plaster " * 1000
        assert model.count([text])[0] >= 1000
        assert model.encode([text]).shape == (1, DIMENSION)

    def test_nothing_gives_nothing(self, model):
        assert model.encode([]).shape == (0, DIMENSION)
        assert np.isfinite(model.encode([""])).all()


@pytest.mark.models
def test_a_text_has_one_vector_whatever_stands_beside_it(model):
    """Own documents are embedded as they come, and made again in another order with the same results."""
    texts = ["Tetanus is caused by a toxin. " * n for n in (1, 9, 3, 20, 2)]
    texts += ["short", "The well was dug in 1911.", "clc; clear; close all;", "A longer one. " * 40, "é 東京"]
    together = quantise(model.encode(texts))
    alone = quantise(np.vstack([model.encode([text]) for text in texts]))
    assert (together == alone).all()
