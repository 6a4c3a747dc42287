"""PDF -> text: the pages' lines, put together to paragraphs and headings, through pypdfium2.

A PDF holds letters at places, not paragraphs. Lines of one size that stand under each other are one
paragraph until a line ends early, a gap opens or the size changes; larger short lines are headings. What the
text then is, offsets point into.
"""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import pypdfium2 as pdfium
from pypdfium2 import raw

from appliance.errors import EntryUnreadable
from appliance.records import Block, BlockKind, Document
from appliance.sources.reading import Reading, partial_date, stem

PAGES = 5_000
MAX_CHARACTERS = 20_000_000
SCANNED = 20  # letters on a page, on average, below which there is no text but what a scanner left
LARGER = 1.15  # than the text, from which on a short line is a heading
LONGEST_HEADING = 160
NO_TEXT = "Have it read by a program that recognises text (OCR), then add it again."
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its text, the size of its letters, and where it stands, in points from below."""

    text: str
    size: float
    left: float
    right: float
    base: float


def read(file: Path, name: str) -> Reading:
    """A PDF with text. Raises EntryUnreadable for a scan, and for what is damaged or locked."""
    try:
        document = pdfium.PdfDocument(file)
    except pdfium.PdfiumError as error:
        locked = getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD
        if locked:
            raise EntryUnreadable(f"{name} is locked.", "Save it without a password, then add it.") from error
        reason = str(error).rstrip(".")
        raise EntryUnreadable(f"{name} is damaged: {reason}.", "Save or print it anew as a PDF.") from error
    try:
        if len(document) > PAGES:
            raise EntryUnreadable(f"{name} has {len(document):,} pages, more than {PAGES:,}.", "Split it.")
        pages = [_lines(document, number) for number in range(len(document))]
        about = {key: _about(document, key) for key in ("Title", "CreationDate", "Author")}
    finally:
        document.close()
    letters = sum(len(line.text) for lines in pages for line in lines)
    if letters < SCANNED * max(1, len(pages)):
        raise EntryUnreadable(f"{name} has no text in it, only pictures of pages (a scan).", NO_TEXT)
    title = " ".join(about["Title"].split())[:LONGEST_HEADING] or stem(name)
    written = partial_date(about["CreationDate"].removeprefix("D:"))
    author = {"author": about["Author"][:300]} if about["Author"] else {}
    document_made = put_together(pages, name, title)
    return Reading(document_made, written=written, meta={"pages": str(len(pages)), **author})


def _about(document: pdfium.PdfDocument, key: str) -> str:
    """What it says of itself under a key; "" for what is no text in the encoding that it claims."""
    try:
        return str(document.get_metadata_value(key))
    except UnicodeError:
        return ""


def _lines(document: pdfium.PdfDocument, number: int) -> list[Line]:
    page = document[number]
    try:
        text_page = page.get_textpage()
        try:
            return list(_page_lines(text_page))
        finally:
            text_page.close()
    finally:
        page.close()


def _page_lines(text_page: pdfium.PdfTextPage) -> Iterator[Line]:
    """The lines as PDFium orders them. Letters that it makes up (spaces, line ends) have no place."""
    text = text_page.get_text_range()
    left, base = ctypes.c_double(), ctypes.c_double()
    position = 0
    for written in re.split(r"(\r?\n)", text):
        if written.strip():
            first = position + len(written) - len(written.lstrip())
            last = position + len(written.rstrip()) - 1
            raw.FPDFText_GetCharOrigin(text_page, first, left, base)
            right = text_page.get_charbox(last)[2]
            size = raw.FPDFText_GetFontSize(text_page, first)
            yield Line(_clean(written), size, left.value, right, base.value)
        position += len(written)


def _clean(text: str) -> str:
    """Without the marks that PDFium leaves for hyphens (U+FFFE, U+0002) and NULs."""
    return " ".join(text.replace("\ufffe", "-").replace("\2", "-").replace("\0", "").split())


def put_together(pages: Sequence[Sequence[Line]], name: str, title: str) -> Document:
    """Lines of pages as a document. Lines that stand on most pages (running heads, numbers) are left out."""
    running = _running(pages)
    lines = [
        [line for line in page if _bare(line.text) not in running and not line.text.isdecimal()]
        for page in pages
    ]
    usual = _usual_size(lines)
    texts: list[str] = []
    blocks: list[Block] = []
    headings: tuple[str, ...] = ()
    length = 0
    for heading, text in _paragraphs(lines, usual):
        if length + len(text) > MAX_CHARACTERS:
            break
        kind: BlockKind = "heading" if heading else "paragraph"
        blocks.append(Block(kind, length, length + len(text), () if heading else headings))
        headings = (text[:LONGEST_HEADING],) if heading else headings
        texts.append(text)
        length += len(text) + 2
    return Document(name, title, "\n\n".join(texts), tuple(blocks))


def _running(pages: Sequence[Sequence[Line]]) -> set[str]:
    """First and last lines that stand, but for numbers, on more than half of the pages."""
    if len(pages) < 4:
        return set()
    edges = Counter(text for page in pages for text in {_bare(line.text) for line in (*page[:2], *page[-2:])})
    return {text for text, count in edges.items() if count > len(pages) / 2}


def _bare(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _usual_size(pages: Sequence[Sequence[Line]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _paragraphs(pages: Sequence[Sequence[Line]], usual: float) -> Iterator[tuple[bool, str]]:
    """(whether it is a heading, text) in order. A paragraph goes on over a page's end."""
    gathered: list[Line] = []
    for page in pages:
        widest = max((line.right for line in page), default=0.0)
        pitch = _pitch(page)
        for place, line in enumerate(page):
            if gathered and _parts(gathered[-1], line, place == 0, widest, pitch):
                yield _heading(gathered, usual), _joined(gathered)
                gathered = []
            gathered.append(line)
    if gathered:
        yield _heading(gathered, usual), _joined(gathered)


def _pitch(page: Sequence[Line]) -> float:
    """How far lines of one size usually stand under each other."""
    steps = [
        one.base - other.base
        for one, other in pairwise(page)
        if abs(one.size - other.size) < 0.5 and 0 < one.base - other.base < 4 * one.size
    ]
    return median(steps) if steps else 1.5 * max((line.size for line in page), default=12.0)


def _parts(before: Line, line: Line, new_page: bool, widest: float, pitch: float) -> bool:
    if abs(before.size - line.size) > 0.1 * max(before.size, line.size):
        return True
    ended = before.text.endswith((".", "!", "?", ":", "。", "”", '"'))
    if new_page:
        return ended
    down = before.base - line.base
    early = before.right < widest - 0.15 * (widest - before.left)
    apart = down > 1.35 * pitch or down < -3 * line.size  # a gap; another column
    return apart or (ended and early) or line.text.startswith(("•", "–", "-"))


def _heading(lines: Sequence[Line], usual: float) -> bool:
    text = sum(len(line.text) for line in lines)
    return bool(usual) and lines[0].size >= LARGER * usual and text <= LONGEST_HEADING


def _joined(lines: Sequence[Line]) -> str:
    """Lines as one; a word parted at a line's end is whole again."""
    text = lines[0].text
    for line in lines[1:]:
        parted = _HYPHENATED.search(text) and line.text[:1].islower()
        text = text[:-1] + line.text if parted else f"{text} {line.text}"
    return text
