"""The small service for developers: `POST /ingest` and `POST /query` over an archive of own documents,
in a file or in memory alone. No pages, no conversations, no language model.

Errors are those of the API, typed by `code`; `/openapi.json` describes all of it.
"""

import hashlib
from dataclasses import replace
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError
from starlette.exceptions import HTTPException

from appliance import __version__
from appliance.documents import keeping
from appliance.documents.ingest import Ingest
from appliance.documents.quoting import Passage, Quoter, synthesis
from appliance.errors import DocumentError, EntryUnreadable, LamplightError
from appliance.log import say
from appliance.misfits import misfit
from appliance.server.guard import Guard, allowed_hosts
from appliance.server.questions import error_body
from appliance.sources import markdown, textblocks
from appliance.vectors import Encoder

LONGEST_TEXT = 200_000  # letters of one document; a body has a megabyte at most
LONGEST_QUESTION = 2_000
MOST = 50  # passages

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, description="Plain text or Markdown.")]
Short = Annotated[str, Field(max_length=300)]


def _number(given: object) -> object:
    """JSON has one kind of number: 5.0 is 5, but neither true nor "5" is a number."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise PydanticCustomError("number", "Input should be a number")
    return given


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class IngestRequest(Strict):
    """A text to keep. `metadata` comes back with every passage of it."""

    text: Text
    title: Short = ""
    metadata: Annotated[dict[Short, Short], Field(max_length=50)] = {}


class IngestReply(BaseModel):
    """`known`: the same text was here already, as this document; nothing was added."""

    document: int
    title: str
    passages: int
    known: bool


class QueryRequest(Strict):
    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION, pattern=r"\S")]
    k: Annotated[int, Field(ge=1, le=MOST, description="How many passages."), BeforeValidator(_number)] = 5


class PassageReply(BaseModel):
    """`offset` and `length` count code points in the document's text; `score` is 0 to 1."""

    n: int
    document: int
    title: str
    text: str
    score: float
    offset: int
    length: int
    metadata: dict[str, str]


class QuotationReply(BaseModel):
    """A whole sentence of passage `n`, at `offset` of its document's text."""

    n: int
    sentence: str
    offset: int


class QueryReply(BaseModel):
    """`synthesis` puts the quotations behind each other with their numbers; it is empty when no sentence
    holds enough of the question."""

    query: str
    passages: list[PassageReply]
    synthesis: str
    quotations: list[QuotationReply]


class Health(BaseModel):
    documents: int
    passages: int
    meaning: bool


class ErrorDetail(BaseModel):
    message: str
    type: str
    param: str | None
    code: str | None


class ErrorReply(BaseModel):
    error: ErrorDetail


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": text}
    for status, text in (
        (400, "Not valid JSON, or not what is asked for here."),
        (413, "The body is larger than a megabyte."),
        (422, "The text cannot be kept: there is nothing in it to search."),
        (503, "The archive cannot be read or written just now."),
    )
}
KNOWN_ERRORS = {EntryUnreadable: (422, "unreadable"), DocumentError: (503, "archive")}


def create_small(ingest: Ingest, encoder: Encoder | None, host: str = "127.0.0.1") -> FastAPI:
    """The service; whoever opened the archive closes it. Without an encoder only words are compared."""
    quoter = Quoter(ingest.documents, encoder)
    app = FastAPI(
        title="Lamplight: the small service",
        version=__version__,
        description=__doc__,
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
    )

    @app.post("/ingest", status_code=201, tags=["documents"], responses={200: {"model": IngestReply}})
    async def ingest_one(request: IngestRequest, response: Response) -> IngestReply:
        """Keeps a text, and answers when it is kept and can be found. The same text again is known: 200."""
        reply = await run_in_threadpool(_keep, ingest, encoder, request)
        quoter.changed()
        response.status_code = 200 if reply.known else 201
        return reply

    @app.post("/query", tags=["documents"], response_model=QueryReply)
    async def query(request: QueryRequest) -> Response:
        """The passages that fit a question best, and what they say to it in their own sentences."""
        answer = _answer(quoter, request)  # checked as it was made, so it is not checked again
        return Response(answer.model_dump_json(), media_type="application/json")

    @app.get("/health", tags=["documents"])
    async def health() -> Health:
        """What is kept; `meaning`: vectors are compared too."""
        with ingest.documents.store.read() as connection:
            counts = [
                int(str(connection.execute(f"SELECT count(*) FROM {table}").get))
                for table in ("document", "passage")
            ]
        return Health(documents=counts[0], passages=counts[1], meaning=encoder is not None)

    app.add_middleware(Guard, hosts=allowed_hosts(host))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(LamplightError, _ours)
    app.add_exception_handler(Exception, _unexpected)
    return app


def _keep(ingest: Ingest, encoder: Encoder | None, request: IngestRequest) -> IngestReply:
    """Raises EntryUnreadable for a text without a word, DocumentError when it cannot be kept."""
    text = request.text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
    kind = markdown if text.lstrip().startswith(("#", "---\n")) else textblocks
    name = "text.md" if kind is markdown else "text.txt"
    reading = kind.read(text, name)
    title = " ".join(request.title.split()) or (reading.document.title if kind is markdown else _first(text))
    document = replace(reading.document, title=title)
    told = replace(reading, document=document, meta=dict(request.metadata))
    digest = hashlib.sha256(f"{title}\0{text}".encode()).digest()
    known = ingest.known(digest, "")
    added = known or ingest.keep(told, digest, name)
    if encoder is not None and not added.known:
        keeping.update_vectors(ingest.documents.store, ingest.documents.made, encoder)
    return IngestReply(document=added.document, title=added.title, passages=added.passages, known=added.known)


def _first(text: str) -> str:
    """The first line as a title."""
    return " ".join(text.strip().partition("\n")[0].split())[:80]


def _answer(quoter: Quoter, request: QueryRequest) -> QueryReply:
    passages = quoter.search(request.query, request.k)
    told = synthesis(request.query, passages)
    return QueryReply(
        query=request.query,
        passages=[_passage(n, one) for n, one in enumerate(passages, 1)],
        synthesis=" ".join(f"“{one.sentence}” [{one.n}]" for one in told),
        quotations=[QuotationReply(n=one.n, sentence=one.sentence, offset=one.start) for one in told],
    )


def _passage(n: int, passage: Passage) -> PassageReply:
    return PassageReply(
        n=n,
        document=passage.document,
        title=passage.title,
        text=passage.text,
        score=passage.score,
        offset=passage.start,
        length=len(passage.text),
        metadata=dict(passage.metadata),
    )


async def _invalid(_: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    field = ".".join(str(part) for part in first.get("loc", ())[1:])
    return _error(400, misfit(field, first), field, "invalid")


async def _http(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = {
        404: "There is no such address.",
        405: "This address takes another method.",
        413: "Too large.",
    }
    reply = _error(status, sentence.get(status, "This cannot be done."), "", "http")
    reply.headers.update(getattr(error, "headers", None) or {})
    return reply


async def _ours(_: Request, error: Exception) -> Response:
    status, code = next(
        (told for kind, told in KNOWN_ERRORS.items() if isinstance(error, kind)), (503, "part")
    )
    return _error(status, f"{error} {getattr(error, 'hint', '')}".strip(), "", code)


async def _unexpected(_: Request, error: Exception) -> Response:
    say(f"A defect in the small service: {type(error).__name__}.")
    return _error(500, "Something went wrong here.", "", "defect")


def _error(status: int, sentence: str, field: str, code: str) -> JSONResponse:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return JSONResponse(error_body(sentence, kind, field, code), status)
