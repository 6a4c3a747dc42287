"""The one door to SQLite and sqlite-vec: connections that know vectors, and words as FTS5 reads them.

The interpreter's own sqlite3 is never used: apsw brings a SQLite that can load extensions.
"""

import importlib.util
import re
import threading
import unicodedata
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import apsw
from apsw import BusyError, Connection, Error, FullError, NotADBError

from appliance.errors import IndexFileError

__all__ = [
    "OUTSIDE",
    "TOKENIZER",
    "BusyError",
    "Connection",
    "Error",
    "FullError",
    "NotADBError",
    "connect",
    "lexical_text",
    "stems",
]

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u9fff\U00020000-\U0003ffff]+")
# What says nothing against a file: another process has it, or the disk is full, failing or not to be written.
OUTSIDE = (
    BusyError,
    FullError,
    apsw.LockedError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.NoMemError,
    OSError,
)
_thread = threading.local()


def connect(path: Path, mode: Literal["read", "write", "memory"]) -> Connection:
    """A connection that knows vectors. `read` trusts that the file never changes while it is open."""
    if mode == "memory":
        connection = Connection(":memory:")
    elif mode == "read":
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = Connection(f"file:{quote(str(path.absolute()))}?immutable=1", flags=flags)
    else:
        connection = Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(_extension())
    connection.enable_load_extension(False)
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _extension() -> str:
    """The path of sqlite-vec's library, without importing the package: that would import sqlite3."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise IndexFileError("The package sqlite-vec is not installed.", "Run ./build.sh run again.")
    return str(Path(spec.origin).with_name("vec0"))


def lexical_text(text: str) -> str:
    """What is put in front of FTS5's tokenizer, for passages and for questions: Chinese, Japanese and Thai,
    which do not space their words, become overlapping pairs of letters."""
    return _UNSPACED.sub(_pairs, unicodedata.normalize("NFKC", text).replace("\0", " "))


def _pairs(run: re.Match[str]) -> str:
    letters = run.group()
    return f" {' '.join(letters[i : i + 2] for i in range(max(1, len(letters) - 1)))} "


def stems(text: str) -> tuple[str, ...]:
    """The tokens that FTS5 makes of a text: folded and stemmed, in order, as they stand in the doclists."""
    if not hasattr(_thread, "tokenizer"):
        _thread.tokenizer = Connection(":memory:").fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    data = lexical_text(text).encode("utf-8", "replace")
    found = _thread.tokenizer(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return tuple(str(words[0]) for words in found)
