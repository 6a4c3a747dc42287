"""A text in sections -> passages, as the indexer cuts archives. Pure.

Code blocks and formulas stay whole, also where that makes a passage longer than the embedder reads; words
find what stands behind that. Only code beyond WHOLE letters is cut, between its paragraphs or lines.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.documents.sections import Draft, divide
from appliance.errors import EntryUnreadable
from appliance.indexer.chunk import Count, chunk
from appliance.records import Block, Document
from appliance.sources.reading import Reading
from appliance.vectors import MAX_TOKENS

WHOLE = 8_000  # letters
_INLINE = re.compile(
    r"(?<!`)(`+)(?!`)[^\n]{1,600}?(?<!`)\1(?!`)"  # code in a line
    r"|\$\$[^$]{1,2000}\$\$|(?<!\$)\$(?=\S)[^$\n]{1,300}(?<=\S)\$(?!\d)"  # formulas: $$…$$, $…$
    r"|\\\[|\\\(|\\begin\{\w{1,40}\*?\}"  # what these open is closed below
)
_CLOSED = {"\\[": ("\\]", 2000), "\\(": ("\\)", 600)}  # by what, within how many letters
_LONGEST_BEGUN = 4000
_PIECE = re.compile(r"[A-Za-z]{1,4}|\d{1,2}|[^\sA-Za-z\d]")


MOST_BLOCKS, MOST_PASSAGES = 100_000, 20_000  # of one document, however large its file may be


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage before it is kept; `section` counts from 0."""

    section: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Divided:
    """A file as it was read, with its sections and passages."""

    reading: Reading
    drafts: list[Draft]
    cuts: list[Cut]


def divided(reading: Reading, count: Count) -> Divided:
    """What was read, cut. Raises as `cut`."""
    return Divided(reading, *cut(reading.document, count))


def cut(document: Document, count: Count) -> tuple[list[Draft], list[Cut]]:
    """The sections and passages of a document, in order; every passage begins in its section. Raises
    EntryUnreadable for one that has more than may be kept of one document."""
    _require("paragraphs and headings", len(document.blocks), MOST_BLOCKS)
    drafts, blocks = divide(document.text, document.blocks)
    whole = sorted(_whole(document.text, blocks))
    headed = Document(document.path, document.title, document.text, tuple(blocks))
    starts = [draft.start for draft in drafts]
    passages = [
        Cut(max(0, bisect_right(starts, one.start) - 1), one.start, one.length)
        for one in chunk(headed, count, MAX_TOKENS, whole)
    ]
    _require("passages", len(passages), MOST_PASSAGES)
    return drafts, passages


def _require(what: str, found: int, most: int) -> None:
    if found > most:
        raise EntryUnreadable(
            f"This file has {found:,} {what}; at most {most:,} are kept of one.",
            "Split it into several files.",
        )


def _whole(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Stretches in which nothing is cut, apart from each other."""
    for block in blocks:
        if block.kind in ("code", "formula") and block.end - block.start <= WHOLE:
            yield block.start, block.end
        elif block.kind != "code":
            yield from _inline(text, block.start, block.end)


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Code and formulas within a line or paragraph. What opens and is not closed is text: looked for by
    `find`, since a pattern that looks ahead from each of a million openings holds everything up."""
    while found := _INLINE.search(text, start, end):
        opening = found.group()
        closing, most = _CLOSED.get(opening, ("", 0))
        if opening.startswith("\\begin"):
            closing, most = opening.replace("begin", "end", 1), _LONGEST_BEGUN
        start = found.end()
        if closing:
            at = text.find(closing, start + 1, min(end, start + most + len(closing)))
            if at < 0:
                continue
            start = at + len(closing)
        yield found.start(), start


def estimate(texts: Sequence[str]) -> list[int]:
    """Tokens of texts, somewhat more than the model's own tokenizer finds, for where it is not running."""
    return [2 + len(_PIECE.findall(text)) for text in texts]
