"""The gate: does the evidence answer the question? Pure.

Two things must both hold. What the question names exactly (years, numbers, proper names) must occur together
in one of the best passages, in any written form, and a deed that it asks for must be told by one of these
(`deeds`). And a calibrated logistic over a few signals, each of which
means the same in every archive, must give at least the probability of the chosen setting. Its strongest
signal is what the reader (`retrieval.rerank`) says of the passages. The weights lie in models/gate.toml with
the hashes of the models that they were fitted with; `appliance/quality/fit_gate.py` makes that file. Cosine
alone is not enough: at a common threshold it lets 99 of 100 unanswerable questions through.
"""

import math
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from appliance.errors import ModelFileError
from appliance.records import Evidence, Judgement
from appliance.retrieval.lexical import Term
from appliance.retrieval.signals import (
    OF_PASSAGE,
    OF_SENTENCES,
    OF_WORDS,
    SIGNALS,
    Stem,
    measure,
    of_passage,
    of_sentences,
    parted,
)
from appliance.settings import Strictness

FIT = "python -m appliance.quality.fit_gate"
LEVELS: tuple[Strictness, ...] = get_args(Strictness)


@dataclass(frozen=True, slots=True)
class Logistic:
    """probability = 1 / (1 + exp(-(intercept + sum of signal times weight)))."""

    signals: Mapping[str, float]
    intercept: float

    def probability(self, signals: Mapping[str, float]) -> float:
        z = self.intercept + sum(weight * signals[name] for name, weight in self.signals.items())
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, z))))


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a question: `answer_at` for each setting, and `near_at`, below which nothing is said to be close."""

    logistic: Logistic
    answer_at: Mapping[Strictness, float]
    near_at: float


@dataclass(frozen=True, slots=True)
class Rate:
    """What a setting costs, measured on pages that nothing was trained or fitted on."""

    level: Strictness
    group: str
    false_answers: float
    false_refusals: float


@dataclass(frozen=True, slots=True)
class Gate:
    """`passage` weighs one passage, `closely` one whose sentences were read too; `both` a question with all
    signals, `words` one for which neither vectors nor the reader could be had."""

    passage: Logistic
    closely: Logistic
    both: Weights
    words: Weights
    model_sha256: str
    reader_sha256: str
    level: Strictness = "balanced"
    rates: tuple[Rate, ...] = ()

    @classmethod
    def load(cls, path: Path, level: Strictness = "balanced") -> "Gate":
        """Reads models/gate.toml. Raises ModelFileError when it is missing or not such a file."""
        try:
            found = tomllib.loads(path.read_text("utf-8"))
            return cls(
                _logistic(found["passage"], OF_PASSAGE),
                _logistic(found["closely"], OF_SENTENCES),
                _weights(found["both"], SIGNALS),
                _weights(found["words"], OF_WORDS),
                str(found["model_sha256"]),
                str(found["reader_sha256"]),
                level,
                tuple(Rate(**row) for row in found["rates"]),
            )
        except (OSError, KeyError, TypeError, ValueError) as error:  # bad TOML and bad UTF-8 are ValueErrors
            raise ModelFileError(
                f"The gate's weights {path.name} cannot be read: {error!r}.",
                f"Take the file from the release, or fit it: {FIT}.",
            ) from error

    def require_models(self, model_sha256: str, reader_sha256: str) -> None:
        """Raises ModelFileError when the weights were fitted on the scores of other models."""
        for what, fitted, used in (
            ("embedding model", self.model_sha256, model_sha256),
            ("reader", self.reader_sha256, reader_sha256),
        ):
            if used != fitted:
                raise ModelFileError(
                    f"The gate was fitted with the {what} {fitted[:12]}…, "
                    f"but the one in use is {used[:12]}….",
                    f"Use the models of the release, or fit the gate again: {FIT}.",
                )

    def ranked(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """What was read by its sentences, best first, with the probability that it answers as its score;
        below it what was read as a whole, then the rest."""
        closely = [item for item in evidence if item.told]
        read = [item for item in evidence if not item.told and item.read is not None]
        rest = [item for item in evidence if not item.told and item.read is None]
        first = _scored(closely, self.closely, of_sentences)
        second = _below(first, _scored(read, self.passage, of_passage))
        return [*first, *second, *_below([*first, *second], rest)]

    def judge(
        self, question: str, terms: Sequence[Term], evidence: Sequence[Evidence], stem: Stem
    ) -> Judgement:
        """The verdict on evidence (best first). `terms` are the question's words with their weights in the
        searched archives; `stem` splits a text into the forms that words are compared in."""
        if not evidence or not terms:
            return Judgement("nothing", 0.0, NOTHING)
        fitting, lost = parted(question, evidence)
        signals = measure(question, terms, evidence, fitting, stem)
        weights = self.both if "best" in signals else self.words
        probability = weights.logistic.probability(signals)
        if probability < weights.near_at:
            return Judgement("nothing", probability, NOTHING)
        if lost:
            return lacks(lost)
        if probability < weights.answer_at[self.level]:
            return Judgement("near", probability, NEAR)
        return Judgement("answer", probability)


NOTHING = "Nothing in this library answers that."
NEAR = "The library has passages that come close, but they do not answer the question."


def lacks(names: Sequence[str]) -> Judgement:
    """The word on passages that come close, none of which has these."""
    return Judgement("near", 0.0, f"{NEAR} None of them mentions {_listed(names)}.", tuple(names))


def _scored(
    items: Sequence[Evidence], logistic: Logistic, signals: Callable[[Evidence], dict[str, float]]
) -> list[Evidence]:
    scored = [replace(item, score=logistic.probability(signals(item))) for item in items]
    return sorted(scored, key=lambda item: -item.score)


def _below(best: Sequence[Evidence], items: Sequence[Evidence]) -> list[Evidence]:
    lowest = min((item.score for item in best), default=1.0)
    return [replace(item, score=lowest * item.score) for item in items]


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _logistic(table: Mapping[str, object], known: Collection[str]) -> Logistic:
    """Refuses what would let every question through: a gate that is damaged must not stand open."""
    signals = {str(name): float(value) for name, value in dict(table["signals"]).items()}  # type: ignore[call-overload]
    if set(signals) != set(known):
        raise ValueError(f"signals {', '.join(sorted(signals))}; expected {', '.join(sorted(known))}")
    intercept = float(str(table["intercept"]))
    if not all(map(math.isfinite, (*signals.values(), intercept))):
        raise ValueError("a weight is not a finite number")
    return Logistic(signals, intercept)


def _weights(table: Mapping[str, object], known: Collection[str]) -> Weights:
    given = dict(table["answer_at"])  # type: ignore[call-overload]
    answer_at = {level: float(given[level]) for level in LEVELS}
    near_at = float(str(table["near_at"]))
    strict, balanced, wide = (answer_at[level] for level in LEVELS)
    if not 0 < near_at <= wide <= balanced <= strict < 1:
        raise ValueError(
            f"near_at is {near_at}, answer_at {answer_at}; "
            "expected 0 < near_at <= open <= balanced <= strict < 1"
        )
    return Weights(_logistic(table, known), answer_at, near_at)
