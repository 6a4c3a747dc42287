"""Git sources: the first sync of 2,000 Markdown files, one without changes, one with some, one that moves.

The files are real notes, cut at their headings until there are so many; how they are fetched is not measured.
"""

import os
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from appliance import models
from appliance.documents.readers import Readers
from appliance.documents.store import Store
from appliance.embedding import Embedder
from appliance.errors import SetupError
from appliance.log import step
from appliance.quality.library import open_encoder
from appliance.quality.results import Figure
from appliance.quality.runbooks import MOST, Tree
from appliance.repositories import passages
from appliance.repositories.reading import Reader
from appliance.repositories.records import Progress, Tally
from appliance.repositories.sync import sync
from appliance.settings import Settings

PART = "repositories"
FILES = 2_000
CHANGED, MOVED = 20, 200
_HEADING = re.compile(r"^(?=#{1,3} )", re.MULTILINE)


def repositories(given: Settings, data: Path) -> list[Figure]:
    """All figures. Raises SetupError without the notes, ModelFileError without the models."""
    files = corpus(data / "notes")
    encoder = open_encoder(given)
    given.home.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-source-", dir=given.home) as made,
        Readers(models.path(given.home, models.EMBEDDING[1])) as readers,
    ):
        store = passages.open_passages(Path(made), encoder.model_sha256)
        try:
            return _measured(files, Reader(store, readers, MOST), encoder, store)
        finally:
            store.close()


def _measured(files: Mapping[str, bytes], reader: Reader, encoder: Embedder, store: Store) -> list[Figure]:
    names = list(files)
    changed = {**files, **{name: files[name] + b"\n\nOne sentence more.\n" for name in names[:CHANGED]}}
    moved = {(f"moved/{name}" if n < MOVED else name): changed[name] for n, name in enumerate(names)}
    first, spent, tally = _synced("first sync", files, reader, encoder)
    same, _, _ = _synced("sync without changes", files, reader, encoder)
    some, _, after = _synced("sync of changed files", changed, reader, encoder)
    away, _, last = _synced("sync of moved files", moved, reader, encoder)
    return [
        Figure(PART, "Markdown files", tally.files, "files", f"{FILES:,}"),
        Figure(PART, "their text", sum(map(len, files.values())) / 1e6, "MB"),
        Figure(PART, "their passages", tally.passages, "passages"),
        Figure(PART, "first sync, without fetching", first, "s", "under 180"),
        Figure(PART, "processor time of the first sync", spent, "s"),
        Figure(PART, "sync without changes, without fetching", same, "s", "under 2"),
        Figure(PART, f"sync of {after.changed} changed files", some, "s"),
        Figure(PART, f"sync of {last.renamed} moved files", away, "s"),
        Figure(PART, "size of passages.db", _size(store) / 1e6, "MB"),
    ]


def _synced(
    what: str, files: Mapping[str, bytes], reader: Reader, encoder: Embedder
) -> tuple[float, float, Tally]:
    """Seconds by the clock, seconds of processors, and what came of it."""
    source = Tree(files)
    began, spent = time.perf_counter(), _processor()
    with step(what, total=1, unit="passages") as syncing:

        def told(now: Progress) -> None:
            syncing.total, syncing.done = now.total or 1, now.done
            syncing.tick()

        tally = sync(source, source.commit, reader, encoder, told)
    return time.perf_counter() - began, _processor() - spent, tally


def corpus(folder: Path) -> dict[str, bytes]:
    """FILES files of the notes in a folder: each whole, then the largest cut at headings. Raises
    SetupError."""
    parts = {
        file.relative_to(folder).with_suffix("").as_posix(): [file.read_text("utf-8", "replace")]
        for file in sorted(folder.rglob("*.md"))
    }
    if not parts:
        raise SetupError("The notes are not in the folder of data.", "Name it with --data.")
    missing = FILES - len(parts)
    for name in sorted(parts, key=lambda name: -len(parts[name][0])):
        pieces = [piece for piece in _HEADING.split(parts[name][0]) if piece.strip()]
        if missing <= 0 or len(pieces) < 2:
            continue
        kept = pieces[: missing + 1]
        kept[-1] += "".join(pieces[missing + 1 :])
        parts[name] = kept
        missing -= len(kept) - 1
    if missing > 0:
        raise SetupError(
            f"The notes give {FILES - missing:,} files, not {FILES:,}.", "Name others with --data."
        )
    named = (
        (f"{name}.md" if not n else f"{name}-{n}.md", text)
        for name in parts
        for n, text in enumerate(parts[name])
    )
    return {name: text.encode() for name, text in named}


def _size(store: Store) -> int:
    return store.path.stat().st_size if store.path else 0


def _processor() -> float:
    """Seconds of this process and of those it has ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
