"""Worker processes that embed batches of texts, each with a model of its own; answers come in order.

A worker lives no longer than the process that started it: when that dies, its pipe closes and the worker ends
with the batch it has. A worker that dies is an IndexingError, never a wait without end.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from appliance import embedding, tokens
from appliance.errors import IndexingError, LamplightError
from appliance.models import file_sha256
from appliance.vectors import Encoder

# Batches sent ahead to each worker, so that none waits while the next window is read from the archive. Few
# enough to fit into the pipe's buffer: neither side may block in sending while the other does.
AHEAD = 4


class Counter(Protocol):
    """Counts tokens; every Encoder does."""

    def count(self, texts: Sequence[str]) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Encoding:
    """An embedding model by name and hash, and how to open it here (to count) and in a worker (to embed).

    `encoder` takes the number of threads; it is sent to the workers, so it must be picklable."""

    name: str
    sha256: str
    counter: Callable[[], Counter]
    encoder: Callable[[int], Encoder]


def minilm(model: Path, tokenizer: Path) -> Encoding:
    """The real model. Raises ModelFileError when a file is missing."""
    sha256 = file_sha256(model)
    return Encoding(
        model.stem,
        sha256,
        partial(tokens.Tokens, tokenizer),
        partial(embedding.Embedder, model, tokenizer),
    )


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    sent: deque[int]


class Pool:
    """`workers` processes with `threads` threads each. Use with `with`."""

    def __init__(self, encoding: Encoding, workers: int, threads: int = 1) -> None:
        context = multiprocessing.get_context("forkserver")  # never a copy of a process that has threads
        context.set_forkserver_preload(["appliance.embedding"])
        self._workers: list[_Worker] = []
        for number in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_serve, args=(theirs, encoding.encoder, threads), name=f"embed-{number}", daemon=True
            )
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours, deque()))

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def encode(self, batches: Iterable[Sequence[str]]) -> Iterator[NDArray[np.float32]]:
        """The vectors of each batch, in the order of the batches, which are taken as workers become free."""
        done: dict[int, NDArray[np.float32]] = {}
        following = 0
        for number, batch in enumerate(batches):
            worker = min(self._workers, key=lambda one: len(one.sent))
            while len(worker.sent) >= AHEAD:
                self._receive(done)
                worker = min(self._workers, key=lambda one: len(one.sent))
            self._send(worker, number, list(batch))
            while following in done:
                yield done.pop(following)
                following += 1
        while any(worker.sent for worker in self._workers):
            self._receive(done)
            while following in done:
                yield done.pop(following)
                following += 1

    def _send(self, worker: _Worker, number: int, batch: list[str]) -> None:
        try:
            worker.pipe.send(batch)
        except OSError as error:
            raise _reported(worker) or _died(worker) from error
        worker.sent.append(number)

    def _receive(self, done: dict[int, NDArray[np.float32]]) -> None:
        """Waits for an answer of any worker and takes what is there."""
        waiting = {id(worker.pipe): worker for worker in self._workers if worker.sent}
        for pipe in wait([worker.pipe for worker in waiting.values()]):
            worker = waiting[id(pipe)]
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError) as error:
                raise _died(worker) from error
            if isinstance(answer, LamplightError):
                raise answer
            done[worker.sent.popleft()] = answer


def _reported(worker: _Worker) -> LamplightError | None:
    """What a worker said before it ended, behind the answers that were not taken yet."""
    try:
        while worker.pipe.poll():
            answer = worker.pipe.recv()
            if isinstance(answer, LamplightError):
                return answer
    except (EOFError, OSError):
        pass
    return None


def _died(worker: _Worker) -> IndexingError:
    worker.process.join(5)
    return IndexingError(
        f"The worker process {worker.process.name} ended in the middle of its work "
        f"(exit code {worker.process.exitcode}); out of memory is the commonest cause.",
        "Run the same command again: it goes on where it was.",
    )


def _serve(pipe: Connection, encoder: Callable[[int], Encoder], threads: int) -> None:
    """The life of a worker: Ctrl-C is for the parent, which then closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        model = encoder(threads)
        while True:
            pipe.send(model.encode(pipe.recv()))
    except LamplightError as error:
        pipe.send(error)
    except (EOFError, OSError):
        return
