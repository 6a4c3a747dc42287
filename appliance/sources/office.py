"""Texts of word processors: .docx through mammoth (the one door to it), .odt through its XML. Both become
HTML first and then, by `html`, the same blocks as a page: headings, paragraphs, items, rows."""

import io
from collections.abc import Iterator
from html import escape
from pathlib import Path

import mammoth

from appliance.errors import EntryUnreadable
from appliance.sources import html, zipped
from appliance.sources.reading import Reading, partial_date, stem

_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_PROPERTIES = "docProps/core.xml"
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
    """A .docx file. Raises EntryUnreadable. Equations are left out: mammoth does not read them."""
    with zipped.opened(file, name) as archive:
        properties = zipped.xml(archive, _PROPERTIES, name) if _PROPERTIES in archive.namelist() else None
        for part in {"word/document.xml", *filter(_parsed, archive.namelist())}:
            zipped.xml(archive, part, name)  # entities are refused before mammoth parses it
    try:
        page = mammoth.convert_to_html(io.BytesIO(file.read_bytes()), convert_image=_picture)
    except (KeyError, ValueError, AttributeError, IndexError, TypeError) as error:  # it checks little itself
        raise EntryUnreadable(f"{name} is damaged: {error}.", zipped.DAMAGED) from error

    def said(tag: str) -> str:
        return (properties.findtext(tag) or "").strip() if properties is not None else ""

    return _reading(
        str(page.value), name, said(f"{_CORE}title"), said(f"{_CORE}language"), said(f"{_TERMS}created")
    )


def _parsed(part: str) -> bool:
    """Whether a part of a .docx may be parsed by mammoth."""
    return part.endswith((".xml", ".rels")) and part != _PROPERTIES


def read_odt(file: Path, name: str) -> Reading:
    """An .odt file. Raises EntryUnreadable."""
    with zipped.opened(file, name) as archive:
        body = zipped.xml(archive, "content.xml", name).find(f"{_OFFICE}body/{_OFFICE}text")
        about = zipped.xml(archive, "meta.xml", name) if "meta.xml" in archive.namelist() else None
    if body is None:
        raise EntryUnreadable(f"{name} is no text document: its body is not one.", zipped.DAMAGED)

    def said(tag: str) -> str:
        return (about.findtext(f"{_OFFICE}meta/{tag}") or "").strip() if about is not None else ""

    page = "".join(_written(body))
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


def _written(root: zipped.Element) -> Iterator[str]:
    """The body as HTML, walked without recursion, so that no depth of nesting stops it."""
    todo: list[tuple[zipped.Element, bool]] = [(child, False) for child in reversed(root)]
    while todo:
        element, left = todo.pop()
        opening, closing = _tags(element)
        if not left and element.tag not in _LEFT_OUT:
            yield opening + escape(element.text or "")
            todo.append((element, True))
            todo += [(child, False) for child in reversed(element)]
            continue
        yield (closing if left else "") + escape(element.tail or "")


def _tags(element: zipped.Element) -> tuple[str, str]:
    tag = element.tag
    if tag == f"{_TEXT}h":
        outline = element.get(f"{_TEXT}outline-level", "1")
        level = min(int(outline), 6) if outline.isdecimal() and outline != "0" else 1
        return f"<h{level}>", f"</h{level}>"
    if tag in (f"{_TEXT}line-break", f"{_TEXT}tab", f"{_TEXT}s"):
        return ("<br>" if tag.endswith("break") else " "), ""
    made = _ELEMENTS.get(tag)
    return (f"<{made}>", f"</{made}>") if made else ("", "")
