"""Gathers text into the blocks of one Document: offsets, headings, lists, definitions, rows. Pure.

The walker in `html` says what opens and closes; this says what becomes a block. Blocks are joined by a blank
line, items and rows of one list or table by a line break. Offsets are exact code points of the joined text.
"""

import re

from appliance.records import Block, BlockKind, Document
from appliance.sources import leftout
from appliance.sources.tables import Cell, Table

LINE = "\x0b"
"""Stands for a line break inside a block until its text is put together; it counts as white space."""

_LONGEST_TITLE = 160
_LONGEST_TERM = 200
_LONGEST_CELL = 700
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_CLOSED_LINE = (",", ";", ":", ".", "!", "?", "(", "–", "-", "/")


class Blocks:
    """The blocks so far and what is open. `found` counts the letters of blocks that are not headings."""

    def __init__(self, title: str) -> None:
        self.anchor = ""
        self.in_head = False
        self.in_heading = False
        self.found = 0
        self._title = " ".join(title.split()).casefold()
        self._blocks: list[Block] = []
        self._texts: list[str] = []
        self._length = 0
        self._pieces: list[str] = []
        self._size = 0
        self._words = False
        self._formulas = False
        self._kinds: list[BlockKind] = ["paragraph"]
        self._headings: list[tuple[int, str]] = []
        self._own_heading_anchor = ""
        self._dropped_level = 0
        self._term = ""
        self._footers = 0
        self._tables: list[Table] = []
        self._rows: list[list[Cell] | None] = []
        self._cell: Cell | None = None

    # text

    def text(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        if not self._words and not text.isspace():
            self._words = True

    def formula(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._formulas = True

    def mark(self) -> int:
        return len(self._pieces)

    def since(self, mark: int) -> str:
        return "".join(self._pieces[mark:])

    def cut(self, mark: int) -> None:
        del self._pieces[mark:]

    def ends_with_digit(self) -> bool:
        return bool(self._pieces) and self._pieces[-1][-1:].isdigit()

    # blocks

    def open(self, kind: BlockKind) -> None:
        if kind == "code":
            self._break_row()
        self.flush()
        self._kinds.append(kind)

    def close(self) -> None:
        self.flush()
        if len(self._kinds) > 1:
            self._kinds.pop()

    def flush(self) -> None:
        """Ends the block that is gathering; inside a table's cell it only ends a line."""
        if self._cell is not None:
            if self._size > _LONGEST_CELL:
                self._break_row()
            else:
                self._pieces.append(LINE)
            return
        if not self._pieces:
            return
        formula_alone = self._formulas and not self._words
        kind: BlockKind = "formula" if formula_alone else self._kinds[-1]
        self._emit(kind, self._take())

    def open_heading(self) -> None:
        self._break_row()
        self.open("heading")
        self.in_heading = True
        self._own_heading_anchor = ""

    def heading_anchor(self, identity: str) -> None:
        self._own_heading_anchor = identity

    def close_heading(self, level: int) -> None:
        self.in_heading = False
        text = " ".join(self._take().split())
        if len(self._kinds) > 1:
            self._kinds.pop()
        if self._own_heading_anchor:
            self.anchor = self._own_heading_anchor
        if not text or (level == 1 and not self.found and text.casefold() == self._title):
            return
        if self._dropped_level and level > self._dropped_level:
            return
        self._dropped_level = level if level > 1 and leftout.section(text) else 0
        if self._dropped_level:
            return
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._emit("heading", text)
        self._headings.append((level, text[:_LONGEST_TITLE]))

    # definitions

    def open_term(self) -> None:
        self.open("item")

    def close_term(self) -> None:
        if self._cell is not None:
            self.close()
            return
        text = self._take()
        if len(self._kinds) > 1:
            self._kinds.pop()
        if self._term:
            text = f"{self._term}, {text}" if text else self._term
        self._term = ""
        if len(text) > _LONGEST_TERM:
            self._emit("item", text)
        else:
            self._term = text

    def close_definitions(self) -> None:
        self.flush()
        if self._term:
            term, self._term = self._term, ""
            self._emit("item", term)

    # footers

    def open_footer(self) -> None:
        self.flush()
        self._footers += 1

    def close_footer(self) -> None:
        self.flush()
        self._footers = max(0, self._footers - 1)

    # tables

    def open_table(self, layout: bool) -> None:
        self._break_row()
        self.flush()
        self._tables.append(Table())
        self._rows.append(None)
        if layout:
            self._tables[-1].layout = True

    def close_table(self) -> None:
        self.close_row()
        if self._tables:
            self._emit("row", self._tables.pop().rest())
            self._rows.pop()
        self.in_head = False

    def open_row(self) -> None:
        self.close_row()
        if self._tables and not self._tables[-1].layout:
            self._rows[-1] = []

    def close_row(self) -> None:
        self.close_cell()
        cells = self._rows[-1] if self._rows else None
        if cells is not None:
            self._rows[-1] = None
            self._emit("row", self._tables[-1].row(cells, self.in_head))

    def open_cell(self, header: bool, columns: int, rows: int) -> None:
        self.close_cell()
        if self._rows and self._rows[-1] is not None:
            self._cell = Cell("", header, columns, rows)

    def close_cell(self) -> None:
        if self._cell is None:
            self.flush()
            return
        cell, self._cell = self._cell, None
        lines = [line for line in self._take().split("\n") if line]
        cell.text = _joined(lines, ", " if not cell.header else " ")
        row = self._rows[-1]
        if row is not None:
            row.append(cell)

    def _break_row(self) -> None:
        """A cell that holds a table, a heading, code or long text is a part of the page, not a cell."""
        if self._cell is None:
            return
        self._cell = None
        cells, self._rows[-1] = self._rows[-1], None
        pending, self._pieces = self._pieces, []
        if cells:
            self._emit("row", self._tables[-1].row(cells, self.in_head))
        self._pieces = pending
        for line in self._take().split("\n"):
            self._emit("paragraph", line)

    # the document

    def finish(self) -> None:
        while self._tables:
            self.close_table()
        self.close_definitions()

    def document(self, path: str, title: str) -> Document:
        return Document(path, title, "".join(self._texts), tuple(self._blocks))

    def _take(self) -> str:
        """The pieces as text: white space becomes one space, LINE a line break; code stays as it is."""
        raw = "".join(self._pieces)
        self._pieces, self._size = [], 0
        self._words = self._formulas = False
        if not raw.isascii():
            raw = _UNSEEN.sub("", raw)
        if self._kinds[-1] == "code":
            lines = raw.replace(LINE, "\n").split("\n")
            return "\n".join(line.rstrip() for line in lines).strip("\n")
        if LINE not in raw:
            return " ".join(raw.split())
        return "\n".join(filter(None, (" ".join(line.split()) for line in raw.split(LINE))))

    def _emit(self, kind: BlockKind, text: str) -> None:
        if not text or self._dropped_level or leftout.is_licence(text, self._footers > 0):
            return
        if kind == "row" and text.casefold() == self._title:
            return
        if self._term:
            term, self._term = self._term, ""
            if kind in ("item", "paragraph", "formula"):
                kind, text = "item", f"{term.rstrip(' :')}: {text}"
            else:
                self._emit("item", term)
        if self._blocks:
            tight = kind in ("item", "row") and self._blocks[-1].kind == kind
            self._texts.append("\n" if tight else "\n\n")
            self._length += len(self._texts[-1])
        start = self._length
        self._texts.append(text)
        self._length += len(text)
        headings = tuple(heading for _, heading in self._headings)
        self._blocks.append(Block(kind, start, self._length, headings, self.anchor))
        if kind != "heading":
            self.found += len(text)


def _joined(lines: list[str], separator: str) -> str:
    text = ""
    for line in lines:
        text += (" " if text.endswith(_CLOSED_LINE) else separator) + line if text else line
    return text
