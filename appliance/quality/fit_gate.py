"""Fits the gate: `python -m appliance.quality.fit_gate --data ../shared/data [--sample 500]`.

Asks the questions of the wiki set's second half (pages that the reader never saw) of the real library with
the real reader, and keeps what came back. Then three logistics are fitted (Newton's method, ridge 1, natural
questions and SQuAD weighted alike, answerable and not weighted alike): of a passage, which ranks; of a
question with all signals; of a question for which only words could be compared. Thresholds are set by the
false refusals that they cost. Everything that is printed and written as a rate is out of fold: the pages are
parted into folds, and each fold is judged by weights fitted on the others. What is shipped is fitted on all
of them.
"""

import argparse
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import settings, wiring
from appliance.log import say, step
from appliance.quality import figures, questions
from appliance.quality.library import open_book, open_encoder
from appliance.quality.measure import Gold, Place, holds_answer
from appliance.records import Evidence, Judgement
from appliance.retrieval.gate import (
    LEVELS,
    OF_PASSAGE,
    OF_WORDS,
    SIGNALS,
    Gate,
    Logistic,
    Rate,
    Stem,
    Weights,
    measure,
    of_passage,
    parted,
)
from appliance.retrieval.lexical import Term
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Library
from appliance.settings import Strictness
from appliance.sqlite import stems

# The price of each setting in false refusals, exact checks included. Words alone tell less, so they pay more:
# what must not rise is the number of false answers.
FALSE_REFUSALS: dict[str, dict[Strictness, float]] = {
    "both": {"strict": 0.20, "balanced": 0.10, "open": 0.05},
    "words": {"strict": 0.30, "balanced": 0.20, "open": 0.10},
}
NEARLY_NOTHING = 0.01  # the same for `near_at`, below which nothing is said to be close
NOTHING = Logistic({}, 0.0)
UNSET = Weights(NOTHING, dict.fromkeys(LEVELS, 0.5), 0.5)


class Recorder(Gate):
    """A gate that ranks and judges nothing and keeps what it was last shown."""

    last: tuple[str, Sequence[Term], Sequence[Evidence]] | None

    def __init__(self) -> None:
        super().__init__(NOTHING, UNSET, UNSET, "", "")
        object.__setattr__(self, "last", None)

    def ranked(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        return list(evidence)

    def judge(
        self,
        question: str,
        terms: Sequence[Term],
        evidence: Sequence[Evidence],
        stem: Stem,  # noqa: ARG002
    ) -> Judgement:
        object.__setattr__(self, "last", (question, terms, evidence))
        return Judgement("nothing", 0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what the library found; `right`: for each passage whether it answers."""

    question: questions.Question
    text: str
    terms: tuple[Term, ...]
    evidence: tuple[Evidence, ...]
    right: tuple[bool, ...]


def collect(
    library: Library, recorder: Recorder, asked: Sequence[questions.Question], gold: Gold
) -> list[Asked]:
    """Asks; questions for which nothing was found are left out."""
    kept = []
    with step(f"Asking {len(asked):,} questions", len(asked), "questions") as progress:
        for question in asked:
            object.__setattr__(recorder, "last", None)
            library.search(question.text, 30)
            if recorder.last is not None and recorder.last[1] and recorder.last[2]:
                text, terms, evidence = recorder.last
                right = tuple(_right(question, item, gold) for item in evidence)
                kept.append(Asked(question, text, tuple(terms), tuple(evidence), right))
            progress.advance()
    return kept


def _right(question: questions.Question, item: Evidence, gold: Gold) -> bool:
    if not question.answerable:
        return False
    place = Place(item.path, item.start, item.start + len(item.text))
    return gold.rank(question, [place]) is not None or holds_answer(item.text, question.answers)


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of signals [n, len(names)], and for each row its label, group (natural or not) and fold; `lost`:
    an exact check fails, so that no weight can help."""

    names: tuple[str, ...]
    rows: NDArray[np.float64]
    label: NDArray[np.bool_]
    natural: NDArray[np.bool_]
    fold: NDArray[np.int64]
    lost: NDArray[np.bool_]

    def at(self, rows: NDArray[np.bool_]) -> "Examples":
        return Examples(
            self.names,
            self.rows[rows],
            self.label[rows],
            self.natural[rows],
            self.fold[rows],
            self.lost[rows],
        )


def of_passages(asked: Sequence[Asked]) -> Examples:
    """Every passage that was read, of answerable questions with a right one, and of those without answer."""
    found = [
        ([of_passage(item)[name] for name in OF_PASSAGE], right, one.question)
        for one in asked
        if any(one.right) or not one.question.answerable
        for item, right in zip(one.evidence, one.right, strict=True)
        if item.read is not None
    ]
    return Examples(
        OF_PASSAGE,
        np.array([row for row, _, _ in found]),
        np.array([right for _, right, _ in found]),
        np.array([question.group == "NQ" for _, _, question in found]),
        np.array([question.fold for _, _, question in found]),
        np.zeros(len(found), bool),
    )


def of_questions(asked: Sequence[Asked], names: tuple[str, ...], gate: Gate) -> Examples:
    """The signals of each question, its passages ranked by the gate."""
    rows, lost = [], []
    for one in asked:
        evidence = gate.ranked(one.evidence) if "best" in names else list(one.evidence)
        fitting, lacking = parted(one.text, evidence)
        signals = measure(one.text, one.terms, evidence, fitting, stems)
        rows.append([signals[name] for name in names])
        lost.append(bool(lacking))
    return Examples(
        names,
        np.array(rows),
        np.array([one.question.answerable for one in asked]),
        np.array([one.question.group == "NQ" for one in asked]),
        np.array([one.question.fold for one in asked]),
        np.array(lost),
    )


def fit(examples: Examples, ridge: float = 1.0) -> Logistic:
    """Weights in the signals' own units."""
    importance = _importance(examples)
    mean, spread = examples.rows.mean(axis=0), examples.rows.std(axis=0) + 1e-9
    x = np.c_[(examples.rows - mean) / spread, np.ones(len(examples.rows))]
    penalty = ridge * np.r_[np.ones(examples.rows.shape[1]), 0.0]
    b = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -50, 50)))
        gradient = x.T @ (importance * (p - examples.label)) + penalty * b
        curvature = (x * (importance * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        b -= np.linalg.solve(curvature, gradient)
    signals = {name: float(value) for name, value in zip(examples.names, b[:-1] / spread, strict=True)}
    return Logistic(signals, float(b[-1] - np.sum(b[:-1] / spread * mean)))


def _importance(examples: Examples) -> NDArray[np.float64]:
    importance = np.ones(len(examples.label))
    for label in (False, True):
        for natural in (False, True):
            cell = (examples.label == label) & (examples.natural == natural)
            importance[cell] = len(examples.label) / 4 / max(1, cell.sum())
    return importance


def probabilities(logistic: Logistic, examples: Examples) -> NDArray[np.float64]:
    """What each example gets: 0 where an exact check fails."""
    p = [logistic.probability(dict(zip(examples.names, row, strict=True))) for row in examples.rows]
    return np.where(examples.lost, 0.0, p)


def out_of_fold(asked: Sequence[Asked], names: tuple[str, ...]) -> tuple[NDArray[np.float64], Examples]:
    """(probabilities, examples) of the questions, each fold by weights of the others."""
    p, examples = np.zeros(len(asked)), None
    folds = np.array([one.question.fold for one in asked])
    for fold in range(questions.FOLDS):
        others = [one for one in asked if one.question.fold != fold]
        gate = Gate(fit(of_passages(others)), UNSET, UNSET, "", "")
        examples = of_questions(asked, names, gate)
        p[folds == fold] = probabilities(fit(examples.at(folds != fold)), examples)[folds == fold]
    if examples is None:
        raise ValueError("no folds")
    return p, examples


def threshold(p: NDArray[np.float64], examples: Examples, cost: float) -> float:
    """The probability below which `cost` of the answerable questions lie, mean of NQ and SQuAD."""
    at = np.unique(p[examples.label])
    rates = [
        np.mean([(p[examples.label & (examples.natural == origin)] < t).mean() for origin in (False, True)])
        for t in at
    ]
    found = float(at[max(0, int(np.searchsorted(rates, cost)) - 1)])
    return min(max(found, 1e-4), 1 - 1e-4)


def rates(p: NDArray[np.float64], examples: Examples, answer_at: dict[Strictness, float]) -> list[Rate]:
    """Both error rates of each setting and group."""
    found = []
    for level in LEVELS:
        for natural, group in ((True, "NQ"), (False, "SQuAD")):
            rows = examples.natural == natural
            errors = figures.errors(p[rows], examples.label[rows], answer_at[level])
            found.append(Rate(level, group, round(errors.false_answers, 3), round(errors.false_refusals, 3)))
    return found


def fitted(
    asked: Sequence[Asked], names: tuple[str, ...], costs: dict[Strictness, float]
) -> tuple[Logistic, Weights, list[Rate]]:
    """The logistic of a passage, the weights of a question, and their rates out of fold."""
    p, examples = out_of_fold(asked, names)
    answer_at = {level: round(threshold(p, examples, cost), 4) for level, cost in costs.items()}
    near_at = round(min(threshold(p, examples, NEARLY_NOTHING), *answer_at.values()), 4)
    for natural, group in ((True, "NQ"), (False, "SQuAD")):
        rows = examples.natural == natural
        area = figures.area(p[rows], examples.label[rows])
        errors = figures.errors(p[rows], examples.label[rows], answer_at["balanced"])
        lost = examples.lost[rows & examples.label].mean() if (rows & examples.label).any() else 0.0
        say(
            f"{len(names)} signals, {group:6} AUC {area:.3f}, balanced: false answers "
            f"{errors.false_answers:.3f}, false refusals {errors.false_refusals:.3f} "
            f"({lost:.3f} by exact checks), {rows.sum():,} questions"
        )
    passage = fit(of_passages(asked))
    question = fit(of_questions(asked, names, Gate(passage, UNSET, UNSET, "", "")))
    return passage, Weights(question, answer_at, near_at), rates(p, examples, answer_at)


def _written(gate: Gate, asked: int) -> str:
    """The file as text."""
    lines = [
        "# The gate, fitted by appliance/quality/fit_gate.py; change it by fitting again.",
        f'fitted_on = "{asked:,} questions of wiki_dev, answerable and withheld; pages new to the reader"',
        'model = "all-MiniLM-L6-v2, int8"',
        f'model_sha256 = "{gate.model_sha256}"',
        'score = "one logit a passage, above 0 for one that answers"',
        f'reader_sha256 = "{gate.reader_sha256}"',
        f"\n[passage]\nintercept = {gate.passage.intercept:.4f}",
        *_table("passage", gate.passage),
    ]
    for name, weights in (("both", gate.both), ("words", gate.words)):
        lines += [
            f"\n[{name}]",
            f"intercept = {weights.logistic.intercept:.4f}",
            f"near_at = {weights.near_at}",
        ]
        lines += [f"\n[{name}.answer_at]", *(f"{level} = {at}" for level, at in weights.answer_at.items())]
        lines += _table(name, weights.logistic)
    lines.append(
        "\n# Each setting's error rates, out of fold: pages that neither reader nor weights have seen."
    )
    for rate in gate.rates:
        lines += [f'\n[[rates]]\nlevel = "{rate.level}"\ngroup = "{rate.group}"']
        lines += [f"false_answers = {rate.false_answers}\nfalse_refusals = {rate.false_refusals}"]
    return "\n".join(lines) + "\n"


def _table(name: str, logistic: Logistic) -> list[str]:
    return [f"\n[{name}.signals]", *(f"{key} = {value:.4f}" for key, value in logistic.signals.items())]


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="fit_gate", description="Fits models/gate.toml.")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder of the question sets"
    )
    parser.add_argument("--sample", type=int, default=500, help="questions of each group and kind; 0: all")
    parser.add_argument("--to", type=Path, help="by default where the reader's gate is looked for")
    parser.add_argument("--keep", type=Path, help="file that keeps what was found; used when it is there")
    options = parser.parse_args()
    given = settings.load()
    encoder, reader = open_encoder(given), open_reader(given)
    if options.keep and options.keep.is_file():
        asked: list[Asked] = pickle.loads(options.keep.read_bytes())
    else:
        book = open_book(given, options.data / "wiki/wiki_dev.zim")
        recorder = Recorder()
        library = Library([book], encoder, recorder, reader)
        chosen = [one for one in questions.wiki(options.data / "wiki") if one.half == 1]
        chosen = questions.sample(chosen, options.sample)
        asked = collect(library, recorder, chosen, Gold(library, book.archive.name))
        if options.keep:
            options.keep.write_bytes(pickle.dumps(asked))
    passage, both, of_both = fitted(asked, SIGNALS, FALSE_REFUSALS["both"])
    _, words, _ = fitted(asked, OF_WORDS, FALSE_REFUSALS["words"])
    gate = Gate(passage, both, words, encoder.model_sha256, reader.sha256, rates=tuple(of_both))
    target = options.to or wiring.gate_file(given)
    target.write_text(_written(gate, len(asked)), "utf-8")
    say(f"Written: {target}")


if __name__ == "__main__":
    main()
