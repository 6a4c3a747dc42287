"""The archive as one file, and back from it. What is derived is made again."""

import os
from pathlib import Path

from appliance.documents.store import ARCHIVE, Form, Store
from appliance.errors import DocumentError
from appliance.sqlite import Error, NotADBError, connect

ASIDE = ".part"
NO_BACKUP = (
    "A backup of the whole box is made by the desk's page Backup or `appliance backup`, one of documents "
    "alone by `appliance documents backup`."
)


def backup(store: Store, file: Path) -> int:
    """Writes all documents and conversations to a new file; gives its size in bytes. Nothing that was deleted
    is in it. Raises DocumentError."""
    if file.exists():
        raise DocumentError(f"{file} is there already.", "Give another name: a backup is never overwritten.")
    aside = file.with_name(file.name + ASIDE)
    aside.unlink(missing_ok=True)
    try:
        store.copy_to(aside)
        aside.chmod(0o600)
        require_whole(aside)
        with aside.open("rb") as opened:
            os.fsync(opened.fileno())
        aside.rename(file)
        _sync_folder(file.parent)
    finally:
        aside.unlink(missing_ok=True)
    return file.stat().st_size


def restore(store: Store, file: Path) -> None:
    """Puts a backup in the place of everything that is in the archive, at once or not at all. The backup may
    be of an older form. Raises DocumentError, and the archive stays, for a file that is none."""
    if store.path is None:
        raise DocumentError("An archive in memory is not restored.")
    aside = store.path.with_name("restoring" + ASIDE)
    for old in (aside, aside.with_name(aside.name + "-wal"), aside.with_name(aside.name + "-shm")):
        old.unlink(missing_ok=True)
    try:
        require_whole(file)
        aside.write_bytes(b"")
        aside.chmod(0o600)
        aside.write_bytes(file.read_bytes())
        prepared = Store.open(aside, ARCHIVE)
        try:
            become_another(prepared)
            store.replace_by(prepared)
        finally:
            prepared.close()
    except OSError as error:
        raise DocumentError(f"{file} cannot be read: {error.strerror}.", "Give the backup's file.") from error
    finally:
        for old in (aside, aside.with_name(aside.name + "-wal"), aside.with_name(aside.name + "-shm")):
            old.unlink(missing_ok=True)


def held(store: Store) -> tuple[int, int]:
    """How many documents and conversations there are, of all."""
    with store.read() as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {what}").get for what in ("document", "conversation")
        ]
    return int(counts[0]), int(counts[1])


def become_another(archive: Store) -> None:
    """Another archive for whoever made something of one: its vectors are not those of the one it replaces."""
    with archive.write() as connection:
        connection.execute("UPDATE about SET value = lower(hex(randomblob(16))) WHERE key = 'identity'")


def require_whole(file: Path, form: Form = ARCHIVE) -> None:
    """Raises DocumentError unless it is a file of this form without a fault."""
    what = "a backup of documents" if form is ARCHIVE else form.what
    hint = "Take an older backup."
    if not file.is_file():
        raise DocumentError(f"There is no file {file}.", "Give the backup's file.")
    try:
        connection = connect(file, "read")
        try:
            kind = connection.execute("PRAGMA application_id").get
            found = connection.execute("PRAGMA integrity_check").get
        finally:
            connection.close()
    except (Error, NotADBError) as error:
        raise DocumentError(f"{file.name} is not {what}: {error}.", NO_BACKUP) from error
    if kind != form.application_id:
        raise DocumentError(f"{file.name} is not {what}.", NO_BACKUP)
    if found != "ok":
        raise DocumentError(f"{file.name} is damaged: {found}.", hint)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
