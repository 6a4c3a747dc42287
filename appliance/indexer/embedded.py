"""The vectors of a window's batches, put back into the order of its passages: documents that are ready to be
staged."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from appliance.errors import VectorError
from appliance.indexer.staging import Ready
from appliance.indexer.windows import Window
from appliance.vectors import quantise


def ready(window: Window, vectors: Sequence[NDArray[np.float32]]) -> list[Ready]:
    """The documents of a window; `vectors` has an array [n, 384] for each batch of `window.order`. One whose
    vectors cannot be used is left out and noted in the window."""
    rows = [row for batch in window.order for row in batch]
    ordered: NDArray[np.float32] = (
        np.concatenate(vectors)[np.argsort(rows)] if rows else np.zeros((0, 0), np.float32)
    )
    found: list[Ready] = []
    first = 0
    for draft in window.drafts:
        own = ordered[first : first + len(draft.passages)]
        first += len(draft.passages)
        try:
            int8 = quantise(own)
        except VectorError as error:
            window.skipped.append((draft.path, str(error)))
            continue
        found.append(Ready(draft.path, draft.title, draft.passages, draft.crc32, draft.words, int8))
    return found
