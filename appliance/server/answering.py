"""Turns while they are being answered: the work belongs to the box, not to the connection that asked.

A reader may leave and come back, or two pages may look: each is told everything from the beginning. What a
turn's end says is kept before anyone reads it.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

from appliance.answer.events import AskEvent, Finished, Passages, Text
from appliance.documents.conversations import Conversations
from appliance.documents.turns import Turn
from appliance.errors import LamplightError, QueueFull, TurnConflict
from appliance.records import Answer, Citation
from appliance.server.stream import defect

_MARK = re.compile(r"\[(\d{1,3})\]")
BUSY = "The question before is still being answered."
WAIT = "Wait for its answer, or stop it."


class Run:
    """One turn's answer as it comes about."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.stopped = False
        self._told: list[AskEvent] = []
        self._error: LamplightError | None = None
        self._over = False
        self._news = asyncio.Event()

    async def follow(self) -> AsyncGenerator[AskEvent, None]:
        """Everything from the beginning, then what comes. Raises what ended it."""
        place = 0
        while True:
            news = self._news
            while place < len(self._told):
                place += 1
                yield self._told[place - 1]
            if self._over:
                break
            await news.wait()
        if self._error:
            raise self._error

    def tell(self, event: AskEvent) -> None:
        self._told.append(event)
        self._wake()

    def end(self, error: LamplightError | None = None) -> None:
        self._over, self._error = True, error
        self._wake()

    def so_far(self) -> tuple[Passages, Finished] | None:
        """What it says when it is stopped now; None before there is anything."""
        passages = next((event for event in self._told if isinstance(event, Passages)), None)
        if passages is None:
            return None
        pieces = [event for event in self._told if isinstance(event, Text)]
        text = "".join(piece.delta for piece in pieces).strip()
        stressed = tuple(stretch for piece in pieces for stretch in piece.stressed)
        evidence = passages.found.evidence
        ns = sorted({int(n) for n in _MARK.findall(text) if 0 < int(n) <= len(evidence)})
        citations = tuple(Citation(n, evidence[n - 1]) for n in ns)
        return passages, Finished(Answer(text, citations, 0, "cancelled", stressed))

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Answering:
    """The runs of one box, at most `most` at once. Of one event loop."""

    def __init__(self, conversations: Conversations, most: int) -> None:
        self._conversations, self._most = conversations, most
        self._runs: dict[int, Run] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def run(self, turn: int) -> Run | None:
        """The answer of this turn, while it comes about."""
        return self._runs.get(turn)

    def require_free(self, conversation: int, client_turn_id: str) -> None:
        """Raises TurnConflict while another turn of the conversation is being answered, QueueFull."""
        here = [run.turn for run in self._runs.values() if run.turn.conversation == conversation]
        if any(turn.client_turn_id != client_turn_id for turn in here):
            raise TurnConflict(BUSY, WAIT)
        if not here and len(self._runs) >= self._most:
            raise QueueFull(f"{self._most} questions are being answered already.", "Ask again in a minute.")

    def begin(self, turn: Turn, events: AsyncGenerator[AskEvent, None]) -> Run:
        """Answers the turn with what `events` gives; the run that there is already, and `events` is left."""
        if found := self._runs.get(turn.id):
            return found
        run = self._runs[turn.id] = Run(turn)
        self._tasks[turn.id] = asyncio.create_task(self._work(run, events))
        return run

    async def stop(self, turn: int) -> None:
        """Ends the answer where it is, by its reader's wish, and keeps it so."""
        if run := self._runs.get(turn):
            run.stopped = True
            task = self._tasks[turn]
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        """Leaves all turns as they are: they may be asked again after the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(self, run: Run, events: AsyncGenerator[AskEvent, None]) -> None:
        error: LamplightError | None = None
        try:
            await self._answered(run, events)
        except asyncio.CancelledError:
            if run.stopped and (said := run.so_far()):
                await self._keep(run, *said)
                run.tell(said[1])
        except LamplightError as found:
            error = found
        except Exception as found:  # noqa: BLE001  nobody waits for this task, so nobody else would tell
            error = defect(found)
        finally:
            self._runs.pop(run.turn.id, None)
            self._tasks.pop(run.turn.id, None)
            run.end(error)

    async def _answered(self, run: Run, events: AsyncGenerator[AskEvent, None]) -> None:
        passages: Passages | None = None
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Passages):
                    passages = event
                if isinstance(event, Finished) and passages:
                    await self._keep(run, passages, event)
                run.tell(event)

    async def _keep(self, run: Run, passages: Passages, finished: Finished) -> None:
        await asyncio.to_thread(self._conversations.answer, run.turn.id, passages, finished)
