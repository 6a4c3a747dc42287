"""The one door to libzim: opens archives, reads entries as Documents, asks libzim's own indexes.

Writing is in `zimwriter` and handed out here too, so that users of libzim import one module.
Paths are never changed: what `documents` gives is what `document` takes, letter by letter. Everything that
libzim raises becomes ArchiveError, EntryMissing or EntryUnreadable.
"""

import re
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from libzim.reader import Archive, Entry, Item, set_cluster_cache_max_size
from libzim.search import Query, Searcher
from libzim.suggestion import SuggestionSearcher

from appliance.errors import ArchiveError, EntryMissing, EntryUnreadable
from appliance.records import Document
from appliance.sources import html, plaintext
from appliance.sources.zimfile import archive_name, check_whole, parts
from appliance.sources.zimwriter import Page, write_archive

__all__ = ["Page", "ZimArchive", "archive_name", "write_archive"]

CLUSTER_CACHE = 8 * 2**20
"""Bytes of decompressed clusters that libzim keeps, over all archives together."""

_MOST_HOPS = 8
_LARGEST_ENTRY = 64 * 2**20
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")
_ERRORS = (RuntimeError, KeyError, ValueError, OSError, UnicodeError, IndexError)

set_cluster_cache_max_size(CLUSTER_CACHE)


class ZimArchive:
    """An open archive. Reading is safe from several threads. Everything in its metadata may be missing: texts
    are then "", `date` None, `languages` ()."""

    def __init__(self, path: Path, archive: Archive) -> None:
        self.path = path
        self.name = archive_name(path)
        self._archive = archive
        self._lock = threading.Lock()
        self.uuid = str(archive.uuid)
        self.checksum = archive.checksum if archive.has_checksum else ""
        self.size = archive.filesize
        self.article_count = archive.article_count
        self.has_fulltext = archive.has_fulltext_index
        self.has_titles = archive.has_title_index
        self._keys = frozenset(archive.metadata_keys)
        self.title = self.metadata("Title") or self.name
        self.description = self.metadata("Description")
        self.licence = self.metadata("License")
        self.source = self.metadata("Source")
        self.creator = self.metadata("Creator")
        self.languages = tuple(code for code in re.split(r"[,;\s]+", self.metadata("Language")) if code)
        self.language = self.languages[0] if self.languages else ""
        self.date = _date(self.metadata("Date"))
        self.main_path = self._main_path()

    @classmethod
    def open(cls, path: Path) -> "ZimArchive":
        """Opens an archive, plain or split. Raises ArchiveError when it is not whole or libzim refuses it."""
        check_whole(path)
        files = parts(path)
        base = files[0].with_name(files[0].name.removesuffix("aa")) if len(files) > 1 else files[0]
        try:
            return cls(path, Archive(base))
        except _ERRORS as error:
            reason = str(error).splitlines()[0].rstrip(":.") if str(error) else type(error).__name__
            raise ArchiveError(
                f"{path.name} is damaged: {reason}.", "Copy the file again, or get another edition of it."
            ) from error

    def metadata(self, key: str) -> str:
        """One text of the archive's metadata, "" when it is missing or cannot be read."""
        if key not in self._keys:
            return ""
        try:
            text = self._archive.get_metadata(key).decode("utf-8", "replace")
        except _ERRORS:
            return ""
        return " ".join(text.split())

    def entry_count(self) -> int:
        """How many positions `documents` goes through."""
        archive = self._archive
        return int(archive.entry_count if archive.has_new_namespace_scheme else archive.all_entry_count)

    def documents(self, start: int = 0) -> Iterator[tuple[int, Document | EntryUnreadable]]:
        """Every page that can be evidence, with its position; go on with the last position + 1.

        Left out: redirects, what is neither HTML nor plain text, contents and disambiguation pages, a main
        page that only leads to the others, pages without text. A damaged entry is yielded as its error."""
        for position in range(max(0, start), self.entry_count()):
            try:
                document = self.evidence(position)
            except EntryUnreadable as error:
                yield position, error
                continue
            if document is not None:
                yield position, document

    def document(self, path: str) -> Document:
        """The page of a path, redirects followed. Raises EntryMissing, or EntryUnreadable."""
        item = self._item(path)
        return _read(item)[0]

    def html(self, path: str) -> str:
        """The entry's own text, undone from its bytes only. Raises as `document` does."""
        return _text(self._item(path))

    def suggest(self, text: str, limit: int) -> list[tuple[str, str]]:
        """Titles that begin with or hold the words, as (title, path of the page), best first."""
        found: dict[str, str] = {}
        for start in dict.fromkeys((text, text[:1].upper() + text[1:])):
            for path in self._suggested(start, limit * 2):
                target = self._target(path)
                if target is not None and target[1] not in found and len(found) < limit:
                    found[target[1]] = target[0]
        return [(title, path) for path, title in found.items()]

    def fulltext(self, query: str, limit: int) -> list[str]:
        """Paths of pages that hold every word, from libzim's own full-text index; [] without one."""
        words = " ".join(_WORD.findall(query))
        if not self.has_fulltext or not words or limit < 1:
            return []
        try:
            with self._lock:
                search = Searcher(self._archive).search(Query().set_query(words))
                return list(search.getResults(0, limit))
        except _ERRORS:
            return []

    def _suggested(self, text: str, limit: int) -> list[str]:
        if not text.strip() or limit < 1:
            return []
        try:
            with self._lock:
                return list(
                    SuggestionSearcher(self._archive).suggest(text.replace("\0", " ")).getResults(0, limit)
                )
        except _ERRORS:
            return []

    def _target(self, path: str) -> tuple[str, str] | None:
        try:
            entry = self._archive.get_entry_by_path(path)
            return str(entry.title), str(_followed(entry, path).path)
        except (*_ERRORS, EntryMissing):
            return None

    def _item(self, path: str) -> Item:
        try:
            entry = self._archive.get_entry_by_path(path)
        except _ERRORS as error:
            raise EntryMissing(f"{self.name} has no entry {path!r}.", "Search for it again.") from error
        try:
            return _followed(entry, path).get_item()
        except _ERRORS as error:
            raise EntryUnreadable(f"{path!r} of {self.name} cannot be read: {error}.") from error

    def evidence(self, position: int) -> Document | None:
        """What `documents` gives at a position; None for what it leaves out. Raises EntryUnreadable."""
        path = f"entry {position}"
        try:
            entry = self._archive._get_entry_by_id(position)
            path = entry.path
            if entry.is_redirect:
                return None
            if not self._archive.has_new_namespace_scheme and not path.startswith("A/"):
                return None
            item = entry.get_item()
            if not _is_text(item.mimetype):
                return None
        except _ERRORS as error:
            raise EntryUnreadable(f"{path!r} of {self.name} cannot be read: {error}.") from error
        document, kind = _read(item, main=path == self.main_path and self.article_count > 1)
        return document if kind == "article" and document.blocks else None

    def _main_path(self) -> str:
        try:
            return str(_followed(self._archive.main_entry, "").path) if self._archive.has_main_entry else ""
        except (*_ERRORS, EntryMissing):
            return ""


def _followed(entry: Entry, path: str) -> Entry:
    """Follows redirects, at most _MOST_HOPS of them."""
    for _ in range(_MOST_HOPS):
        if not entry.is_redirect:
            return entry
        entry = entry.get_redirect_entry()
    raise EntryMissing(f"{path!r} redirects more than {_MOST_HOPS} times.", "Search for the page itself.")


def _read(item: Item, main: bool = False) -> tuple[Document, html.PageKind]:
    text = _text(item)
    if item.mimetype.startswith("text/plain"):
        return plaintext.extract(text, item.path, item.title), "front" if main else "article"
    return html.read_page(text, item.path, item.title, main)


def _text(item: Item) -> str:
    try:
        mimetype, size = item.mimetype, item.size
        if not _is_text(mimetype):
            raise EntryUnreadable(f"{item.path!r} is {mimetype}, not a page.")
        if size > _LARGEST_ENTRY:
            raise EntryUnreadable(f"{item.path!r} has {size:,} bytes, more than {_LARGEST_ENTRY:,}.")
        content = bytes(item.content)
    except _ERRORS as error:
        raise EntryUnreadable(f"An entry cannot be read: {error}.") from error
    return plaintext.decoded(content, mimetype)


def _is_text(mimetype: str) -> bool:
    return mimetype.split(";")[0].strip().lower() in ("text/html", "application/xhtml+xml", "text/plain")


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
