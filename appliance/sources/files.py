"""What reads the files of own documents, for the process that does (`documents.child`).

By the name's ending, checked against its first bytes: a PDF named .txt is said to be one.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from appliance.errors import EntryUnreadable
from appliance.sources import epub, html, markdown, office, pdf, textblocks
from appliance.sources.encodings import decode
from appliance.sources.formats import EMPTY, READABLE, format_of
from appliance.sources.reading import Reading, partial_date, stem

_LANGUAGE = re.compile(r"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?([A-Za-z0-9-]{2,35})", re.IGNORECASE)
_DATE = re.compile(
    r"<meta\b[^>]{0,200}?(?:name|property)\s*=\s*[\"'](?:date|dcterms?\.date|article:published_time)[\"']"
    r"[^>]{0,200}?content\s*=\s*[\"']([^\"']{4,30})",
    re.IGNORECASE,
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_NO_CHARSETS = (
    "idna",
    "punycode",
    "raw-unicode-escape",
    "unicode-escape",
    "undefined",
)  # Python's, of no page
_SIGNS = ((b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP archive"), (b"\x7fELF", "a program"))


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
        charset = codecs.lookup(named[1].decode()).name if named else "utf-8"
        text, encoding = content.decode("utf-8" if charset in _NO_CHARSETS else charset), ""
    except (UnicodeError, LookupError):
        text, encoding = decode(content, name)
    language, date = _LANGUAGE.search(text[:4096]), _DATE.search(text[:20_000])
    titled = html.extract(text, name, "")
    document = replace(titled, title=titled.title[:160] or stem(name))
    written = partial_date(date[1]) if date else partial_date(stem(name))
    return _encoded(Reading(document, language[1] if language else "", written), encoding)


def _encoded(reading: Reading, encoding: str) -> Reading:
    known = encoding in ("", "utf-8", "ascii")
    return reading if known else replace(reading, meta={**reading.meta, "encoding": encoding})


_READERS: dict[str, Callable[[Path, str], Reading]] = {
    "plain text": _plain,
    "Markdown": _marked,
    "HTML": _page,
    "PDF": pdf.read,
    "Word": office.read_docx,
    "OpenDocument": office.read_odt,
    "EPUB": epub.read,
}


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
    reading = _READERS[found.name](file, name)
    if not any(letter.isalnum() for letter in reading.document.text):
        raise EntryUnreadable(f"{name} has no text.", EMPTY)
    return reading
