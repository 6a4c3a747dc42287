"""What the embedder's process serves on its unix socket. Calls that wait together are embedded as one batch.

Numbers travel as raw little-endian float32. The pages' side is `embedder`, loading the models is for
`embedder_main`: each process imports what it needs and no more, since together they have little memory.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from appliance.vectors import DIMENSION, Encoder

if TYPE_CHECKING:
    from appliance.retrieval.rerank import Reader

BATCH = 32  # texts in one run of the model, and in one call of the client
WIRE = np.dtype("<f4")


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


def create_app(encoder: NamedEncoder, reader: "Reader") -> Starlette:
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
