"""`/v1/embeddings` in OpenAI's shape: unit vectors of the model that searches the library."""

import base64
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from appliance.answer.visit import searching
from appliance.errors import ServiceDown
from appliance.server import questions
from appliance.server.parts import Appliance
from appliance.server.rights import OPEN
from appliance.vectors import DIMENSION, MAX_TOKENS, Encoder

EMBEDDINGS = "minilm"


class EmbeddingRequest(BaseModel):
    model: str = EMBEDDINGS
    input: str | Annotated[list[str], Field(min_length=1, max_length=256)]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None


def router(appliance: Appliance) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["OpenAI"], dependencies=[OPEN])

    @routes.post("/embeddings")
    async def embeddings(body: EmbeddingRequest) -> JSONResponse:
        questions.model_named(body.model, (EMBEDDINGS,))
        if body.dimensions not in (None, DIMENSION):
            raise questions.BadRequest(
                f"This model's vectors have {DIMENSION} dimensions, not {body.dimensions}.",
                "Leave dimensions out.",
                "dimensions",
            )
        if appliance.encoder is None:
            raise ServiceDown("The embedder is off.", "See the status page.")
        texts = [body.input] if isinstance(body.input, str) else body.input
        async with searching():
            return JSONResponse(await run_in_threadpool(_embedded, appliance.encoder, texts, body))

    return routes


def _embedded(encoder: Encoder, texts: Sequence[str], body: EmbeddingRequest) -> dict[str, Any]:
    counts = encoder.count(texts)
    for place, (text, count) in enumerate(zip(texts, counts, strict=True)):
        if not text.strip() or count > MAX_TOKENS:
            found = f"{count} tokens" if text.strip() else "no text"
            raise questions.BadRequest(
                f"Text {place} of input has {found}; 1 to {MAX_TOKENS} tokens can be embedded.",
                "Split or leave out this text.",
                "input",
            )
    vectors = np.asarray(encoder.encode(texts), dtype="<f4")
    return {
        "object": "list",
        "model": body.model,
        "data": [
            {
                "object": "embedding",
                "index": place,
                "embedding": base64.b64encode(vector.tobytes()).decode()
                if body.encoding_format == "base64"
                else vector.tolist(),
            }
            for place, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": sum(counts), "total_tokens": sum(counts)},
    }
