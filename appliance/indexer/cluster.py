"""Many machines make one index: ranges of an archive go to the workers of a Dask cluster, what they make
comes back in the archive's order. The one door to distributed.

Windows never reach over the end of a range (`windows.SPAN`), on one machine neither, so the same windows,
batches and vectors come about, and the index has the same rows. A worker that is killed costs the range that
it had; what it made before is here already. Every worker sees the archive and the model under the same paths,
or says which it does not.

Dask sends Python objects without a password: use it on a network of your own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from appliance.errors import IndexingError
from appliance.indexer.embedded import ready
from appliance.indexer.staging import Ready
from appliance.indexer.windows import SPAN, Window, read_windows
from appliance.indexer.workers import Counter, Encoding
from appliance.sources.zim import ZimArchive
from appliance.vectors import Encoder

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 2  # ranges for each worker that are sent or done, and not yet taken


@dataclass(frozen=True, slots=True)
class Part:
    """What became of a window: documents, (path, reason) of entries left out, the position to go on from."""

    documents: list[Ready]
    skipped: list[tuple[str, str]]
    position: int


@dataclass(frozen=True, slots=True)
class Task:
    """A range of an archive, first to last (not with it), and how it is to be read and embedded."""

    archive: Path
    uuid: str
    first: int
    last: int
    window: int
    encoding: Encoding


def parts(address: str, archive: ZimArchive, encoding: Encoding, start: int, window: int) -> Iterator[Part]:
    """Everything from position `start` on, in order, made by the workers of the scheduler at `address`.
    Raises IndexingError when there is no scheduler, no worker, or a range that cannot be made."""
    distributed = _distributed()
    tasks = [
        Task(archive.path.absolute(), archive.uuid, first, last, window, encoding)
        for first, last in ranges(start, archive.entry_count())
    ]
    try:
        with distributed.Client(address, timeout="10s", set_as_default=False) as client:
            yield from _in_order(client, distributed, tasks)
    except (OSError, TimeoutError) as error:
        raise IndexingError(f"The cluster at {address} does not answer: {error}.", AGAIN) from error
    except distributed.KilledWorker as error:
        raise IndexingError(f"Workers die while they make one range: {error}.", AGAIN) from error


AGAIN = "Start `dask scheduler` and `dask worker`, then run the same command again: it goes on where it was."


def ranges(start: int, end: int) -> list[tuple[int, int]]:
    """The ranges from `start` to `end`: all but the first begin at a multiple of SPAN."""
    edges = [start, *range((start // SPAN + 1) * SPAN, end, SPAN), end]
    return [(first, last) for first, last in pairwise(edges) if first < last]


def _in_order(client: "Client", distributed: ModuleType, tasks: list[Task]) -> Iterator[Part]:
    workers = len(client.scheduler_info(n_workers=-1)["workers"])
    if not workers:
        raise IndexingError("The cluster has no workers.", AGAIN)
    sent = distributed.as_completed(loop=client.loop, with_results=True)
    numbers: dict[object, int] = {}  # by the key of their future
    done: dict[int, list[Part]] = {}
    following = taken = 0
    while taken < len(tasks):
        while following < len(tasks) and following - taken < AHEAD * workers:
            future = client.submit(make, tasks[following], pure=False)
            numbers[future.key] = following
            sent.add(future)
            following += 1
        future, made = next(sent)
        done[numbers.pop(future.key)] = made
        while taken in done:
            yield from done.pop(taken)
            taken += 1


def make(task: Task) -> list[Part]:
    """The work of a worker: one range. Raises IndexingError where this machine does not see what it needs."""
    archive = _opened(task.archive, task.uuid)
    counter, encoder = _loaded(task.encoding)
    windows = read_windows(archive, task.first, counter, task.window, task.last)
    return [_part(window, encoder) for window in windows]


def _part(window: Window, encoder: Encoder) -> Part:
    texts = window.texts()
    vectors = [encoder.encode([texts[row] for row in rows]) for rows in window.order]
    documents = ready(window, vectors)
    return Part(documents, window.skipped, window.position)


@lru_cache(maxsize=2)
def _opened(path: Path, uuid: str) -> ZimArchive:
    archive = ZimArchive.open(path)
    if archive.uuid != uuid:
        raise IndexingError(
            f"This worker has another archive under {path}.", "Share one folder with all of them."
        )
    return archive


_models: dict[str, tuple[Counter, Encoder]] = {}  # of a worker, by the model's hash: one is in use


def _loaded(encoding: Encoding) -> tuple[Counter, Encoder]:
    if encoding.sha256 not in _models:
        _models.clear()
        _models[encoding.sha256] = encoding.counter(), encoding.encoder(1)
    return _models[encoding.sha256]


def _distributed() -> ModuleType:
    try:
        import distributed  # only who has a cluster needs it
    except ImportError as error:
        raise IndexingError(
            "Working on a cluster needs the package distributed, which is not installed.",
            "Install the extra: pip install 'lamplight[cluster]'.",
        ) from error
    return distributed
