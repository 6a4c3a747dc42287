"""Fits the gate: `python -m appliance.quality.fit_gate --data ../shared/data [--sample 500]`.

Asks the questions of the wiki set's second half (pages that the reader never saw) of the real library with
the real reader, and natural ones again with one thing swapped, and keeps what came back. Then four
logistics are fitted (`logistic`): of a passage, which ranks; of a passage whose sentences were read, which
ranks the first ones; of a question with all signals; of a question for which only words could be compared.
Thresholds are set by the false refusals that they cost. Everything that is printed and written as a rate is
out of fold: the pages are parted into folds, and each fold is judged by weights fitted on the others. What is
shipped is fitted on all of them.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import settings, wiring
from appliance.log import say
from appliance.quality import figures, questions, swapped
from appliance.quality.gate_file import written
from appliance.quality.library import open_book, open_encoder
from appliance.quality.logistic import Examples, fit, probabilities
from appliance.quality.measure import Gold, page_text
from appliance.quality.recordings import NOTHING, UNSET, Asked, Recorder, Recordings, ranked
from appliance.records import Evidence
from appliance.retrieval.gate import LEVELS, Gate, Rate, Weights
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Book, Library
from appliance.retrieval.signals import (
    OF_PASSAGE,
    OF_SENTENCES,
    OF_WORDS,
    SIGNALS,
    measure,
    of_passage,
    of_sentences,
    parted,
)
from appliance.settings import Settings, Strictness
from appliance.sqlite import stems

# The price of each setting in false refusals, exact checks included. Words alone tell less, so they pay more:
# what must not rise is the number of false answers.
FALSE_REFUSALS: dict[str, dict[Strictness, float]] = {
    "both": {"strict": 0.20, "balanced": 0.10, "open": 0.05},
    "words": {"strict": 0.30, "balanced": 0.20, "open": 0.10},
}
NEARLY_NOTHING = 0.01  # the same for `near_at`, below which nothing is said to be close


def of_passages(asked: Sequence[Asked], gate: Gate | None = None) -> Examples:
    """Every passage that was read, of answerable questions with a right one, and of those without answer;
    with a gate that ranks them, those that were read by their sentences."""
    found = [
        (_row(item, gate), right, one.question)
        for one in asked
        if not one.swapped and (any(one.right) or not one.question.answerable)
        for item, right in _judged(one, gate)
    ]
    return Examples(
        OF_SENTENCES if gate else OF_PASSAGE,
        np.array([row for row, _, _ in found]),
        np.array([right for _, right, _ in found]),
        np.array([question.group == "NQ" for _, _, question in found]),
        np.array([question.fold for _, _, question in found]),
        np.zeros(len(found), bool),
        np.zeros(len(found), bool),
    )


def _row(item: Evidence, gate: Gate | None) -> list[float]:
    return list((of_sentences if gate else of_passage)(item).values())


def _judged(one: Asked, gate: Gate | None) -> list[tuple[Evidence, bool]]:
    if gate is None:
        return [(i, right) for i, right in zip(one.evidence, one.right, strict=True) if i.read is not None]
    right = {(item.path, item.start): r for item, r in zip(one.evidence, one.right, strict=True)}
    return [(i, right[i.path, i.start]) for i in ranked(gate, one.evidence) if i.told]


def ranking(asked: Sequence[Asked]) -> Gate:
    """A gate that ranks, fitted to these questions, and judges nothing."""
    first = Gate(fit(of_passages(asked)), NOTHING, UNSET, UNSET, "", "")
    return Gate(first.passage, fit(of_passages(asked, first)), UNSET, UNSET, "", "")


def of_questions(asked: Sequence[Asked], names: tuple[str, ...], gate: Gate) -> Examples:
    """The signals of each question, its passages ranked by the gate."""
    rows, lost = [], []
    for one in asked:
        evidence = ranked(gate, one.evidence) if "best" in names else list(one.evidence)
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
        np.array([one.swapped for one in asked]),
        np.array(lost),
    )


def out_of_fold(asked: Sequence[Asked], examples: Examples) -> NDArray[np.float64]:
    """Probabilities of the questions, each fold by weights of the others. `examples` are theirs."""
    p = np.zeros(len(asked))
    for fold in range(questions.FOLDS):
        others = examples.fold != fold
        if "best" in examples.names:  # signals that depend on weights too
            gate = ranking([one for one in asked if one.question.fold != fold])
            examples = of_questions(asked, examples.names, gate)
        p[~others] = probabilities(fit(examples.at(others)), examples)[~others]
    return p


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
            rows = (examples.natural == natural) & ~examples.swapped
            errors = figures.errors(p[rows], examples.label[rows], answer_at[level])
            found.append(Rate(level, group, round(errors.false_answers, 3), round(errors.false_refusals, 3)))
    return found


def fitted(
    asked: Sequence[Asked], names: tuple[str, ...], costs: dict[Strictness, float]
) -> tuple[Weights, list[Rate]]:
    """The weights of a question, and their rates out of fold."""
    examples = of_questions(asked, names, ranking(asked))
    p = out_of_fold(asked, examples)
    answer_at = {level: round(threshold(p, examples, cost), 4) for level, cost in costs.items()}
    near_at = round(min(threshold(p, examples, NEARLY_NOTHING), *answer_at.values()), 4)
    for natural, group in ((True, "NQ"), (False, "SQuAD")):
        _say(group, p, examples, (examples.natural == natural), answer_at["balanced"])
    return Weights(fit(examples), answer_at, near_at), rates(p, examples, answer_at)


def _say(
    group: str, p: NDArray[np.float64], examples: Examples, members: NDArray[np.bool_], balanced: float
) -> None:
    rows, changed = members & ~examples.swapped, members & examples.swapped
    label = examples.label[rows]
    at_5 = float(np.quantile(p[rows][label], 0.05, method="higher"))
    errors = figures.errors(p[rows], label, balanced)
    fooled = (p[changed] >= balanced).sum()
    say(
        f"{len(examples.names)} signals, {group:6} AUC {figures.area(p[rows], label):.3f}, at 5 % false "
        f"refusals {figures.errors(p[rows], label, at_5).false_answers:.3f} false answers; balanced: "
        f"{errors.false_answers:.3f} and {errors.false_refusals:.3f} "
        f"({examples.lost[rows & examples.label].mean():.3f} by exact checks), {rows.sum():,} questions"
        + (f"; of {changed.sum()} swapped ones {fooled} answered" if changed.any() else "")
    )


def recorded(given: Settings, data: Path, sample: int, keep: Path | None) -> list[Asked]:
    """What the library finds for questions of pages that the reader never saw, and for swapped ones."""
    book, reader, recorder = open_book(given, data / "wiki_dev.zim"), open_reader(given), Recorder()
    library = Library([book], open_encoder(given), recorder, reader, closely=0)
    chosen = questions.sample([one for one in questions.wiki(data) if one.half == 1], sample)
    asked = [(one, False) for one in chosen] + [(one, True) for one in _swapped(library, book, chosen)]
    kept = Recordings(keep)
    found = kept.collect(library, recorder, asked, Gold(library, book.archive.name))
    first = Gate(fit(of_passages(found)), NOTHING, UNSET, UNSET, "", "")
    return kept.prepare(found, first, reader, library)


def _swapped(library: Library, book: Book, asked: Sequence[questions.Question]) -> list[questions.Question]:
    """Natural ones alone: of the others, whose names are typed large, an exact check refuses nearly all."""
    if book.index is None:
        return []
    made = swapped.make(asked, book.index, partial(page_text, library, book.archive.name))
    return [one.question for one in made.questions if one.question.group == "NQ"]


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="fit_gate", description="Fits models/gate.toml.")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder of the question sets"
    )
    parser.add_argument("--sample", type=int, default=500, help="questions of each group and kind; 0: all")
    parser.add_argument("--to", type=Path, help="by default where the reader's gate is looked for")
    parser.add_argument("--keep", type=Path, help="file that keeps what was found; a run goes on from it")
    options = parser.parse_args()
    given = settings.load()
    asked = recorded(given, options.data / "wiki", options.sample, options.keep)
    both, of_both = fitted(asked, SIGNALS, FALSE_REFUSALS["both"])
    words, _ = fitted(asked, OF_WORDS, FALSE_REFUSALS["words"])
    first = ranking(asked)
    gate = Gate(
        first.passage,
        first.closely,
        both,
        words,
        open_encoder(given).model_sha256,
        open_reader(given).sha256,
        rates=tuple(of_both),
    )
    target = options.to or wiring.gate_file(given)
    target.write_text(written(gate, sum(not one.swapped for one in asked), sum(one.swapped for one in asked)))
    say(f"Written: {target}")


if __name__ == "__main__":
    main()
