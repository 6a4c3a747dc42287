"""Document -> passages: stretches that the embedder reads whole, cut where the text itself parts. Pure.

Blocks are joined only under one heading, up to GOAL tokens, so that a citation stays exact; a block that the
embedder cannot read whole is cut at sentence ends, else at clauses, words, letters. No text is changed: a
passage is a pointer into `Document.text`; passages do not overlap and together hold every block. A heading
is in the passages below it as heading path; one with nothing below it is text. `CHUNKER` counts versions as
`EXTRACTOR` does.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from appliance.records import Block, Document, Passage

CHUNKER = 1
GOAL = 150
"""Tokens that joined blocks reach at most, without the title and headings in front."""

SMALL = 40
"""Tokens below which the rest of a section goes to the passage before it, beyond GOAL if it fits."""

LETTERS_PER_TOKEN = 8
"""A token counts at most for so many letters: unknown words of any length must not make a passage endless."""

_LONGEST_TITLE = 100
_LONGEST_HEADINGS = 100

Count = Callable[[Sequence[str]], list[int]]

_ABBREVIATION = r"(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|St|vs|No|ca|cf)\.)(?<!\b(?:Mrs|e\.g|i\.e)\.)"
_PROSE = (
    re.compile(
        rf"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’)\]])){_ABBREVIATION}\s+(?=[^\Wa-z]|[\"'“‘(\[])|(?<=[。！？।؟])|\n\s*"
    ),
    re.compile(r"(?<=[;:—])\s+|(?<=[；：，、])"),
    re.compile(r"(?<=,)\s+"),
    re.compile(r"\s+"),
)
_ROW = (re.compile(r"(?<=;)\s+"), *_PROSE)
_CODE = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"\s+"))


@dataclass(slots=True)
class _Span:
    """A stretch of text with its cost in tokens."""

    start: int
    end: int
    tokens: int


def embedding_text(title: str, headings: Sequence[str], text: str) -> str:
    """What the embedder reads for a passage: title and heading path (both bounded), then the text."""
    path = ": ".join(heading for heading in headings if heading.casefold() != title.casefold())
    front = ": ".join(part for part in (_cut(title, _LONGEST_TITLE), _cut(path, _LONGEST_HEADINGS)) if part)
    return f"{front}\n{text}" if front else text


def chunk(
    document: Document, count: Count, limit: int, whole: Sequence[tuple[int, int]] = ()
) -> list[Passage]:
    """Passages in the order of the text. `count` gives tokens with the special ones; as `embedding_text` no
    passage has more than `limit` of them (at least 128). Empty for a document without text.

    Nothing is cut within a stretch (start, end) of `whole`, which are in order and apart: a passage that
    holds one may then be longer, and the embedder reads its beginning."""
    units = _units(document.blocks)
    if not units:
        return []
    fronts = list(
        {unit.headings: embedding_text(document.title, unit.headings, "") for unit in units}.items()
    )
    texts = [document.text[unit.start : unit.end] for unit in units]
    special, *counts = count(["", *(front for _, front in fronts), *texts])
    room = {headings: limit - tokens for (headings, _), tokens in zip(fronts, counts, strict=False)}
    passages: list[Passage] = []
    section: list[tuple[Block, _Span]] = []
    for unit, text, tokens in zip(units, texts, counts[len(fronts) :], strict=True):
        if section and section[-1][0].headings != unit.headings:
            passages += _section(document.text, section, room[section[0][0].headings])
            section = []
        uncut = _Span(unit.start, unit.end, _cost(text, tokens - special))
        if uncut.tokens <= room[unit.headings]:
            section.append((unit, uncut))
            continue
        splitter = _Splitter(document.text, count, special, room[unit.headings], whole)
        section += [(unit, piece) for piece in splitter.split(uncut, unit.kind)]
    return passages + _section(document.text, section, room[section[0][0].headings])


def _section(text: str, pieces: Sequence[tuple[Block, _Span]], room: int) -> list[Passage]:
    """Joins what stands under one heading to passages. A line that announces goes with what it announces."""
    groups: list[list[tuple[Block, _Span]]] = []
    for block, span in pieces:
        if groups and _joins(text, groups[-1], block, span, room):
            groups[-1].append((block, span))
        elif groups and len(groups[-1]) > 1 and _announces(text, groups[-1], span, room):
            groups.append([groups[-1].pop(), (block, span)])
        else:
            groups.append([(block, span)])
    if len(groups) > 1 and _tokens(groups[-1]) < SMALL and _tokens(groups[-2]) + _tokens(groups[-1]) <= room:
        rest = groups.pop()
        groups[-1] += rest
    return [
        Passage(group[0][1].start, group[-1][1].end - group[0][1].start, block.headings, block.anchor)
        for group in groups
        for block in (group[0][0],)
    ]


def _joins(text: str, group: Sequence[tuple[Block, _Span]], block: Block, span: _Span, room: int) -> bool:
    """Whether a piece belongs to the passage before it: not beyond GOAL; rows and prose stay apart."""
    if len(group) == 1 and _announces(text, group, span, room):
        return True
    so_far = _tokens(group)
    alike = (group[-1][0].kind == "row") == (block.kind == "row")
    return so_far + span.tokens <= min(GOAL, room) and (alike or so_far < SMALL)


def _announces(text: str, group: Sequence[tuple[Block, _Span]], span: _Span, room: int) -> bool:
    """Whether the last line of a passage ends with a colon and the embedder can read it with what follows."""
    last = group[-1][1]
    return text[last.end - 1] in ":：" and last.tokens + span.tokens <= room


def _tokens(group: Sequence[tuple[Block, _Span]]) -> int:
    return sum(span.tokens for _, span in group)


def _units(blocks: Sequence[Block]) -> list[Block]:
    """The blocks that passages are made of: all but the headings with something below them."""
    following = (*blocks[1:], None)
    return [block for block, after in zip(blocks, following, strict=False) if not _leads(block, after)]


def _leads(block: Block, after: Block | None) -> bool:
    return block.kind == "heading" and after is not None and len(after.headings) > len(block.headings)


def _cost(text: str, tokens: int) -> int:
    return max(tokens, -(-len(text) // LETTERS_PER_TOKEN))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0]


@dataclass(slots=True)
class _Splitter:
    """Cuts one block that is too long for `room` tokens."""

    text: str
    count: Count
    special: int
    room: int
    kept: Sequence[tuple[int, int]]

    def split(self, whole: _Span, kind: str) -> list[_Span]:
        """Pieces of about equal size that fit, in order."""
        levels = {"code": _CODE, "row": _ROW, "item": _ROW}.get(kind, _PROSE)
        pieces = self._fitting(whole, levels)
        goal = min(GOAL, self.room)
        even = whole.tokens / -(-whole.tokens // goal)
        joined = [pieces[0]]
        for piece in pieces[1:]:
            last = joined[-1]
            together = last.tokens + piece.tokens
            if together <= self.room and last.tokens + piece.tokens / 2 <= even:
                joined[-1] = _Span(last.start, piece.end, together)
            else:
                joined.append(piece)
        return joined

    def _fitting(self, span: _Span, levels: Sequence[re.Pattern[str]]) -> list[_Span]:
        if span.tokens <= self.room:
            return [span]
        ends = (
            [found.span() for found in levels[0].finditer(self.text, span.start, span.end)] if levels else []
        )
        if not levels:
            middle = self._beside((span.start + span.end) // 2, span)
            ends = [(middle, middle)] if span.start < middle < span.end else []
        ends = [(start, end) for start, end in ends if not self._within(start, end)]
        if not levels and not ends:
            return [span]
        starts = [span.start, *(end for _, end in ends)]
        stops = [*(start for start, _ in ends), span.end]
        texts = [self.text[start:stop].rstrip() for start, stop in zip(starts, stops, strict=True)]
        bounds = [(start, start + len(text)) for start, text in zip(starts, texts, strict=True) if text]
        texts = list(filter(None, texts))
        pieces = [
            _Span(start, stop, _cost(text, tokens - self.special))
            for (start, stop), text, tokens in zip(bounds, texts, self.count(texts), strict=True)
        ]
        return [fitting for piece in pieces for fitting in self._fitting(piece, levels[1:])]

    def _beside(self, middle: int, span: _Span) -> int:
        """The middle, or the nearest end of what is to stay whole there; an end of the span for all of it."""
        at = bisect_left(self.kept, (middle, middle))
        if at == 0 or self.kept[at - 1][1] <= middle:
            return middle
        start, end = self.kept[at - 1]
        return start if start > span.start else end

    def _within(self, start: int, end: int) -> bool:
        """Whether a cut from start to end would part what is to stay whole."""
        at = bisect_left(self.kept, (end, end))
        return at > 0 and self.kept[at - 1][1] > start
