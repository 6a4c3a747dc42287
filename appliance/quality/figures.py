"""What is computed from ranks and probabilities: recall, both error rates, the area under the curve, how far
a probability can be believed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Errors:
    """Both error rates at one threshold; one without the other says nothing."""

    threshold: float
    false_answers: float
    false_refusals: float


@dataclass(frozen=True, slots=True)
class Bin:
    """The questions whose probability lies in one bin."""

    count: int
    promised: float  # their mean probability
    kept: float  # the share of them that can be answered


def recall(ranks: Sequence[int | None], k: int) -> float:
    """Share of questions whose gold passage stands among the first k (ranks from 1; None: not found)."""
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def errors(probabilities: NDArray[np.float64], answerable: NDArray[np.bool_], threshold: float) -> Errors:
    """Rates when everything from `threshold` on is answered. An exact check that refused gave 0."""
    answered = probabilities >= threshold
    return Errors(threshold, float(np.mean(answered[~answerable])), float(np.mean(~answered[answerable])))


def curve(probabilities: NDArray[np.float64], answerable: NDArray[np.bool_]) -> list[Errors]:
    """Rates at every tenth and at the thresholds with 5 % and 10 % false refusals, ascending."""
    asked = np.sort(probabilities[answerable])
    at = {float(asked[int(share * len(asked))]) for share in (0.05, 0.10)}
    return [errors(probabilities, answerable, t) for t in sorted(at | {n / 10 for n in range(1, 10)})]


def area(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Area under the ROC curve, ties counted half (the Mann-Whitney statistic)."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = (last - (counts - 1) / 2)[place]
    positives, negatives = int(positive.sum()), int((~positive).sum())
    above = float(ranks[positive].sum()) - positives * (positives + 1) / 2
    return above / (positives * negatives)


def calibration(
    probabilities: NDArray[np.float64], answerable: NDArray[np.bool_], bins: int = 10
) -> list[Bin | None]:
    """Equal bins from 0 to 1, a bound belonging to the bin above it (1 to the last); None: no question."""
    place = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    members = [place == number for number in range(bins)]
    return [
        Bin(int(these.sum()), float(probabilities[these].mean()), float(answerable[these].mean()))
        if these.any()
        else None
        for these in members
    ]


def calibration_error(bins: Sequence[Bin | None]) -> float:
    """Expected calibration error (Naeini and others, 2015): mean |promised - kept|, weighted by count."""
    filled = [one for one in bins if one is not None]
    total = sum(one.count for one in filled)
    return sum(one.count * abs(one.promised - one.kept) for one in filled) / total
