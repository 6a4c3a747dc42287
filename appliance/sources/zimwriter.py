"""Writes an archive with libzim: titles and full text indexed, metadata kept. The other half of `zim`."""

import os
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from libzim.writer import Creator, Hint, Item, StringProvider

from appliance.errors import ArchiveError

_LONGEST_WORD = 240  # bytes; Xapian has no longer terms
_WORDS = re.compile(r"[^\s\u2e80-\U0003ffff]+")  # those of East Asia are cut into pairs of letters by Xapian
_REQUIRED = ("Name", "Title", "Description", "Creator", "Publisher", "Date")


@dataclass(frozen=True, slots=True)
class Page:
    """A page to write. `redirect`, when set, makes it a redirect to that path and `html` is not used."""

    path: str
    title: str
    html: str = ""
    redirect: str = ""
    mimetype: str = "text/html"


class _PageItem(Item):  # type: ignore[misc]
    """A Page as libzim's writer asks for it."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page

    def get_path(self) -> str:
        return self._page.path

    def get_title(self) -> str:
        return self._page.title

    def get_mimetype(self) -> str:
        return self._page.mimetype

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._page.html)

    def get_hints(self) -> dict[Hint, int]:
        """A page whose title no index can hold is left out of libzim's titles; its text is indexed."""
        front = self._page.mimetype == "text/html" and _indexable(self._page.title)
        return {Hint.FRONT_ARTICLE: front, Hint.COMPRESS: True}


def _indexable(title: str) -> bool:
    """Whether libzim can index the title: it refuses to write an archive with one ("Too much loss of data")
    that is long and gives hardly any terms, for a word that is too long or because it is mostly marks."""
    if len(title.encode("utf-8", "replace")) < _LONGEST_WORD:
        return True
    words = [len(word.encode("utf-8", "replace")) for word in _WORDS.findall(title)]
    marks = sum(not letter.isalnum() and not letter.isspace() for letter in title)
    alone = sum(len(part) + 1 for part in title.split() if not any(map(str.isalnum, part)))
    return max(words, default=0) <= _LONGEST_WORD and marks < len(title) / 4 and alone < len(title) / 10


def write_archive(
    path: Path,
    pages: Iterable[Page],
    metadata: Mapping[str, str],
    language: str,
    main_path: str,
    indexing: bool = True,
) -> None:
    """Writes `path` aside and renames it when it is whole.

    `language` is an ISO 639-3 code (several with commas); `metadata` should hold Title, Description, Creator,
    Date (YYYY-MM-DD), License, Source; what libzim requires beyond is filled in. Raises ArchiveError."""
    aside = path.with_name(f".{path.name}.writing")
    aside.unlink(missing_ok=True)
    texts = {"Name": path.stem, "Publisher": "Lamplight", **metadata, "Language": language}
    missing = [key for key in _REQUIRED if not texts.get(key)]
    if missing:
        raise ArchiveError(f"{path.name} cannot be written: its metadata lacks {', '.join(missing)}.")
    try:
        creator = Creator(aside).config_indexing(indexing, language.split(",")[0])
        with _unheard(), creator.set_mainpath(main_path):
            creator.add_illustration(48, _illustration())
            for key, text in texts.items():
                creator.add_metadata(key, text)
            for page in pages:
                if page.redirect:
                    creator.add_redirection(page.path, page.title, page.redirect, {Hint.FRONT_ARTICLE: True})
                else:
                    creator.add_item(_PageItem(page))
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.rename(path)
    except (RuntimeError, OSError, ValueError) as error:
        raise ArchiveError(
            f"{path.name} cannot be written: {error}.", "Check the folder and the disk space."
        ) from error
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def _unheard() -> Iterator[None]:
    """Keeps what libzim prints while it writes (https://github.com/openzim/libzim, "Resolve redirect" and
    more) off the terminal: it goes to the process's standard output, file descriptor 1, itself."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _illustration(side: int = 48) -> bytes:
    """A plain warm square as PNG (https://www.w3.org/TR/png/): every archive must have an illustration."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    rows = (b"\0" + bytes((0xD9, 0x8E, 0x2B)) * side) * side
    header = struct.pack(">2I5B", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
