"""Fair among visitors: turns at the search and at pages, and a pace for those who flood.

Pure ASGI. Whose request it is goes with it (answer.visit) to the search and to the language model. A request
that makes a page has its turn until the page begins; the sending of it is nobody's, since a phone at the edge
of the Wi-Fi takes long. This machine's own programs have turns like anyone, and no pace.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from appliance.answer.visit import SEARCH, VISITOR, Turns
from appliance.errors import QueueFull
from appliance.server.pace import Pace
from appliance.server.visitors import HERE, Names

SEARCHES = 2  # at once: one is read by the embedder while the other looks up words and texts
PAGES = 8  # articles and sources made at once
ROOM = 200  # that wait for one of these
PATIENCE = 2.0  # seconds by which a request is held back, and then answered or refused
HELD = 100  # requests that are held back at once; beyond, the refusal comes at once
LOOKING = 0.01  # what looking at a page counts, a question being 1: an article may bring a hundred pictures
QUESTIONS = ("/ask", "/api/search", "/v1/chat/", "/v1/embeddings")
TALK = ("/conversations", "/api/conversations")  # what is sent there
MADE = ("/read/", "/source", "/api/source")
FREE = ("/static/", "/healthz")

Refuse = Callable[[Request, int], Awaitable[Response]]
"""A reply for one who must come back after so many seconds."""


class Fair:
    def __init__(
        self, app: ASGIApp, refuse: Refuse, pace: Pace | None = None, patience: float = PATIENCE
    ) -> None:
        self._app, self._refuse, self._patience, self._held = app, refuse, patience, 0
        self._names, self._pace = Names(), Pace() if pace is None else pace
        self._search, self._pages = Turns(SEARCHES, ROOM), Turns(PAGES, ROOM)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(FREE):
            await self._app(scope, receive, send)
            return
        name = self._names.of(scope)
        if seconds := await self._held_back(name, cost(scope["method"], scope["path"])):
            await (await self._refuse(Request(scope), seconds))(scope, receive, send)
            return
        visitor, search = VISITOR.set(name), SEARCH.set(self._search)
        try:
            if scope["path"].startswith(MADE):
                await self._in_turn(scope, receive, send)
            else:
                await self._app(scope, receive, send)
        finally:
            VISITOR.reset(visitor)
            SEARCH.reset(search)

    async def _held_back(self, name: str, cost: float) -> int:
        """After how many seconds the visitor may come back; 0: now, where waiting a little was enough. A
        refusal waits too: a program that asks again at once would have the box make nothing but refusals."""
        if name.startswith(HERE):
            return 0
        seconds = self._pace.wait(name, cost, self._patience)
        if seconds and self._held < HELD:
            self._held += 1
            try:
                await asyncio.sleep(min(seconds, self._patience))
            finally:
                self._held -= 1
        elif seconds:
            return max(1, math.ceil(seconds))
        return math.ceil(seconds) if seconds > self._patience else 0

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._pages.take()
        except QueueFull:
            await (await self._refuse(Request(scope), 1))(scope, receive, send)
            return
        mine = True

        def give() -> None:
            nonlocal mine
            if mine:
                mine = False
                self._pages.give()

        async def begun(message: Message) -> None:
            give()
            await send(message)

        try:
            await self._app(scope, receive, begun)
        finally:
            give()


def cost(method: str, path: str) -> float:
    """What a request counts: a question 1, looking at something LOOKING."""
    if path.startswith(QUESTIONS) or (method == "POST" and path.startswith(TALK)):
        return 1.0
    return LOOKING
