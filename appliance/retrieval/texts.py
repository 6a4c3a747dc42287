"""From pointers to text: reads documents from the archives, checks the passages, finds near-duplicates.

An index holds no text. A passage is (path, start, length, crc32), and its text is read from the archive
through the same extractor that the indexer used. A passage whose text no longer gives its crc32 is dropped
and counted.
"""

import threading
import zlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence

from appliance.errors import EntryMissing, EntryUnreadable
from appliance.records import Block, Document, Evidence
from appliance.retrieval.words import fold, words
from appliance.sources.textblocks import broken_for_width

CACHED_LETTERS = 6_000_000
SHINGLE = 3
SAME = 0.75  # Jaccard similarity of the shingles from which two passages count as one


class DocumentCache:
    """The last documents read, bounded by their letters, so that random reading does not grow memory.

    `read` is called outside the lock: two threads may read one document twice, which is harmless.
    """

    def __init__(self, capacity: int = CACHED_LETTERS) -> None:
        self._capacity = capacity
        self._held = 0
        self._documents: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, archive: str, path: str, read: Callable[[str], Document]) -> Document:
        """The document of an archive's path. Raises what `read` raises: EntryMissing, EntryUnreadable."""
        key = (archive, path)
        with self._lock:
            if key in self._documents:
                self._documents.move_to_end(key)
                return self._documents[key]
        document = read(path)
        with self._lock:
            if key not in self._documents and len(document.text) <= self._capacity:
                self._documents[key] = document
                self._held += len(document.text)
            while self._held > self._capacity:
                self._held -= len(self._documents.popitem(last=False)[1].text)
        return document

    def try_get(self, archive: str, path: str, read: Callable[[str], Document]) -> Document | None:
        """The same, None for an entry that cannot be read."""
        try:
            return self.get(archive, path, read)
        except (EntryMissing, EntryUnreadable):
            return None


def checked(document: Document, start: int, length: int, crc32: int) -> str | None:
    """The passage's text, or None when it is not the text that was indexed."""
    text = document.text[start : start + length]
    return text if zlib.crc32(text.encode("utf-8")) == crc32 else None


def unwrapped(document: Document, start: int, text: str) -> str:
    """A stretch of a document, each end of a line that is only the text's width made a space: as many letters
    as before, so that every place stays."""
    letters = list(text)
    for block in document.blocks:
        if block.kind not in ("paragraph", "item") or block.end <= start or block.start >= start + len(text):
            continue
        lines, end = document.text[block.start : block.end].split("\n"), block.start - start
        for line, broken in zip(lines, broken_for_width(lines), strict=True):
            end += len(line)
            if broken and 0 <= end < len(letters):
                letters[end] = " "
            end += 1
    return "".join(letters)


def block_at(document: Document, position: int) -> Block | None:
    """The block that holds a position of the text, or the last one before it."""
    at = bisect_right(document.blocks, position, key=lambda block: block.start)
    return document.blocks[at - 1] if at else None


class Distinct:
    """Collects evidence, best first, and leaves out what says the same as something collected before.

    Compared by overlapping runs of three words (Broder, "On the resemblance and containment of documents",
    1997): passages of two editions, or of two articles that share a paragraph, are one to a reader.
    """

    def __init__(self) -> None:
        self.items: list[Evidence] = []
        self._shingles: list[frozenset[int]] = []

    def add(self, item: Evidence) -> bool:
        """Whether the item was new."""
        shingles = _shingles(item.text)
        if any(_alike(shingles, other) for other in self._shingles):
            return False
        self.items.append(item)
        self._shingles.append(shingles)
        return True


def _shingles(text: str) -> frozenset[int]:
    tokens = words(fold(text))
    runs: Sequence[tuple[str, ...]] = list(zip(*(tokens[n:] for n in range(SHINGLE)), strict=False))
    return frozenset(map(hash, runs or [tuple(tokens)]))


def _alike(one: frozenset[int], other: frozenset[int]) -> bool:
    smaller, larger = sorted((len(one), len(other)))
    if smaller < SAME * larger:
        return False
    common = len(one & other)
    return common >= SAME * (smaller + larger - common)
