"""The first gate: does the evidence answer the question? Pure.

Two things must both hold. What the question names exactly (years, numbers, proper names) must occur together
in one of the best passages, in any written form. And a calibrated logistic over a few signals, each of which
means the same in every archive, must give at least the shipped probability. The weights lie in
models/gate.toml with what they were fitted on; `appliance/quality/fit_gate.py` makes that file. Cosine alone
is not enough: at a common threshold it lets 99 of 100 unanswerable questions through.
"""

import math
import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance.errors import ModelFileError
from appliance.records import Evidence, Judgement
from appliance.retrieval.exact import missing, named
from appliance.retrieval.lexical import Term

CONSIDERED = 5  # passages that the gate reads
FIT = "python -m appliance.quality.fit_gate"
SIGNALS = ("cosine", "share", "sentence", "margin", "words")
OF_WORDS = tuple(name for name in SIGNALS if name != "cosine")
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+")

Stem = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic: probability = 1 / (1 + exp(-(intercept + sum of signal times weight)))."""

    signals: Mapping[str, float]
    intercept: float
    answer_at: float
    near_at: float

    def probability(self, signals: Mapping[str, float]) -> float:
        z = self.intercept + sum(weight * signals[name] for name, weight in self.signals.items())
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, z))))


@dataclass(frozen=True, slots=True)
class Gate:
    """Weights for both legs, and for the words leg alone (`cosine` is then not among its signals)."""

    both: Weights
    words: Weights
    model_sha256: str

    @classmethod
    def load(cls, path: Path) -> "Gate":
        """Reads models/gate.toml. Raises ModelFileError when it is missing or not such a file."""
        try:
            found = tomllib.loads(path.read_text("utf-8"))
            both, words = _weights(found["both"], SIGNALS), _weights(found["words"], OF_WORDS)
            return cls(both, words, str(found["model_sha256"]))
        except (
            OSError,
            UnicodeDecodeError,
            tomllib.TOMLDecodeError,
            KeyError,
            TypeError,
            ValueError,
        ) as error:
            raise ModelFileError(
                f"The gate's weights {path.name} cannot be read: {error!r}.",
                f"Take the file from the release, or fit it: {FIT}.",
            ) from error

    def require_model(self, model_sha256: str) -> None:
        """Raises ModelFileError when the weights were fitted on the cosines of another embedding model."""
        if model_sha256 != self.model_sha256:
            raise ModelFileError(
                f"The gate was fitted with the embedding model {self.model_sha256[:12]}…, "
                f"but the one in use is {model_sha256[:12]}….",
                f"Use the model that the catalogue names, or fit the gate again: {FIT}.",
            )

    def judge(
        self, question: str, terms: Sequence[Term], evidence: Sequence[Evidence], stem: Stem
    ) -> Judgement:
        """The verdict on evidence (best first). `terms` are the question's words with their weights in the
        searched archives; `stem` splits a text into the forms that words are compared in."""
        if not evidence or not terms:
            return Judgement("nothing", 0.0, NOTHING)
        signals = measure(terms, evidence, stem)
        weights = self.words if math.isnan(signals["cosine"]) else self.both
        probability = weights.probability(signals)
        if probability < weights.near_at:
            return Judgement("nothing", probability, NOTHING)
        lost = unnamed(question, evidence)
        if lost:
            return Judgement("near", 0.0, f"{NEAR} None of them mentions {_listed(lost)}.", tuple(lost))
        if probability < weights.answer_at:
            return Judgement("near", probability, NEAR)
        return Judgement("answer", probability)


NOTHING = "Nothing in this library answers that."
NEAR = "The library has passages that come close, but they do not answer the question."


def measure(terms: Sequence[Term], evidence: Sequence[Evidence], stem: Stem) -> dict[str, float]:
    """The signals of SIGNALS, from the first CONSIDERED passages.

    cosine: of the best of them, NaN where the dense leg was off. share: weight of the question's words in the
    passage that holds most. sentence: the same for a single sentence of the first three. margin: share of the
    first less the mean of the others. words: log of how many words there are.
    """
    considered = evidence[:CONSIDERED]
    wanted = [(stems, term.weight) for term in terms if (stems := frozenset(stem(term.word)))]
    total = sum(weight for _, weight in wanted) or 1.0

    def share(text: str) -> float:
        present = frozenset(stem(text))
        return sum(weight for stems, weight in wanted if stems <= present) / total

    shares = [share(" ".join((item.title, *item.headings, item.text))) for item in considered]
    sentences = [share(sentence) for item in considered[:3] for sentence in _SENTENCE.split(item.text)]
    cosines = [item.cosine for item in considered if item.cosine is not None]
    others = shares[1:] or [0.0]
    return {
        "cosine": max(cosines, default=math.nan),
        "share": max(shares),
        "sentence": max(sentences),
        "margin": shares[0] - float(np.mean(others)),
        "words": math.log1p(len(terms)),
    }


def unnamed(question: str, evidence: Sequence[Evidence]) -> list[str]:
    """What the question names and the passage that comes nearest does not; empty when one holds it all."""
    wanted = named(question)
    lost = [
        missing(wanted, " ".join((item.title, *item.headings, item.text))) for item in evidence[:CONSIDERED]
    ]
    return min(lost, key=len)


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _weights(table: Mapping[str, object], known: Collection[str]) -> Weights:
    """Refuses what would let every question through: a gate that is damaged must not stand open."""
    signals = {str(name): float(value) for name, value in dict(table["signals"]).items()}  # type: ignore[call-overload]
    unknown = set(signals) - set(known)
    if unknown:
        raise ValueError(f"unknown signals {', '.join(sorted(unknown))}")
    numbers = [float(str(table[key])) for key in ("intercept", "answer_at", "near_at")]
    intercept, answer_at, near_at = numbers
    if not all(map(math.isfinite, (*signals.values(), intercept))):
        raise ValueError("a weight is not a finite number")
    if not 0 < near_at <= answer_at < 1:
        raise ValueError(
            f"near_at is {near_at}, answer_at {answer_at}; expected 0 < near_at <= answer_at < 1"
        )
    return Weights(signals, intercept, answer_at, near_at)
