"""The formats of own documents: which file is read by what, and how large it may be.

By its name's ending, checked against its first bytes: a PDF named .txt is said to be one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.errors import EntryUnreadable
from appliance.sources import epub, html, markdown, office, pdf, textblocks
from appliance.sources.encodings import decode
from appliance.sources.reading import Reading, partial_date, stem

_LANGUAGE = re.compile(r"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?([A-Za-z0-9-]{2,35})", re.IGNORECASE)
_DATE = re.compile(
    r"<meta\b[^>]{0,200}?(?:name|property)\s*=\s*[\"'](?:date|dcterms?\.date|article:published_time)[\"']"
    r"[^>]{0,200}?content\s*=\s*[\"']([^\"']{4,30})",
    re.IGNORECASE,
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_SIGNS = ((b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP archive"), (b"\x7fELF", "a program"))
EMPTY = "There is nothing in it to search."


@dataclass(frozen=True, slots=True)
class Format:
    """`text`: it is plain text, with the smaller limit. `sign`: what its file begins with."""

    name: str
    media_type: str
    text: bool
    read: Callable[[Path, str], Reading]
    sign: bytes = b""


def _plain(file: Path, name: str) -> Reading:
    text, encoding = decode(file.read_bytes(), name)
    return _encoded(textblocks.read(text, name), encoding)


def _marked(file: Path, name: str) -> Reading:
    text, encoding = decode(file.read_bytes(), name)
    return _encoded(markdown.read(text, name), encoding)


def _page(file: Path, name: str) -> Reading:
    content = file.read_bytes()
    named = _CHARSET.search(content[:4096])
    try:
        text, encoding = content.decode(named[1].decode() if named else "utf-8"), ""
    except (UnicodeDecodeError, LookupError):
        text, encoding = decode(content, name)
    language, date = _LANGUAGE.search(text[:4096]), _DATE.search(text[:20_000])
    titled = html.extract(text, name, "")
    document = replace(titled, title=titled.title[:160] or stem(name))
    written = partial_date(date[1]) if date else partial_date(stem(name))
    return _encoded(Reading(document, language[1] if language else "", written), encoding)


def _encoded(reading: Reading, encoding: str) -> Reading:
    known = encoding in ("", "utf-8", "ascii")
    return reading if known else replace(reading, meta={**reading.meta, "encoding": encoding})


_TEXT = Format("plain text", "text/plain", True, _plain)
_MARKDOWN = Format("Markdown", "text/markdown", True, _marked)
_HTML = Format("HTML", "text/html", True, _page)
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FORMATS = {
    ".txt": _TEXT,
    ".text": _TEXT,
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".pdf": Format("PDF", "application/pdf", False, pdf.read, b"%PDF"),
    ".docx": Format("Word", _WORD, False, office.read_docx, b"PK"),
    ".odt": Format("OpenDocument", "application/vnd.oasis.opendocument.text", False, office.read_odt, b"PK"),
    ".epub": Format("EPUB", "application/epub+zip", False, epub.read, b"PK"),
}
READABLE = "Lamplight reads .txt, .md, .html, .pdf, .docx, .odt and .epub files."


def format_of(name: str) -> Format:
    """By the name's ending. Raises EntryUnreadable for one that is not read."""
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        what = f"of the kind {ending}" if ending else "without an ending"
        raise EntryUnreadable(f"{name}: files {what} cannot be read.", READABLE)
    return FORMATS[ending]


def read(file: Path, name: str) -> Reading:
    """The text of a file that is named `name`. Raises EntryUnreadable for what cannot be read or is empty."""
    found = format_of(name)
    with file.open("rb") as opened:
        head = opened.read(1024)
    if found.sign and found.sign not in head:
        raise EntryUnreadable(f"{name} is no {found.name} file: it does not begin like one.", READABLE)
    for sign, what in _SIGNS if found.text else ():
        if head.startswith(sign):
            raise EntryUnreadable(f"{name} is {what}, not {found.name}.", READABLE)
    reading = found.read(file, name)
    if not any(letter.isalnum() for letter in reading.document.text):
        raise EntryUnreadable(f"{name} has no text.", EMPTY)
    return reading
