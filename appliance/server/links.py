"""Addresses within Lamplight, pure: the source page of a passage and the article in Kiwix.

An entry's path is never changed, only percent-encoded, so that "Quo Vadis?", "C++", "AS/400", "100 %" and
"東京" open what they name. Text fragments: https://wicg.github.io/scroll-to-text-fragment/
"""

import re
from collections.abc import Sequence
from urllib.parse import quote, urlencode

from appliance.documents.records import ARCHIVE
from appliance.repositories.records import PREFIX
from appliance.services.kiwix import reader_name

WORDS = 6  # at each end of a text fragment: enough to be the only place, few enough to be found again


def source_url(archive: str, path: str, start: int | None = None, length: int | None = None) -> str:
    """The source page of an entry, or of an own document; with `start` and `length` (code points) at that
    passage."""
    own = archive == ARCHIVE
    fields = {"id": path} if own else {"archive": archive, "path": path}
    page = "/document?" if own else "/source?"
    if start is None or length is None:
        return page + urlencode(fields, quote_via=quote, safe="")
    fields |= {"start": str(start), "length": str(length)}
    return page + urlencode(fields, quote_via=quote, safe="") + "#passage"


def of_source(archive: str) -> bool:
    """Whether it is a Git source, whose paths people know."""
    return archive.startswith(PREFIX)


def in_kiwix(archive: str) -> bool:
    """Whether Kiwix has it: archives alone."""
    return archive != ARCHIVE and not of_source(archive)


def ask_url(question: str, archives: Sequence[str] = (), literal: bool = False, scope: str = "") -> str:
    """The answer page of a question. `literal`: it is asked as it is written; `scope`: where, if that is not
    the library."""
    fields = [("q", question), *(("archive", name) for name in archives)]
    fields += [("scope", scope)] if scope else []
    fields += [("literal", "1")] if literal else []
    return "/ask?" + urlencode(fields, quote_via=quote, safe="")


def article_url(archive: str, path: str, anchor: str = "", passage: str = "") -> str:
    """The entry in Kiwix, at `passage` (a stretch of its text) where the browser can, else at `anchor`."""
    address = f"/read/{quote(reader_name(archive), safe='')}/{quote(path, safe='/')}"
    directive = text_directive(passage)
    if anchor or directive:
        address += "#" + quote(anchor, safe="")
    return address + (f":~:{directive}" if directive else "")


def text_directive(passage: str) -> str:
    """`text=first words,last words&text=first words`: the second is for a browser that misses the first.

    Only the passage's first line is used: the extractor puts one block on a line, and a browser does not
    match a start that runs over two blocks."""
    line = next((line for line in passage.splitlines() if len(line.split()) > 2), passage.strip())
    words = re.split(r"\s+", line.strip())
    if not words[0]:
        return ""
    first = _encode(words[:WORDS])
    if len(words) < 2 * WORDS:
        return f"text={_encode(words)}"
    return f"text={first},{_encode(words[-WORDS:])}&text={first}"


def _encode(words: Sequence[str]) -> str:
    return quote(" ".join(words), safe="").replace("-", "%2D")
