"""From an archive to windows: documents cut into passages with the texts to embed, and which of these go
into a batch together.

A window is what memory holds of an archive. It ends at a document boundary that depends on the archive alone,
and its batches depend on its texts alone. Entries that cannot be read are noted in it, and the others go on.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance import sqlite
from appliance.embedding import batches
from appliance.errors import EntryUnreadable
from appliance.indexer.chunk import chunk, embedding_text
from appliance.indexer.workers import Counter
from appliance.records import Document, Passage
from appliance.sources.zim import ZimArchive
from appliance.vectors import MAX_TOKENS

WINDOW = 512  # passages sorted by length together, and lost at most by a kill: some seconds of work
SPAN = 2048  # entries; no window reaches over a multiple of it, so that ranges can be made apart (`cluster`)


@dataclass(slots=True)
class Draft:
    """A document on its way to its vectors."""

    path: str
    title: str
    passages: tuple[Passage, ...]
    texts: tuple[str, ...]
    crc32: tuple[int, ...]
    words: tuple[str, ...]


@dataclass(slots=True)
class Window:
    """Documents with together at least WINDOW passages (the last: what is left)."""

    drafts: list[Draft] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    position: int = 0
    passages: int = 0
    order: list[list[int]] = field(default_factory=list)

    def texts(self) -> list[str]:
        return [text for draft in self.drafts for text in draft.texts]


def read_windows(
    archive: ZimArchive, position: int, counter: Counter, size: int, end: int | None = None
) -> Iterator[Window]:
    """The archive's documents from `position` on, in windows; the last one ends where the archive ends, or at
    position `end`."""
    end = archive.entry_count() if end is None else end
    window = Window()
    for place in range(position, end):
        window.position = place + 1
        try:
            document = archive.evidence(place)
            draft = _draft(document, counter) if document else None
        except EntryUnreadable as error:
            window.skipped.append((f"entry {place}", str(error)))
            continue
        except Exception as error:  # noqa: BLE001 - counted and listed; the others go on
            window.skipped.append((f"entry {place}", f"{type(error).__name__}: {error}"))
            continue
        if draft and draft.passages:
            window.drafts.append(draft)
            window.passages += len(draft.passages)
        if window.passages >= size or (window.passages and not (place + 1) % SPAN):
            yield _sorted(window, counter)
            window = Window()
    window.position = end
    yield _sorted(window, counter)


def _sorted(window: Window, counter: Counter) -> Window:
    window.order = batches(counter.count(window.texts()))
    return window


def _draft(document: Document, counter: Counter) -> Draft:
    passages = tuple(chunk(document, counter.count, MAX_TOKENS))
    texts = [document.text[one.start : one.start + one.length] for one in passages]
    headed = list(zip(passages, texts, strict=True))
    return Draft(
        document.path,
        document.title,
        passages,
        tuple(embedding_text(document.title, one.headings, text) for one, text in headed),
        tuple(zlib.crc32(text.encode()) for text in texts),
        tuple(sqlite.lexical_text(" ".join((document.title, *one.headings, text))) for one, text in headed),
    )


def batches_of(windows: Iterator[Window], waiting: list[Window]) -> Iterator[list[str]]:
    """The batches of all windows; a window joins `waiting` before its first batch is given out."""
    for window in windows:
        waiting.append(window)
        texts = window.texts()
        for rows in window.order:
            yield [texts[row] for row in rows]
