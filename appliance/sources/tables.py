"""Tables by row, each row readable alone: `Drug: Ibuprofen; Dose: 400 mg`, `Boiling point: 100 °C`. Pure.

A row takes its words from the header cells above it. Cells that span rows are repeated in each of them, cells
that span columns count as many; both are bounded, so that a hostile table costs no more than its own cells.
"""

from dataclasses import dataclass, field

_MOST_COLUMNS = 200
_MOST_HEAD_ROWS = 3
_LONGEST_CARRIED = 80
_LONGEST_LABEL = 60
_SEPARATORS = ("-", "–", "—", ":", "|", "=")


@dataclass(slots=True)
class Cell:
    """A finished cell; `header` says that it was a `th`."""

    text: str
    header: bool
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Table:
    """What a table has said so far; a `layout` table has no rows of its own. `heads` are its header words by
    column, `waiting` those that no row has used yet, `carried` the cells that reach into rows below."""

    layout: bool = False
    heads: dict[int, str] = field(default_factory=dict)
    head_rows: int = 0
    waiting: list[str] = field(default_factory=list)
    carried: dict[int, tuple[int, Cell]] = field(default_factory=dict)

    def row(self, cells: list[Cell], in_head: bool) -> str:
        """Takes the cells of the next row. A row of several headers becomes the header of those below."""
        placed = self._place(cells)
        filled = [(column, cell) for column, cell in placed if cell.text]
        if not filled:
            return ""
        if len(filled) == 1:
            column, cell = filled[0]
            label = "" if cell.header else self.heads.get(column, "")
            return _labelled(label, cell.text)
        if self.head_rows < _MOST_HEAD_ROWS and (in_head or all(cell.header for _, cell in filled)):
            self._take_heads(filled)
            return ""
        self.waiting, self.head_rows = [], 0
        if self.heads and not (len(filled) == 2 and filled[0][1].header and len(self.heads) < 2):
            return "; ".join(_labelled(self.heads.get(column, ""), cell.text) for column, cell in filled)
        return _pair([cell for _, cell in filled])

    def rest(self) -> str:
        """The header row of a table that had no other row."""
        text, self.waiting = "; ".join(self.waiting), []
        return text

    def _take_heads(self, filled: list[tuple[int, Cell]]) -> None:
        self.head_rows += 1
        if not self.waiting:
            self.heads = {}
        for column, cell in filled:
            for spanned in range(column, min(column + cell.columns, _MOST_COLUMNS)):
                above = self.heads.get(spanned, "")
                self.heads[spanned] = f"{above} {cell.text}" if above and above != cell.text else cell.text
        self.waiting += [cell.text for _, cell in filled]

    def _place(self, cells: list[Cell]) -> list[tuple[int, Cell]]:
        """Gives each cell its column, with the cells that reach down from rows above in theirs."""
        due, self.carried = self.carried, {}
        placed: list[tuple[int, Cell]] = []
        waiting = iter(cells)
        cell = next(waiting, None)
        column = 0
        while cell is not None or due:
            if column in due:
                left, here = due.pop(column)
            elif cell is not None:
                left, here = cell.rows, cell
                cell = next(waiting, None)
            else:
                column = min(due)
                continue
            placed.append((column, here))
            if left > 1 and column < _MOST_COLUMNS and len(here.text) <= _LONGEST_CARRIED:
                self.carried[column] = (left - 1, here)
            column = min(column + here.columns, _MOST_COLUMNS)
            due = {reached: above for reached, above in due.items() if reached >= column} if due else due
        return placed


def _labelled(label: str, text: str) -> str:
    return f"{label.rstrip(' :')}: {text}" if label and label != text else text


def _pair(cells: list[Cell]) -> str:
    """A row without column headers: its first cell names the others when it is a header or short."""
    cells = [cell for cell in cells if cell.text not in _SEPARATORS] or cells
    first, *others = (cell.text for cell in cells)
    short = len(first) <= _LONGEST_LABEL and not first.endswith((".", "!", "?"))
    if cells[0].header or (len(cells) == 2 and short):
        return _labelled(first, "; ".join(others))
    return "; ".join([first, *others])
