"""A document's blocks as a page draws them, with one passage marked; pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from appliance.records import Block, Document
from appliance.sources.textblocks import unbroken


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a block; `first` is the one that the page scrolls to."""

    text: str
    marked: bool = False
    first: bool = False


@dataclass(slots=True)
class Part:
    """What is drawn as one: a heading, a paragraph, code, or a run of list items or rows.

    `tag` is the heading's element (h2 … h6) or the block's kind; `id` is there for headings only."""

    tag: str
    lines: list[list[Piece]] = field(default_factory=list)
    id: str = ""

    @property
    def text(self) -> str:
        return "".join(piece.text for line in self.lines for piece in line)


def lay_out(document: Document, start: int, end: int) -> Iterator[Part]:
    """The document's blocks as parts, in order; what lies in start…end (code points) is marked."""
    current: Part | None = None
    found = False
    headings = 0
    for block in document.blocks:
        pieces = list(_pieces(document.text, block, start, end))
        for place, piece in enumerate(pieces):
            if piece.marked and not found:
                pieces[place] = Piece(piece.text, marked=True, first=True)
                found = True
        if current is not None and block.kind == current.tag and block.kind in ("item", "row"):
            current.lines.append(pieces)
            continue
        if current is not None:
            yield current
        if block.kind == "heading":
            headings += 1
            current = Part(f"h{min(6, 2 + len(block.headings))}", [pieces], f"h-{headings}")
        else:
            current = Part(block.kind, [pieces])
    if current is not None:
        yield current


def _pieces(text: str, block: Block, start: int, end: int) -> Iterator[Piece]:
    """The block cut at the passage's ends: before, in and after it."""
    cut_start = min(max(start, block.start), block.end)
    cut_end = min(max(end, cut_start), block.end)
    for left, right, marked in (
        (block.start, cut_start, False),
        (cut_start, cut_end, True),
        (cut_end, block.end, False),
    ):
        if right > left:
            yield Piece(text[left:right], marked)


def filled(document: Document) -> Document:
    """The document with its lines put together where they end only for their width: a screen has another.
    Places stay."""
    text, pieces, at = document.text, [], 0
    for block in document.blocks:
        if block.kind in ("paragraph", "item"):
            pieces += [text[at : block.start], unbroken(text[block.start : block.end])]
            at = block.end
    return replace(document, text="".join((*pieces, text[at:])))


def plain_headings(parts: Iterator[Part]) -> Iterator[Part]:
    """Headings without Markdown's own marks: the page has others."""
    for part in parts:
        if part.id and part.lines and part.lines[0]:
            first, *rest = part.lines[0]
            part.lines[0] = [Piece(first.text.lstrip("# "), first.marked, first.first), *rest]
        yield part
