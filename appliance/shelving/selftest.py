"""The self-test that a bundle must pass before it is trusted to stay: everything of it opens, is read, and is
found by a search."""

import zlib
from collections.abc import Sequence

from appliance.bundles.manifest import Bundle
from appliance.errors import LamplightError
from appliance.retrieval.candidates import Book
from appliance.retrieval.search import Library
from appliance.sources.zim import ZimArchive

READ = 5  # passages of each archive, spread over it


def fault(library: Library, bundle: Bundle) -> str:
    """Why the bundle cannot stay in use, in a sentence; "" when it can."""
    books = {book.archive.uuid: book for book in library.books}
    for archive in bundle.archives:
        book = books.get(archive.uuid)
        if book is None:
            return f"{archive.name} was not opened."
        try:
            said = _fault(library, book)
        except LamplightError as error:
            said = str(error)
        if said:
            return f"{archive.name}: {said}"
    return ""


def _fault(library: Library, book: Book) -> str:
    if book.index is None or not book.index.size:  # of another version of this software: read all the same
        return _read(book.archive)
    step = max(1, book.index.size // READ)
    pointers = book.index.pointers(range(1, book.index.size + 1, step))
    for pointer in pointers:
        text = book.archive.document(pointer.path).text[pointer.start : pointer.start + pointer.length]
        if zlib.crc32(text.encode()) != pointer.crc32:
            return f"the text of {pointer.path} is not what was indexed."
    titles = [pointer.title for pointer in pointers if any(map(str.isalnum, pointer.title))]
    return "" if _found(library, book.archive.name, titles) else "a search for its own titles finds nothing."


def _read(archive: ZimArchive) -> str:
    if archive.main_path:
        archive.html(archive.main_path)
    return ""


def _found(library: Library, archive: str, titles: Sequence[str]) -> bool:
    return not titles or any(library.search(title, archives={archive}).evidence for title in titles)
