"""Who asks, while a request is worked on: a word that says nothing to anyone, and their turns at the search.

Both go with the request, through whatever it calls. A visitor's word is as `line` has it: an address and a
browser, made unreadable by the pages (server.visitors). Here and in the language model's process nobody can
tell who it is, and it is written nowhere.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from appliance.answer.line import Line
from appliance.errors import QueueFull

VISITOR: ContextVar[str] = ContextVar("visitor", default="")

FULL = "Too many people search this library just now."
LATER = "Try again in a moment."


class Turns:
    """At most `most` do something at once and at most `room` wait; visitors take turns. Of one event loop."""

    def __init__(self, most: int, room: int) -> None:
        self._free = most
        self._line = Line[asyncio.Future[None]](room)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits until it is this visitor's turn, and keeps it. Raises QueueFull."""
        await self.take()
        try:
            yield
        finally:
            self.give()

    async def take(self) -> None:
        if self._free:
            self._free -= 1
            return
        mine = asyncio.get_running_loop().create_future()
        if late := self._line.join(VISITOR.get(), mine):
            late.set_exception(QueueFull(FULL, LATER))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled() and not mine.exception():
                self.give()  # it was handed over at the same moment
            self._line.leave(mine)
            raise

    def give(self) -> None:
        while (waiting := self._line.take()) is not None:
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


SEARCH: ContextVar[Turns | None] = ContextVar("search", default=None)


@asynccontextmanager
async def searching() -> AsyncIterator[None]:
    """This visitor's turn at the search, where there are turns. Raises QueueFull."""
    if turns := SEARCH.get():
        async with turns.turn():
            yield
    else:
        yield
