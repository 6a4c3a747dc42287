"""A file of a Git source, with one passage marked, and the list of its files: pages for who may see it."""

from itertools import groupby

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from appliance.records import Document
from appliance.repositories.records import Repository
from appliance.server import render
from appliance.server.git_sources import GitSources
from appliance.server.layout import filled, lay_out, plain_headings
from appliance.server.rights import OPEN

FILES = "/source/files"
SHOWN = 500  # files on one page


def router(git: GitSources) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get(FILES, dependencies=[OPEN])
    async def files(
        request: Request,
        archive: str = Query(max_length=400),
        skip: int = Query(0, ge=0, le=10_000_000),
        accepted: render.Accepted = "",
    ) -> Response:
        def read() -> tuple[Repository, list[tuple[str, str]]]:
            source = git.source(request, archive)
            with source.opened() as book:
                return source.about, book.archive.files()

        about, found = await run_in_threadpool(read)
        here = found[skip : skip + SHOWN]
        shown = await render.page(
            "repository.html",
            accepted,
            about=about,
            count=len(found),
            folders=[(folder, list(some)) for folder, some in groupby(here, key=_folder)],
            later=skip + SHOWN if skip + SHOWN < len(found) else 0,
        )
        shown.headers["cache-control"] = "no-store"
        return shown

    return routes


async def page(
    git: GitSources,
    request: Request,
    archive: str,
    path: str,
    place: tuple[int, int],
    accepted: str,
    asks: bool,
) -> Response:
    """One file, at `place` (start, end) of its text. Raises EntryMissing."""

    def read() -> tuple[Repository, Document]:
        source = git.source(request, archive)
        with source.opened() as book:
            return source.about, book.archive.document(path)

    about, document = await run_in_threadpool(read)
    start, end = place
    parts = list(plain_headings(lay_out(filled(document), start, end)))
    passage = document.text[start:end].strip()
    shown = await render.page(
        "repository_file.html",
        accepted,
        about=about,
        document=document,
        written_in="",
        scope=f"source:{about.name}",
        path=path,
        parts=parts,
        headings=[part for part in parts if part.id],
        passage=passage,
        outdated=end > start and not passage,
        there=about.page(path, lines(document.text, start, end) if passage else None),
        asks=asks,
    )
    shown.headers["cache-control"] = "no-store"
    return shown


def _folder(file: tuple[str, str]) -> str:
    return file[0].rpartition("/")[0]


def lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The first and last line (from 1) of a stretch of a text, as an editor counts them."""
    first = text.count("\n", 0, start) + 1
    return first, first + text[start:end].rstrip().count("\n")
