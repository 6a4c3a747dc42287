"""The formats of own documents: which files are read, and which have the smaller limit. `files` reads them,
which the pages' process need not have.
"""

from dataclasses import dataclass
from pathlib import Path

from appliance.errors import EntryUnreadable

EMPTY = "There is nothing in it to search."


@dataclass(frozen=True, slots=True)
class Format:
    """`text`: it is plain text, with the smaller limit. `sign`: what its file begins with."""

    name: str
    media_type: str
    text: bool
    sign: bytes = b""


_TEXT = Format("plain text", "text/plain", True)
_MARKDOWN = Format("Markdown", "text/markdown", True)
_HTML = Format("HTML", "text/html", True)
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FORMATS = {
    ".txt": _TEXT,
    ".text": _TEXT,
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".pdf": Format("PDF", "application/pdf", False, b"%PDF"),
    ".docx": Format("Word", _WORD, False, b"PK"),
    ".odt": Format("OpenDocument", "application/vnd.oasis.opendocument.text", False, b"PK"),
    ".epub": Format("EPUB", "application/epub+zip", False, b"PK"),
}
READABLE = "Lamplight reads .txt, .md, .html, .pdf, .docx, .odt and .epub files."


def format_of(name: str) -> Format:
    """By the name's ending. Raises EntryUnreadable for one that is not read."""
    ending = Path(name).suffix.lower()
    if ending not in FORMATS:
        what = f"of the kind {ending}" if ending else "without an ending"
        raise EntryUnreadable(f"{name}: files {what} cannot be read.", READABLE)
    return FORMATS[ending]
