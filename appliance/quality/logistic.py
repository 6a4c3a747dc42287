"""A logistic regression over named signals (Newton's method), and the examples that it is fitted to. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from appliance.retrieval.gate import Logistic

SWAPPED = 0.05  # what swapped questions weigh together, where all others weigh 1


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of signals [n, len(names)], and for each row its label, group (natural or not), fold and whether
    it is of a swapped question; `lost`: an exact check fails, so that no weight can help."""

    names: tuple[str, ...]
    rows: NDArray[np.float64]
    label: NDArray[np.bool_]
    natural: NDArray[np.bool_]
    fold: NDArray[np.int64]
    swapped: NDArray[np.bool_]
    lost: NDArray[np.bool_]

    def at(self, rows: NDArray[np.bool_]) -> "Examples":
        return Examples(
            self.names,
            self.rows[rows],
            self.label[rows],
            self.natural[rows],
            self.fold[rows],
            self.swapped[rows],
            self.lost[rows],
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
    """Natural questions and others weigh alike, answerable ones and withheld ones too; swapped ones that an
    exact check refuses anyway weigh nothing."""
    importance = np.zeros(len(examples.label))
    asked = int((~examples.swapped).sum())
    for label in (False, True):
        for natural in (False, True):
            cell = (examples.label == label) & (examples.natural == natural) & ~examples.swapped
            importance[cell] = asked / 4 / max(1, cell.sum())
    passing = examples.swapped & ~examples.lost
    importance[passing] = SWAPPED * asked / max(1, passing.sum())
    return importance


def probabilities(logistic: Logistic, examples: Examples) -> NDArray[np.float64]:
    """What each example gets: 0 where an exact check fails."""
    p = [logistic.probability(dict(zip(examples.names, row, strict=True))) for row in examples.rows]
    return np.where(examples.lost, 0.0, p)
