"""What was refused or went wrong, as a calm page, or for programs as JSON in OpenAI's shape."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from appliance.errors import (
    ConversationMissing,
    DocumentTooLarge,
    EntryMissing,
    EntryUnreadable,
    LamplightError,
    PeopleError,
    QueueFull,
    ScopeError,
    ServiceDown,
    TurnConflict,
)
from appliance.misfits import misfit
from appliance.server import render, sign_in, stream
from appliance.server.desk.places import Place, place
from appliance.server.questions import BadRequest, error_body
from appliance.server.rights import SAFE

PROGRAMS = ("/api/", "/v1/", "/healthz", "/openapi.json")
TITLES: dict[int | str, str] = {
    "too_fast": "Not so fast",
    400: "This cannot be used",
    401: "Sign in first",
    403: "Not for everyone",
    404: "There is no such page",
    405: "This cannot be done here",
    409: "Not now",
    413: "This is too much at once",
    429: "Many people are asking",
    503: "Not available just now",
}
TOO_FAST = "This device asks faster than this library answers."
AGAIN = "Try again in {n} s."
BUSY = 60  # seconds after which a question may find room in the queue
HERE_NOT = {
    404: "Nothing in this library has this address.",
    413: "What was sent is larger than this library reads.",
}
NOT_TAKEN = "This address does not take {method}."
START = "Go to the start page and ask, or look along the shelf."


def add_to(app: FastAPI) -> None:
    """Makes a reply of whatever a route raises."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(LamplightError, _ours)
    app.add_exception_handler(Exception, _unexpected)


async def _ours(request: Request, error: Exception) -> Response:
    reply = await _told(request, error)
    if isinstance(error, QueueFull):
        reply.headers["retry-after"] = str(BUSY)
    return reply


async def _told(request: Request, error: Exception) -> Response:
    hint = error.hint if isinstance(error, LamplightError) else ""
    match error:
        case BadRequest(status=401) if request.method in SAFE and not _by_program(request):
            asked = f"{request.url.path}?{request.url.query}".rstrip("?")
            return RedirectResponse(sign_in.address(asked), 303, {"cache-control": "no-store"})
        case BadRequest(status=status, field=field, code=code):
            pass
        case PeopleError():
            status, field, code = 409, "", ""
        case EntryMissing() | EntryUnreadable():
            status, field, code = 404, "path", ""
        case DocumentTooLarge():
            status, field, code = 413, "", "too_large"
        case ConversationMissing():
            status, field, code = 404, "", ""
        case ScopeError():
            status, field, code = 400, "scope", ""
        case TurnConflict():
            status, field, code = 409, "client_turn_id", "conflict"
        case QueueFull():
            status, field, code = 429, "", "queue_full"
        case ServiceDown():
            status, field, code = 503, "", "service_down"
        case _:
            status, field, code = 503, "", ""
    return await _reply(request, status, str(error), hint, field, code)


async def slower(request: Request, seconds: int) -> Response:
    """To a visitor who sends more than people do."""
    reply = await _reply(request, 429, TOO_FAST, AGAIN.format(n=seconds), "", "too_fast")
    reply.headers["retry-after"] = str(seconds)
    return reply


async def _invalid(request: Request, error: Exception) -> Response:
    """A parameter of the wrong type or out of its bounds: which one, and what was expected."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) and error.errors() else {}
    field = str(next(iter(first.get("loc", ())[1:]), ""))
    return await _reply(request, 400, misfit(field, first), "", field, "")


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = HERE_NOT.get(status, str(getattr(error, "detail", "")))
    if status == 405:
        sentence = NOT_TAKEN.format(method=request.method)
    reply = await _reply(request, status, sentence, START, "", "")
    reply.headers.update(getattr(error, "headers", None) or {})
    return reply


async def _unexpected(request: Request, error: Exception) -> Response:
    """The last handler: a defect of ours. The log gets the traceback without the question."""
    told = stream.defect(error)
    return await _reply(request, 500, str(told), told.hint, "", "")


async def _reply(request: Request, status: int, sentence: str, hint: str, field: str, code: str) -> Response:
    if _by_program(request):
        kind = "rate_limit_error" if status == 429 else "server_error" if status >= 500 else ""
        body = error_body(f"{sentence} {hint}".strip(), kind or "invalid_request_error", field, code)
        return JSONResponse(body, status, {"www-authenticate": "Bearer"} if status == 401 else None)
    title = TITLES.get(code) or TITLES.get(status, "Something went wrong")
    return await render.page(
        "error.html",
        request.headers.get("accept-language", ""),
        status,
        title=title,
        sentence=sentence,
        hint=hint,
        account=status == 403,
        back=_back(request),
    )


def _back(request: Request) -> Place | None:
    """The desk's page from which a refused form came; None elsewhere."""
    try:
        return place(request.url.path) if request.method not in SAFE else None
    except KeyError:
        return None


def _by_program(request: Request) -> bool:
    return request.url.path.startswith(PROGRAMS) or "authorization" in request.headers
