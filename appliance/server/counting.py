"""Where usage is counted: an opened article as its page begins, a question and how it ended.

Pure ASGI around everything. What is asked and who asks is not looked at: of a question only that it came, how
its answer ended and after how long; of an article only which archive of the shelf it is from.
"""

import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, suppress
from contextvars import ContextVar
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.answer.events import AskEvent, Finished, Passages
from appliance.services.kiwix import reader_name
from appliance.usage.counts import SLOW
from appliance.usage.usage import Usage

_usage: ContextVar[Usage | None] = ContextVar("usage", default=None)
READ, CONTENT, SOURCE = "/read/", "content/", "/source"


class Counting:
    """`archives`: the names of those on the shelf, now."""

    def __init__(self, app: ASGIApp, usage: Usage, archives: Callable[[], Iterable[str]]) -> None:
        self._app, self._usage, self._archives = app, usage, archives

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._usage.on:
            await self._app(scope, receive, send)
            return
        opened = opened_from(scope["path"], scope["query_string"]) if scope["method"] == "GET" else ""

        async def counted(message: Message) -> None:
            if opened and message["type"] == "http.response.start" and _is_page(message):
                self._count(opened)
            await send(message)

        token = _usage.set(self._usage)
        try:
            await self._app(scope, receive, counted)
        finally:
            _usage.reset(token)

    def _count(self, opened: str) -> None:
        """Under the shelf's own name: what a visitor typed into an address goes nowhere."""
        for name in self._archives():
            if opened in (name, reader_name(name)):
                self._usage.count("article", name)
                return


def opened_from(path: str, query: bytes) -> str:
    """What an address says of the archive whose article it opens; "" where it opens none."""
    if path.startswith(READ):
        name, _, entry = path.removeprefix(READ).removeprefix(CONTENT).partition("/")
        return name if entry else ""
    if path == SOURCE:
        with suppress(ValueError):  # far too many fields
            return parse_qs(query.decode("latin-1"), max_num_fields=20).get("archive", [""])[0]
    return ""


def counted(events: AsyncGenerator[AskEvent, None]) -> AsyncGenerator[AskEvent, None]:
    """The events of a question as they come, counted where this request's usage is."""
    usage = _usage.get()
    return counting(usage, events) if usage else events


async def counting(
    usage: Usage, events: AsyncGenerator[AskEvent, None], bound: float = SLOW
) -> AsyncGenerator[AskEvent, None]:
    """The same, counted here; an answer that takes more than `bound` seconds is slow."""
    began = time.monotonic()
    asked = False
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Passages):
                    asked = True
                    usage.count("question")
                if isinstance(event, Finished) and event.answer.finish == "refused":
                    usage.count("refusal")
                yield event
    finally:  # at its end, or where its reader has left
        if asked and time.monotonic() - began > bound:
            usage.count("slow")


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    return message["status"] == 200 and headers.get("content-type", "").startswith("text/html")
