"""One index by several workers: how much faster two are than one, with the real model and with a stand-in
that only waits.

On one machine: the workers share its cores, so the real model shows what the machine has left, and the
stand-in, which needs no core, what the sharing itself costs."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance import models
from appliance.errors import SetupError
from appliance.indexer import cluster
from appliance.indexer.windows import SPAN, WINDOW
from appliance.indexer.workers import Encoding, minilm
from appliance.log import step
from appliance.quality.results import Figure
from appliance.records import Document
from appliance.settings import Settings
from appliance.sources import folder
from appliance.sources.zim import Page, ZimArchive, write_archive
from appliance.vectors import HashEncoder

PART = "cluster"
RANGES = 4
EVERY = 32  # entries, of which one has text: ranges are counted in entries
WAIT = 0.25  # seconds of the stand-in for a batch
PATIENCE = 120.0  # seconds for a worker to come up


class Waiting(HashEncoder):
    """Takes its time for each batch, and no core."""

    def __init__(self, _threads: int) -> None:
        pass

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        time.sleep(WAIT)
        return super().encode(texts)


def scaling(given: Settings, data: Path) -> list[Figure]:
    """Figures of both encoders; `data` is not needed."""
    del data
    encoders = {
        "the real model": minilm(*(models.path(given.home, name) for name in models.EMBEDDING)),
        "a stand-in that waits": Encoding("hash", HashEncoder.model_sha256, HashEncoder, partial(Waiting)),
    }
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as place:
        archive = ZimArchive.open(_archive(given, Path(place) / "wide.zim"))
        for name, encoding in encoders.items():
            seconds = [_seconds(archive, encoding, workers, Path(place)) for workers in (1, 2)]
            found += [
                Figure(PART, f"{RANGES} ranges, {name}, one worker", seconds[0], "s"),
                Figure(PART, f"{RANGES} ranges, {name}, two workers", seconds[1], "s"),
                Figure(PART, f"{name}: two workers, times as fast as one", seconds[0] / seconds[1], "times"),
            ]
    return found


def _archive(given: Settings, path: Path) -> Path:
    """Texts of the library's first archive, spread over RANGES ranges."""
    there = folder.scan((given.library,)).archives
    if not there:
        raise SetupError(f"There is no archive in {given.library}.")
    documents = (text for _, text in ZimArchive.open(there[0]).documents() if isinstance(text, Document))
    texts = [escape(document.text) for document in islice(documents, RANGES * SPAN // EVERY)]
    pages = (
        Page(
            f"p{number:06}",
            f"Page {number}",
            f"<p>{texts[number // EVERY] if not number % EVERY else ''}</p>",
        )
        for number in range(len(texts) * EVERY)
    )
    about = {"Title": "Wide", "Description": "Texts of the library", "Creator": "bench", "Date": "2026-01-01"}
    write_archive(path, pages, about, "eng", "p000000", indexing=False)
    return path


def _seconds(archive: ZimArchive, encoding: Encoding, workers: int, place: Path) -> float:
    """The second time: at the first every worker loads the model."""
    with step(f"{workers} of the cluster"), _workers(workers, place) as address:
        list(cluster.parts(address, archive, encoding, 0, WINDOW))
        began = time.perf_counter()
        list(cluster.parts(address, archive, encoding, 0, WINDOW))
        return time.perf_counter() - began


@contextmanager
def _workers(count: int, place: Path) -> Iterator[str]:
    """A scheduler and so many workers of one thread, each a process; gives the scheduler's address."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        log = _start(processes, place / "scheduler.log", "scheduler", "--host", "127.0.0.1", "--port", "0")
        address = _said(log, r"Scheduler at:\s+(tcp://\S+)")
        logs = [
            _start(processes, place / f"{number}.log", "worker", address, "--nthreads", "1", "--no-nanny")
            for number in range(count)
        ]
        for log in logs:
            _said(log, r"Registered to:\s+(tcp://\S+)")
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _start(processes: list[subprocess.Popen[bytes]], log: Path, kind: str, *options: str) -> Path:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options, "--no-dashboard"]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with log.open("wb") as out:
        processes.append(subprocess.Popen(command, env=here, cwd=log.parent, stdout=out, stderr=out))
    return log


def _said(log: Path, pattern: str) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.05)
    raise SetupError(f"A process of the cluster did not come up: {log.read_text('utf-8', 'replace')[-500:]}")
