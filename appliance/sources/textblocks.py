"""Text as it was -> blocks, for plain text: paragraphs, fenced code, formulas, headings. Pure.

Nothing of the text is changed, so offsets point into it as it was, with its own line ends.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from appliance.records import Block, BlockKind, Document
from appliance.sources.reading import Reading, partial_date, stem

MAX_CHARACTERS = 8_000_000
LONGEST_TITLE = 100
NARROWEST = 50  # letters of a line that may have been broken for its width
_ENDS = (".", "!", "?", ":", "…", "。")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+|\$\$)")
_ENTRY = re.compile(r"\s*(?:\d{1,4}[./-]\d|[-*+•|>#]\s)")  # a date in numbers, an item
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\*{3,})\s*")


def read(text: str, name: str) -> Reading:
    """A plain text. Lines all in capitals or underlined, standing alone, are headings; ``` and $$ enclose
    what stays whole."""
    text = text[:MAX_CHARACTERS]
    blocks = _Blocks(text)
    for start, end in lines(text):
        blocks.line(start, end)
    blocks.close(len(text))
    found = tuple(blocks.found)
    return Reading(Document(name, _title(text, found, name), text, found), written=partial_date(stem(name)))


def lines(text: str) -> list[tuple[int, int]]:
    """(start, end) of each line without its line end."""
    return [
        (match.start(), match.start() + len(match.group().rstrip("\r\n")))
        for match in _LINE.finditer(text)
        if match.group() or match.start() == 0
    ]


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    """The first line where it stands alone and is short, else the file's name."""
    if blocks and blocks[0].kind in ("heading", "paragraph"):
        first = " ".join(text[blocks[0].start : blocks[0].end].split())
        alone = "\n" not in text[blocks[0].start : blocks[0].end].strip()
        if alone and 0 < len(first) <= LONGEST_TITLE and not first.endswith((".", ":", ";", ",")):
            return first
    return stem(name)


class _Blocks:
    """The blocks so far; what is open begins at `_start`."""

    def __init__(self, text: str) -> None:
        self.found: list[Block] = []
        self._text = text
        self._start: int | None = None
        self._end = 0
        self._lines = 0
        self._fence = ""
        self._heading: tuple[str, ...] = ()

    def line(self, start: int, end: int) -> None:
        line = self._text[start:end]
        fence = _FENCE.match(line)
        if self._fence:
            self._end = end
            if line.strip() == self._fence:
                self._emit("formula" if self._fence == "$$" else "code")
                self._fence = ""
            return
        if fence and not (fence[1] == "$$" and line.count("$$") > 1):
            self.close(start)
            self._fence, self._start, self._end = fence[1], start, end
        elif not line.strip():
            self.close(start)
        elif self._lines == 1 and _UNDERLINE.fullmatch(line) and self._start is not None:
            self._head(self._start, self._end)
            self._start, self._lines = None, 0
        elif not _UNDERLINE.fullmatch(line):
            self._start = start if self._start is None else self._start
            self._end, self._lines = end, self._lines + 1

    def close(self, _end: int) -> None:
        """Ends what is open. A fence that is never closed is a paragraph."""
        if self._start is None:
            return
        text = self._text[self._start : self._end].strip()
        if self._lines == 1 and not self._fence and _capitals(text):
            self._head(self._start, self._end)
            self._start, self._lines = None, 0
        else:
            self._emit("paragraph")
        self._fence = ""

    def _emit(self, kind: BlockKind) -> None:
        assert self._start is not None
        start, end = trimmed(self._text, self._start, self._end, kind == "code")
        if start < end:
            self.found.append(Block(kind, start, end, self._heading))
        self._start, self._lines = None, 0

    def _head(self, start: int, end: int) -> None:
        start, end = trimmed(self._text, start, end)
        self.found.append(Block("heading", start, end))
        self._heading = (" ".join(self._text[start:end].split())[:160],)


def trimmed(text: str, start: int, end: int, code: bool = False) -> tuple[int, int]:
    """The stretch without white space around it; in front of code it stays, since it is part of it."""
    piece = text[start:end]
    end = start + len(piece.rstrip())
    return (start if code else min(end, start + len(piece) - len(piece.lstrip()))), end


def _capitals(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return (
        len(letters) > 3
        and len(text) <= 80
        and text == text.upper() != text.lower()
        and text[-1] not in ".:;,"
    )


def broken_for_width(lines: Sequence[str]) -> list[bool]:
    """For each line of a paragraph whether it ends within a sentence and only because the next word would not
    have fitted into the width of the longest line; never for the last."""
    width = max(map(len, lines), default=0)
    found = []
    for line, after in pairwise((*lines, "")):
        first = after.split(None, 1)[0] if after.strip() else ""
        full = len(line) >= NARROWEST and len(line) + 1 + len(first) > width
        found.append(bool(first) and full and not line.rstrip().endswith(_ENDS))
    return found


def unbroken(text: str) -> str:
    """The text with spaces, letter for letter, where a line ends only for its width, and the next is no entry
    of its own."""
    lines = text.splitlines(keepends=True)
    bare = [line.rstrip() for line in lines]
    pieces = []
    for line, broken, after in zip(lines, broken_for_width(bare), (*bare[1:], ""), strict=True):
        ended = len(line) - len(line.rstrip("\r\n"))
        goes_on = broken and not _ENTRY.match(after)
        pieces.append(line[: len(line) - ended] + " " * ended if goes_on else line)
    return "".join(pieces)
