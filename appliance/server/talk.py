"""A turn from its asker to its answer: what pages and API of conversations share."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from appliance.answer.ask import ask
from appliance.answer.events import AskEvent
from appliance.answer.followup import understood
from appliance.answer.topic import Turn as Earlier
from appliance.answer.topic import telling
from appliance.documents.choices import Choices, choices, title
from appliance.documents.conversations import Conversation, Conversations
from appliance.documents.known import known
from appliance.documents.reading import in_order
from appliance.documents.records import Scope
from appliance.documents.scope import Own, Reach, Searching, Source
from appliance.documents.search import FOLDER, Documents
from appliance.documents.store import FILE, Store
from appliance.documents.summary import MOST, summary
from appliance.documents.turns import Asking, Kind, Turn
from appliance.errors import DocumentError
from appliance.log import say
from appliance.server import reader
from appliance.server.answering import Answering, Run
from appliance.server.asking import Desk, require_open
from appliance.server.counting import counted
from appliance.server.parts import Appliance
from appliance.server.questions import BadRequest, topic


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, whose documents they may see (none: ()), and the sources that are open to them."""

    owner: str
    owners: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


Owners = Callable[[Request], tuple[str, ...]]
"""Whose documents a visitor may see; () where none are open to them."""


def open_talk(
    appliance: Appliance, documents: Documents | None = None, owners: Owners = lambda _: ()
) -> "Talk | None":
    """The conversations of a box; None where none are kept, or their file cannot be used. They lie in the
    file of `documents`, which whoever opened them closes."""
    settings = appliance.settings
    if not settings.conversations:
        return None
    if documents:
        return Talk(appliance, documents.store, documents, owners)
    try:
        return Talk(appliance, Store.open(settings.home / FOLDER / FILE))
    except DocumentError as error:
        say(f"Conversations are off. {error} {error.hint}")
        return None


class Talk:
    """Conversations over a box. `own` is None where no own documents are searched; `owners` are those whose
    documents a visitor may see, `sources` those that are open to them."""

    def __init__(
        self,
        appliance: Appliance,
        store: Store,
        own: Own | None = None,
        owners: Owners = lambda _: (),
    ) -> None:
        self.appliance, self.conversations = appliance, Conversations(store)
        self._store, self._own, self._owners = store, own, owners
        self.answering = Answering(self.conversations, appliance.settings.queue + 1)
        self.sources: Callable[[Request], tuple[Source, ...]] = lambda _: ()
        self._one_at_a_time = asyncio.Lock()  # so that two turns of one conversation never begin together

    def visitor(self, request: Request, owner: str = "") -> Visitor:
        """Who sent the request; `owner` where that is known already."""
        return Visitor(owner or reader.owner(request), self._owners(request), self.sources(request))

    def tidy(self) -> None:
        """At the start: what visits to the screen left goes, and what is older than is kept."""
        self.conversations.forget_where(reader.SCREEN)
        self.conversations.forget_older(self.appliance.settings.conversations)

    def begin(self, visitor: Visitor, client_id: str, asked: str, reach: Reach) -> Conversation:
        """A conversation for its first question; the one that was begun with this id, if any."""
        self.conversations.forget_older(self.appliance.settings.conversations)
        return self.conversations.begin(visitor.owner, client_id, asked, str(reach))

    async def turns(self, visitor: Visitor, conversation: int) -> list[Turn]:
        """All of them, with the words of what is open to the visitor now."""
        return await run_in_threadpool(self.conversations.turns, visitor.owner, conversation, visitor.owners)

    async def turn(self, visitor: Visitor, conversation: int, client_turn_id: str) -> Turn:
        """One of them, so too."""
        return await run_in_threadpool(
            self.conversations.turn, visitor.owner, conversation, client_turn_id, visitor.owners
        )

    def forget_visit(self, visit: str) -> None:
        """What was asked on the box's own screen in a visit that is over."""
        self.conversations.forget(f"{reader.SCREEN}{visit}")

    async def close(self) -> None:
        """Leaves what is being answered; it is asked again after the next start."""
        await self.answering.close()

    def choices(self, visitor: Visitor) -> Choices:
        return choices(self._store, visitor.owners)

    def title(self, visitor: Visitor, document: int) -> str:
        """Empty where there is no such document, or it is not theirs."""
        return title(self._store, visitor.owners, document)

    def reach(self, text: str, visitor: Visitor) -> Reach:
        """The scope that was chosen. Raises ScopeError, and BadRequest (403) for what is not open to them."""
        reach = Reach.read(text or self.widest(visitor))
        require_open(reach, self.documents_open(visitor))
        if reach.kind == "source" and reach.source not in [one.title for one in visitor.sources]:
            raise BadRequest(
                "This source is not open to you.", "Ask the library, or sign in first.", "scope", 403
            )
        return reach

    def widest(self, visitor: Visitor) -> str:
        return "everything" if self.documents_open(visitor) else "library"

    def documents_open(self, visitor: Visitor) -> bool:
        return self._own is not None and bool(visitor.owners)

    async def ask(
        self,
        visitor: Visitor,
        conversation: int,
        client_turn_id: str,
        asked: str,
        literal: bool = False,
        kind: Kind = "question",
    ) -> tuple[Turn, Run | None]:
        """The turn, kept; with its run unless it has its answer. `literal`: not put in other words first. Of
        a summary `asked` is its name. Raises TurnConflict, QueueFull, ConversationMissing."""
        async with self._one_at_a_time:
            turns = await self.turns(visitor, conversation)
            here = await run_in_threadpool(self.conversations.get, visitor.owner, conversation)
            self.answering.require_free(conversation, client_turn_id)
            self.reach(here.scope, visitor)
            as_it_is = literal or kind == "summary"
            alone = asked if as_it_is else understood(asked, _earlier(turns, client_turn_id))
            given = Asking(client_turn_id, asked, alone, here.scope, kind)
            turn = await run_in_threadpool(self.conversations.ask, visitor.owner, conversation, given)
            if turn.final:
                return turn, None
            return turn, self.answering.begin(turn, self._events(turn, visitor))

    async def _events(self, turn: Turn, visitor: Visitor) -> AsyncGenerator[AskEvent, None]:
        box = self.appliance
        if turn.kind == "summary":
            async with aclosing(self._summed_up(turn, visitor)) as told:
                async for event in told:
                    yield event
            return
        reach = self.reach(turn.scope, visitor)
        searching = Searching(box.library, self._own, reach, visitor.owners, visitor.sources)
        desk = Desk(box.settings, searching, box.model, box.quick)
        differ = known(self._store, box.read) if box.read and self._own is not None else None
        async with aclosing(counted(ask(desk, turn.understood, known=differ))) as events:
            async for event in events:
                yield event

    async def _summed_up(self, turn: Turn, visitor: Visitor) -> AsyncGenerator[AskEvent, None]:
        box, scope = self.appliance, self.reach(turn.scope, visitor).documents(visitor.owners)
        given, total = await run_in_threadpool(in_order, self._store, scope or Scope(()), MOST)
        events = summary(box.model, box.settings.profile, turn.understood, given, total)
        async with aclosing(events):
            async for event in events:
                yield event


def _earlier(turns: Sequence[Turn], client_turn_id: str) -> list[Earlier]:
    """The turns before this one, as a follow-up leans on them."""
    found = []
    for turn in turns:
        if turn.client_turn_id == client_turn_id:
            break
        if turn.kept is not None and turn.kind == "question":
            passages, answer = turn.kept.passages, turn.kept.finished.answer
            cited = [citation.evidence for citation in answer.citations]
            answering = passages.found.judgement.verdict == "answer"
            sources = cited or (passages.found.evidence if answering else ())
            said = telling(answer.text, answer.stressed) or (
                passages.quote.sentence if passages.quote else ""
            )
            about = topic(sources[0], turn.understood) if sources else ""
            found.append(Earlier(turn.understood, about, said))
    return found
