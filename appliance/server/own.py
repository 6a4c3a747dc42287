"""The own documents of a running box: who may see them, who may change them, and what takes files in.

Off for anonymous phones until whoever looks after the box opens them (setting `documents`); who has signed in
sees them. Editors change them. An area of one's own is opened with its passphrase, seen by nobody else, and
changed by whoever has opened it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from fastapi import Request

from appliance import models
from appliance.documents import contradictions, keeping, timeline
from appliance.documents.incoming import Limits
from appliance.documents.ingest import Ingest, counting
from appliance.documents.keeper import Keeper
from appliance.documents.readers import Readers
from appliance.documents.records import COMMON, Scope
from appliance.documents.search import FOLDER, Documents
from appliance.documents.store import Store
from appliance.errors import DocumentError, ModelFileError
from appliance.log import say
from appliance.people.people import open_people
from appliance.records import Check
from appliance.retrieval.rerank import Read
from appliance.server import names
from appliance.server.area import Areas
from appliance.server.origin import by_number, here
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.server.rights import Rights
from appliance.settings import Settings
from appliance.vectors import Encoder

CLOSED = "The documents of this box are not open to you."
ASK = "Ask whoever looks after the box."
INCOMING = "incoming"


class OwnDocuments:
    """Of one box. Without `rights` nobody has signed in."""

    def __init__(
        self,
        settings: Settings,
        documents: Documents,
        encoder: Encoder,
        read: Read | None = None,
        readers: Readers | None = None,
        rights: Rights | None = None,
    ) -> None:
        self.settings, self.documents = settings, documents
        self.rights = rights or Rights(open_people())
        self.areas, self.limits = Areas(documents.store, self.rights.guesses), Limits.of(settings)
        self.folder: Path | None = documents.store.path.with_name(INCOMING) if documents.store.path else None
        self._readers = readers or Readers(_tokenizer(settings))
        self.ingest = Ingest(documents, self._readers, counting(encoder))
        store = documents.store
        near = contradictions.near_in(documents.made)
        compare = [partial(contradictions.find, store, read, near)] if read else []
        self.keeper = Keeper(documents, encoder, [partial(timeline.read_dates, store)], compare)
        self.changed: list[Callable[[], None]] = [self.keeper.wake]

    @property
    def store(self) -> Store:
        return self.documents.store

    def choose(self, settings: Settings) -> None:
        """Who may see them, from the next request on."""
        self.settings = settings

    def start(self) -> None:
        for left in self.folder.glob("incoming-*") if self.folder else ():  # of a box that lost its power
            left.unlink(missing_ok=True)
        self.keeper.start()

    def stop(self) -> None:
        self.keeper.stop()
        self._readers.close()
        self.documents.close()

    def seen(self, request: Request) -> tuple[str, ...]:
        """Whose documents this visitor may see; () where that is nobody's."""
        opened = self.area(request)
        found = [COMMON] if self._common(request) else []
        return (*found, opened) if opened else tuple(found)

    def _common(self, request: Request) -> bool:
        allowed = self.settings.documents
        if allowed != "here":
            return allowed == "everyone"
        sits_here = here(request) and VISIT not in request.scope and not by_number(request)
        return sits_here or self.rights.may(request, "reader")

    def area(self, request: Request) -> str:
        """The area that this visitor has opened, where what they add goes; COMMON for none."""
        return COMMON if self.settings.documents == "nobody" else self.areas.owner(request)

    def offers_areas(self) -> bool:
        return self.settings.documents != "nobody" and self.areas.there_are()

    def owners(self, request: Request) -> tuple[str, ...]:
        """The same. Raises BadRequest (403) where that is nobody's."""
        found = self.seen(request)
        if not found:
            there = names.elsewhere(request, self.settings) if here(request) else ""
            raise BadRequest(CLOSED, f"At this machine they open at {there}." if there else ASK, status=403)
        return found

    def scope(self, request: Request, folder: str = "") -> Scope:
        return Scope(self.owners(request), folder or None)

    def may_change(self, request: Request) -> bool:
        """Whether this visitor may add and delete: in their own area, or as an editor."""
        return bool(self.seen(request)) and (bool(self.area(request)) or self.rights.may(request, "editor"))

    def require_change(self, request: Request, form: Mapping[str, str] | None = None) -> Scope:
        """Where this visitor may add and delete: their own area, or the common one. Raises BadRequest (401,
        403) for one who may not, or for a form that is not of this session."""
        self.owners(request)
        area = self.area(request)
        if area:
            self.rights.require_token(request, form)
        else:
            self.rights.require(request, "editor", form)
        return Scope((area,))

    def tell_changed(self) -> None:
        """After documents came or went: whoever makes something of them begins."""
        for wake in self.changed:
            wake()

    def checks(self) -> Sequence[Check]:
        """A line for the status page."""
        name = "Own documents"
        try:
            with self.store.read() as connection:
                count = int(str(connection.execute("SELECT count(*) FROM document").get))
            step = keeping.progress(self.documents.made)
        except DocumentError as error:
            return (Check(name, "wrong", str(error), error.hint),)
        if step.done < step.total:
            sentence = f"Documents: {count:,}, passages still being prepared: {step.total - step.done:,}"
            return (Check(name, "starting", sentence, "Until then their words are searched."),)
        return (Check(name, "on", f"Documents: {count:,}, passages: {step.total:,}"),)


def _tokenizer(settings: Settings) -> Path | None:
    """None where its file is not here: the box serves without models, and what is added then is cut by an
    estimate."""
    try:
        return models.path(settings.home, models.EMBEDDING[1])
    except ModelFileError:
        return None


def open_own(
    settings: Settings, encoder: Encoder, read: Read | None, rights: Rights | None = None
) -> OwnDocuments | None:
    """The own documents of a box; None, and a line in the log, where their file cannot be used."""
    model = models.catalogue().find(models.EMBEDDING[0]).sha256
    try:
        documents = Documents.open(settings.home / FOLDER, model)
        return OwnDocuments(settings, documents, encoder, read, rights=rights)
    except DocumentError as error:
        say(f"Own documents are off. {error} {error.hint}")
        return None
