"""Searching an archive that has no index of ours: its own full-text index and its titles.

libzim's search wants every word on one page, which loses a third of plain questions, so words are left out
one by one, shortest first, until enough pages are found. From each page the stretch that holds most of the
words is taken.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from appliance.records import Document, Evidence
from appliance.retrieval.lexical import Term

ENOUGH = 5  # pages
STRETCH = 800  # letters of one passage


class SearchedArchive(Protocol):
    """What this needs of an archive (sources.zim.ZimArchive)."""

    name: str

    def fulltext(self, query: str, limit: int) -> list[str]: ...
    def suggest(self, text: str, limit: int) -> list[tuple[str, str]]: ...


def pages(archive: SearchedArchive, words: Sequence[str], limit: int = ENOUGH) -> list[str]:
    """Paths of pages for the words of a question: by the full-text index, each word of its own at the last,
    then by titles."""
    by_length = sorted(words, key=len, reverse=True)
    found: dict[str, None] = {}
    for query in [" ".join(_longest(words, n)) for n in range(len(words), 1, -1)] + by_length:
        if len(found) < limit:
            found.update(dict.fromkeys(archive.fulltext(query, limit)))
    for text in (" ".join(words), *by_length) if words else ():
        if len(found) < limit:
            found.update(dict.fromkeys(path for _, path in archive.suggest(text, limit)))
    return list(found)[:limit]


def _longest(words: Sequence[str], n: int) -> list[str]:
    """The n longest words, in their order."""
    kept = sorted(range(len(words)), key=lambda at: -len(words[at]))[:n]
    return [words[at] for at in sorted(kept)]


def best_stretch(
    archive: str, document: Document, terms: Sequence[Term], stem: Callable[[str], Sequence[str]]
) -> Evidence | None:
    """The stretch of whole blocks that holds most of the question's words; None without any of them."""
    wanted = [(frozenset(stem(term.word)), term.weight) for term in terms]
    total = sum(weight for _, weight in wanted)
    titled = frozenset(stem(document.title))
    best: Evidence | None = None
    for first, last in _stretches(document):
        start, end = document.blocks[first].start, document.blocks[last].end
        present = titled | frozenset(stem(document.text[start:end]))
        share = sum(weight for stems, weight in wanted if stems <= present) / total
        if share and (best is None or share > best.lexical):
            block = document.blocks[first]
            text = document.text[start:end]
            best = Evidence(
                archive, document.path, document.title, block.headings, block.anchor, text, start, share,
                lexical=share,
            )  # fmt: skip
    return best


def _stretches(document: Document) -> Iterator[tuple[int, int]]:
    """(first, last) block of runs that do not overlap and are about STRETCH letters long."""
    blocks = document.blocks
    first = 0
    for last, block in enumerate(blocks):
        following = blocks[last + 1].end if last + 1 < len(blocks) else None
        if following is None or following - blocks[first].start > STRETCH:
            if block.kind != "heading" or first < last:
                yield first, last
            first = last + 1
