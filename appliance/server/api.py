"""JSON for programs: search, title suggestions, health. Shapes are fixed, since others build on them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from appliance.answer.ask import considered
from appliance.answer.visit import searching
from appliance.documents.records import ARCHIVE, Scope
from appliance.documents.scope import Reach, Searcher, Searching
from appliance.records import Calculation, Disagreement, Evidence, Verdict
from appliance.server import links, questions
from appliance.server.git_sources import GitSources, open_to
from appliance.server.own import OwnDocuments
from appliance.server.parts import Appliance
from appliance.server.phrases import for_programs
from appliance.server.render import Accepted
from appliance.server.rights import OPEN


class Result(BaseModel):
    """A passage. `path` is the ZIM entry's path; `offset` and `length` count code points in its text;
    `url` is the passage's source page."""

    archive: str
    path: str
    title: str
    heading: str
    text: str
    score: float
    offset: int
    length: int
    url: str


class Gate(BaseModel):
    verdict: Verdict
    probability: float


class SearchReply(BaseModel):
    """`calculation`, `disagreement`, `notes` and `suggestion` are there only when there is something to say;
    their passages are numbered from 1, in the order of `results`."""

    query: str
    results: list[Result]
    gate: Gate
    calculation: Calculation | None = None
    disagreement: Disagreement | None = None
    notes: list[str] | None = None
    suggestion: str | None = None


class Title(BaseModel):
    archive: str
    title: str
    path: str
    url: str


class SuggestReply(BaseModel):
    query: str
    results: list[Title]


class CheckReply(BaseModel):
    name: str
    state: str
    sentence: str
    remedy: str


class HealthReply(BaseModel):
    ready: bool
    checks: list[CheckReply]
    facts: dict[str, str]


Archives = Annotated[
    list[str] | None, Query(max_length=200, description="Name of an archive, or documents; repeatable.")
]


def router(appliance: Appliance, own: OwnDocuments | None = None, git: GitSources | None = None) -> APIRouter:
    routes = APIRouter(tags=["library"], dependencies=[OPEN])

    @routes.get("/api/search", response_model_exclude_none=True)
    async def search(
        request: Request,
        q: Annotated[str, Query(description="The question.")],
        limit: Annotated[int, Query(ge=1, le=50)] = 20,
        archive: Archives = None,
        accepted: Accepted = "",
    ) -> SearchReply:
        question, notes = questions.question(q)
        known = {book.archive.name for book in appliance.library.books}
        library: Searcher = appliance.library
        if own and ARCHIVE in (archive or []):
            library = await run_in_threadpool(_with_own, own, library, own.owners(request), archive or [])
            known |= {ARCHIVE}
        sources = await open_to(git, request)
        chosen = questions.chosen(archive or [], known | {one.name for one in sources})
        within = Searching(library, None, Reach("library"), (), sources)
        async with searching():
            found = await run_in_threadpool(within.search, question, limit, chosen)
        judged, say = found.judgement, for_programs(question, accepted)
        made = await run_in_threadpool(considered, found, appliance.settings.profile)
        return SearchReply(
            query=question,
            results=[result(evidence) for evidence in found.evidence],
            gate=Gate(verdict=judged.verdict, probability=judged.probability),
            calculation=made.calculation,
            disagreement=made.disagreement,
            notes=[say(note) for note in (*notes, *found.notes)] or None,
            suggestion=found.suggestion or None,
        )

    @routes.get("/api/suggest")
    async def suggest(
        q: Annotated[str, Query(description="The beginning of a title.")] = "",
        limit: Annotated[int, Query(ge=1, le=20)] = 8,
    ) -> SuggestReply:
        text = questions.clean(q)[:200]
        found = await run_in_threadpool(appliance.library.suggest, text, limit) if text else []
        return SuggestReply(
            query=text,
            results=[
                Title(archive=archive, title=title, path=path, url=links.source_url(archive, path))
                for archive, title, path in found
            ],
        )

    @routes.get("/healthz", response_model=HealthReply)
    async def healthz() -> JSONResponse:
        health = await run_in_threadpool(appliance.health)
        checks: list[dict[str, Any]] = [
            {"name": c.name, "state": c.state, "sentence": c.sentence, "remedy": c.remedy}
            for c in health.checks
        ]
        body = {"ready": health.ready, "checks": checks, "facts": dict(health.facts)}
        return JSONResponse(body, 200 if health.ready else 503)

    return routes


def _with_own(own: OwnDocuments, library: Searcher, owners: tuple[str, ...], archives: list[str]) -> Searcher:
    """The library with what the visitor may see of own documents."""
    return library.with_own(own.documents.book(Scope(owners)), archives)


def result(evidence: Evidence) -> Result:
    return Result(
        archive=evidence.archive,
        path=evidence.path,
        title=evidence.title,
        heading=" › ".join(evidence.headings),
        text=evidence.text,
        score=evidence.score,
        offset=evidence.start,
        length=len(evidence.text),
        url=links.source_url(evidence.archive, evidence.path, evidence.start, len(evidence.text)),
    )
