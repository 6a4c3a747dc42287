"""Books in EPUB: the chapters of the spine, one after the other, as one document.

EPUB 2 and 3 (https://www.w3.org/TR/epub-33/): `META-INF/container.xml` names the package file, whose spine
lists the chapters, each an XHTML page that `html` reads.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote
from zipfile import ZipFile

from appliance.errors import EntryUnreadable
from appliance.records import Block, Document
from appliance.sources import html, zipped
from appliance.sources.encodings import decode
from appliance.sources.reading import Reading, partial_date, stem

_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
MAX_CHARACTERS = 20_000_000
BETWEEN = "\n\n"


def read(file: Path, name: str) -> Reading:
    """An .epub file. Raises EntryUnreadable for one that is damaged, encrypted, or has no text."""
    with zipped.opened(file, name) as archive:
        if "META-INF/encryption.xml" in archive.namelist():
            _refuse_locked(archive, name)
        root = zipped.xml(archive, "META-INF/container.xml", name)
        found = root.find(f"{_CONTAINER}rootfiles/{_CONTAINER}rootfile")
        place = found.get("full-path", "") if found is not None else ""
        if not place:
            raise EntryUnreadable(f"{name} is damaged: it names no package.", zipped.DAMAGED)
        package = zipped.xml(archive, place, name)

        def said(tag: str) -> str:
            return (package.findtext(f"{_OPF}metadata/{_DC}{tag}") or "").strip()

        title = said("title")[:160] or stem(name)
        chapters = [
            html.extract(decode(zipped.member(archive, path, name), path)[0], name, title)
            for path in _spine(package, posixpath.dirname(place))
            if path in archive.namelist()
        ]
    document = joined(chapters, name, title)
    author = {"author": said("creator")[:300]} if said("creator") else {}
    return Reading(document, said("language")[:35], partial_date(said("date")), author)


def joined(parts: list[Document], name: str, title: str) -> Document:
    """Documents as one, with their blocks moved to where they now stand."""
    texts: list[str] = []
    blocks: list[Block] = []
    length = 0
    for part in parts:
        if not part.text or length + len(part.text) > MAX_CHARACTERS:
            continue
        blocks += [replace(b, start=b.start + length, end=b.end + length, anchor="") for b in part.blocks]
        texts.append(part.text)
        length += len(part.text) + len(BETWEEN)
    return Document(name, title, BETWEEN.join(texts), tuple(blocks))


def _spine(package: zipped.Element, folder: str) -> Iterator[str]:
    items = {
        item.get("id"): item
        for item in package.iterfind(f"{_OPF}manifest/{_OPF}item")
        if item.get("media-type") in _PAGES and "nav" not in item.get("properties", "").split()
    }
    for reference in package.iterfind(f"{_OPF}spine/{_OPF}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None:
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))


def _refuse_locked(archive: ZipFile, name: str) -> None:
    """Some books only disguise their fonts that way; one whose pages are encrypted cannot be read."""
    listed = zipped.member(archive, "META-INF/encryption.xml", name)
    if b".xhtml" in listed or b".html" in listed:
        raise EntryUnreadable(
            f"{name} is locked by its seller (DRM).", "Only books without a lock can be read."
        )
