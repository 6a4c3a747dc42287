"""The shelf and the text of its articles for programs: `/api/archives` and `/api/source`.

What `/api/search` cites can be read whole here, a bounded stretch at a time. Offsets count code points in the
text that the extractor gives, as everywhere.
"""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from appliance.documents.records import ARCHIVE
from appliance.errors import EntryMissing
from appliance.records import Document
from appliance.repositories.records import PREFIX, Repository
from appliance.server import links, questions
from appliance.server.git_sources import GitSources, open_to
from appliance.server.own import OwnDocuments
from appliance.server.parts import Appliance, Book
from appliance.server.rights import OPEN
from appliance.server.sources import newer_edition

LONGEST = 50_000  # letters of one reply
USUAL = 10_000


class ArchiveReply(BaseModel):
    """`searched`: it has an index; without one its articles are found by their words and titles only. `date`
    is that of the edition, null when the archive does not say."""

    name: str
    title: str
    description: str
    language: str
    licence: str
    date: str | None
    articles: int
    searched: bool


class ArchivesReply(BaseModel):
    archives: list[ArchiveReply]


class SourceReply(BaseModel):
    """A stretch of an article. `total` counts the whole text; `next_offset` is where to go on, null at its
    end. `archive` is a newer edition's name where the one asked for was replaced, and the offset 0 then."""

    archive: str
    path: str
    title: str
    text: str
    offset: int
    length: int
    total: int
    next_offset: int | None
    url: str


def router(appliance: Appliance, own: OwnDocuments | None = None, git: GitSources | None = None) -> APIRouter:
    routes = APIRouter(tags=["library"], dependencies=[OPEN])

    @routes.get("/api/archives")
    async def archives(request: Request) -> ArchivesReply:
        books = sorted(appliance.library.books, key=lambda book: book.archive.title.casefold())
        sources = await open_to(git, request)
        return ArchivesReply(archives=[*map(_archive, books), *(_source(one.about) for one in sources)])

    @routes.get("/api/source")
    async def source(
        request: Request,
        archive: Annotated[str, Query(max_length=400, description="Name of an archive, or documents.")],
        path: Annotated[str, Query(max_length=4000, description="The entry's path, as a result has it.")],
        offset: Annotated[int, Query(ge=0, le=2**31)] = 0,
        limit: Annotated[int, Query(ge=1, le=LONGEST)] = USUAL,
    ) -> SourceReply:
        if own and archive == ARCHIVE:
            book = own.documents.book(own.scope(request)).archive
            document = await run_in_threadpool(book.document, path)
            return _stretch(ARCHIVE, document, offset, limit)
        if git and archive.startswith(PREFIX):
            document = await run_in_threadpool(git.document, request, archive, path)
            return _stretch(archive, replace(document, path=path), offset, limit)
        known = {book.archive.name for book in appliance.library.books}
        if archive not in known and (newer := newer_edition(appliance, archive)) != archive:
            archive, offset = newer, 0  # the offsets mean nothing in another edition
        questions.on_shelf(archive, known)
        if "\0" in path:
            raise EntryMissing("There is no such page.", "Search for its title instead.")
        document = await run_in_threadpool(appliance.library.document, archive, path)
        return _stretch(archive, document, offset, limit)

    return routes


def _archive(book: Book) -> ArchiveReply:
    of = book.archive
    return ArchiveReply(
        name=of.name,
        title=of.title,
        description=of.description,
        language=of.language,
        licence=of.licence,
        date=str(of.date) if of.date is not None else None,
        articles=of.article_count,
        searched=book.index is not None,
    )


def _source(about: Repository) -> ArchiveReply:
    return ArchiveReply(
        name=about.archive,
        title=about.name,
        description="Git repository",
        language="",
        licence="",
        date=about.outcome.synced[:10],
        articles=about.outcome.tally.files,
        searched=True,
    )


def _stretch(archive: str, document: Document, offset: int, limit: int) -> SourceReply:
    text = document.text[offset : offset + limit]
    end = offset + len(text)
    return SourceReply(
        archive=archive,
        path=document.path,
        title=document.title,
        text=text,
        offset=offset,
        length=len(text),
        total=len(document.text),
        next_offset=end if text and end < len(document.text) else None,
        url=links.source_url(archive, document.path),
    )
