"""`archive.db`, the truth about own documents and conversations: opened, brought to its newest form, read and
written in transactions.

SQLite in WAL mode with `synchronous=FULL`: what `write` has committed stays, also when the power goes. Rows
that are deleted are overwritten (`secure_delete`). Threads may share a Store: one writes at a time, each
reader has a connection of its own. Processes may share the file. Vectors and words are elsewhere (`derived`).
"""

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.documents.schema import MIGRATIONS
from appliance.errors import DocumentError
from appliance.sqlite import OUTSIDE, Connection, Error, connect

FILE = "archive.db"
INCREMENTAL = 2  # SQLite's number of the way in which free pages are given back when they are asked for
TOGETHER = 1_000  # of them, in one step
BUSY_MILLISECONDS = 30_000  # another process is writing
WHOLE = "Nothing is lost. Look for space on the disk and at who may write there, then try again."
RESTORE = "Restore the last backup: appliance documents restore FILE."


@dataclass(frozen=True, slots=True)
class Form:
    """What a file is (`application_id`, four letters in its header), the steps that make it, and how sure it
    must be of the disk: `FULL` for what cannot be made again."""

    what: str
    application_id: int
    steps: tuple[tuple[str, ...], ...]
    synchronous: str = "FULL"
    remedy: str = RESTORE
    busy: int = BUSY_MILLISECONDS


ARCHIVE = Form("an archive of documents", 0x4C414D44, MIGRATIONS)  # "LAMD"


class Store:
    """An open archive. In memory (`open()` without a path) there is one connection, and everyone waits for
    it."""

    def __init__(self, path: Path | None, connection: Connection, form: Form) -> None:
        self.path = path
        self._form = form
        self._writer = connection
        self._lock = threading.RLock()
        self._idle: deque[Connection] = deque()

    @classmethod
    def open(cls, path: Path | None = None, form: Form = ARCHIVE) -> "Store":
        """The archive at `path`, made where there is none; in memory without one. Raises DocumentError."""
        name = path.name if path else "The archive in memory"
        try:
            if path:
                _prepare(path)
            connection = _connect(path, form)
            with ExitStack() as undone:
                undone.callback(connection.close)
                _migrate(connection, name, form)
                undone.pop_all()
        except (Error, OSError) as error:
            hint = WHOLE if isinstance(error, OUTSIDE) else form.remedy
            raise DocumentError(f"{name} cannot be opened: {error}.", hint) from error
        return cls(path, connection, form)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: committed at the end, undone by any error. Not to be nested."""
        with self._lock, self._told(), _transaction(self._writer):
            yield self._writer

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the archive until the block ends."""
        if self.path is None:
            with self._lock, self._told():
                yield self._writer
            return
        with self._told():
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = _connect(self.path, self._form)
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._idle.append(connection)

    def vacuum(self) -> None:
        """Gives the space of deleted rows back, some pages at a time so that little room is needed. A file
        of an older form is written anew once."""
        self.checkpoint()
        with self._lock, self._told():
            if self._writer.execute("PRAGMA auto_vacuum").get != INCREMENTAL:
                self._writer.execute("VACUUM")
            while self._writer.execute("PRAGMA freelist_count").get:
                self._writer.execute(f"PRAGMA incremental_vacuum({TOGETHER})").fetchall()
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def checkpoint(self) -> None:
        """Empties the write-ahead log into the file, whose deleted rows are overwritten: then nothing holds
        them. The file keeps its size."""
        with self._lock, self._told():
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def copy_to(self, file: Path) -> None:
        """Writes all of it, and nothing that was deleted, to a new file of its own."""
        with self._lock, self._told():
            self._writer.execute("VACUUM INTO ?", (str(file),))

    def replace_by(self, other: "Store") -> None:
        """Becomes a copy of another archive, at once; whoever has this one open sees the new state."""
        with self._lock, other.read() as source, self._told():
            with self._writer.backup("main", source, "main") as copying:
                copying.step()
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors as one of ours."""
        try:
            yield
        except Error as error:
            name = self.path.name if self.path else "The archive in memory"
            raise DocumentError(f"{name}: {error}.", "See the status page, then try again.") from error


def harmed(error: DocumentError) -> bool:
    """Whether a file could not be opened for what is in it, and not for the disk or another process."""
    return not isinstance(error.__cause__, OUTSIDE)


def _prepare(path: Path) -> None:
    """Folder and file that their owner alone can read."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))


def _connect(path: Path | None, form: Form) -> Connection:
    connection = connect(path, "write") if path else connect(Path(), "memory")
    connection.set_busy_timeout(form.busy)
    connection.execute("PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON").fetchall()
    connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}").fetchall()
    if path:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute(f"PRAGMA synchronous = {form.synchronous}")
    return connection


def _migrate(connection: Connection, name: str, form: Form) -> None:
    """Makes the steps that the file has not seen, all of them or none."""
    with _transaction(connection):
        made = _version(connection, name, form)
        for step in form.steps[made:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {form.application_id}")
        connection.execute(f"PRAGMA user_version = {len(form.steps)}")


@contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    """Committed at the end, undone by whatever ends it before."""
    connection.execute("BEGIN IMMEDIATE")
    with ExitStack() as undone:
        undone.callback(_undo, connection)
        yield
        connection.execute("COMMIT")
        undone.pop_all()


def _undo(connection: Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _version(connection: Connection, name: str, form: Form) -> int:
    """How many steps the file has seen. Raises DocumentError for another kind of file or a newer one."""
    made = int(str(connection.execute("PRAGMA user_version").get))
    kind = int(str(connection.execute("PRAGMA application_id").get))
    empty = not connection.execute("SELECT count(*) FROM sqlite_schema").get
    if kind != form.application_id and not (kind == made == 0 and empty):
        raise DocumentError(f"{name} is a SQLite file, but not {form.what}.", form.remedy)
    if made > len(form.steps):
        raise DocumentError(
            f"{name} has form {made}; this program knows up to {len(form.steps)}.",
            "Use the newer program that made it.",
        )
    return made
