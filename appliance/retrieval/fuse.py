"""Bringing the two legs of a search together. Pure.

The legs rank by different things (a cosine; the share of the question's words), so there are two ways to join
them: by rank alone (reciprocal rank fusion; Cormack, Clarke and Buettcher, SIGIR 2009) or by score. Every
candidate has both scores here, whichever leg found it, and `weighted` uses that.
docs/decisions/0002-fusing-and-the-first-gate.md has what each gave.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

RRF_K = 60
WORDS_WEIGHT = 0.4


def reciprocal_ranks(rankings: Iterable[Sequence[int]], k: int = RRF_K) -> list[tuple[int, float]]:
    """(passage, score) best first from rankings (each best first); absent from a ranking adds nothing.

    The score of a passage is the sum of 1 / (k + rank) over the rankings, ranks counted from one.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            scores[passage] = scores.get(passage, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def weighted(cosines: NDArray[np.float32], shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """One score (0…1) for each candidate, from its cosine (-1…1) and its share of the question's words (0…1).

    Both mean the same in every archive, so that hits of several archives can stand in one list.
    """
    if cosines.shape != shares.shape:
        raise ValueError(f"{cosines.shape} cosines but {shares.shape} shares")
    joined: NDArray[np.float32] = (np.maximum(cosines, 0) + WORDS_WEIGHT * shares) / (1 + WORDS_WEIGHT)
    return joined
