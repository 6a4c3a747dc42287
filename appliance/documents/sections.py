"""Blocks of a text -> sections: what stands under one heading, one label ("Aim:"), one dated entry. Pure.

A label or a date begins a section only at the beginning of a line, so that prose that mentions them stays
together. What a speaker's name would be in a play is no label: one that comes back often is none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.documents import calendar
from appliance.documents.mentioned import mentioned
from appliance.documents.records import SectionKind
from appliance.records import Block
from appliance.sources.textblocks import broken_for_width

OFTEN = 3  # times that a label may stand in a document
LONGEST_ENTRY = 60  # letters of a line in which its date is looked for
ALONE = 400  # letters of a label's text from which on its passages carry the label as a heading
_LABEL = re.compile(
    r"[ \t]*(?:[*_]{1,2})?([^\W\d_]+(?:[ /&-][^\W_]+){0,4})[ \t]*(?::(?:[*_]{1,2})?|[*_]{1,2}:)(?=\s|$)"
)
_LONGEST_LABEL = 40
_DATED = re.compile(r"[ \t]*(?:[*_#]{1,2})?(?:[^\W\d_]{2,10}[,.]?\s+){0,2}(?:the\s+)?\d")
_WEEKDAY = re.compile(r"[ \t*_#]*(?:[^\W\d_]{2,10}[,.]?\s+)?(?:the\s+)?")
_AFTER_DATE = re.compile(r"[*_]{0,2}[ \t]*(?:[.:,;)–—-]|$)[*_]{0,2}")
_MARKS = " \t*_#:.,-–—"


@dataclass(frozen=True, slots=True)
class Draft:
    """A section before it is kept; `records.Section` says what its fields mean."""

    headings: tuple[str, ...]
    start: int
    length: int
    kind: SectionKind
    date: str | None = None


@dataclass(frozen=True, slots=True)
class _Begin:
    """A place within a block where a section begins."""

    position: int
    kind: SectionKind
    name: str
    date: str | None = None


def divide(text: str, blocks: Sequence[Block]) -> tuple[list[Draft], list[Block]]:
    """The sections of a text, in order, and its blocks cut where sections begin, each with the headings that
    its passages carry: those above it, and the date of its entry or the label of its longer text."""
    drafts: list[Draft] = []
    divided: list[Block] = []
    current: _Begin | None = None
    above: tuple[str, ...] | None = None
    labels = _telling_labels(text, blocks)
    for block, after in zip(blocks, (*blocks[1:], None), strict=False):
        if block.kind == "heading":
            divided.append(block)
            if after is None or len(after.headings) <= len(
                block.headings
            ):  # with nothing below it, it is text
                drafts.append(
                    replace(_opened(block.headings, block.start, None), length=block.end - block.start)
                )
                above = None
            continue
        if block.headings != above:
            above, current = block.headings, None
            drafts.append(_opened(above, block.start, None))
        for piece, begin in _pieces(text, block, labels):
            if begin is not None and not (begin.kind == "label" and current and current.kind == "entry"):
                current = begin
                if drafts and drafts[-1].start == piece.start and drafts[-1].kind in ("body", "heading"):
                    drafts.pop()
                drafts.append(_opened(above, piece.start, begin))
            drafts[-1] = replace(drafts[-1], length=piece.end - drafts[-1].start)
            divided.append(piece)
    return drafts, _headed(drafts, divided)


def _opened(above: tuple[str, ...], start: int, begin: _Begin | None) -> Draft:
    if begin is None:
        return Draft(above, start, 0, "heading" if above else "body")
    return Draft((*above, begin.name), start, 0, begin.kind, begin.date)


def _headed(drafts: Sequence[Draft], blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the headings of their sections; a short label's text goes with what is around it."""
    headed: list[Block] = []
    at = 0
    for block in blocks:
        if block.kind == "heading":
            headed.append(block)
            continue
        while at + 1 < len(drafts) and drafts[at + 1].start <= block.start:
            at += 1
        section = drafts[at]
        alone = section.kind == "entry" or (section.kind == "label" and section.length > ALONE)
        headed.append(replace(block, headings=section.headings) if alone else block)
    return headed


def _pieces(text: str, block: Block, labels: frozenset[str]) -> Iterator[tuple[Block, _Begin | None]]:
    """The block cut at the lines that begin sections; code, formulas and rows are never cut."""
    begins = list(_begins(text, block, labels)) if block.kind in ("paragraph", "item") else []
    starts = [begin.position for begin in begins]
    if not starts or starts[0] > block.start:
        end = starts[0] if starts else block.end
        yield _trimmed(text, block, block.start, end), None
    for begin, end in zip(begins, (*starts[1:], *([block.end] if begins else [])), strict=True):
        yield _trimmed(text, block, begin.position, end), begin


def _trimmed(text: str, block: Block, start: int, end: int) -> Block:
    return replace(block, start=start, end=start + len(text[start:end].rstrip()))


def _begins(text: str, block: Block, labels: frozenset[str]) -> Iterator[_Begin]:
    position = block.start
    lines = text[block.start : block.end].splitlines(keepends=True)
    within = [False, *broken_for_width([line.rstrip() for line in lines])]  # a sentence goes on in the line
    for line, goes_on in zip(lines, within, strict=False):
        begin = None if goes_on else _entry(line.rstrip(), position, position == block.start)
        if begin is None and block.kind == "paragraph":
            found = _LABEL.match(line)
            if found and found[1].casefold() in labels:
                begin = _Begin(position, "label", found[1])
        if begin is not None:
            yield begin
        position += len(line)


def _entry(line: str, position: int, first: bool) -> _Begin | None:
    """A line that begins with a date, and goes on after a mark, or is the date alone."""
    if not _DATED.match(line[:LONGEST_ENTRY]):
        return None
    found = next(iter(mentioned(line[:LONGEST_ENTRY])), None)
    if found is None or found.span.grain not in ("day", "month") or found.resolved:
        return None
    before = _WEEKDAY.match(line)
    after = _AFTER_DATE.match(line, found.end)
    if before is None or found.start > before.end() or not (after or (first and found.start == 0)):
        return None
    return _Begin(position, "entry", line[: found.end].strip(_MARKS), calendar.written(found.span))


def _telling_labels(text: str, blocks: Sequence[Block]) -> frozenset[str]:
    found: Counter[str] = Counter()
    for block in blocks:
        if block.kind == "paragraph":
            for line in text[block.start : block.end].splitlines():
                match = _LABEL.match(line)
                if match and len(match[1]) <= _LONGEST_LABEL and match[1][0].isupper():
                    found[match[1].casefold()] += 1
    return frozenset(label for label, count in found.items() if count <= OFTEN)
