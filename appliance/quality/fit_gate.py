"""Fits the gate: `python -m appliance.quality.fit_gate --data ../shared/data [--sample 1500]`.

Asks the questions of the wiki set's first half (by page) of the real library, records the signals of the
gate, fits one logistic with both legs and one for the words leg alone (Newton's method, ridge 1, natural
questions and SQuAD weighted alike, answerable and not weighted alike), sets the thresholds by the false
refusals that they cost on that half, writes models/gate.toml and prints both error rates on the half that
was not used.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import settings
from appliance.embedding import Embedder
from appliance.log import say, step
from appliance.quality import figures, questions
from appliance.quality.library import open_book, open_encoder
from appliance.records import Evidence, Judgement
from appliance.retrieval.gate import SIGNALS, Gate, Stem, Weights, measure, unnamed
from appliance.retrieval.lexical import Term
from appliance.retrieval.search import Library

# The price of `answer_at` in false refusals on the tuning half, exact checks included. The words leg alone
# tells less, so it pays more: what must not rise is the number of false answers.
FALSE_REFUSALS = {"both": 0.10, "words": 0.20}
NEARLY_NOTHING = 0.02  # the same for `near_at`, below which nothing is said to be close


class Recorder(Gate):
    """A gate that judges nothing and keeps the signals of what it was last shown, and whether an exact check
    failed; None when it was shown nothing."""

    last: tuple[dict[str, float], bool] | None

    def __init__(self, model_sha256: str) -> None:
        nothing = Weights({}, 0.0, 0.5, 0.5)
        super().__init__(nothing, nothing, model_sha256)
        object.__setattr__(self, "last", None)

    def judge(
        self, question: str, terms: Sequence[Term], evidence: Sequence[Evidence], stem: Stem
    ) -> Judgement:
        shown = bool(evidence and terms)
        found = (measure(terms, evidence, stem), bool(unnamed(question, evidence))) if shown else None
        object.__setattr__(self, "last", found)
        return Judgement("nothing", 0.0)


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of signals [n, len(names)], and for each row what it is. `lost`: an exact check fails."""

    names: tuple[str, ...]
    rows: NDArray[np.float64]
    answerable: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    natural: NDArray[np.bool_]
    half: NDArray[np.int64]


def collect(
    library: Library, recorder: Recorder, asked: Sequence[questions.Question], names: tuple[str, ...]
) -> Examples:
    """Asks and records; questions for which nothing was found are left out (no signals)."""
    kept = []
    with step(f"Recording the signals of {len(asked):,} questions", len(asked), "questions") as progress:
        for question in asked:
            object.__setattr__(recorder, "last", None)
            library.search(question.text, 20)
            if recorder.last is not None:
                found, lost = recorder.last
                kept.append((question, [found[name] for name in names], lost))
            progress.advance()
    return Examples(
        names,
        np.array([row for _, row, _ in kept]),
        np.array([question.answerable for question, _, _ in kept]),
        np.array([lost for _, _, lost in kept]),
        np.array([question.group == "NQ" for question, _, _ in kept]),
        np.array([question.half for question, _, _ in kept]),
    )


def fit(examples: Examples, false_refusals: float, ridge: float = 1.0) -> Weights:
    """Weights in the signals' own units, from the examples of half 0."""
    tuned = examples.half == 0
    rows, answerable = examples.rows[tuned], examples.answerable[tuned]
    importance = _importance(answerable, examples.natural[tuned])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    x = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    penalty = ridge * np.r_[np.ones(rows.shape[1]), 0.0]
    b = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ b))
        gradient = x.T @ (importance * (p - answerable)) + penalty * b
        curvature = (x * (importance * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        b -= np.linalg.solve(curvature, gradient)
    signals = {name: float(value) for name, value in zip(examples.names, b[:-1] / spread, strict=True)}
    intercept = float(b[-1] - np.sum(b[:-1] / spread * mean))
    unset = Weights(signals, intercept, 0.5, 0.5)
    p = probabilities(unset, examples)
    at = [_threshold(p, examples, cost) for cost in (false_refusals, NEARLY_NOTHING)]
    return Weights(signals, intercept, at[0], min(at))


def probabilities(weights: Weights, examples: Examples) -> NDArray[np.float64]:
    """What the gate gives each example: 0 where an exact check fails."""
    p = [weights.probability(dict(zip(examples.names, row, strict=True))) for row in examples.rows]
    return np.where(examples.lost, 0.0, p)


def _importance(answerable: NDArray[np.bool_], natural: NDArray[np.bool_]) -> NDArray[np.float64]:
    importance = np.ones(len(answerable))
    for kind in (False, True):
        for origin in (False, True):
            cell = (answerable == kind) & (natural == origin)
            importance[cell] = len(answerable) / 4 / max(1, cell.sum())
    return importance


def _threshold(p: NDArray[np.float64], examples: Examples, cost: float) -> float:
    """The probability below which `cost` of the answerable questions lie, mean of NQ and SQuAD."""
    tuned = (examples.half == 0) & examples.answerable
    at = np.unique(p[tuned])
    rates = [
        np.mean([(p[tuned & (examples.natural == origin)] < t).mean() for origin in (False, True)])
        for t in at
    ]
    return float(at[max(0, int(np.searchsorted(rates, cost)) - 1)])


def _written(both: Weights, words: Weights, model_sha256: str, asked: int) -> str:
    """The file as text."""
    lines = [
        "# The first gate, fitted by appliance/quality/fit_gate.py; change it by fitting again.",
        f'fitted_on = "{asked:,} questions of wiki_dev (answerable and withheld), pages of half 0"',
        f'model = "all-MiniLM-L6-v2, int8"\nmodel_sha256 = "{model_sha256}"',
    ]
    for name, weights in (("both", both), ("words", words)):
        lines += [f"\n[{name}]", f"false_refusals_allowed = {FALSE_REFUSALS[name]}"]
        lines += [f"intercept = {weights.intercept:.4f}"]
        lines += [f"answer_at = {weights.answer_at:.4f}", f"near_at = {weights.near_at:.4f}"]
        lines += [f"\n[{name}.signals]", *(f"{key} = {value:.4f}" for key, value in weights.signals.items())]
    return "\n".join(lines) + "\n"


def _report(name: str, weights: Weights, examples: Examples) -> None:
    p = probabilities(weights, examples)
    for half, what in ((0, "tuned"), (1, "unseen")):
        for origin, group in ((True, "NQ"), (False, "SQuAD")):
            rows = (examples.half == half) & (examples.natural == origin)
            answerable = examples.answerable[rows]
            found = figures.errors(p[rows], answerable, weights.answer_at)
            area = figures.area(p[rows], answerable)
            say(
                f"{name:6} {what:7} {group:6} false answers {found.false_answers:.3f}, "
                f"false refusals {found.false_refusals:.3f}, AUC {area:.3f} ({rows.sum():,} questions)"
            )


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="fit_gate", description="Fits models/gate.toml.")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder of the question sets"
    )
    parser.add_argument("--sample", type=int, default=1500, help="questions of each group and kind; 0: all")
    parser.add_argument("--to", type=Path, default=Path("models/gate.toml"))
    options = parser.parse_args()
    given = settings.load()
    encoder: Embedder = open_encoder(given)
    book = open_book(given, options.data / "wiki/wiki_dev.zim")
    asked = questions.sample(questions.wiki(options.data / "wiki"), options.sample)
    fitted = []
    for name, leg, names in (("both", encoder, SIGNALS), ("words", None, SIGNALS[1:])):
        recorder = Recorder(encoder.model_sha256)
        examples = collect(Library([book], leg, recorder), recorder, asked, names)
        fitted.append(fit(examples, FALSE_REFUSALS[name]))
        _report(name, fitted[-1], examples)
    options.to.write_text(_written(fitted[0], fitted[1], encoder.model_sha256, len(asked)), "utf-8")
    say(f"Written: {options.to}")


if __name__ == "__main__":
    main()
