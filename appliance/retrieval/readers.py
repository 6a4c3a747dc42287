"""The readers: how likely a passage answers a question, by a model that reads both.

Ours is one small ONNX file (models/reader.onnx, made by `appliance.training`): it encodes the question and
the passages and compares them token by token (late interaction); what it gives is one logit a passage.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import models
from appliance.embedding import batches, cut, open_session
from appliance.models import file_sha256
from appliance.settings import OURS, Settings
from appliance.tokens import Tokens
from appliance.vectors import MAX_TOKENS

QUESTION_TOKENS = 40
PASSAGE_TOKENS = 160  # as in training; a passage's end beyond them is not read


class LateReader:
    """The ONNX file in this process; `threads` 0 means as many as cores. Calls may come from several threads.

    Raises ModelFileError when a file is missing or is not such a model.
    """

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        self.sha256 = file_sha256(model)
        self._tokens = Tokens(tokenizer)
        self._session = open_session(model, threads)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        logits = np.zeros(len(passages), np.float32)
        asked = np.array([cut(self._tokens.ids([question])[0], QUESTION_TOKENS)], np.int64)
        ids = [cut(row, PASSAGE_TOKENS) for row in self._tokens.ids(passages)]
        for rows in batches([len(row) for row in ids]):
            block = np.zeros((len(rows), max(len(ids[row]) for row in rows)), np.int64)
            for place, row in enumerate(rows):
                block[place, : len(ids[row])] = ids[row]
            logits[rows] = self._session.run(["logits"], {"question": asked, "passages": block})[0]
        return logits


class CrossReader:
    """A cross-encoder that scores pairs (cross-encoder/ms-marco-MiniLM-L6-v2 of the catalogue), behind the
    same interface: question and passage go through the model together. Its tokenizer is the embedder's, since
    both have BERT's uncased word pieces. Raises ModelFileError."""

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        self.sha256 = file_sha256(model)
        self._tokens = Tokens(tokenizer)
        self._session = open_session(model, threads)

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        logits = np.zeros(len(passages), np.float32)
        asked = cut(self._tokens.ids([question])[0], QUESTION_TOKENS)
        ids = [cut([*asked, *row[1:]], MAX_TOKENS) for row in self._tokens.ids(passages)]
        for rows in batches([len(row) for row in ids]):
            logits[rows] = self._session.run(None, pairs([ids[row] for row in rows], len(asked)))[0][:, 0]
        return logits


def pairs(ids: Sequence[Sequence[int]], asked: int) -> dict[str, NDArray[np.int64]]:
    """The inputs of a cross-encoder: rows padded with 0, their mask, and the type of each token: 0 for the
    question's first `asked`, 1 for the passage's."""
    words = np.zeros((len(ids), max(map(len, ids))), np.int64)
    mask, types = np.zeros_like(words), np.zeros_like(words)
    for place, row in enumerate(ids):
        words[place, : len(row)] = row
        mask[place, : len(row)] = 1
        types[place, asked : len(row)] = 1
    return {"input_ids": words, "attention_mask": mask, "token_type_ids": types}


def open_reader(settings: Settings) -> "LateReader | CrossReader":
    """The reader that the settings name. Raises ModelFileError when its files are not here."""
    tokenizer = models.path(settings.home, models.EMBEDDING[1])
    if settings.reranker == OURS:
        return LateReader(models.READER, tokenizer, settings.threads)
    return CrossReader(models.path(settings.home, settings.reranker), tokenizer, settings.threads)
