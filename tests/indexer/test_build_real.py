"""Making an index with the real model, and of large archives: kills at any moment, memory, recall."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_build import content

from appliance import models
from appliance.embedding import Embedder
from appliance.indexer.build import build
from appliance.indexer.workers import minilm
from appliance.indexfile import Index
from appliance.indexformat import read_vectors
from appliance.sources.zim import ZimArchive
from appliance.sqlite import connect

HERE = Path(__file__).parent
pytestmark = pytest.mark.models


@pytest.fixture(scope="session")
def encoding(home):
    return minilm(*(models.path(home, name) for name in models.EMBEDDING))


def run(archive, target, seconds):
    """Makes an index with the stand-in encoder in a process of its own, killed after `seconds`: its exit code
    and what it said."""
    command = [sys.executable, str(HERE / "building.py"), str(archive), str(target), "never"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    return process.returncode, said


def test_kills_at_any_moment_change_nothing(shared, tmp_path):
    archive = shared / "data/wiki/wiki_dev.zim"
    code, said = run(archive, tmp_path / "undisturbed.index", 600)
    assert code == 0, said
    target = tmp_path / "killed.index"
    kills, seconds = 0, 2.0
    while run(archive, target, seconds)[0] == -signal.SIGKILL:
        assert not target.exists()
        kills, seconds = kills + 1, seconds * 1.3
    assert kills >= 2
    assert content(target) == content(tmp_path / "undisturbed.index")


def test_memory_stays_small(shared, tmp_path):
    """The process that reads, cuts and writes; each worker adds the model's own 250 MB at the most."""
    code, said = run(shared / "data/medical/medquad.zim", tmp_path / "medquad.index", 900)
    assert code == 0, said
    assert int(said.split()[-1]) < 500_000


def test_two_workers_make_what_one_makes(small_archive, tmp_path, encoding):
    for workers in (1, 2):
        build(ZimArchive.open(small_archive), tmp_path / f"{workers}.index", encoding, workers, window=16)
    assert content(tmp_path / "1.index") == content(tmp_path / "2.index")


def test_the_real_index_is_small_and_finds_what_an_exact_search_finds(shared, home, dev_index):
    """Real questions, not passages: they lie farther from the cells' centres than passages do."""
    index = Index.open(dev_index)
    assert dev_index.stat().st_size / index.meta.passages <= 650
    lines = (shared / "data/wiki/answerable.jsonl").read_text("utf-8").splitlines()
    model, tokenizer = (models.path(home, name) for name in models.EMBEDDING)
    asked = Embedder(model, tokenizer).encode([json.loads(line)["question"] for line in lines[::40]])
    connection = connect(dev_index, "read")
    vectors = read_vectors(connection, range(1, index.meta.passages + 1))
    connection.close()
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :20] + 1
    found = [{passage for passage, _ in index.nearest(question, 20)} for question in asked]
    recall = np.mean([len(one & set(row)) / 20 for one, row in zip(found, exact.tolist(), strict=True)])
    assert recall >= 0.95
