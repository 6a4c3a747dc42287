"""The last look at a finished index before it gets its name: whole, true to its archive, and findable.

Raises IndexingError with what is wrong; a file that passes can be opened, its pointers give the text they
were made from, and the cells find what a search through every vector finds.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import indexformat, sqlite
from appliance.errors import EntryMissing, EntryUnreadable, IndexingError
from appliance.indexfile import Index, Pointer
from appliance.records import Document

POINTERS = 200  # passages whose text is read again from the archive
QUESTIONS = 50  # vectors that are searched for among all others
LEAST_RECALL = 0.9
NEAREST = 20
_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Checked:
    """What was counted: passages whose text was compared, and recall@20 of the cells against all vectors."""

    passages: int
    compared: int
    recall: float


def check(path: Path, documents: int, passages: int, read: Callable[[str], Document]) -> Checked:
    """Checks a finished file. `read` gives the document of a path of the archive."""
    index = Index.open(path)
    connection = sqlite.connect(path, "read")
    try:
        _require("integrity_check", connection.execute("PRAGMA integrity_check").get, "ok")
        _require("journal mode", connection.execute("PRAGMA journal_mode").get, "delete")
        for table, expected in (("document", documents), ("passage", passages), ("vector", passages)):
            _require(f"rows of {table}", connection.execute(f"SELECT count(*) FROM {table}").get, expected)
        _require("rows of all cells", connection.execute("SELECT total(rows) FROM cell").get, float(passages))
    finally:
        connection.close()
    if not passages:
        return Checked(0, 0, 1.0)
    random = np.random.default_rng(1)
    ids = np.sort(random.choice(passages, min(POINTERS, passages), replace=False)) + 1
    for pointer in index.pointers([int(i) for i in ids]):
        _compare(pointer, read)
    recall = _recall(index, random.choice(passages, min(QUESTIONS, passages), replace=False) + 1)
    if recall < LEAST_RECALL:
        raise IndexingError(
            f"The cells find {recall:.2f} of the nearest passages, expected {LEAST_RECALL}.",
            "Delete the index's .part file and make it again; if it stays so, this is a defect to report.",
        )
    return Checked(passages, len(ids), recall)


def _require(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise IndexingError(f"The finished index is not right: {what} is {found}, expected {expected}.")


def _compare(pointer: Pointer, read: Callable[[str], Document]) -> None:
    try:
        text = read(pointer.path).text[pointer.start : pointer.start + pointer.length]
    except (EntryMissing, EntryUnreadable) as error:
        raise IndexingError(f"The archive no longer gives {pointer.path!r}: {error}") from error
    if zlib.crc32(text.encode()) != pointer.crc32:
        raise IndexingError(f"The text of {pointer.path!r} at {pointer.start} is not what was indexed.")


def _recall(index: Index, questions: NDArray[np.int64]) -> float:
    """Share of the 20 nearest of all vectors that the cells find, for vectors of the file as questions."""
    connection = sqlite.connect(index.path, "read")
    try:
        asked = indexformat.read_vectors(connection, [int(i) for i in questions])
        best = np.full((len(asked), 0), 0.0)
        ids = np.zeros((len(asked), 0), np.int64)
        for first in range(1, index.meta.passages + 1, _BLOCK):
            block = np.arange(first, min(first + _BLOCK, index.meta.passages + 1))
            vectors = indexformat.read_vectors(connection, [int(i) for i in block])
            lengths = np.linalg.norm(vectors, axis=1)
            if not lengths.all():
                raise IndexingError(f"Passage {block[lengths == 0][0]} has a zero vector.")
            best = np.hstack([best, asked @ (vectors / lengths[:, None]).T])
            ids = np.hstack([ids, np.tile(block, (len(asked), 1))])
            keep = np.argsort(-best, axis=1)[:, :NEAREST]
            best, ids = np.take_along_axis(best, keep, 1), np.take_along_axis(ids, keep, 1)
    finally:
        connection.close()
    shares = [
        _share(index.nearest(vector, NEAREST), scores, exact)
        for vector, scores, exact in zip(asked, best, ids, strict=True)
    ]
    return float(np.mean(shares))


def _share(found: list[tuple[int, float]], scores: NDArray[np.float64], exact: NDArray[np.int64]) -> float:
    """Texts that stand in an archive twice have equal vectors: any of equals is as right as another."""
    least = scores[-1] / max(scores[0], 1e-9) - 1e-4
    hits = sum(1 for passage, cosine in found if passage in exact or cosine >= least)
    return hits / len(exact)
