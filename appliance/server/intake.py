"""From the pieces of an upload to kept documents: what the page and the API of uploads share."""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from appliance.documents.incoming import Incoming, incoming
from appliance.documents.ingest import Added
from appliance.errors import DocumentError, EntryUnreadable
from appliance.server import uploads
from appliance.server.own import OwnDocuments
from appliance.server.uploads import Begin, End, Event, Field, Piece


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file: kept (or known) as a document, or refused with a sentence."""

    name: str
    added: Added | None = None
    sentence: str = ""
    hint: str = ""


async def one(own: OwnDocuments, owner: str, name: str, folder: str, body: AsyncIterator[bytes]) -> Added:
    """A file that is the whole body of a request. Raises EntryUnreadable, DocumentError, DocumentTooLarge."""
    with incoming(own.folder, name, folder, own.limits) as file:
        async for piece in body:
            file.write(piece)
        return await _kept(own, owner, file)


async def _kept(own: OwnDocuments, owner: str, file: Incoming) -> Added:
    """When this gives back, the document is on the disk."""
    sha256 = file.done()
    added = await run_in_threadpool(own.ingest.add, file.path, sha256, file.name, file.folder, owner)
    if not added.known:
        own.tell_changed()
    return added


async def form(own: OwnDocuments, request: Request) -> list[Outcome]:
    """All files of a form, one after the other. A file that is refused does not stop the others. Raises
    BadRequest before any file for what this visitor may not do."""
    fields: dict[str, str] = {}
    outcomes: list[Outcome] = []
    with ExitStack() as files:
        taking = _Taking(own, own.area(request), fields, outcomes, files)
        async for event in uploads.parts(request.headers.get("content-type", ""), request.stream()):
            if isinstance(event, Begin) and not taking.admitted:
                own.require_change(request, fields)
                taking.admitted = True
            await taking.take(event)
    return outcomes


class _Taking:
    """The file that is coming in."""

    def __init__(
        self,
        own: OwnDocuments,
        owner: str,
        fields: dict[str, str],
        outcomes: list[Outcome],
        files: ExitStack,
    ) -> None:
        self.admitted = False
        self._own, self._owner, self._fields, self._outcomes, self._files = (
            own,
            owner,
            fields,
            outcomes,
            files,
        )
        self._name = ""
        self._file: Incoming | None = None

    async def take(self, event: Event) -> None:
        try:
            match event:
                case Field(name, text):
                    self._fields[name] = text
                case Begin(filename):
                    self._begin(filename)
                case Piece(data) if self._file is not None:
                    self._file.write(data)
                case End() if self._file is not None:
                    added = await _kept(self._own, self._owner, self._file)
                    self._outcomes.append(Outcome(self._file.name, added))
                    self._close()
        except (DocumentError, EntryUnreadable) as error:
            self._outcomes.append(Outcome(self._name, None, str(error), error.hint))
            self._close()

    def _begin(self, filename: str) -> None:
        """A field for files that was left empty comes as a file without a name."""
        self._name = filename
        if filename:
            folder = self._fields.get("folder", "")
            self._file = self._files.enter_context(
                incoming(self._own.folder, filename, folder, self._own.limits)
            )

    def _close(self) -> None:
        self._file = None
        self._files.close()
