"""The gate: does the evidence answer the question? Pure.

Two things must both hold. What the question names exactly (years, numbers, proper names) must occur together
in one of the best passages, in any written form. And a calibrated logistic over a few signals, each of which
means the same in every archive, must give at least the probability of the chosen setting. Its strongest
signal is what the reader (`retrieval.rerank`) says of the passages. The weights lie in models/gate.toml with
the hashes of the models that they were fitted with; `appliance/quality/fit_gate.py` makes that file. Cosine
alone is not enough: at a common threshold it lets 99 of 100 unanswerable questions through.
"""

import math
import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np

from appliance.errors import ModelFileError
from appliance.records import Evidence, Judgement
from appliance.retrieval import answertype, opposites
from appliance.retrieval.exact import missing, named
from appliance.retrieval.lexical import Term
from appliance.retrieval.words import fold, words
from appliance.settings import Strictness

CONSIDERED = 5  # passages that the gate looks at
FIT = "python -m appliance.quality.fit_gate"
OF_PASSAGE = ("read", "cosine", "share")
OF_WORDS = ("share", "sentence", "margin", "words", "kind", "side", "unsaid")
SIGNALS = ("best", "lead", "cosine", *OF_WORDS)
LEVELS: tuple[Strictness, ...] = get_args(Strictness)
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+")

Stem = Callable[[str], Sequence[str]]


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
    """`passage` weighs one passage, `both` a question with all signals, `words` one for which neither vectors
    nor the reader could be had."""

    passage: Logistic
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
        """What was read, best first, with the probability that it answers as its score; the rest below it."""
        read = [item for item in evidence if item.read is not None]
        scored = [replace(item, score=self.passage.probability(of_passage(item))) for item in read]
        lowest = min((item.score for item in scored), default=1.0)
        rest = [replace(item, score=lowest * item.score) for item in evidence if item.read is None]
        return [*sorted(scored, key=lambda item: -item.score), *rest]

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
            return Judgement("near", 0.0, f"{NEAR} None of them mentions {_listed(lost)}.", tuple(lost))
        if probability < weights.answer_at[self.level]:
            return Judgement("near", probability, NEAR)
        return Judgement("answer", probability)


NOTHING = "Nothing in this library answers that."
NEAR = "The library has passages that come close, but they do not answer the question."


def of_passage(item: Evidence) -> dict[str, float]:
    """The signals of OF_PASSAGE."""
    return {"read": item.read or 0.0, "cosine": item.cosine or 0.0, "share": item.lexical}


def measure(
    question: str,
    terms: Sequence[Term],
    evidence: Sequence[Evidence],
    fitting: Sequence[Evidence],
    stem: Stem,
) -> dict[str, float]:
    """The signals of SIGNALS, from the first CONSIDERED passages; of OF_WORDS where none was read.

    Only passages that hold all that the question names count (`fitting`, see `parted`), so that one which
    holds the name cannot vouch for another that holds the rest; `evidence` is what they are compared with.
    best: the first passage's score, as a logit. lead: that less the mean of the others'. cosine: the best of
    them. share: weight of the question's words in the passage that holds most. sentence: the same for a
    single sentence of the first three. margin: share of the first less the mean of the others. words: log of
    how many words there are. kind: the sentence that holds most, or its neighbour, has what the question asks
    for (a name, a date, a number; .5: no telling). side: it does not say the opposite of what is asked
    (largest and smallest; .5: silent). unsaid: the first lacks a name that the question writes small and the
    evidence with a capital.
    """
    considered = fitting or evidence[:CONSIDERED]
    others = [item for item in evidence[:CONSIDERED] if item is not considered[0]]
    wanted = [(stems, term.weight) for term in terms if (stems := frozenset(stem(term.word)))]
    total = sum(weight for _, weight in wanted) or 1.0

    def share(text: str) -> float:
        present = frozenset(stem(text))
        return sum(weight for stems, weight in wanted if stems <= present) / total

    shares = [share(whole(item)) for item in considered]
    best = [_best_sentence(item, share) for item in considered[:3]]
    held, around = max(best)
    said = frozenset(map(fold, words(question)))
    signals = {
        "share": max(shares),
        "sentence": held,
        "margin": shares[0] - float(np.mean([share(whole(item)) for item in others] or [0.0])),
        "words": math.log1p(len(terms)),
        "kind": answertype.given(answertype.expected(question), said, around),
        "side": opposites.met(opposites.asked(question), f"{considered[0].title} {around}"),
        "unsaid": float(_unsaid(question, terms, evidence[:CONSIDERED], considered[0])),
    }
    if considered[0].read is not None:
        signals["best"] = _logit(considered[0].score)
        signals["lead"] = signals["best"] - float(np.mean([_logit(item.score) for item in others] or [-6.0]))
        signals["cosine"] = max(item.cosine or 0.0 for item in considered)
    return signals


def _best_sentence(item: Evidence, share: Callable[[str], float]) -> tuple[float, str]:
    """How much of the question the best sentence holds, and it with its neighbours."""
    sentences = _SENTENCE.split(item.text)
    held = [share(sentence) for sentence in sentences]
    place = held.index(max(held))
    return held[place], " ".join(sentences[max(0, place - 1) : place + 2])


def _logit(probability: float) -> float:
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


def parted(question: str, evidence: Sequence[Evidence]) -> tuple[list[Evidence], list[str]]:
    """Those of the first CONSIDERED passages that hold all that the question names; and where there are none,
    what the one that comes nearest lacks."""
    wanted = named(question)
    lost = [missing(wanted, whole(item)) for item in evidence[:CONSIDERED]]
    fitting = [item for item, lacking in zip(evidence, lost, strict=False) if not lacking]
    return fitting, [] if fitting else min(lost, key=len)


def whole(item: Evidence) -> str:
    """A passage with where it stands, as its words are compared."""
    return " ".join((item.title, *item.headings, item.text))


def _unsaid(question: str, terms: Sequence[Term], evidence: Sequence[Evidence], first: Evidence) -> bool:
    wanted = named(question, terms, map(whole, evidence))
    return bool(missing(wanted, whole(first)))


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
