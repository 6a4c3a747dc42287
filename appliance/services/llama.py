"""The process with the language model on a unix socket, and its client, which is a Model like the one inside.

`GET /health`; `POST /count` with `{"texts": […]}`; `POST /generate` with `{"messages": [{"role", "content"}],
"max_tokens", "visitor"}`, which streams one JSON event on a line: `{"place": 2}`, `{"text": "…"}`, `{"done":
{…}}`, `{"refused": {…}}` for a visitor who asked much and has to give way. A reader who leaves is noticed by
the closed connection, also while the prompt is read. `visitor` is whose turn it is (answer.line), a word that
says nothing to anyone else. Leaves the queue to `answer.queue`, and loading a model to `llama_main`, so that
the pages need no llama.cpp.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import httpx
from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from appliance.answer.events import Done, Message, ModelEvent, Role, Text, Waiting
from appliance.answer.queue import BEAT, QueuedModel
from appliance.answer.visit import VISITOR
from appliance.errors import LamplightError, PromptTooLong, QueueFull, ServiceDown
from appliance.services import runtime

REFUSALS: dict[int, type[LamplightError]] = {429: QueueFull, 413: PromptTooLong}
HINT = "The passages are still found. The language model is started again by `appliance run`."
SOON = "Until it is ready, questions get passages. Ask again in a moment."
# What a state of the supervisor's note (runtime.ServiceState) means to who gets no connection.
AWAY = {
    "starting": ("The language model is still starting.", SOON),
    "waiting": ("The language model stopped and is started again.", SOON),
    "stopped": ("The language model stopped several times and is left off.", "The status page says why."),
}
BEGINNING = httpx.Timeout(10.0, connect=1.0)  # seconds: health, counting, the head of a response
NO_TLS = False  # at a unix socket; else every call reads all certificates, for 25 ms of a core
SILENCE = 10 * BEAT  # seconds without a sign of life after which an answer counts as broken off


class Turn(BaseModel):
    role: Role
    content: str


class Wanted(BaseModel):
    messages: Annotated[list[Turn], Field(min_length=1, max_length=100)]
    max_tokens: Annotated[int, Field(ge=1, le=32768)]
    visitor: Annotated[str, Field(max_length=200)] = ""


class Counted(BaseModel):
    texts: Annotated[list[str], Field(max_length=1000)]


def create_app(model: QueuedModel) -> Starlette:
    async def health(_request: Request) -> Response:
        return JSONResponse({"model": model.name, "context": model.context, "asked": len(model)})

    async def count(request: Request) -> Response:
        body = await _body(request, Counted)
        return JSONResponse(await asyncio.to_thread(model.count, body.texts))

    async def generate(request: Request) -> Response:
        body = await _body(request, Wanted)
        messages = [Message(turn.role, turn.content) for turn in body.messages]
        events = model.generate(messages, body.max_tokens, body.visitor)
        try:
            first = await anext(events)
        except (QueueFull, PromptTooLong) as error:
            status = next(code for code, kind in REFUSALS.items() if isinstance(error, kind))
            return JSONResponse(_refusal(error), status)
        return StreamingResponse(_lines(first, events), media_type="application/x-ndjson")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        model.close()

    return Starlette(
        routes=[
            Route("/health", health),
            Route("/count", count, methods=["POST"]),
            Route("/generate", generate, methods=["POST"]),
        ],
        lifespan=lifespan,
    )


_Shape = TypeVar("_Shape", bound=BaseModel)


async def _body(request: Request, shape: type[_Shape]) -> _Shape:
    try:
        return shape.model_validate_json(await request.body())
    except ValidationError as error:
        raise HTTPException(400, f"expected {shape.__name__}: {error.errors()[0]['msg']}") from error


async def _lines(first: ModelEvent, events: AsyncGenerator[ModelEvent, None]) -> AsyncIterator[bytes]:
    async with aclosing(events):
        yield _line(first)
        try:
            async for event in events:
                yield _line(event)
        except QueueFull as error:
            yield _line(error)


def _refusal(error: LamplightError) -> dict[str, str]:
    return {"message": str(error), "hint": error.hint}


def _line(event: ModelEvent | QueueFull) -> bytes:
    match event:
        case Waiting(place):
            told: dict[str, Any] = {"place": place}
        case Text(delta):
            told = {"text": delta}
        case Done():
            told = {"done": asdict(event)}
        case QueueFull():
            told = {"refused": _refusal(event)}
    return json.dumps(told).encode() + b"\n"


def _event(line: str) -> ModelEvent:
    match json.loads(line):
        case {"place": int(place)}:
            return Waiting(place)
        case {"text": str(delta)}:
            return Text(delta)
        case {"done": dict(done)}:
            return Done(**done)
        case {"refused": {"message": str(message), "hint": str(hint)}}:
            raise QueueFull(message, hint)
        case other:
            raise ValueError(f"unknown event {other!r}")


class LlamaClient:
    """A Model that asks the process at `socket`; `name` and `context` are those of its model and settings.

    Each call opens a connection of its own, so a process that was started again is found at once.
    """

    def __init__(self, socket: Path, name: str, context: int) -> None:
        self.name = name
        self.context = context
        self._socket = socket

    async def ready(self) -> None:
        """Raises ServiceDown when the process does not answer within seconds."""
        async with self._client() as http:
            try:
                answer = await http.get("/health")
            except httpx.TransportError as error:
                raise self._away(error) from error
        if answer.status_code != 200:
            raise self._down(f"{answer.status_code}")

    def count(self, texts: Sequence[str]) -> list[int]:
        transport = httpx.HTTPTransport(uds=str(self._socket), verify=NO_TLS)
        with httpx.Client(transport=transport, base_url="http://llama", timeout=BEGINNING) as http:
            try:
                answer = http.post("/count", json={"texts": list(texts)})
            except httpx.TransportError as error:
                raise self._away(error) from error
        if answer.status_code != 200:
            raise self._down(f"{answer.status_code} {answer.text[:200]}")
        return [int(n) for n in answer.json()]

    async def generate(
        self, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[ModelEvent, None]:
        """See events.Model. A process that goes away after the first event gives Done("broken")."""
        body = {
            "messages": [asdict(message) for message in messages],
            "max_tokens": max_tokens,
            "visitor": VISITOR.get(),
        }
        async with self._client() as http:
            request = http.build_request(
                "POST", "/generate", json=body, timeout=httpx.Timeout(SILENCE, connect=1.0)
            )
            try:
                answer = await http.send(request, stream=True)
            except httpx.TransportError as error:
                raise self._away(error) from error
            async with aclosing(answer):
                if answer.status_code != 200:
                    raise self._refused(answer.status_code, await answer.aread())
                async with aclosing(_told(answer)) as events:
                    async for event in events:
                        yield event

    def _client(self) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(uds=str(self._socket), verify=NO_TLS)
        return httpx.AsyncClient(transport=transport, base_url="http://llama", timeout=BEGINNING)

    def _refused(self, status: int, body: bytes) -> LamplightError:
        if status not in REFUSALS:
            return self._down(f"{status} {body[:200].decode(errors='replace')}")
        told = json.loads(body)
        return REFUSALS[status](told["message"], told["hint"])

    def _away(self, error: httpx.TransportError) -> ServiceDown:
        """Says what the supervisor knows of a process that does not listen."""
        states = {state.name: state.state for state in runtime.read_states(self._socket.parent)}
        state = states.get(self._socket.stem, "") if isinstance(error, httpx.ConnectError) else ""
        return ServiceDown(*AWAY.get(state, ("The language model does not answer.", HINT)))

    def _down(self, reason: str) -> ServiceDown:
        return ServiceDown(f"The language model refused what it was asked: {reason}.", HINT)


async def _told(answer: httpx.Response) -> AsyncGenerator[ModelEvent, None]:
    """The events of a response, places only when they change; Done("broken") when it ends without its end."""
    before: ModelEvent | None = None
    try:
        async for line in answer.aiter_lines():
            event = _event(line)
            news = event != before if isinstance(event, Waiting) else event != Text("")
            before = event
            if news:
                yield event
    except (httpx.TransportError, ValueError):
        before = None
    if not isinstance(before, Done):
        yield Done("broken")
