"""From an archive to its index file: the whole path, readable in one look.

    documents -> passages -> windows sorted by length -> workers -> staging (survives a kill)
              -> cells -> packed copy -> check -> fsync -> the final name

Memory holds one window, whatever the archive's size. Windows end at document boundaries that depend on the
archive alone, and a text meets the same others in its batch however many workers there are, so a run that was
killed and resumed, or had more workers, makes the same vectors. Nothing lies under the final name before it
is whole and checked.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance import indexfile, indexformat, sqlite
from appliance.errors import IndexFileError, IndexingError
from appliance.indexer import cluster
from appliance.indexer.check import Checked, check
from appliance.indexer.chunk import CHUNKER
from appliance.indexer.embedded import ready
from appliance.indexer.staging import BYTES_PER_PASSAGE, SPARE, Staging, check_space, remove
from appliance.indexer.windows import WINDOW, Window, batches_of, read_windows
from appliance.indexer.workers import Encoding, Pool
from appliance.log import Step, say, step
from appliance.sources.html import EXTRACTOR
from appliance.sources.zim import ZimArchive

PASSAGES_PER_PAGE = 3  # to ask for disk space before the pages are read; it is asked for again on the way


@dataclass(frozen=True, slots=True)
class Report:
    """What became of an archive. `skipped` lists (path, reason) of entries left out, at most 100."""

    documents: int
    passages: int
    skipped_count: int
    skipped: tuple[tuple[str, str], ...]
    bytes: int
    made: bool
    checked: Checked | None = None


def build(
    archive: ZimArchive,
    target: Path,
    encoding: Encoding,
    workers: int = 0,
    window: int = WINDOW,
    title: str = "",
    cluster: str = "",
) -> Report:
    """Makes the index of an archive at `target`, or leaves one that fits alone. `workers` 0: one per core;
    `window`: passages sorted by length together; `title`: what the work is called, if not the archive's name;
    `cluster`: address of a Dask scheduler whose workers embed instead of this machine.

    Raises IndexingError (disk full, a worker that died, a check that failed) and ModelFileError; what was
    done is kept in `target` + ".part" and the next run goes on from there.
    """
    present = up_to_date(archive, target, encoding.sha256)
    if present is not None:
        return present
    part = target.with_name(target.name + ".part")
    check_space(part, archive.article_count * PASSAGES_PER_PAGE * BYTES_PER_PASSAGE + SPARE)
    try:
        work = _Work(encoding, workers or os.cpu_count() or 1, window, title or archive.name, cluster)
        checked = _make(archive, target, part, work)
    except sqlite.Error as error:
        raise IndexingError(
            f"The index {target.name} cannot be written: {error}.",
            "Free some space and run the same command again: it goes on where it was. "
            f"If it stays so, delete {part.name} first.",
        ) from error
    remove(part)
    report = _report(target, made=True, checked=checked)
    _tell(archive, report)
    return report


@dataclass(frozen=True, slots=True)
class _Work:
    """With what and by whom an archive is embedded, and what that is called."""

    encoding: Encoding
    workers: int
    window: int
    title: str
    cluster: str


def _make(archive: ZimArchive, target: Path, part: Path, work: _Work) -> Checked:
    staging = Staging(part, _identity(archive, work.encoding))
    try:
        if not staging.assembled:
            _embed(archive, staging, work)
            with step(f"Putting {staging.passages:,} passages into cells"):
                staging.assemble(_meta(archive, work.encoding))
        return _finish(archive, staging, target)
    finally:
        staging.close()


def up_to_date(archive: ZimArchive, target: Path, model_sha256: str) -> Report | None:
    """The report of an index at `target` that fits archive, model and software; None when there is none."""
    try:
        indexfile.Index.open(target).require(
            archive_uuid=archive.uuid,
            archive_checksum=archive.checksum,
            model_sha256=model_sha256,
            extractor=EXTRACTOR,
            chunker=CHUNKER,
        )
    except IndexFileError:
        return None
    return _report(target, made=False)


def _identity(archive: ZimArchive, encoding: Encoding) -> dict[str, Any]:
    """What must be equal for a half-made index to be gone on with, and for a finished one to be used."""
    return {
        "format": indexformat.FORMAT,
        "archive_uuid": archive.uuid,
        "archive_checksum": archive.checksum,
        "model_sha256": encoding.sha256,
        "extractor": EXTRACTOR,
        "chunker": CHUNKER,
    }


def _meta(archive: ZimArchive, encoding: Encoding) -> dict[str, Any]:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return _identity(archive, encoding) | {
        "archive_name": archive.name,
        "model": encoding.name,
        "created": created,
    }


def _embed(archive: ZimArchive, staging: Staging, work: _Work) -> None:
    """Reads, embeds and stages what is not staged yet, a window at a time."""
    total = archive.entry_count()
    if staging.position >= total:
        return
    with step(f"Indexing {work.title}", total, "entries") as progress:
        progress.resume_at(staging.position)
        if work.cluster:
            _embed_far(archive, staging, work, progress)
            return
        with Pool(work.encoding, work.workers) as pool:
            waiting: list[Window] = []
            windows = read_windows(archive, staging.position, work.encoding.counter(), work.window)
            _stage(pool.encode(batches_of(windows, waiting)), waiting, staging, progress)


def _embed_far(archive: ZimArchive, staging: Staging, work: _Work, progress: Step) -> None:
    """The same by the workers of a cluster."""
    for part in cluster.parts(work.cluster, archive, work.encoding, staging.position, work.window):
        progress.advance(part.position - staging.position)
        staging.add(part.documents, part.skipped, part.position)


def _stage(
    answers: Iterator[NDArray[np.float32]], windows: list[Window], staging: Staging, progress: Step
) -> None:
    """Puts the vectors of each window back into the order of its passages and adds it to the staging file."""
    vectors: list[NDArray[np.float32]] = []
    for answer in answers:
        vectors.append(answer)
        progress.advance((windows[0].position - staging.position) / len(windows[0].order))
        if len(vectors) == len(windows[0].order):
            _add(windows.pop(0), vectors, staging)
            vectors = []
    for window in windows:  # the last one, when it holds no passage
        _add(window, [], staging)


def _add(window: Window, vectors: list[NDArray[np.float32]], staging: Staging) -> None:
    documents = ready(window, vectors)
    staging.add(documents, window.skipped, window.position)


def _finish(archive: ZimArchive, staging: Staging, target: Path) -> Checked:
    """Packed copy, check, fsync, rename: the final name never holds anything half-written."""
    new = target.with_name(target.name + ".new")
    remove(new)
    with step("Writing and checking the index"):
        documents = staging.write(new)
        checked = check(new, documents, staging.passages, archive.document)
    _sync(new)
    os.replace(new, target)
    _sync(target.parent)
    return checked


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _report(target: Path, made: bool, checked: Checked | None = None) -> Report:
    index = indexfile.Index.open(target)
    meta = index.meta
    skipped = tuple((path, reason) for path, reason in index.skipped_entries())
    return Report(meta.documents, meta.passages, meta.skipped, skipped, target.stat().st_size, made, checked)


def _tell(archive: ZimArchive, report: Report) -> None:
    if not report.passages:
        say(f"{archive.name}: nothing to index, it has no pages of text.")
    for path, reason in report.skipped:
        say(f"{archive.name}: left out {path}: {reason}")
    if report.skipped_count:
        say(f"{archive.name}: {report.skipped_count:,} entries could not be read and were left out.")
