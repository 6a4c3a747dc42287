"""Texts of word processors: .docx through mammoth (the one door to it), .odt through its XML. Both become
HTML first and then, by `html`, the same blocks as a page: headings, paragraphs, items, rows."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import mammoth

from appliance.errors import EntryUnreadable
from appliance.sources import html, omml, zipped
from appliance.sources.reading import Reading, partial_date, stem

_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_PROPERTIES = "docProps/core.xml"
_BODY = "word/document.xml"
_ALWAYS = ("[Content_Types].xml", "_rels/.rels")
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_OBJECT = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}object"
_HREF = "{http://www.w3.org/1999/xlink}href"
_LONGEST_TITLE = 160
_LEFT_OUT = {
    f"{_TEXT}tracked-changes",
    f"{_TEXT}sequence-decls",
    f"{_OFFICE}annotation",
    f"{_TEXT}note-citation",
}
_ELEMENTS = {
    f"{_TEXT}p": "p",
    f"{_TEXT}list": "ul",
    f"{_TEXT}list-item": "li",
    f"{_TABLE}table": "table",
    f"{_TABLE}table-row": "tr",
    f"{_TABLE}table-cell": "td",
    f"{_TABLE}table-header-rows": "thead",
}


def read_docx(file: Path, name: str) -> Reading:
    """A .docx file. Raises EntryUnreadable. Equations, which mammoth does not read, are marked before it and
    put back after it."""
    with zipped.opened(file, name) as archive:
        properties = zipped.xml(archive, _PROPERTIES, name) if _PROPERTIES in archive.namelist() else None
        for part in {_BODY, *filter(_parsed, archive.namelist())}:
            zipped.xml(archive, part, name)  # entities are refused before mammoth parses it
        given, equations = _with_marks(archive, name)
    try:
        page = mammoth.convert_to_html(io.BytesIO(given or file.read_bytes()), convert_image=_picture)
    except (KeyError, ValueError, AttributeError, IndexError, TypeError) as error:  # it checks little itself
        reason = str(error).rstrip(".?!")
        raise EntryUnreadable(f"{name} is damaged: {reason}.", zipped.DAMAGED) from error

    def said(tag: str) -> str:
        return (properties.findtext(tag) or "").strip() if properties is not None else ""

    found = omml.unmarked(str(page.value), equations)
    return _reading(found, name, said(f"{_CORE}title"), said(f"{_CORE}language"), said(f"{_TERMS}created"))


def _with_marks(archive: zipfile.ZipFile, name: str) -> tuple[bytes, list[str]]:
    """The file anew with marks for its equations, and these; nothing for one that has none."""
    body = zipped.xml(archive, _BODY, name)
    equations = omml.marked(body)
    if not equations:
        return b"", []
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as anew:
        for part in {*filter(_parsed, archive.namelist()), *_ALWAYS} & set(archive.namelist()) - {_BODY}:
            anew.writestr(part, zipped.member(archive, part, name))
        anew.writestr(_BODY, ElementTree.tostring(body, "utf-8"))
    return made.getvalue(), equations


def _parsed(part: str) -> bool:
    """Whether a part of a .docx may be parsed by mammoth."""
    return part.endswith((".xml", ".rels")) and part != _PROPERTIES


def read_odt(file: Path, name: str) -> Reading:
    """An .odt file. Raises EntryUnreadable."""
    with zipped.opened(file, name) as archive:
        body = zipped.xml(archive, "content.xml", name).find(f"{_OFFICE}body/{_OFFICE}text")
        about = zipped.xml(archive, "meta.xml", name) if "meta.xml" in archive.namelist() else None
        formulas = dict(_formulas(archive, body, name)) if body is not None else {}
    if body is None:
        raise EntryUnreadable(f"{name} is no text document: its body is not one.", zipped.DAMAGED)

    def said(tag: str) -> str:
        return (about.findtext(f"{_OFFICE}meta/{tag}") or "").strip() if about is not None else ""

    page = "".join(_written(body, formulas))
    return _reading(
        page, name, said(f"{_CORE}title"), said(f"{_CORE}language"), said(f"{_META}creation-date")
    )


def _reading(page: str, name: str, title: str, language: str, written: str) -> Reading:
    titled = title[:_LONGEST_TITLE]
    document = html.extract(f"<html><body>{page}</body></html>", name, titled or stem(name))
    first = next(iter(document.blocks), None)
    if not titled and first and first.kind == "heading":
        document = html.extract(page, name, document.text[first.start : first.end][:_LONGEST_TITLE])
    return Reading(document, language[:35], partial_date(written))


def _picture(_image: object) -> dict[str, str]:
    """Pictures are left out, so that their bytes are never read."""
    return {}


def _formulas(archive: zipfile.ZipFile, body: zipped.Element, name: str) -> Iterator[tuple[str, str]]:
    """Objects of the text that are formulas: by their address in the file, as MathML for `html`."""
    there = set(archive.namelist())
    for one in body.iter(_OBJECT):
        address = one.get(_HREF, "")
        part = f"{address.removeprefix('./').rstrip('/')}/content.xml"
        if part not in there:
            continue
        content = zipped.xml(archive, part, name)
        if content.tag == f"{_MATH}math":
            for element in content.iter():
                element.tag = element.tag.removeprefix(_MATH)
            yield address, ElementTree.tostring(content, "unicode")


def _written(root: zipped.Element, formulas: Mapping[str, str]) -> Iterator[str]:
    """The body as HTML, walked without recursion, so that no depth of nesting stops it."""
    todo: list[tuple[zipped.Element, bool]] = [(child, False) for child in reversed(root)]
    while todo:
        element, left = todo.pop()
        opening, closing = _tags(element)
        if not left and element.tag not in _LEFT_OUT:
            yield opening + escape(element.text or "") + formulas.get(element.get(_HREF, ""), "")
            todo.append((element, True))
            todo += [(child, False) for child in reversed(element)]
            continue
        yield (closing if left else "") + escape(element.tail or "")


def _tags(element: zipped.Element) -> tuple[str, str]:
    tag = element.tag
    if tag == f"{_TEXT}h":
        outline = element.get(f"{_TEXT}outline-level", "1")
        level = min(int(outline), 6) if outline.isdecimal() and outline != "0" and len(outline) < 3 else 1
        return f"<h{level}>", f"</h{level}>"
    if tag in (f"{_TEXT}line-break", f"{_TEXT}tab", f"{_TEXT}s"):
        return ("<br>" if tag.endswith("break") else " "), ""
    made = _ELEMENTS.get(tag)
    return (f"<{made}>", f"</{made}>") if made else ("", "")
