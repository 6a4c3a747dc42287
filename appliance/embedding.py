"""Text -> token vectors -> one unit vector. The one door to onnxruntime.

The model is all-MiniLM-L6-v2 (sentence-transformers): 384 dimensions, mean pooling over the tokens, unit
length. What a text looks like (a title in front, for example) is for others to decide. Whoever only asks the
embedder's process imports `vectors` and never this: the package takes 20 MB.
"""

import ctypes
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as onnx

from appliance.errors import ModelFileError
from appliance.models import file_sha256
from appliance.tokens import FETCH, Tokens, check_there
from appliance.vectors import DIMENSION, MAX_TOKENS

# Rows times longest row of one batch: attention grows with it, and so does the memory of the process.
BATCH_TOKENS = 512
# What onnxruntime raises for a file that is no model, or none that it can run; they have no common root.
UNLOADABLE = (
    *(onnx.Fail, onnx.InvalidArgument, onnx.InvalidGraph, onnx.InvalidProtobuf, onnx.NoModel),
    *(onnx.NoSuchFile, onnx.NotImplemented, onnx.RuntimeException),
)


class Embedder:
    """MiniLM in onnxruntime; `threads` 0 means as many as cores. Calls may come from several threads.

    Raises ModelFileError when a file is missing or is not such a model.
    """

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        check_there(model)
        self.model = model
        self._tokens = Tokens(tokenizer)
        self._session = open_session(model, threads)

    @cached_property
    def model_sha256(self) -> str:
        """Hash of the model's file: vectors of two models must never meet."""
        return file_sha256(self.model)

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokens.count(texts)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for rows, states, mask in self._batches(texts):
            pooled = np.einsum("btd,bt->bd", states, mask.astype(np.float32))
            vectors[rows] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors

    def _batches(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
        """(row numbers, hidden states [b, t, 384], mask [b, t]), rows of like length together."""
        ids = [cut(row) for row in self._tokens.ids(texts)]
        for rows in batches([len(row) for row in ids]):
            mask = np.zeros((len(rows), max(len(ids[row]) for row in rows)), np.int64)
            words = np.zeros_like(mask)
            for place, row in enumerate(rows):
                mask[place, : len(ids[row])] = 1
                words[place, : len(ids[row])] = ids[row]
            yield rows, self._run(words, mask), mask

    def _run(self, words: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        feed = {"input_ids": words, "attention_mask": mask, "token_type_ids": np.zeros_like(words)}
        states: NDArray[np.float32] = self._session.run(None, feed)[0]
        return states


def open_session(model: Path, threads: int) -> onnxruntime.InferenceSession:
    """A session that stays small: memory is neither planned for the largest batch nor kept in an arena after
    it (which is no faster here), threads do not spin."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except UNLOADABLE as error:
        raise ModelFileError(f"The model {model.name} cannot be loaded: {error}.", FETCH) from error
    _give_back_memory()
    return session


def _give_back_memory() -> None:
    """Loading leaves 60 MB of freed heap with the process; glibc returns it only when asked."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def cut(ids: Sequence[int], longest: int = MAX_TOKENS) -> Sequence[int]:
    """At most `longest` token ids; the last one, which closes the text, stays."""
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Row numbers sorted by length, longest first, in batches of at most BATCH_TOKENS padded tokens."""
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    result: list[list[int]] = []
    room = 0
    for row in order:
        if not result or len(result[-1]) >= room:
            room = max(1, BATCH_TOKENS // max(1, lengths[row]))
            result.append([])
        result[-1].append(row)
    return result
