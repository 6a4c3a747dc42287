"""What a reader's word is used for: it ranks the candidates that the two legs found, and it is the gate's
strongest signal.

The model (`readers`) runs in the embedder's process; whoever searches holds a `Reader`, be it that one or a
client of that process, and needs no onnxruntime.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from appliance import models
from appliance.errors import ServiceDown
from appliance.records import Evidence, Told
from appliance.retrieval import opposites
from appliance.retrieval.sentences import sentences
from appliance.retrieval.signals import CONSIDERED
from appliance.settings import OURS, Settings

# Passages that are read for a question, by board profile: a Raspberry Pi 4 has no dot-product instructions.
DEPTH = {"desktop": 24, "pi5": 20, "pi4": 10}
CLOSELY = CONSIDERED  # of the best of them, that are read again sentence by sentence
SHORTEST = 15  # letters of a sentence that can answer
SHORT = 3.0  # logits that a sentence loses which has "the second largest" for the largest; 3 is 20 to 1


Read = Callable[[str, Sequence[str]], Sequence[float]]
"""A question and texts to one logit a text, none while the reader is down."""


class Reader(Protocol):
    """Anything that says how well passages answer a question."""

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """[n] logits in the order of the passages, above 0 for one that more likely answers than not."""


def reader_sha256(settings: Settings) -> str:
    """Hash of the reader that the settings name, without loading it."""
    if settings.reranker == OURS:
        return models.file_sha256(models.READER)
    return models.catalogue().find(settings.reranker).sha256


def logits(reader: Reader, question: str, passages: Sequence[str]) -> list[float]:
    """One for each passage; none while the reader is down."""
    try:
        return [float(logit) for logit in reader.read(question, passages)]
    except ServiceDown:
        return []


def reading(title: str, headings: Sequence[str], text: str) -> str:
    """A passage as the reader reads it: where it stands, then what it says."""
    return f"{' - '.join((title, *headings))}: {text}"


def read_all(reader: Reader, question: str, evidence: Sequence[Evidence], depth: int) -> list[Evidence]:
    """The evidence, the first `depth` of it with their logits in `read`."""
    considered = evidence[:depth]
    logits = reader.read(question, [reading(e.title, e.headings, e.text) for e in considered])
    read = [replace(item, read=float(logit)) for item, logit in zip(considered, logits, strict=True)]
    return [*read, *evidence[depth:]]


def read_closely(
    reader: Reader, question: str, evidence: Sequence[Evidence], first: int = CLOSELY
) -> list[Evidence]:
    """The evidence, the first `first` of it with their sentences in `told`. A sentence is read with its
    title and without the others, so that one which answers is not lost in a long passage. The reader knows
    no degrees: what falls short of a superlative is held to it here."""
    parts = [
        [text for one in sentences(item.text) if len(text := one.strip()) >= SHORTEST]
        for item in evidence[:first]
    ]
    texts = [f"{item.title}: {one}" for item, part in zip(evidence, parts, strict=False) for one in part]
    found = iter(reader.read(question, texts) if texts else ())
    told = (tuple(Told(one, _held(question, one, float(next(found)))) for one in part) for part in parts)
    return [*map(_with, evidence, told), *evidence[first:]]


def _held(question: str, sentence: str, logit: float) -> float:
    return logit - SHORT if opposites.falls_short(question, sentence) else logit


def _with(item: Evidence, told: tuple[Told, ...]) -> Evidence:
    return replace(item, told=told)
