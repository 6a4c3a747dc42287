"""Own documents: importing real notes, searching them, making what is derived again, kills during imports."""

import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

from appliance import models, wiring
from appliance.document_verbs import make_vectors
from appliance.documents import derived, keeping, rows
from appliance.documents.check import check
from appliance.documents.ingest import Ingest
from appliance.documents.keeper import Keeper
from appliance.documents.readers import Readers
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.embedding import Embedder, cut, feed, open_session
from appliance.errors import SetupError
from appliance.log import step
from appliance.quality.killed_imports import kills
from appliance.quality.library import InProcess, open_encoder
from appliance.quality.results import Figure
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Library
from appliance.settings import Settings
from appliance.tokens import Tokens

PART = "documents"
KILLS = 500
ASKED = 100  # titles of documents, as questions
LIMIT = 8


def documents(given: Settings, data: Path) -> list[Figure]:
    """All figures. Raises SetupError without the notes, ModelFileError without the models."""
    notes = data / "notes"
    files = sorted(notes.rglob("*.md"))
    if not files:
        raise SetupError("The notes are not in the folder of data.", "Name it with --data.")
    encoder = open_encoder(given)
    given.home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-own-", dir=given.home) as made:
        own = Documents.open(Path(made) / "own", encoder.model_sha256)
        found = _import(given, own, encoder, notes, files)
        found += _search(given, own, encoder)
        own.close()
        with step(f"{KILLS} kills during imports"):
            tally = kills(Path(made) / "killed", KILLS)
    return [
        *found,
        Figure(PART, "kills during imports", tally.kills, "kills", "500"),
        Figure(PART, "documents acknowledged before a kill", tally.added, "documents"),
        Figure(PART, "acknowledged and lost, changed or not whole", len(tally.wrong), "documents", "0"),
    ]


def _import(
    given: Settings, own: Documents, encoder: Embedder, notes: Path, files: Sequence[Path]
) -> list[Figure]:
    """Wall time, and processor time beside it: a machine that does other things shows in the first."""
    began, spent = time.perf_counter(), _processor()
    with (
        step(f"Importing {len(files):,} notes", total=len(files), unit="files") as importing,
        Readers(models.path(given.home, models.EMBEDDING[1])) as readers,
        Keeper(own, encoder) as keeper,  # as the box and `documents add` do
    ):
        ingest = Ingest(own, readers, encoder.count)
        for file in files:
            sha256 = hashlib.sha256(file.read_bytes()).digest()
            ingest.add(file, sha256, file.name, file.parent.relative_to(notes).as_posix())
            keeper.wake()
            importing.advance()
    kept, kept_spent = time.perf_counter() - began, _processor() - spent
    beside = keeping.progress(own.made)
    make_vectors(own, encoder)
    whole, whole_spent = time.perf_counter() - began, _processor() - spent
    vectors, bare = (beside.total - beside.done) / (whole - kept), _bare(given, own)
    with own.store.read() as connection:
        count = len(rows.listed(connection, Scope()))
    return [
        Figure(PART, "notes imported", count, "documents"),
        Figure(PART, "their passages", beside.total, "passages"),
        Figure(PART, "until all are kept and found by words", kept, "s"),
        Figure(PART, "until all are found by meaning too", whole, "s", "at most 90"),
        Figure(PART, "processor time until all are kept and found by words", kept_spent, "s"),
        Figure(PART, "processor time until all are found by meaning too", whole_spent, "s"),
        Figure(PART, "vectors made and kept", vectors, "passages/s"),
        Figure(PART, "bare onnxruntime loop, every eighth of the same texts", bare, "passages/s"),
        Figure(PART, "vectors made and kept against the bare loop", vectors / bare, "share", "at least 0.9"),
    ]


def _bare(given: Settings, own: Documents) -> float:
    """Passages/s of the model alone, on as many threads as the embedder has: tokens ready, the longest first,
    nothing kept."""
    model, tokenizer = (models.path(given.home, name) for name in models.EMBEDDING)
    with own.store.read() as connection:
        documents = [one.id for one in rows.listed(connection, Scope())][::8]
    texts = [part.reading for one in documents for part in keeping.document_parts(own.store, one)]
    feeds = [feed(cut(ids)) for ids in sorted(Tokens(tokenizer).ids(texts), key=len, reverse=True)]
    session = open_session(model, 1, in_bytes=True)
    with ThreadPoolExecutor(given.threads or os.cpu_count() or 1) as pool:
        began = time.perf_counter()
        for _ in pool.map(partial(session.run, None), feeds):
            pass
    return len(feeds) / (time.perf_counter() - began)


def _search(given: Settings, own: Documents, encoder: Embedder) -> list[Figure]:
    """Latency of search alone and with the reader; whether making it again changes anything."""
    with own.store.read() as connection:
        titles = [one.title for one in rows.listed(connection, Scope())]
    asked = titles[:: max(1, len(titles) // ASKED)][:ASKED]
    both = InProcess(encoder, open_reader(given))
    alone = Library([], encoder, wiring.open_gate(given))
    read = Library([], both, wiring.open_gate(given), both)
    found = []
    for name, library, bound in (("search alone", alone, "at most 60"), ("search and reader", read, "")):
        taken = []
        with step(f"{name}: {len(asked)} questions"):
            for question in asked:
                began = time.perf_counter()
                library.with_own(own.book(Scope())).search(question, LIMIT)
                taken.append((time.perf_counter() - began) * 1000)
        found.append(Figure(PART, f"{name}, p50", statistics.median(taken), "ms", bound))
        found.append(Figure(PART, f"{name}, p95", sorted(taken)[int(0.95 * len(taken))], "ms"))
    report = check(own)
    found.append(Figure(PART, "passages that the check found wrong", report.healed, "passages", "0"))
    before = _results(own, alone, asked)
    with step("Making words and vectors again"):
        with own.made.write() as connection:
            derived.refill(connection)
        keeping.update_words(own.store, own.made)
        keeping.update_vectors(own.store, own.made, encoder)
    differing = sum(one != other for one, other in zip(before, _results(own, alone, asked), strict=True))
    return [*found, Figure(PART, "questions with other results after that", differing, "questions", "0")]


def _results(own: Documents, library: Library, asked: Sequence[str]) -> list[str]:
    found = (library.with_own(own.book(Scope())).search(question, LIMIT) for question in asked)
    return [json.dumps(asdict(one)) for one in found]


def _processor() -> float:
    """Seconds of this process and of those it has ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
