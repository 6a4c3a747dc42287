"""HTML -> Document: the text of a page in blocks, as a reader would read it. Pure.

Kept: paragraphs, headings, lists, definitions, tables by row, formulas, code, bare text anywhere.
Left out: what `leftout` names. The tree is walked once, without recursion, so time grows with the number
of nodes; very long pages are cut at MAX_CHARACTERS and pages nested beyond MAX_DEPTH are refused.
`EXTRACTOR` counts versions: any change to the text of a page needs a new one, since indexes hold offsets.
"""

import re
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from appliance.errors import EntryUnreadable
from appliance.records import Document
from appliance.sources import formula, leftout
from appliance.sources.blocks import LINE, Blocks

EXTRACTOR = 1
MAX_CHARACTERS = 8_000_000
MAX_DEPTH = 5_000

PageKind = Literal["article", "disambiguation", "contents", "front", "redirect"]

_BLOCKS = leftout.words(
    "address article aside blockquote body caption center details dd dir div dl dt fieldset figcaption figure"
    " footer h1 h2 h3 h4 h5 h6 header hgroup hr legend li main ol p pre section summary table tbody td"
    " tfoot th thead tr ul"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)[^<>]*(/?)>")
_UNNESTED = leftout.words(
    "a p li dt dd tr td th thead tbody tfoot option area base br col embed hr img input link meta"
    " source track wbr"
)
_FORMULA_IMAGE = re.compile(r"mwe-math|\btex\b|latex|math-inline|math-display")
_REFERENCE = re.compile(r"\[[^\[\]]{1,24}\]")


def extract(html: str, path: str, title: str) -> Document:
    """The text of a page. Raises EntryUnreadable for a page nested too deeply to be parsed safely."""
    return read_page(html, path, title)[0]


def read_page(html: str, path: str, title: str, main: bool = False) -> tuple[Document, PageKind]:
    """The text of a page and what kind it is; only an article is evidence. `main`: the archive opens with it,
    so it may be a page that only leads to the others."""
    html = html[:MAX_CHARACTERS]
    _check_depth(html, path)
    tree = LexborHTMLParser(html, scripting=True)
    if not title or title == path:
        named = tree.css_first("title")
        title = " ".join(named.text().split()) if named else title
    reader = _Reader(title)
    reader.walk(_content(tree, html))
    if not reader.blocks.found and tree.body is not None:
        reader = _Reader(title)
        reader.walk(tree.body)
    document = reader.blocks.document(path, title)
    kind = _kind(html, document, reader)
    prose = sum(block.end - block.start for block in document.blocks if block.kind == "paragraph")
    if main and kind == "article" and leftout.is_front(len(document.text), reader.linked, prose):
        return document, "front"
    return document, kind


def _kind(html: str, document: Document, reader: "_Reader") -> PageKind:
    text = document.text
    if len(text) < 300 and re.search(r"http-equiv\s*=\s*[\"']?refresh", html, re.IGNORECASE):
        return "redirect"
    first = next((b for b in document.blocks if b.kind != "heading"), None)
    if leftout.is_disambiguation(html, document.title, text[first.start : first.end] if first else ""):
        return "disambiguation"
    if leftout.is_contents(document.title, len(text), reader.linked, reader.links):
        return "contents"
    return "article"


def _check_depth(html: str, path: str) -> None:
    """The parser's time grows with depth times length; a quick count stops pages made to hang it."""
    if html.count("<") < MAX_DEPTH:
        return
    depth = deepest = 0
    for closing, tag, alone in _TAG.findall(html):
        if tag.lower() in _UNNESTED or alone:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise EntryUnreadable(
            f"{path}: its elements are nested {deepest:,} deep, more than {MAX_DEPTH:,}.",
            "The entry is left out.",
        )


def _content(tree: LexborHTMLParser, html: str) -> LexborNode | None:
    """The part of the page that is its content, where the page says so."""
    for mark, selector in (
        ("mw-content-text", "#mw-content-text"),
        ("mw-parser-output", ".mw-parser-output"),
        ("<main", "main"),
        ('role="main"', "[role=main]"),
    ):
        if mark in html and (found := tree.css_first(selector)) is not None:
            return found
    return tree.body


class _Reader:
    """One walk over one page. Elements are entered and left in document order; text goes to `blocks`."""

    def __init__(self, title: str) -> None:
        self.blocks = Blocks(title)
        self.linked = self.links = 0
        self._in_link = 0
        self._unindexed = False
        self._raised: list[int] = []

    def walk(self, root: LexborNode | None) -> None:
        node = root.child if root is not None else None
        open_elements: list[tuple[LexborNode, str]] = []
        while node is not None:
            tag = node.tag
            if tag == "-text":
                self._text(node.text_content or "")
            elif tag is not None and self._enter(node, tag):
                child = node.child
                if child is not None:
                    open_elements.append((node, tag))
                    node = child
                    continue
                self._leave(tag)
            following = node.next
            while following is None and open_elements:
                node, tag = open_elements.pop()
                self._leave(tag)
                following = node.next
            node = following
        self.blocks.finish()

    def _text(self, text: str) -> None:
        if self._unindexed:
            return
        self.blocks.text(text)
        if self._in_link:
            self.linked += len(text.strip())

    def _enter(self, node: LexborNode, tag: str) -> bool:
        """Opens an element; False leaves it and all in it out."""
        if tag in leftout.TAGS:
            self._comment_or_formula(node, tag)
            return False
        attributes = node.attributes
        if attributes and leftout.hides(tag, attributes):
            return False
        if self._unindexed:
            return True
        if tag in _BLOCKS:
            self._enter_block(tag, attributes)
            return True
        return self._enter_inline(node, tag, attributes)

    def _enter_block(self, tag: str, attributes: leftout.Attributes) -> None:
        blocks = self.blocks
        if tag in _HEADINGS:
            blocks.open_heading()
        elif tag == "table":
            blocks.open_table(attributes.get("role") in ("presentation", "none"))
        elif tag == "tr":
            blocks.open_row()
        elif tag in ("td", "th"):
            blocks.open_cell(
                tag == "th", _count(attributes.get("colspan")), _count(attributes.get("rowspan"))
            )
        elif tag == "thead":
            blocks.in_head = True
        elif tag in ("li", "dd"):
            blocks.open("item")
        elif tag == "dt":
            blocks.open_term()
        elif tag == "pre":
            blocks.open("code")
        elif tag == "footer":
            blocks.open_footer()
        else:
            blocks.flush()
        if identity := attributes.get("id"):
            blocks.anchor = identity

    def _enter_inline(self, node: LexborNode, tag: str, attributes: leftout.Attributes) -> bool:
        blocks = self.blocks
        classes = attributes.get("class") or ""
        if tag == "math":
            blocks.formula(formula.from_mathml(node))
            return False
        if "mwe-math-element" in classes and (maths := node.css_first("math")) is not None:
            blocks.formula(formula.from_mathml(maths))
            return False
        if tag == "img":
            alternative = attributes.get("alt") or ""
            if alternative and (_FORMULA_IMAGE.search(classes) or "\\displaystyle" in alternative):
                blocks.formula(formula.from_tex(alternative))
            return False
        if tag == "br":
            blocks.text(LINE)
        elif tag == "a":
            self._in_link += 1
            self.links += 1
        elif tag == "sup":
            self._raised.append(blocks.mark())
        elif "frac" in classes and blocks.ends_with_digit():
            blocks.text(" ")
        if (identity := attributes.get("id")) and blocks.in_heading:
            blocks.heading_anchor(identity)
        return True

    def _leave(self, tag: str) -> None:
        if tag in _BLOCKS:
            if not self._unindexed:
                self._leave_block(tag)
        elif tag == "a":
            self._in_link = max(0, self._in_link - 1)
        elif tag == "sup" and self._raised:
            self._raise(self._raised.pop())

    def _raise(self, mark: int) -> None:
        """A power is written raised (`10⁶`); a reference that no class names is taken out."""
        text = self.blocks.since(mark).strip()
        if _REFERENCE.fullmatch(text):
            self.blocks.cut(mark)
        elif text and text[-1].isdigit():
            self.blocks.cut(mark)
            self.blocks.text(formula.power(text))

    def _leave_block(self, tag: str) -> None:
        blocks = self.blocks
        if tag in _HEADINGS:
            blocks.close_heading(_HEADINGS[tag])
        elif tag == "table":
            blocks.close_table()
        elif tag == "tr":
            blocks.close_row()
        elif tag in ("td", "th"):
            blocks.close_cell()
        elif tag == "thead":
            blocks.in_head = False
        elif tag in ("li", "dd", "pre"):
            blocks.close()
        elif tag == "dt":
            blocks.close_term()
        elif tag == "dl":
            blocks.close_definitions()
        elif tag == "footer":
            blocks.close_footer()
        else:
            blocks.flush()

    def _comment_or_formula(self, node: LexborNode, tag: str) -> None:
        """Scripts can hold TeX (MathJax); comments can mark a part that its maker keeps out of search."""
        if tag == "-comment" and (comment := (node.comment_content or "").strip()):
            if comment in ("htdig_noindex", "/htdig_noindex"):
                self.blocks.flush()
                self._unindexed = comment == "htdig_noindex"
        elif tag == "script" and "math/tex" in (node.attributes.get("type") or ""):
            self.blocks.formula(formula.from_tex(node.text()))


def _count(value: str | None) -> int:
    return min(max(int(value), 1), 1000) if value and value.isdecimal() and len(value) < 6 else 1
