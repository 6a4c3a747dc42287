"""What vectors are here, without any model: 384 numbers of unit length, in files as int8.

An `Encoder` turns texts into such vectors (`embedding` with the model, `services.embedder` by asking the
process that has it). `quantise` gives the form that the index file holds.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from appliance.errors import VectorError

MAX_TOKENS = 256
DIMENSION = 384
SCALE = 127


class Encoder(Protocol):
    """Anything that turns texts into unit vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[n, 384] unit rows in the order of `texts`; a text over MAX_TOKENS is cut there."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has, with the special ones, uncut."""


def quantise(vectors: NDArray[Any]) -> NDArray[np.int8]:
    """[n, 384] floats -> int8: each row brought to unit length, times SCALE, rounded.

    Raises VectorError, naming the row, for a zero row, one that is not finite, or another shape or type.
    """
    if vectors.ndim != 2 or vectors.shape[1] != DIMENSION:
        raise VectorError(f"Vectors of shape {list(vectors.shape)}: expected [n, {DIMENSION}].")
    if not np.issubdtype(vectors.dtype, np.floating):
        raise VectorError(f"Vectors of type {vectors.dtype}: expected floats, they are quantised here.")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths < 1e-12))
    if bad.size:
        row = int(bad[0])
        what = "is zero" if np.isfinite(lengths[row]) else "is not finite"
        raise VectorError(f"The vector in row {row} {what}: no text has such a vector.")
    quantised: NDArray[np.int8] = np.rint(vectors / lengths[:, None] * SCALE).astype(np.int8)
    return quantised


class HashEncoder:
    """A deterministic stand-in for tests and for nothing else: texts that share words lie near each other."""

    model_sha256 = hashlib.sha256(b"HashEncoder").hexdigest()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            words = re.findall(r"\w+", text.lower())[: MAX_TOKENS - 2] or [""]
            vectors[row] = np.sum([_word_vector(word) for word in words], axis=0)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def count(self, texts: Sequence[str]) -> list[int]:
        return [2 + len(re.findall(r"\w+", text)) for text in texts]


@lru_cache(maxsize=20_000)
def _word_vector(word: str) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
