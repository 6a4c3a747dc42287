"""The embedder process on a unix socket, and its client: an Encoder and a Reader like those in the process.

Calls that wait together are embedded as one batch. Numbers travel as raw little-endian float32. The client
is safe from several threads, finds the process again after a restart, and raises ServiceDown, soon, when
nobody answers. Leaves loading the models to
`embedder_main`, so that the pages need no onnxruntime; starting and watching to `supervise`.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx
import numpy as np
from numpy.typing import NDArray
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from appliance.errors import ServiceDown
from appliance.retrieval.rerank import Reader
from appliance.vectors import DIMENSION, Encoder

BATCH = 32  # texts in one run of the model, and in one call of the client
WIRE = np.dtype("<f4")
TIMEOUT = httpx.Timeout(10.0, connect=1.0)  # seconds; a batch of long texts on a Raspberry Pi takes several
HINT = "Passages are still found by their words. The embedder is started again by `appliance run`."


class NamedEncoder(Encoder, Protocol):
    """An Encoder that says which model it is (embedding.Embedder)."""

    @property
    def model_sha256(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Call:
    texts: list[str]
    rows: asyncio.Future[NDArray[np.float32]]


class Batcher:
    """Runs one batch at a time in a thread; what arrives meanwhile goes into the next one together."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._waiting: list[_Call] = []
        self._running = asyncio.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="encode")

    async def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """[n, DIMENSION] rows of these texts. Raises what the encoder raised."""
        call = _Call(texts, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        async with self._running:
            while not call.rows.done():
                await self._run(self._take())
        return await call.rows

    def close(self) -> None:
        self._thread.shutdown()

    def _take(self) -> list[_Call]:
        taken = [self._waiting.pop(0)]
        size = len(taken[0].texts)
        while self._waiting and size + len(self._waiting[0].texts) <= BATCH:
            size += len(self._waiting[0].texts)
            taken.append(self._waiting.pop(0))
        return taken

    async def _run(self, calls: list[_Call]) -> None:
        texts = [text for call in calls for text in call.texts]
        run = asyncio.get_running_loop().run_in_executor(self._thread, self._encoder.encode, texts)
        await asyncio.wait([run])
        failed, start = run.exception(), 0
        for call in calls:
            if failed:
                call.rows.set_exception(failed)
            else:
                call.rows.set_result(run.result()[start : start + len(call.texts)])
            start += len(call.texts)


def create_app(encoder: NamedEncoder, reader: Reader) -> Starlette:
    """`GET /health`, `POST /encode`, `/count`, `/read`; a body is JSON: `{"texts": […]}`, for `/read` with
    the `question` too."""
    batcher, reading = Batcher(encoder), asyncio.Lock()

    async def health(_request: Request) -> Response:
        return JSONResponse({"model_sha256": encoder.model_sha256, "dimension": DIMENSION})

    async def encode(request: Request) -> Response:
        texts = await _texts(request)
        return _raw(await batcher.encode(texts) if texts else np.empty((0, DIMENSION), WIRE))

    async def count(request: Request) -> Response:
        texts = await _texts(request)
        return JSONResponse(await asyncio.to_thread(encoder.count, texts))

    async def read(request: Request) -> Response:
        texts = await _texts(request)
        question = (await request.json()).get("question")
        if not isinstance(question, str):
            raise HTTPException(400, "question: expected a string")
        async with reading:  # two at once would only share the same cores
            return _raw(await asyncio.to_thread(reader.read, question, texts))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        batcher.close()

    return Starlette(
        routes=[
            Route("/health", health),
            Route("/encode", encode, methods=["POST"]),
            Route("/count", count, methods=["POST"]),
            Route("/read", read, methods=["POST"]),
        ],
        lifespan=lifespan,
    )


def _raw(rows: NDArray[np.float32]) -> Response:
    return Response(rows.astype(WIRE, copy=False).tobytes(), media_type="application/octet-stream")


async def _texts(request: Request) -> list[str]:
    try:
        texts: Any = (await request.json())["texts"]
    except (ValueError, KeyError, TypeError) as error:
        raise HTTPException(400, 'expected JSON: {"texts": [...]}') from error
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise HTTPException(400, "texts: expected a list of strings")
    if len(texts) > BATCH:
        raise HTTPException(413, f"found {len(texts)} texts, expected at most {BATCH}")
    return texts


class EmbedderClient:
    """An Encoder and a Reader that ask the embedder process at `socket`. Raises ServiceDown when nobody
    answers."""

    def __init__(self, socket: Path, timeout: httpx.Timeout = TIMEOUT) -> None:
        self._socket = socket
        self._http = httpx.Client(
            transport=httpx.HTTPTransport(uds=str(socket), verify=False),
            base_url="http://embedder",
            timeout=timeout,
            trust_env=False,
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        parts = [_rows(self._ask("/encode", part)) for part in _parts(texts)]
        return np.concatenate(parts) if parts else np.empty((0, DIMENSION), np.float32)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [int(n) for part in _parts(texts) for n in self._ask("/count", part).json()]

    def read(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """[n] logits (retrieval.rerank.Reader)."""
        asked = {"question": _whole(question)}
        parts = [_floats(self._ask("/read", part, asked)) for part in _parts(passages)]
        return np.concatenate(parts) if parts else np.empty(0, np.float32)

    def model_sha256(self) -> str:
        """Which model the process runs."""
        return str(self._ask("/health").json()["model_sha256"])

    def close(self) -> None:
        self._http.close()

    def _ask(
        self, path: str, texts: Sequence[str] | None = None, more: Mapping[str, str] | None = None
    ) -> httpx.Response:
        if texts is None:
            request = self._http.build_request("GET", path)
        else:
            body = {"texts": [_whole(text) for text in texts], **(more or {})}
            request = self._http.build_request("POST", path, json=body)
        try:
            answer = self._send(request)
        except httpx.TransportError as error:
            raise ServiceDown(f"The embedder at {self._socket} does not answer: {error}.", HINT) from error
        if answer.status_code != 200:
            raise ServiceDown(f"The embedder refused {path}: {answer.status_code} {answer.text[:200]}.", HINT)
        return answer

    def _send(self, request: httpx.Request) -> httpx.Response:
        """A kept connection may be one to a process that has died: then a new one is tried, once."""
        try:
            return self._http.send(request)
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            return self._http.send(request)


def _whole(text: str) -> str:
    """Halves of surrogate pairs, which JSON can bring and UTF-8 cannot carry, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _parts(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]


def _floats(answer: httpx.Response) -> NDArray[np.float32]:
    return np.frombuffer(answer.content, WIRE).astype(np.float32)


def _rows(answer: httpx.Response) -> NDArray[np.float32]:
    return _floats(answer).reshape(-1, DIMENSION)
