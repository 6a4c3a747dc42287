"""The embedder's process (`embedder_app`) as the pages ask it: an Encoder and a Reader like those inside.

Safe from several threads; finds the process again after a restart, and raises ServiceDown, soon, when nobody
answers. Starting and watching are `supervise`'s.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx
import numpy as np
from numpy.typing import NDArray

from appliance.errors import ServiceDown
from appliance.services.embedder_app import BATCH, WIRE
from appliance.vectors import DIMENSION

TIMEOUT = httpx.Timeout(10.0, connect=1.0)  # seconds; a batch of long texts on a Raspberry Pi takes several
HINT = "Passages are still found by their words. The embedder is started again by `appliance run`."


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
            raise ServiceDown(f"The embedder does not answer: {error}.", HINT) from error
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
