"""Two real workers make one index: the same rows as one machine, one of them killed in the middle."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from clustered import encoding
from small_library import METADATA

from appliance import sqlite
from appliance.errors import IndexingError
from appliance.indexer import cluster
from appliance.indexer.build import build
from appliance.indexer.windows import SPAN
from appliance.sources.zim import Page, ZimArchive, write_archive

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}:{Path(__file__).parent}"}
PAGES = 3 * SPAN  # entries, and some: four ranges
BATCH_SECONDS = 0.002
PATIENCE = 180.0  # seconds for what takes a few on a machine that is not busy


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Short pages over several ranges; every sixteenth has text, so that the stand-in takes seconds, not
    minutes."""
    path = tmp_path_factory.mktemp("cluster") / "wide.zim"
    pages = [
        Page(
            f"p{number:05}",
            f"Page {number}",
            f"<p>Fact {number} stands on page {number}, which is about subject {number % 97}.</p>"
            if not number % 16
            else "<p></p>",
        )
        for number in range(PAGES)
    ]
    write_archive(path, pages, METADATA, "eng", "p00000", indexing=False)
    return path


class Workers:
    """A scheduler and two workers, each a process with one thread."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []

    def __enter__(self):
        try:
            return self.up()
        except BaseException:
            self.__exit__()
            raise

    def up(self):
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self.address = self.said("scheduler", r"Scheduler at:\s+(tcp://\S+)")
        for name in ("one", "two"):
            self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--name", name, log=name)
        for name in ("one", "two"):
            self.said(name, r"Registered to:\s+(tcp://\S+)")
        return self

    def start(self, kind, *options, log=""):
        module = f"distributed.cli.dask_{kind}"
        command = [sys.executable, "-m", module, *options, "--no-dashboard"]
        with (self.folder / f"{log or kind}.log").open("w") as stderr:
            process = subprocess.Popen(
                command, env=ENVIRONMENT, cwd=self.folder, stdout=stderr, stderr=stderr
            )
        self.processes.append(process)

    def said(self, log, pattern):
        limit = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, (self.folder / f"{log}.log").read_text())):
            assert time.monotonic() < limit, (self.folder / f"{log}.log").read_text()
            time.sleep(0.05)
        return found[1]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def workers(tmp_path):
    with Workers(tmp_path) as found:
        yield found


def run(workers, archive, target, notes, seconds=BATCH_SECONDS):
    command = [sys.executable, Path(__file__).with_name("clustered.py"), workers.address]
    return subprocess.Popen(
        [*command, archive, target, notes, str(seconds)], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )


def rows(index):
    """Everything in an index but when it was made."""
    connection = sqlite.connect(index, "read")
    try:
        tables = ("document", "passage", "cell", "term", "word_instance", "vector")
        found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
        meta = "SELECT * FROM meta WHERE key <> 'created' ORDER BY key"
        return {**found, "meta": connection.execute(meta).fetchall()}
    finally:
        connection.close()


@pytest.fixture(scope="module")
def alone(archive, tmp_path_factory):
    """The rows of an index that one machine made, and how many batches that took."""
    folder = tmp_path_factory.mktemp("alone")
    build(ZimArchive.open(archive), folder / "wide.index", encoding(0, folder), workers=1, window=4)
    batches = sum(len(note.read_text().splitlines()) for note in folder.iterdir() if note.name.isdigit())
    return rows(folder / "wide.index"), batches


def test_the_index_has_the_same_rows_as_from_one_machine(workers, archive, alone, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    process = run(workers, archive, tmp_path / "wide.index", notes)
    _, said = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, said
    assert "Indexing wide" in said
    found, batches = alone
    assert rows(tmp_path / "wide.index") == found
    assert len(found["passage"]) > PAGES // 20
    done = [len(note.read_text().splitlines()) for note in notes.iterdir()]
    assert len(done) == 2, "both workers had work"
    assert sum(done) == batches, "nothing was made twice"


def test_a_killed_worker_costs_its_range_alone(workers, archive, alone, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    process = run(workers, archive, tmp_path / "wide.index", notes, 0.05)
    limit = time.monotonic() + PATIENCE
    while not (at_work := [note for note in notes.iterdir() if len(note.read_text().splitlines()) > 3]):
        assert time.monotonic() < limit
        time.sleep(0.02)
    os.kill(int(at_work[0].name), signal.SIGKILL)
    _, said = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, said
    found, batches = alone
    assert rows(tmp_path / "wide.index") == found
    done = sum(len(note.read_text().splitlines()) for note in notes.iterdir())
    assert batches < done <= batches + SPAN // 16, "at most one range was made again"


def test_ranges_cover_an_archive_once():
    assert cluster.ranges(0, 2 * SPAN + 5) == [(0, SPAN), (SPAN, 2 * SPAN), (2 * SPAN, 2 * SPAN + 5)]
    assert cluster.ranges(SPAN + 7, 2 * SPAN + 1) == [(SPAN + 7, 2 * SPAN), (2 * SPAN, 2 * SPAN + 1)]
    assert cluster.ranges(SPAN, 2 * SPAN) == [(SPAN, 2 * SPAN)]
    assert cluster.ranges(5, 5) == []


def test_a_scheduler_that_is_not_there_is_said(archive, tmp_path):
    process = run(type("None", (), {"address": "tcp://127.0.0.1:9"}), archive, tmp_path / "x.index", tmp_path)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode
    assert "IndexingError: The cluster at tcp://127.0.0.1:9 does not answer" in said


def test_a_worker_with_another_archive_is_said(archive):
    task = cluster.Task(archive, "another", 0, 5, 4, encoding(0, "."))
    with pytest.raises(IndexingError, match="has another archive"):
        cluster.make(task)
