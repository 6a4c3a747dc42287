"""Markdown (CommonMark, tables, front matter, formulas) -> blocks of the text as it was. Pure.

The one door to mdit-py-plugins, and to PyYAML for the front matter.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from appliance.records import Block, BlockKind, Document
from appliance.sources.reading import Reading, partial_date, stem
from appliance.sources.textblocks import MAX_CHARACTERS, lines, trimmed

_DATES = ("date", "written", "created", "published")
_KINDS: dict[str, BlockKind] = {
    "fence": "code",
    "code_block": "code",
    "math_block": "formula",
    "math_block_label": "formula",
    "html_block": "paragraph",
    "paragraph_open": "paragraph",
    "tr_open": "row",
}
LONGEST_HEADING = 160
LONGEST_FRONT = 20_000


def read(text: str, name: str) -> Reading:
    """A Markdown file. Its front matter is no text that is searched; what it says goes into the reading."""
    text = text[:MAX_CHARACTERS]
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin).use(dollarmath_plugin)
    parser.core.ruler.disable("inline")  # its time grows with the square, and nothing here asks for it
    # A form feed or NEL ends no line for the parser, so its lines are those of `lines`.
    tokens = parser.parse(text.replace("\r\n", "\n").replace("\r", "\n"))
    front = _front(tokens)
    blocks = tuple(_blocks(text, tokens))
    first = next((block for block in blocks if block.kind == "heading" and not block.headings), None)
    titled = heading_text(text, first) if first else ""
    title = _plain(front.get("title") or "").strip() or titled or stem(name)
    written = next((date for key in _DATES if (date := _date(front.get(key)))), None)
    return Reading(
        Document(name, title[:LONGEST_HEADING], text, blocks),
        _plain(front.get("lang") or front.get("language") or "")[:35],
        written or partial_date(stem(name)),
        {_plain(key)[:80]: _said(value) for key, value in front.items()},
    )


def _plain(value: object) -> str:
    """A value as text, without halves of letters, which YAML lets through and nothing can keep. "" for lists
    and tables, which a few lines can make larger than any memory, and for numbers of thousands of digits."""
    if not isinstance(value, str | int | float | datetime.date):
        return ""
    try:
        return str(value).encode("utf-8", "replace").decode()
    except ValueError:
        return ""


def heading_text(text: str, block: Block) -> str:
    """A heading without its marks."""
    line = text[block.start : block.end].strip()
    line = line.splitlines()[0] if not line.startswith("#") else line.strip("#")
    return " ".join(line.replace("**", "").replace("`", "").split())[:LONGEST_HEADING]


def _blocks(text: str, tokens: Sequence[Token]) -> Iterator[Block]:
    places = lines(text)
    path: list[tuple[int, str]] = []
    items = 0
    for token in tokens:
        items += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        kind = "heading" if token.type == "heading_open" else _KINDS.get(token.type)
        if kind is None or token.map is None:
            continue
        first, last = token.map[0], min(token.map[1], len(places)) - 1
        if first > last:
            continue
        start, end = trimmed(text, places[first][0], places[last][1], kind == "code")
        if start >= end:
            continue
        if kind == "heading":
            level = int(token.tag[1:])
            path = [(depth, title) for depth, title in path if depth < level]
            block = Block("heading", start, end, tuple(title for _, title in path))
            path.append((level, heading_text(text, block)))
            yield block
            continue
        if kind == "paragraph" and items:
            kind = "item"
        yield Block(kind, start, end, tuple(title for _, title in path))


def _front(tokens: Sequence[Token]) -> Mapping[str, Any]:
    """The front matter's table; empty without one, and for one that is no YAML or no table."""
    token = next((token for token in tokens[:1] if token.type == "front_matter"), None)
    if token is None or len(token.content) > LONGEST_FRONT:
        return {}
    try:
        found = yaml.safe_load(token.content)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _date(value: object) -> str | None:
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    wanted = isinstance(value, str | int) and not isinstance(value, bool)
    return partial_date(_plain(value)) if wanted else None


def _said(value: object) -> str:
    """A value as one line; lists with commas, tables left out."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_plain, value[:50])))[:500]
    return _plain(value)[:500]
