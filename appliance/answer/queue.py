"""One queue in front of one model: places, first come first served, and a way out for whoever leaves.

Two calls into one context at once would crash it: the next question's turn comes only when the thread of the
last one has ended, also when its reader has gone. Knows nothing of how the model works.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from appliance.answer.events import Done, Message, ModelEvent, Text, Waiting
from appliance.errors import QueueFull

BEAT = 3.0  # seconds after which the place is told again, as a sign of life
FULL = "{n} questions wait for the language model already."
LATER = "Ask again in a minute."


class Engine(Protocol):
    """A model that blocks its thread while it reads and writes (llm.Llama)."""

    name: str
    context: int

    def count(self, texts: Sequence[str]) -> list[int]: ...
    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]: ...
    def generate(
        self, prompt: Sequence[int], max_tokens: int, cancelled: Callable[[], bool]
    ) -> Iterator[Text | Done]: ...


class Line:
    """Who waits, in order; a ticket is an event that is set when somebody before it has left.
    `room` is how many may wait beside the one that is served."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._tickets: list[asyncio.Event] = []

    def __len__(self) -> int:
        return len(self._tickets)

    def join(self) -> asyncio.Event:
        """A place at the end, to be given back with `leave`. Raises QueueFull."""
        if len(self._tickets) > self._room:
            raise QueueFull(FULL.format(n=self._room), LATER)
        ticket = asyncio.Event()
        self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: asyncio.Event) -> None:
        self._tickets.remove(ticket)
        for other in self._tickets:
            other.set()

    async def places(self, ticket: asyncio.Event) -> AsyncIterator[int]:
        """The place at first, when it changes and every BEAT; ends after 0, which is this ticket's turn."""
        while True:
            ticket.clear()
            place = self._tickets.index(ticket)
            yield place
            if place == 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(ticket.wait(), BEAT)


class QueuedModel:
    """An Engine with a queue in front of it: the Model of the process that it runs in."""

    def __init__(self, engine: Engine, room: int) -> None:
        self.name = engine.name
        self.context = engine.context
        self.line = Line(room)
        self._engine = engine
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")

    async def ready(self) -> None:
        """A model in this process is ready from the start."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._engine.count(texts)

    async def generate(
        self, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[ModelEvent, None]:
        """See events.Model; an empty Text or the last Waiting comes after every BEAT of silence."""
        loop = asyncio.get_running_loop()
        written: asyncio.Queue[Text | Done | None] = asyncio.Queue()
        left = threading.Event()

        def work(prompt: Sequence[int]) -> None:
            try:
                for event in self._engine.generate(prompt, max_tokens, left.is_set):
                    loop.call_soon_threadsafe(written.put_nowait, event)
            finally:
                loop.call_soon_threadsafe(written.put_nowait, None)

        ticket, running = self.line.join(), None
        try:
            prompt = await asyncio.to_thread(self._engine.prompt, messages, max_tokens)
            async for place in self.line.places(ticket):
                yield Waiting(place)
            running = self._thread.submit(work, prompt)
            async for event in _with_beats(written):
                yield event
            await asyncio.wrap_future(running)  # raises what the engine raised
        finally:
            left.set()
            if running is None:
                self.line.leave(ticket)
            else:
                running.add_done_callback(lambda _: loop.call_soon_threadsafe(self.line.leave, ticket))

    def close(self) -> None:
        self._thread.shutdown()


async def _with_beats(written: asyncio.Queue[Text | Done | None]) -> AsyncIterator[ModelEvent]:
    """What the thread puts in, up to None; a sign of life after every BEAT of silence."""
    beat: ModelEvent = Waiting(0)
    while True:
        try:
            event = await asyncio.wait_for(written.get(), BEAT)
        except TimeoutError:
            yield beat
            continue
        if event is None:
            return
        beat = Text("")
        yield event
