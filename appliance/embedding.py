"""Text -> token vectors -> one unit vector. The one door to onnxruntime.

The model is all-MiniLM-L6-v2 (sentence-transformers): 384 dimensions, mean pooling over the tokens, unit
length. What a text looks like (a title in front, for example) is for others to decide. Whoever only asks the
embedder's process imports `vectors` and never this: the package takes 20 MB.
"""

import ctypes
import os
import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as onnx

from appliance.eightbit import calculated_in_bytes
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
    """MiniLM in onnxruntime, calculated in 8 bits (`eightbit`); `threads` 0 means as many as cores. Calls may
    come from several threads.

    Each text is a run of its own, on one thread, so many beside each other: nothing is padded, and a text's
    vector depends on that text alone. Raises ModelFileError when a file is missing or is not such a model.
    """

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        check_there(model)
        self.model = model
        self._tokens = Tokens(tokenizer)
        self._session = open_session(model, 1, in_bytes=True)
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, thread_name_prefix="embed")

    @cached_property
    def model_sha256(self) -> str:
        """Hash of the model's file: vectors of two models must never meet."""
        return file_sha256(self.model)

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokens.count(texts)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        ids = [cut(row) for row in self._tokens.ids(texts)]
        longest_first = sorted(range(len(ids)), key=lambda row: -len(ids[row]))
        walk = self._pool.map if len(ids) > 1 else map
        for row, vector in zip(
            longest_first, walk(self._vector, (ids[n] for n in longest_first)), strict=True
        ):
            vectors[row] = vector
        return vectors

    def _vector(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """[384] of a text's token ids: the mean over its tokens, of unit length."""
        (states,) = self._session.run(None, feed(ids))
        mean: NDArray[np.float32] = states[0].mean(axis=0)
        unit: NDArray[np.float32] = mean / np.linalg.norm(mean)
        return unit


def feed(ids: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """What the model is given for one text."""
    words = np.array([ids], np.int64)
    return {"input_ids": words, "attention_mask": np.ones_like(words), "token_type_ids": np.zeros_like(words)}


def open_session(model: Path, threads: int, *, in_bytes: bool = False) -> onnxruntime.InferenceSession:
    """A session that stays small: memory is not planned for the largest batch, threads do not spin.
    `in_bytes`: a model with weights of 8 bits is calculated in 8 bits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    # The arena stays on: it costs 3 MB, and without it each run asks the system anew for its memory, since
    # our processes give large pieces back at once (services/run.HEAP): reading takes twice the time.
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if in_bytes and _runs_over():
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        given = calculated_in_bytes(model.read_bytes()) if in_bytes else str(model)
        session = onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    except (ValueError, *UNLOADABLE) as error:
        raise ModelFileError(f"The model {model.name} cannot be loaded: {error}.", FETCH) from error
    _give_back_memory()
    return session


def _runs_over() -> bool:
    """Whether this is an x86 processor that adds up products of bytes in 16 bits, as those before VNNI."""
    try:
        return platform.machine() == "x86_64" and "vnni" not in Path("/proc/cpuinfo").read_text()
    except OSError:
        return True


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
