"""Opens what the settings name and hands out one Appliance.

What cannot be opened is a line on the status page, never a failure to start: an archive without a usable
index is searched by its own words, a damaged archive is left out, a missing language model means passages.
"""

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from appliance import __version__, models
from appliance.answer.quick import Policy, Quick, quoting
from appliance.device import checks
from appliance.device.watched import Sources
from appliance.errors import ArchiveError, IndexFileError, ServiceDown
from appliance.indexfile import Index
from appliance.log import several
from appliance.records import Check, CheckState
from appliance.retrieval.gate import Gate
from appliance.retrieval.rerank import DEPTH, Read, Reader, logits, reader_sha256
from appliance.retrieval.search import Book, Library
from appliance.services import kiwix, language, runtime
from appliance.services.embedder import EmbedderClient
from appliance.services.holdings import places
from appliance.services.llama import LlamaClient
from appliance.services.runtime import ServiceState
from appliance.services.shelf import open_index
from appliance.settings import OURS, Settings
from appliance.sources import folder
from appliance.sources.folder import Problem, Shelf
from appliance.sources.zim import ZimArchive
from appliance.sources.zimfile import parts
from appliance.vectors import Encoder

GATE = Path(__file__).parent.parent / "models" / "gate.toml"
QUICK = GATE.with_name("quick.toml")
REBUILD = "Make it with `appliance index`, or start again with `appliance run`, which does."


@dataclass(frozen=True, slots=True)
class Health:
    """`ready`: questions can be searched at all. `facts` are names and values for a table; `within` are lines
    that are for whoever looks after the box."""

    ready: bool
    checks: tuple[Check, ...]
    facts: tuple[tuple[str, str], ...]
    within: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Appliance:
    """One box, open: what pages, API and benchmarks work with."""

    settings: Settings
    library: Library
    encoder: Encoder
    model: LlamaClient | None
    shelf: Shelf
    problems: tuple[Problem, ...]
    quick: Quick | None = None
    read: Read | None = None

    def health(self) -> Health:
        """What is on and what is wrong now. Asks the processes, so it may take a moment."""
        states = {state.name: state for state in runtime.read_states(self.settings.runtime)}
        box = self._box()
        found = (
            self._embedder(states.get("embedder")),
            self._llama(states.get("llama")),
            *self._bundle_model(),
            self._kiwix(states.get("kiwix")),
            *self.shelved(),
            *(checks.checks(box) if box else ()),
        )
        within = checks.within(box, time.time()) if box else ()
        return Health(bool(self.library.books), found, self._facts(), within)

    def shelved(self) -> tuple[Check, ...]:
        """A line for each archive, good or not."""
        none = Check("Library", "failing", "There is no archive that can be opened.", ADD)
        return (
            *(_book(book, self.library) for book in self.library.books),
            *(Check(problem.name, "wrong", problem.sentence) for problem in self.problems),
            *(_older(edition.path, edition.newest) for edition in self.shelf.older),
            *(() if self.library.books else (none,)),
        )

    def _box(self) -> Sources | None:
        """Where the state of the card is read; None on a desktop."""
        return Sources(Path(self.settings.device)) if self.settings.device else None

    def _embedder(self, state: ServiceState | None) -> Check:
        expected = models.catalogue().find(models.EMBEDDING[0]).sha256
        try:
            found = self.encoder.model_sha256() if isinstance(self.encoder, EmbedderClient) else expected
        except ServiceDown as error:
            return Check("Search by meaning", _not_on(state), _why(state, str(error)), error.hint)
        if found != expected:
            sentence = f"The embedder runs the model {found[:12]}…, expected {expected[:12]}…."
            return Check("Search by meaning", "wrong", sentence, "Start the box again.")
        return Check("Search by meaning", "on")

    def _llama(self, state: ServiceState | None) -> Check:
        if self.model is None:
            return Check("Language model", "off", _why(state, "Questions get passages."))
        if state is not None and state.state != "ready":
            sentence = _why(state, "It does not answer.")
            return Check("Language model", _not_on(state), sentence, "Until then questions get passages.")
        return Check("Language model", "on", self.model.name)

    def _bundle_model(self) -> tuple[Check, ...]:
        """Why the model that came with the bundle in use is not loaded."""
        sentence = language.choose(self.settings).passed_over
        return (Check("Language model of the bundle", "off", sentence),) if sentence else ()

    def _kiwix(self, state: ServiceState | None) -> Check:
        if not self.settings.reader:
            return Check("Reading in Kiwix", "off", _why(state, "kiwix-serve is not running."), kiwix.HINT)
        if state is not None and state.state != "ready":
            sentence = _why(state, "It does not answer.")
            return Check("Reading in Kiwix", _not_on(state), sentence, "Passages open in their own text.")
        return Check("Reading in Kiwix", "on")

    def _facts(self) -> tuple[tuple[str, str], ...]:
        indexes = [book.index for book in self.library.books if book.index is not None]
        box = self._box()
        return (
            ("Version", __version__),
            ("Archives", f"{len(self.library.books):,}"),
            ("Passages", f"{sum(index.meta.passages for index in indexes):,}"),
            ("Gate", told(self.library.gate)),
            ("Memory used by the pages' process", f"{memory():,.0f} MB"),
            *(checks.facts(box) if box else ()),
        )


def told(gate: Gate) -> str:
    """The gate's setting in plain words, with both error rates that were measured for it."""
    rates = "; ".join(
        f"{rate.group}: {rate.false_answers:.0%} of what it should refuse was answered, "
        f"{rate.false_refusals:.0%} of what it should answer was refused"
        for rate in gate.rates
        if rate.level == gate.level
    )
    return f"{gate.level} ({rates})" if rates else gate.level


ADD = "Put a .zim file into the library folder and start again."


class Embedding(Encoder, Reader, Protocol):
    """What the embedder's process gives: vectors of texts, and what the reader says of passages."""


def open_appliance(settings: Settings, embedding: Embedding | None = None) -> Appliance:
    """The box of these settings. `embedding` replaces the embedder process."""
    shelf, problems = folder.scan(places(settings)), list[Problem]()
    books = [book for path in shelf.archives if (book := open_book(settings, path, problems))]
    gate = open_gate(settings)
    embedding = embedding or EmbedderClient(runtime.socket_path(settings.runtime, "embedder"))
    library = Library(books, embedding, gate, embedding, DEPTH[settings.profile])
    quick = quoting(Policy.load(QUICK), gate.reader_sha256)
    problems = [*shelf.problems, *problems]
    model, read = open_model(settings), partial(logits, embedding)
    return Appliance(settings, library, embedding, model, shelf, tuple(problems), quick, read)


def reopened(box: Appliance) -> Appliance:
    """The box with the archives that lie there now; those that are the same files stay open. What is asked of
    `box` goes on there: nothing of it is closed."""
    shelf, problems = folder.scan(places(box.settings)), list[Problem]()
    known = {_file(book.archive.path): book for book in box.library.books}
    books = []
    for path in shelf.archives:
        book = known.get(_file(path)) or open_book(box.settings, path, problems)
        if book is not None:
            books.append(book)
    problems = [*shelf.problems, *problems]
    return replace(box, library=box.library.holding(books), shelf=shelf, problems=tuple(problems))


def _file(path: Path) -> tuple[Path, int, int, int] | None:
    """What makes a file the same that was opened; None when it is gone."""
    try:
        found = parts(path)[0].stat()
    except (OSError, IndexError):
        return None
    return path.resolve(), found.st_dev, found.st_ino, found.st_size


def open_gate(settings: Settings) -> Gate:
    """The gate that was fitted for the reader of the settings. Raises ModelFileError when there is none, or
    when it was fitted with other models than those in use."""
    gate = Gate.load(gate_file(settings), settings.gate)
    gate.require_models(models.catalogue().find(models.EMBEDDING[0]).sha256, reader_sha256(settings))
    return gate


def gate_file(settings: Settings) -> Path:
    """Ours comes with the program; one fitted for another reader lies with the models."""
    return GATE if settings.reranker == OURS else settings.home / "models" / f"gate-{settings.reranker}.toml"


def open_book(settings: Settings, path: Path, problems: list[Problem]) -> Book | None:
    """An archive, with its index if one fits; None, and a problem more, when it cannot be opened."""
    try:
        archive = ZimArchive.open(path)
    except ArchiveError as error:
        problems.append(Problem(path.name, f"{error} {error.hint}".strip()))
        return None
    try:
        index: Index | None = open_index(settings, archive)
    except IndexFileError as error:
        return Book(archive, None, f"{error} {error.hint}".strip())
    return Book(archive, index)


def open_model(settings: Settings) -> LlamaClient | None:
    """The client of the language model's process; None when it is left out or has no file."""
    name = language.choose(settings).name
    if not name:
        return None
    return LlamaClient(runtime.socket_path(settings.runtime, "llama"), name, settings.context)


def _book(book: Book, library: Library) -> Check:
    name = f"Index of {book.archive.name}"
    if book.index is None:
        return Check(name, "wrong", book.problem, REBUILD)
    if failed := library.failed[book.archive.name]:
        sentence = f"It could not be read for {failed:,} questions: the file was replaced or is damaged."
        if failed == 1:
            sentence = "It could not be read for 1 question: the file was replaced or is damaged."
        return Check(name, "wrong", sentence, "Start again with `appliance run`, which makes it when needed.")
    if dropped := library.dropped[book.archive.name]:
        sentence = f"{dropped:,} passages no longer fit the archive's text and were left out."
        if dropped == 1:
            sentence = "1 passage no longer fits the archive's text and was left out."
        return Check(name, "wrong", sentence, f"Rebuild the index: appliance index {book.archive.path.name}")
    if not book.index.meta.passages:
        sentence = "There is no text in this archive to search."
        if n := book.index.meta.skipped:
            sentence = f"There is no text in this archive to search. {n:,} of its entries could not be read."
        return Check(name, "on", sentence)
    return Check(name, "on", several(book.index.meta.passages, "passage"))


def _older(path: Path, newest: Path) -> Check:
    return Check(
        path.name, "off", f"{newest.name} is newer and is used instead.", f"{path.name} may be removed."
    )


def _not_on(state: ServiceState | None) -> CheckState:
    """Whether a process that does not answer is only not there yet."""
    return "starting" if state and state.state == "starting" and not state.restarts else "wrong"


def _why(state: ServiceState | None, otherwise: str) -> str:
    return state.sentence if state is not None and state.sentence else otherwise


def memory() -> float:
    """Of this process, in MB: its own and its share of what several have open (PSS, proc(5))."""
    rollup = Path("/proc/self/smaps_rollup").read_text()
    return next(int(line.split()[1]) / 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
