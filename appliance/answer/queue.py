"""One queue in front of one model: fair among visitors, places told, and a way out for whoever leaves.

The model answers several at once, a step at a time in a thread of its own; between two steps who has ended or
left gives the slot to whoever is next in `line`. Knows nothing of how the model works.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from appliance.answer.events import Done, Message, ModelEvent, Text, Waiting
from appliance.answer.line import Line
from appliance.errors import QueueFull

BEAT = 3.0  # seconds after which the place is told again, as a sign of life
FULL = "{n} questions wait for the language model already."
LATER = "Ask again in a minute."


class Engine(Protocol):
    """A model that answers `slots` at once and blocks its thread while it computes (batch.Batch). With its
    Done, or with `stop`, an answer's slot is free."""

    name: str
    context: int
    slots: int

    def count(self, texts: Sequence[str]) -> list[int]: ...
    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]: ...
    def start(self, prompt: Sequence[int], most: int) -> int: ...
    def stop(self, slot: int) -> None: ...
    def step(self) -> Sequence[tuple[int, Text | Done]]: ...


class Asker:
    """One who waits for an answer, and what is there for them to hear; an exception ends it."""

    def __init__(self, prompt: Sequence[int], most: int) -> None:
        self.prompt, self.most = prompt, most
        self.slot: int | None = None
        self.news: asyncio.Queue[ModelEvent | BaseException] = asyncio.Queue()
        self._place = 0

    def stand(self, place: int) -> None:
        if place != self._place or place == 0:
            self._place = place
            self.news.put_nowait(Waiting(place))

    async def told(self) -> AsyncGenerator[ModelEvent, None]:
        """What comes, up to Done; the last place, or an empty Text, after every BEAT of silence."""
        beat: ModelEvent = Waiting(0)
        while not isinstance(beat, Done):
            try:
                event = await asyncio.wait_for(self.news.get(), BEAT)
            except TimeoutError:
                yield beat
                continue
            if isinstance(event, BaseException):
                raise event
            yield event
            beat = Text("") if isinstance(event, Text) else event


class QueuedModel:
    """An Engine with a queue in front of it: the Model of the process that it runs in. `room` is how many
    may wait beside those that are answered."""

    def __init__(self, engine: Engine, room: int) -> None:
        self.name = engine.name
        self.context = engine.context
        self._line = Line[Asker](room)
        self._engine = engine
        self._answered: dict[int, Asker] = {}
        self._left: list[int] = []
        self._work: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")

    def __len__(self) -> int:
        """How many wait or are answered."""
        return len(self._line) + len(self._answered)

    async def ready(self) -> None:
        """A model in this process is ready from the start."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._engine.count(texts)

    async def generate(
        self, messages: Sequence[Message], max_tokens: int, visitor: str = ""
    ) -> AsyncGenerator[ModelEvent, None]:
        """See events.Model; `visitor` as `line` has it. An empty Text or the last Waiting comes after every
        BEAT of silence. Raises QueueFull also later, for a visitor who asked much and has to give way."""
        asker = Asker(self._engine.prompt(messages, max_tokens), max_tokens)
        if late := self._line.join(visitor, asker):
            late.news.put_nowait(QueueFull(FULL.format(n=self._line.room), LATER))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._answer_all())
        self._tell_places()
        try:
            async for event in asker.told():
                yield event
        finally:
            if asker.slot is not None and self._answered.get(asker.slot) is asker:
                self._left.append(asker.slot)
            elif self._line.leave(asker):
                self._tell_places()

    def close(self) -> None:
        self._thread.shutdown()

    async def _answer_all(self) -> None:
        """Until nobody waits. One at a time calls the engine: its thread or, between two steps, this."""
        while self._admit():
            step = asyncio.get_running_loop().run_in_executor(self._thread, self._engine.step)
            try:
                await asyncio.wait([step])
            except asyncio.CancelledError:  # the loop ends, and the thread is still at work
                await asyncio.wait([step])
                self._end(None)
                raise
            if error := step.exception():
                self._end(error)
                continue
            for slot, event in step.result():
                self._answered[slot].news.put_nowait(event)
                if isinstance(event, Done):
                    del self._answered[slot]

    def _admit(self) -> bool:
        """Frees the slots of who left and gives what is free to who is next; whether there is work."""
        for slot in self._left:
            if self._answered.pop(slot, None):
                self._engine.stop(slot)
        self._left.clear()
        came = False
        while len(self._answered) < self._engine.slots and (asker := self._line.take()):
            came = True
            try:
                asker.slot = self._engine.start(asker.prompt, asker.most)
            except Exception as error:  # noqa: BLE001  else nobody after this one would be answered
                asker.news.put_nowait(error)
                continue
            self._answered[asker.slot] = asker
            asker.stand(0)
        if came:
            self._tell_places()
        return bool(self._answered)

    def _end(self, error: BaseException | None) -> None:
        for slot, asker in self._answered.items():
            self._engine.stop(slot)
            asker.news.put_nowait(error or Done("broken"))
        self._answered.clear()

    def _tell_places(self) -> None:
        """To all but those for whom there is a slot at the next step."""
        free = self._engine.slots - len(self._answered)
        for place, asker in enumerate(self._line.order(), 1 - free):
            if place > 0:
                asker.stand(place)
