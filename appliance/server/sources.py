"""The source page: a document's text as the extractor gave it, with one passage marked and scrolled to."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.errors import EntryMissing
from appliance.records import Block, Document
from appliance.server import links, questions, render
from appliance.server.parts import Appliance
from appliance.sources.zimfile import archive_name


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a block; `first` is the one that the page scrolls to."""

    text: str
    marked: bool = False
    first: bool = False


@dataclass(slots=True)
class Part:
    """What is drawn as one: a heading, a paragraph, code, or a run of list items or rows.

    `tag` is the heading's element (h2 … h6) or the block's kind; `id` is there for headings only."""

    tag: str
    lines: list[list[Piece]] = field(default_factory=list)
    id: str = ""

    @property
    def text(self) -> str:
        return "".join(piece.text for line in self.lines for piece in line)


def router(appliance: Appliance) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get("/source")
    async def source(
        archive: str = Query(max_length=400),
        path: str = Query(max_length=4000),
        start: int = Query(0, ge=0, le=2**31),
        length: int = Query(0, ge=0, le=2**31),
        accepted: render.Accepted = "",
    ) -> Response:
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


def lay_out(document: Document, start: int, end: int) -> Iterator[Part]:
    """The document's blocks as parts, in order; what lies in start…end (code points) is marked."""
    current: Part | None = None
    found = False
    headings = 0
    for block in document.blocks:
        pieces = list(_pieces(document.text, block, start, end))
        for place, piece in enumerate(pieces):
            if piece.marked and not found:
                pieces[place] = Piece(piece.text, marked=True, first=True)
                found = True
        if current is not None and block.kind == current.tag and block.kind in ("item", "row"):
            current.lines.append(pieces)
            continue
        if current is not None:
            yield current
        if block.kind == "heading":
            headings += 1
            current = Part(f"h{min(6, 2 + len(block.headings))}", [pieces], f"h-{headings}")
        else:
            current = Part(block.kind, [pieces])
    if current is not None:
        yield current


def _pieces(text: str, block: Block, start: int, end: int) -> Iterator[Piece]:
    """The block cut at the passage's ends: before, in and after it."""
    cut_start = min(max(start, block.start), block.end)
    cut_end = min(max(end, cut_start), block.end)
    for left, right, marked in (
        (block.start, cut_start, False),
        (cut_start, cut_end, True),
        (cut_end, block.end, False),
    ):
        if right > left:
            yield Piece(text[left:right], marked)
