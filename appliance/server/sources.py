"""The source page: a document's text as the extractor gave it, with one passage marked and scrolled to."""

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.errors import EntryMissing
from appliance.records import Document
from appliance.repositories.records import PREFIX
from appliance.server import git_files, links, questions, render
from appliance.server.git_sources import GitSources
from appliance.server.layout import lay_out
from appliance.server.parts import Appliance
from appliance.server.rights import OPEN
from appliance.sources.zimfile import archive_name


def router(appliance: Appliance, git: GitSources | None = None) -> APIRouter:
    routes = APIRouter(include_in_schema=False, dependencies=[OPEN])

    @routes.get("/source")
    async def source(
        request: Request,
        archive: str = Query(max_length=400),
        path: str = Query(max_length=4000),
        start: int = Query(0, ge=0, le=2**31),
        length: int = Query(0, ge=0, le=2**31),
        accepted: render.Accepted = "",
    ) -> Response:
        if git and archive.startswith(PREFIX):
            asks = bool(appliance.settings.conversations)
            return await git_files.page(git, request, archive, path, (start, start + length), accepted, asks)
        books = {book.archive.name: book for book in appliance.library.books}
        older = archive if archive not in books else ""
        if (
            older
        ):  # a citation of an edition that has been replaced; its offsets mean nothing in the newer one
            archive, start, length = newer_edition(appliance, archive), 0, 0
        questions.on_shelf(archive, books)
        book = books[archive]
        if "\0" in path:
            raise EntryMissing(f"{book.archive.title} has no such page.", "Search for its title instead.")
        document = await run_in_threadpool(appliance.library.document, archive, path)
        passage = document.text[start : start + length]
        parts = list(lay_out(document, start, start + length))
        return await render.page(
            "source.html",
            accepted,
            document=document,
            written_in=book.archive.language,
            archive=book.archive,
            parts=parts,
            headings=[part for part in parts if part.id],
            passage=passage.strip(),
            older=older,
            outdated=bool(length) and not passage.strip(),
            kiwix=links.article_url(archive, document.path, anchor_at(document, start), passage)
            if appliance.settings.reader
            else "",
        )

    return routes


def newer_edition(appliance: Appliance, archive: str) -> str:
    """The name of the edition that replaced `archive`; `archive` itself where none did."""
    editions = {archive_name(older.path): archive_name(older.newest) for older in appliance.shelf.older}
    return editions.get(archive, archive)


def anchor_at(document: Document, start: int) -> str:
    """The anchor of the block in which the passage starts; "" at the document's beginning."""
    if not start:
        return ""
    return next((block.anchor for block in document.blocks if block.end > start), "")
