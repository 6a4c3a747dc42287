"""`/api/documents` for programs: add, list, read, delete own documents. A file is the body of a request."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from appliance.documents import keeping, rows
from appliance.documents.ingest import Added
from appliance.documents.records import Listed, Scope
from appliance.errors import EntryMissing, EntryUnreadable
from appliance.server import intake
from appliance.server.own import OwnDocuments
from appliance.server.questions import BadRequest, Number
from appliance.server.rights import OWN

PAGE = "/api/documents"
MOST = 1_000  # documents in one reply


class AddedReply(BaseModel):
    """`state`: added, or known when the same content was here already, as this document."""

    id: int
    state: Literal["added", "known"]
    title: str
    name: str
    folder: str
    passages: int


class DocumentReply(BaseModel):
    """A document without its text. `written` is its own date, as far as it tells one."""

    id: int
    title: str
    name: str
    folder: str
    media_type: str
    language: str
    written: str | None
    added: str
    letters: int
    passages: int


class SectionReply(BaseModel):
    """Offsets count code points of the document's text."""

    kind: str
    headings: list[str]
    start: int
    length: int
    date: str | None


class WholeReply(DocumentReply):
    text: str
    meta: dict[str, str]
    sections: list[SectionReply]


class ListReply(BaseModel):
    """`count`: documents in all, of which `documents` are those from `skip` on; `waiting`: passages whose
    vector is still to be made; until then their words are searched."""

    documents: list[DocumentReply]
    count: int
    folders: list[str]
    waiting: int


class DeletedReply(BaseModel):
    """`cleaned`: they are out of all files, which are smaller now; false on a full disk."""

    deleted: int
    cleaned: bool


def router(own: OwnDocuments) -> APIRouter:
    routes = APIRouter(tags=["documents"], dependencies=[OWN])

    @routes.post(PAGE, status_code=201)
    async def add(
        request: Request,
        response: Response,
        name: Annotated[str, Query(max_length=1000, description="The file's name, with its ending.")],
        folder: Annotated[str, Query(max_length=2000)] = "",
    ) -> AddedReply:
        own.require_change(request)
        try:
            added = await intake.one(own, own.area(request), name, folder, request.stream())
        except EntryUnreadable as error:
            raise BadRequest(str(error), error.hint, "name", 422) from error
        response.status_code = 200 if added.known else 201
        return _added(added)

    @routes.get(PAGE)
    async def listed(
        request: Request,
        folder: Annotated[str, Query(max_length=2000)] = "",
        skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
    ) -> ListReply:
        return await run_in_threadpool(_list, own, own.scope(request, folder), skip, limit)

    @routes.get(PAGE + "/{number}")
    async def whole(request: Request, number: Number) -> WholeReply:
        return await run_in_threadpool(_whole, own, own.scope(request), number)

    @routes.delete(PAGE + "/{number}")
    async def delete(request: Request, number: Number) -> DeletedReply:
        changeable = own.require_change(request)
        removed = await run_in_threadpool(own.documents.remove, [number], changeable)
        if not removed.count:
            raise EntryMissing("There is no such document.", "It may have been deleted.")
        own.tell_changed()
        return DeletedReply(deleted=removed.count, cleaned=removed.cleaned)

    return routes


def _added(added: Added) -> AddedReply:
    return AddedReply(
        id=added.document,
        state="known" if added.known else "added",
        title=added.title,
        name=added.name,
        folder=added.folder,
        passages=added.passages,
    )


def _list(own: OwnDocuments, scope: Scope, skip: int, limit: int) -> ListReply:
    with own.store.read() as connection:
        found, count = rows.listed(connection, scope, skip, limit), rows.count(connection, scope)
        folders = [name for name in rows.folders(connection, Scope(scope.owners)) if name]
    step = keeping.progress(own.documents.made)
    return ListReply(
        documents=[DocumentReply(**_fields(one)) for one in found],
        count=count,
        folders=folders,
        waiting=step.total - step.done,
    )


def _whole(own: OwnDocuments, scope: Scope, number: int) -> WholeReply:
    with own.store.read() as connection:
        document = rows.find(connection, number, scope)
        if document is None:
            raise EntryMissing("There is no such document.", "It may have been deleted.")
        (about,) = rows.listed(connection, Scope(scope.owners, None, number))
        sections = rows.sections(connection, number)
    return WholeReply(
        **_fields(about),
        text=document.text,
        meta={str(key): str(value) for key, value in document.meta.items()},
        sections=[
            SectionReply(kind=s.kind, headings=list(s.headings), start=s.start, length=s.length, date=s.date)
            for s in sections
        ],
    )


def _fields(one: Listed) -> dict[str, Any]:
    return {name: getattr(one, name) for name in DocumentReply.model_fields}
