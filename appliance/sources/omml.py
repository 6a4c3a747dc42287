"""Equations of Word files (Office Math, ECMA-376 part 1, 22.1) as MathML, which `formula` reads; pure.

Word's parts have their own names for what MathML has: a fraction, a root, scripts, brackets, sums. What only
lays out is read through.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape

from appliance.sources.formula import power
from appliance.sources.zipped import Element

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
EQUATION = f"{_M}oMath"
_DEEPEST = 60
_MARK = re.compile("\ue0f0(\\d{1,9})\ue0f1")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\S")
_SCRIPTS = {"sSub": ("sub",), "sSup": ("sup",), "sSubSup": ("sub", "sup"), "sPre": ("sub", "sup")}
_SCRIPTED = {("sub",): "msub", ("sup",): "msup", ("sub", "sup"): "msubsup"}
_BRACKETS, _SUM, _SEPARATOR = "()", "∫", "|"


def marked(body: Element) -> list[str]:
    """Puts a marked run of text into the place of each equation; the equations as MathML, in order."""
    found: list[str] = []
    for parent in list(body.iter()):
        for place, child in enumerate(list(parent)):
            if child.tag == EQUATION:
                parent[place] = _run(mark(len(found)), child.tail)
                found.append(f"<math>{mathml(child)}</math>")
    for parent in list(body.iter()):  # what stands around an equation on a line of its own is Word's alone
        for place, child in reversed(list(enumerate(list(parent)))):
            if child.tag == f"{_M}oMathPara":
                parent[place : place + 1] = [run for run in child if run.tag == f"{_W}r"]
    return found


def mark(number: int) -> str:
    """Of private letters, which no text has."""
    return f"\ue0f0{number}\ue0f1"


def unmarked(page: str, equations: Sequence[str]) -> str:
    """HTML with the equations in the places of their marks."""

    def put_back(found: re.Match[str]) -> str:
        number = int(found[1])
        return equations[number] if number < len(equations) else ""

    return _MARK.sub(put_back, page)


def _run(text: str, tail: str | None) -> Element:
    run = Element(f"{_W}r")
    run.tail = tail
    inner = Element(f"{_W}t")
    inner.text = text
    run.append(inner)
    return run


def mathml(node: Element, depth: int = 0) -> str:
    """One element with all that is in it."""
    kind = node.tag.removeprefix(_M)
    if depth > _DEEPEST or kind.endswith("Pr"):
        return ""
    if kind == "t":
        return "".join(_tokens(node.text or ""))
    if kind in _SCRIPTS:
        return _scripted(_row(node, "e", depth), {name: _row(node, name, depth) for name in _SCRIPTS[kind]})
    match kind:
        case "f":
            return f"<mfrac>{_row(node, 'num', depth)}{_row(node, 'den', depth)}</mfrac>"
        case "rad":
            degree = "".join("".join(one.itertext()) for one in node.findall(f"{_M}deg")).strip()
            return f"<mi>{escape(power(degree))}</mi><msqrt>{_row(node, 'e', depth)}</msqrt>"
        case "limLow" | "limUpp":
            side = "sub" if kind == "limLow" else "sup"
            return _scripted(_row(node, "e", depth), {side: _row(node, "lim", depth)})
        case "nary":
            sign = f"<mi>{escape(_set(node, 'naryPr', 'chr', _SUM))}</mi>"
            limits = {name: _row(node, name, depth) for name in ("sub", "sup") if _part(node, name, depth)}
            return _scripted(sign, limits) + _row(node, "e", depth)
        case "d":
            return _bracketed(node, depth)
        case "func":
            return f"{_part(node, 'fName', depth)}<mtext> </mtext>{_row(node, 'e', depth)}"
        case "m" | "eqArr":
            rows = node.findall(f"{_M}{'mr' if kind == 'm' else 'e'}")
            return "".join(f"<mtr>{_cells(one, depth)}</mtr>" for one in rows)
    return "".join(mathml(child, depth + 1) for child in node)


def _part(node: Element, name: str, depth: int) -> str:
    return "".join(mathml(one, depth + 1) for one in node.findall(f"{_M}{name}"))


def _row(node: Element, name: str, depth: int) -> str:
    return f"<mrow>{_part(node, name, depth)}</mrow>"


def _bracketed(node: Element, depth: int) -> str:
    opening, closing = (
        escape(_set(node, "dPr", f"{end}Chr", _BRACKETS[n])) for n, end in enumerate(("beg", "end"))
    )
    between = f"<mo>{escape(_set(node, 'dPr', 'sepChr', _SEPARATOR))}</mo>"
    inside = between.join(mathml(one, depth + 1) for one in node.findall(f"{_M}e"))
    return f"<mrow><mo>{opening}</mo>{inside}<mo>{closing}</mo></mrow>"


def _cells(row: Element, depth: int) -> str:
    cells = row.findall(f"{_M}e") or [row]
    return "".join(f"<mtd>{''.join(mathml(one, depth + 2) for one in cell)}</mtd>" for cell in cells)


def _scripted(base: str, scripts: dict[str, str]) -> str:
    tag = _SCRIPTED.get(tuple(scripts))
    return f"<{tag}><mrow>{base}</mrow>{''.join(scripts.values())}</{tag}>" if tag else base


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        tag = "mn" if token[0].isdigit() else "mi" if token[0].isalpha() else "mo"
        yield f"<{tag}>{escape(token)}</{tag}>"


def _set(node: Element, properties: str, name: str, otherwise: str) -> str:
    """A sign that the element's properties choose; an empty one is chosen too."""
    found = node.find(f"{_M}{properties}/{_M}{name}")
    return otherwise if found is None else found.get(f"{_M}val", otherwise)
