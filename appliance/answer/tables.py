"""Tables of Markdown as sentences, one for each cell: "well Upper Mill, depth 22 m". Pure.

The first column names the row's thing. A unit that stands in the column's heading, "depth (m)", goes to its
numbers.
"""

import re
from collections.abc import Iterator

_ROW = re.compile(r"[ \t]*\|(.+)\|[ \t]*")
_RULE = re.compile(r":?-+:?")
_CELLS = re.compile(r"(?<!\\)\|")
_UNIT = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]{1,12})[)\]]")
_NUMBER = re.compile(r"[-−]?\d[\d.,\s]*")


def told(text: str) -> Iterator[str]:
    """What each cell says, of every table whose heads stand in the text; rows of another width are passed
    over."""
    heads: list[str] = []
    before: list[str] = []
    for line in text.splitlines():
        row = _ROW.fullmatch(line)
        cells = [cell.strip() for cell in _CELLS.split(row[1])] if row else []
        if cells and all(_RULE.fullmatch(cell) for cell in cells):
            heads = before if len(before) == len(cells) else []
        elif heads and len(cells) == len(heads):
            yield from (_cell(heads, cells, at) for at in range(1, len(cells)) if cells[at])
        elif not cells:
            heads = []
        before = cells


def _cell(heads: list[str], cells: list[str], at: int) -> str:
    head, value = heads[at], cells[at]
    unit = _UNIT.fullmatch(head)
    if unit and _NUMBER.fullmatch(value):
        head, value = unit[1], f"{value} {unit[2]}"
    return f"{heads[0]} {cells[0]}, {head} {value}".strip()
