"""The sources of one box: added, removed, synced, opened for a question.

Everything lies in one folder: the list, the keys, and for each source a folder with the fetched repository
and its passages. One sync of a source at a time, whichever process runs it.
"""

import fcntl
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from appliance import models
from appliance.documents.readers import Readers
from appliance.documents.store import Store
from appliance.errors import EntryMissing, GitError, LamplightError, ServiceDown
from appliance.repositories import passages, register
from appliance.repositories.book import RepositoryBook, book
from appliance.repositories.reading import Reader
from appliance.repositories.records import Outcome, Progress, Repository, Seen
from appliance.repositories.sync import problems, sync
from appliance.retrieval.texts import DocumentCache
from appliance.settings import Settings
from appliance.sources.git import Limits, Mirror
from appliance.sources.keys import Keys
from appliance.sources.reach import Lookup, addresses, lookup
from appliance.sources.remotes import Remote
from appliance.vectors import Encoder

FOLDER = "repositories"  # in LAMPLIGHT_HOME
MEBIBYTE = 1 << 20
PATIENCE = 20.0  # seconds that a removal waits for a sync to end


@dataclass(frozen=True, slots=True)
class Source:
    """One repository that may be asked (documents.scope.Source)."""

    about: Repository
    _store: Store
    _cache: DocumentCache

    @property
    def name(self) -> str:
        return self.about.archive

    @property
    def title(self) -> str:
        return self.about.name

    @contextmanager
    def opened(self) -> Iterator[RepositoryBook]:
        """Its passages as they are now, for one question."""
        with passages.pinned(self._store) as store:
            yield book(store, self.about, self._cache)


@dataclass(frozen=True, slots=True)
class Opened:
    """`file` tells it from another of its name: another process may have removed a source and added it
    anew."""

    store: Store
    cache: DocumentCache
    file: tuple[int, int] | None


class Repositories:
    """Threads may share it. `model`: the SHA-256 of the embedding model. `close` it at the end."""

    def __init__(self, settings: Settings, encoder: Encoder, model: str, look: Lookup = lookup) -> None:
        self.folder = settings.home / FOLDER
        self.keys = Keys(self.folder / "keys")
        self._settings, self._encoder, self._model, self._look = settings, encoder, model, look
        self._register = Store.open(self.folder / register.FILE, register.REGISTER)
        self._open: dict[str, Opened] = {}
        self._progress: dict[str, Progress] = {}
        self._leaving: set[str] = set()
        self._lock = threading.Lock()

    def listed(self) -> list[Repository]:
        """All, by name."""
        return register.listed(self._register)

    def find(self, name: str) -> Repository:
        """Raises GitError."""
        return register.find(self._register, name)

    def add(
        self, address: str, name: str = "", branch: str = "", looks: str = "", seen: str = "people"
    ) -> Repository:
        """A new source with its key, not fetched yet. Raises GitError, also for an address that this box does
        not open; a host that is not found now may be there later."""
        given = register.new(address, name, branch, looks, seen)
        self._require_open(given.remote)
        if given.remote.scheme == "ssh":
            self.keys.make(given.name)
        return register.add(self._register, given)

    def remove(self, name: str) -> None:
        """Takes a source away with all that was made of it. Raises GitError while it is being synced by
        another process."""
        about = self.find(name)
        self._leaving.add(name)
        try:
            with self._alone(about, PATIENCE):
                register.remove(self._register, name)
                with self._lock:
                    opened = self._open.pop(name, None)
                if opened:
                    opened.store.close()
                self.keys.remove(name)
                shutil.rmtree(self._place(name), ignore_errors=True)
        finally:
            self._leaving.discard(name)

    def show(self, name: str, seen: Seen) -> None:
        register.show(self._register, self.find(name).name, seen)

    def trust(self, name: str) -> None:
        """Forgets the key of a source's host: the next one that is met is kept."""
        self.keys.forget(self.find(name).remote)

    def sources(self, signed_in: bool) -> list[Source]:
        """Those that may be asked by people who have signed in, or by everyone; those that were synced."""
        return [
            Source(about, opened.store, opened.cache)
            for about in self.listed()
            if about.outcome.synced and (signed_in or about.seen == "everyone")
            for opened in (self._passages(about.name),)
        ]

    def source(self, name: str, signed_in: bool) -> Source:
        """One of these, by its name among the archives. Raises EntryMissing, also where it is not open."""
        for one in self.sources(signed_in):
            if one.name == name:
                return one
        raise EntryMissing("There is no such source.", "It may be for people who have signed in.")

    def problems(self, name: str) -> dict[str, str]:
        """Files that could not be read, with the reason."""
        return problems(self._passages(name).store) if self.find(name).outcome.synced else {}

    def progress(self, name: str) -> Progress | None:
        """Of the sync that runs in this process; None where none does."""
        return self._progress.get(name)

    def sync(
        self,
        name: str,
        stopped: Callable[[], bool] = lambda: False,
        told: Callable[[Progress], None] = lambda _: None,
    ) -> Repository:
        """Fetches a source and brings its passages in step; gives it with its outcome, which is kept. Raises
        nothing for what goes wrong with the repository: the old state stays, and the outcome says why."""
        about = self.find(name)

        def tell(progress: Progress) -> None:
            self._progress[name] = progress
            told(progress)

        def leave() -> bool:
            return stopped() or name in self._leaving

        try:
            with self._alone(about):
                tell(Progress("fetching"))
                self._sync(about, leave, tell)
        except GitError as error:
            if error.kind != "stopped":
                register.failed(self._register, name, error)
        except ServiceDown as error:
            register.failed(self._register, name, GitError(str(error), error.hint, "waiting"))
        except LamplightError as error:
            register.failed(self._register, name, GitError(str(error), error.hint))
        except OSError as error:
            told_of = GitError(f"The disk: {error.strerror or error}.", "Delete what is not needed.", "large")
            register.failed(self._register, name, told_of)
        finally:
            self._progress.pop(name, None)
        return replace(about, outcome=self._outcome(about))

    def _sync(self, about: Repository, stopped: Callable[[], bool], told: Callable[[Progress], None]) -> None:
        given = self._settings
        mirror = Mirror(
            self._place(about.name) / "mirror.git",
            Limits(given.git_size * MEBIBYTE),
            Path(given.git_certificates) if given.git_certificates else None,
            stopped,
        )
        away: GitError | None = None
        if about.remote.scheme == "ssh":
            self.keys.make(about.name)  # after a restore there is none
        try:
            commit = mirror.fetch(
                about.remote, about.branch, self._addresses(about.remote), self.keys, about.name
            )
        except GitError as error:
            commit, away = mirror.commit(), error
            if not commit or error.kind == "stopped":
                raise
        store = self._passages(about.name).store
        tokenizer = models.catalogue().find(models.EMBEDDING[1]).file
        with Readers(given.home / "models" / tokenizer) as readers:
            reader = Reader(store, readers, given.document_text * MEBIBYTE)
            tally = sync(mirror, commit, reader, self._encoder, told, stopped)
        if away:  # what is here was brought in step, as after a change of the program
            raise away
        register.went_well(self._register, about.name, commit, tally)

    def _addresses(self, remote: Remote) -> Sequence[str]:
        return addresses(remote.host, remote.reached, self._settings.git_reach, self._look)

    def _require_open(self, remote: Remote) -> None:
        if self._settings.git_reach == "all":
            return
        try:
            self._addresses(remote)
        except GitError as error:
            if error.kind == "refused":
                raise

    def _outcome(self, about: Repository) -> Outcome:
        try:
            return self.find(about.name).outcome
        except GitError:  # removed meanwhile
            return about.outcome

    def _place(self, name: str) -> Path:
        return self.folder / "sources" / name

    def _passages(self, name: str) -> "Opened":
        with self._lock:
            known = self._open.get(name)
            if known is None or known.file != _file(known.store):
                store = passages.open_passages(self._place(name), self._model)
                known = self._open[name] = Opened(store, DocumentCache(), _file(store))
            return known

    @contextmanager
    def _alone(self, about: Repository, patience: float = 0.0) -> Iterator[None]:
        """Nobody else syncs the source meanwhile. Raises GitError where somebody does."""
        place = self._place(about.name)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        deadline = time.monotonic() + patience
        with (self.folder / f"{about.name}.lock").open("w") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() >= deadline:
                        raise GitError(
                            f"{about.name} is being synced already.", "Wait until that ends.", "stopped"
                        ) from None
                time.sleep(0.1)
            yield

    def close(self) -> None:
        with self._lock:
            for opened in self._open.values():
                opened.store.close()
            self._open.clear()
            self._register.close()


def _file(store: Store) -> tuple[int, int] | None:
    """What makes a file the same; None when it is gone."""
    try:
        found = store.path.stat() if store.path else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None
