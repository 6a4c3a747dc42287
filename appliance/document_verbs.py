"""The verbs `appliance documents …` for adding, listing, deleting, areas and the small service: printing and
parsing. Each loads no more than it needs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.errors import DocumentError, EntryUnreadable, ServiceDown
from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.documents.search import Documents
    from appliance.vectors import Encoder


@contextmanager
def opened(given: Settings) -> Iterator[Documents]:
    """The archive of this box, closed at the end. Raises DocumentError."""
    from appliance import models
    from appliance.documents.search import FOLDER, Documents

    model = models.catalogue().find(models.EMBEDDING[0]).sha256
    documents = Documents.open(given.home / FOLDER, model)
    try:
        yield documents
    finally:
        documents.close()


def open_encoder(given: Settings) -> Encoder:
    """The running embedder, or the model in this process. Raises ModelFileError without its files."""
    from appliance import models
    from appliance.services import runtime
    from appliance.services.embedder import EmbedderClient

    client = EmbedderClient(runtime.socket_path(given.runtime, "embedder"))
    try:
        if client.model_sha256() == models.catalogue().find(models.EMBEDDING[0]).sha256:
            return client
    except ServiceDown:
        pass
    from appliance.embedding import Embedder

    model, tokenizer = (models.path(given.home, name) for name in models.EMBEDDING)
    return Embedder(model, tokenizer, given.threads)


def _tokenizer(given: Settings) -> Path:
    from appliance import models

    return models.path(given.home, models.EMBEDDING[1])


def _add(given: Settings, options: argparse.Namespace) -> int:
    from appliance.documents.incoming import Limits, plain_folder, plain_name, whole
    from appliance.documents.ingest import Ingest, counting
    from appliance.documents.keeper import Keeper
    from appliance.documents.readers import Readers
    from appliance.log import several, step

    files = list(_files(options.path))
    encoder = open_encoder(given)
    added = known = refused = 0
    with opened(given) as documents, Readers(_tokenizer(given)) as readers:
        ingest = Ingest(documents, readers, counting(encoder))
        with (
            Keeper(documents, encoder) as keeper,  # vectors are made beside it
            step(f"Reading {several(len(files), 'file')}", total=len(files), unit="files") as reading,
        ):
            for file, folder in files:
                into = plain_folder(f"{options.folder}/{folder}")
                try:
                    path, sha256 = whole(file, plain_name(file.name), into, Limits.of(given))
                    done = ingest.add(path, sha256, plain_name(file.name), into, options.owner)
                except (EntryUnreadable, DocumentError) as error:
                    refused += 1
                    print(f"refused  {file}: {error} {error.hint}".rstrip())
                else:
                    keeper.wake()
                    known += done.known
                    added += not done.known
                    print(f"{'known' if done.known else 'added'}  {done.document:>6}  {done.title}")
                reading.advance()
        make_vectors(documents, encoder)
    print(f"{added:,} added, {known:,} known already, {refused:,} refused")
    return 2 if refused else 0


def _files(paths: list[Path]) -> Iterator[tuple[Path, str]]:
    """Files with the folder that they go into: of a folder all in it that can be read, by their path below
    it; files named one by one whatever they are, so that their refusal is said."""
    from appliance.sources.formats import FORMATS

    for path in paths:
        if not path.exists():
            raise DocumentError(f"There is no {path}.", "Give files or folders.")
        if not path.is_dir():
            yield path, ""
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if Path(name).suffix.lower() in FORMATS and not name.startswith("."):
                    below = Path(folder).relative_to(path)
                    yield Path(folder) / name, f"{path.resolve().name}/{below.as_posix()}"


def make_vectors(documents: Documents, encoder: Encoder) -> None:
    """Makes what is missing, telling how far it is."""
    from appliance.documents import keeping
    from appliance.log import step

    start = keeping.progress(documents.made)
    if start.done == start.total:
        return
    with step("Making vectors", total=start.total, unit="passages") as making:
        making.resume_at(start.done)

        def told(now: keeping.Step) -> bool:
            making.advance(now.done - making.done)
            return True

        keeping.update_vectors(documents.store, documents.made, encoder, told)


def _list(given: Settings, options: argparse.Namespace) -> None:
    from appliance.documents import rows
    from appliance.documents.records import Scope
    from appliance.log import say

    with opened(given) as documents, documents.store.read() as connection:
        found = rows.listed(connection, Scope((options.owner,), options.folder or None))
        if not found:
            say(f"No document {_where(options)}. `appliance documents add PATH` adds some.")
        for one in found:
            place = f"{one.folder}/{one.name}".lstrip("/")
            held = f"{one.passages:>6,} passage{'' if one.passages == 1 else 's'}"
            print(f"{one.id:>6}  {held}  {one.title}  ({place}, added {one.added[:10]})")


def _where(options: argparse.Namespace) -> str:
    folder = f" in the folder {options.folder}" if options.folder else ""
    return f"is{folder} in the area {options.owner}" if options.owner else f"is here{folder} yet"


def _remove(given: Settings, options: argparse.Namespace) -> int:
    from appliance.documents import rows
    from appliance.documents.records import Scope
    from appliance.log import several

    wanted, scope = dict.fromkeys(options.id), Scope((options.owner,))
    with opened(given) as documents:
        with documents.store.read() as connection:
            known = {str(one.id): one.id for one in rows.listed(connection, scope)}
        ids = [known[number] for number in wanted if number in known]
        removed = documents.remove(ids, scope) if ids else None
    print(f"{removed.count if removed else 0:,} of {several(len(wanted), 'document')} deleted")
    if removed and not removed.cleaned:
        print("The disk is full: the files are cleaned and made smaller with the next deletion.")
    lost = [number for number in wanted if number not in known]
    if lost:
        place = f" in the area {options.owner}" if options.owner else ""
        print(f"Not there{place}: {', '.join(lost)}. `appliance documents list` gives the numbers.")
    return 2 if lost else 0


def _serve(given: Settings, options: argparse.Namespace) -> None:
    from appliance import models
    from appliance.documents.ingest import Ingest, counting
    from appliance.documents.parts import estimate
    from appliance.documents.readers import Readers
    from appliance.documents.search import FOLDER, Documents
    from appliance.log import say
    from appliance.server.small import create_small
    from appliance.services.process import serve
    from appliance.services.run import require_free

    require_free(given.host, given.port)
    encoder = None if options.words else open_encoder(given)
    model = models.catalogue().find(models.EMBEDDING[0]).sha256
    documents = Documents.open(None if options.ephemeral else given.home / FOLDER, model)
    try:
        with Readers(_tokenizer(given)) as readers:
            count = counting(encoder) if encoder else estimate
            say(f"The small service answers at http://{given.host}:{given.port}: POST /ingest, POST /query.")
            app = create_small(Ingest(documents, readers, count), encoder, given.host)
            serve(app, (given.host, given.port))
    finally:
        documents.close()


def _area(given: Settings, options: argparse.Namespace) -> int:
    from getpass import getpass

    from appliance.documents import areas

    with opened(given) as documents:
        if options.close:
            gone = areas.remove(documents.store, options.name)
            print(
                f"The area {options.name} is closed for good; its documents stay."
                if gone
                else "There is none."
            )
            return 0 if gone else 2
        given_words = getpass("Passphrase: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        new = areas.make(documents.store, options.name, given_words)
    print(f"The area {options.name} {'is made' if new else 'has another passphrase'}.")
    return 0


def _areas(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.documents import areas
    from appliance.log import say

    with opened(given) as documents:
        if not (found := areas.listed(documents.store)):
            say("No area yet. `appliance documents area NAME` makes one.")
        for name in found:
            print(name)


Verb = Callable[[Settings, argparse.Namespace], int | None]
Option = tuple[tuple[str, ...], dict[str, Any]]
FAMILY = "Your own documents: add, list, delete, save, check."
VERBS: dict[str, tuple[Verb, str]] = {
    "documents add": (_add, "Add files and folders; what is known already is said."),
    "documents list": (_list, "List documents with their numbers."),
    "documents remove": (_remove, "Delete documents for good, by their numbers."),
    "documents area": (_area, "Make someone's area, or give it another passphrase, read from the terminal."),
    "documents areas": (_areas, "List the areas."),
    "documents serve": (_serve, "Serve documents to programs: POST /ingest and POST /query, no model."),
}
_OWNER: Option = (
    ("--owner",),
    {"default": "", "metavar": "NAME", "help": "Whose area; by default the common one."},
)
_FOLDER: Option = (("--folder",), {"default": "", "metavar": "NAME", "help": "A folder of the archive."})
OPTIONS: dict[str, tuple[Option, ...]] = {
    "documents add": (
        (("path",), {"type": Path, "nargs": "+", "metavar": "PATH", "help": "Files or folders."}),
        _FOLDER,
        _OWNER,
    ),
    "documents list": (_FOLDER, _OWNER),
    "documents remove": (
        (("id",), {"nargs": "+", "metavar": "ID", "help": "Numbers, as `list` gives them."}),
        _OWNER,
    ),
    "documents area": (
        (("name",), {"metavar": "NAME", "help": "Whose area."}),
        (
            ("--close",),
            {"action": "store_true", "help": "Take its passphrase away: nobody opens it any more."},
        ),
    ),
    "documents serve": (
        (
            ("--ephemeral",),
            {"action": "store_true", "help": "Keep everything in memory; no file is read or written."},
        ),
        (("--words",), {"action": "store_true", "help": "Compare words only; no embedder is needed."}),
    ),
}
