"""A running box, asked over its HTTP API as any program asks it."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from appliance.errors import BoxError, SettingsError

CONNECT, WAIT = 5.0, 300.0  # seconds; a question may stand in the queue for minutes on a small board
LARGEST = 4_000_000  # bytes of one reply
NOT_THERE = "Start it with ./build.sh run, or say where it is with --box."
NOT_OURS = "Is this the address of a Lamplight? Say where it is with --box."
Tell = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as the box gave it: its text, and what stands beside it as `lamplight` (docs/api.md)."""

    text: str
    finish: str
    lamplight: dict[str, Any]


class Box:
    """Of one address. `token` is sent with every request that brings none of its own; "" sends none."""

    def __init__(
        self, address: str, token: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.address, self._token = plain_address(address), token
        self._http = httpx.AsyncClient(
            base_url=self.address,
            timeout=httpx.Timeout(WAIT, connect=CONNECT),
            limits=httpx.Limits(max_connections=40),
            follow_redirects=False,  # a box leads nowhere else, and a token must not go there
            trust_env=False,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    def link(self, url: str) -> str:
        """An address of the box's pages as a whole one, for people to open."""
        return self.address + url

    async def get(self, path: str, token: str = "", /, **fields: object) -> dict[str, Any]:
        """The reply as an object. Raises BoxError when the box says no, or is not there."""
        try:
            async with self._http.stream(
                "GET", path, params=_fields(fields), headers=self._headers(token)
            ) as reply:
                return _object(reply, await _whole(reply))
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    async def ask(self, question: str, tell: Tell, token: str = "") -> Told:
        """Asks and waits; `tell` gets a sentence whenever there is something new. Whoever cancels this ends
        the answer on the box too: the connection is closed. Raises BoxError."""
        sent = {"model": "lamplight", "stream": True, "messages": [{"role": "user", "content": question}]}
        try:
            async with self._http.stream(
                "POST", "/v1/chat/completions", json=sent, headers=self._headers(token)
            ) as reply:
                if reply.status_code != 200:
                    raise _refused(reply, await _whole(reply))
                return await _answer(reply, tell)
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    def _headers(self, token: str) -> dict[str, str]:
        token = token or self._token
        return {"authorization": f"Bearer {token}"} if token else {}

    def _gone(self, error: httpx.HTTPError) -> BoxError:
        if isinstance(error, httpx.TimeoutException):
            return BoxError(f"The box at {self.address} takes too long to answer.", "Ask again in a minute.")
        return BoxError(f"The box at {self.address} does not answer.", NOT_THERE)


def plain_address(address: str) -> str:
    """`http://HOST:PORT` of what somebody typed. Raises SettingsError for what is no such address."""
    try:
        parts = urlsplit(address)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets without an end
        parts, named = urlsplit(""), False
    if parts.scheme not in ("http", "https") or not named or parts.path.strip("/") or parts.query:
        raise SettingsError(
            f"The box's address: found {address!r}, expected one as http://127.0.0.1:8080.",
            "Take what `appliance run` prints.",
        )
    return f"{parts.scheme}://{parts.netloc}"


def _fields(fields: dict[str, object]) -> httpx.QueryParams:
    """What is None is left out."""
    return httpx.QueryParams({name: str(value) for name, value in fields.items() if value is not None})


async def _whole(reply: httpx.Response) -> bytes:
    """The body. Raises BoxError for one that is larger than a box sends."""
    found = bytearray()
    async for piece in reply.aiter_bytes():
        found += piece
        if len(found) > LARGEST:
            raise BoxError(f"{reply.url.host} sent more than {LARGEST:,} bytes.", NOT_OURS)
    return bytes(found)


def _object(reply: httpx.Response, body: bytes) -> dict[str, Any]:
    if reply.status_code != 200:
        raise _refused(reply, body)
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BoxError(f"{reply.url.host} sent no JSON object.", NOT_OURS)
    return found


def _refused(reply: httpx.Response, body: bytes) -> BoxError:
    """What the box says itself, where it says something."""
    try:
        error = json.loads(body)["error"]
        said, field = error["message"], str(error.get("param") or "")
    except (ValueError, LookupError, TypeError, AttributeError):
        said = field = ""
    if isinstance(said, str) and said:
        return BoxError(said, field=field)
    return BoxError(f"{reply.url.host} answered with the status {reply.status_code}.", NOT_OURS)


async def _answer(reply: httpx.Response, tell: Tell) -> Told:
    text, finish, beside = "", "", None
    async for line in _lines(reply):
        if line.startswith(b": "):
            await tell(line.removeprefix(b": ").decode("utf-8", "replace"))
        if not line.startswith(b"data: {"):
            continue
        event = json.loads(line.removeprefix(b"data: "))
        if "error" in event:
            raise BoxError(event["error"]["message"])
        for choice in event.get("choices", ()):
            added = choice["delta"].get("content") or ""
            text, finish = text + added, choice["finish_reason"] or finish
            if added:
                await tell(f"{len(text)} letters are written")
        beside = event.get("lamplight", beside)
    if beside is None:
        raise BoxError("The answer broke off.", "Ask again.")
    return Told(text, finish, beside)


async def _lines(reply: httpx.Response) -> AsyncIterator[bytes]:
    """Lines that end in a newline alone: httpx's own would also cut at other separators inside JSON."""
    rest = b""
    async for piece in reply.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line
        if len(rest) > LARGEST:
            raise BoxError("The answer has a line without end.", NOT_OURS)
