"""`/api/conversations`: what the pages of conversations do, for programs. Who asks is told by the cookie that
the first conversation sets, so a program keeps its cookies from call to call."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from appliance.answer.shape import shape
from appliance.documents.conversations import LONGEST_TITLE, Conversation
from appliance.documents.turns import Kind, Turn
from appliance.records import Calculation, Disagreement, Verdict
from appliance.server import questions, reader
from appliance.server.answers import CitationReply, LineReply, PassageReply, StretchReply, passage, shaped
from appliance.server.phrases import Phrases, for_programs
from appliance.server.questions import Number
from appliance.server.render import Accepted
from appliance.server.rights import OWN
from appliance.server.talk import Talk

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\x21-\x7e]+$")]


class Begin(BaseModel):
    """`client_id` names the conversation: the same again is the same one. `scope`: everything, library,
    documents, folder:NAME or document:NUMBER; "" is all that is open to the asker."""

    client_id: Name
    title: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    scope: Annotated[str, Field(max_length=500)] = ""


class Change(BaseModel):
    """What is left out stays."""

    title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)] | None = None
    scope: Annotated[str, Field(min_length=1, max_length=500)] | None = None


class Ask(BaseModel):
    """`client_turn_id` names the turn: the same again gives its one answer. `literal`: the question is not
    put in full words first. `kind` summary: what the scope has of own documents is summed up, and `question`
    is what that is called."""

    client_turn_id: Name
    question: Annotated[str, Field(max_length=100_000)]
    literal: bool = False
    kind: Kind = "question"


class ConversationReply(BaseModel):
    """`turns` is how many there are; times are UTC."""

    id: int
    title: str
    scope: str
    begun: str
    changed: str
    turns: int


class ListReply(BaseModel):
    conversations: list[ConversationReply]


class Shown(PassageReply):
    """A passage that the answer was made from. `deleted`: the own document that it came from is gone, and
    with it the text; `closed`: it is not open to the asker now."""

    deleted: bool
    closed: bool


class KeptCitation(CitationReply):
    """`deleted` and `closed` as in `Shown`."""

    deleted: bool
    closed: bool


class AnswerReply(BaseModel):
    """The shape of every answer; `text` is the whole of what was written, `finish` how it ended."""

    verdict: Verdict
    text: str
    direct: str
    stressed: list[StretchReply]
    context: list[LineReply]
    limitations: list[str]
    citations: list[KeptCitation]
    calculation: Calculation | None
    disagreement: Disagreement | None
    struck: int
    finish: str


class TurnReply(BaseModel):
    """`state`: answered; running (the answer comes about now); or waiting, when the box was stopped or too
    busy: the same id asked again answers it."""

    client_turn_id: str
    kind: Kind
    question: str
    understood: str
    scope: str
    began: str
    state: Literal["answered", "running", "waiting"]
    passages: list[Shown]
    answer: AnswerReply | None


class WholeReply(ConversationReply):
    all_turns: list[TurnReply]


def router(talk: Talk) -> APIRouter:
    routes = APIRouter(prefix="/api/conversations", tags=["conversations"], dependencies=[OWN])
    kept = talk.conversations

    @routes.get("")
    async def listed(
        request: Request, q: Annotated[str, Query(max_length=200, description="Words to search for.")] = ""
    ) -> ListReply:
        found = await run_in_threadpool(kept.listed, reader.owner(request), questions.clean(q))
        return ListReply(conversations=[_conversation(one) for one in found])

    @routes.post("", status_code=201)
    async def begin(request: Request, response: Response, body: Begin) -> ConversationReply:
        owner, cookie = reader.known(request)
        visitor = talk.visitor(request, owner)
        reach = talk.reach(body.scope, visitor)
        made = await run_in_threadpool(talk.begin, visitor, body.client_id, body.title, reach)
        reader.remember(response, cookie)
        return _conversation(made)

    @routes.get("/{number}")
    async def whole(request: Request, number: Number, accepted: Accepted = "") -> WholeReply:
        visitor = talk.visitor(request)
        here = await run_in_threadpool(kept.get, visitor.owner, number)
        turns = await talk.turns(visitor, number)
        return WholeReply(
            **_conversation(here).model_dump(), all_turns=[_turn(talk, one, accepted) for one in turns]
        )

    @routes.patch("/{number}")
    async def change(request: Request, number: Number, body: Change) -> ConversationReply:
        visitor = talk.visitor(request)
        if body.scope is not None:
            reach = str(talk.reach(body.scope, visitor))
            await run_in_threadpool(kept.widen, visitor.owner, number, reach)
        if body.title is not None:
            await run_in_threadpool(kept.rename, visitor.owner, number, questions.clean(body.title))
        return _conversation(await run_in_threadpool(kept.get, visitor.owner, number))

    @routes.delete("/{number}", status_code=204)
    async def delete(request: Request, number: Number) -> None:
        await run_in_threadpool(kept.delete, talk.visitor(request).owner, number)

    @routes.post("/{number}/turns")
    async def ask(request: Request, number: Number, body: Ask, accepted: Accepted = "") -> TurnReply:
        """Waits for the answer; when the connection breaks it is finished all the same."""
        visitor = talk.visitor(request)
        asked, _ = questions.question(body.question, "question")
        _, run = await talk.ask(visitor, number, body.client_turn_id, asked, body.literal, body.kind)
        if run:
            async for _event in run.follow():
                pass
        return _turn(talk, await talk.turn(visitor, number, body.client_turn_id), accepted)

    @routes.get("/{number}/turns/{client_turn_id}")
    async def turn(
        request: Request, number: Number, client_turn_id: str, accepted: Accepted = ""
    ) -> TurnReply:
        return _turn(talk, await talk.turn(talk.visitor(request), number, client_turn_id), accepted)

    @routes.post("/{number}/turns/{client_turn_id}/stop")
    async def stop(
        request: Request, number: Number, client_turn_id: str, accepted: Accepted = ""
    ) -> TurnReply:
        visitor = talk.visitor(request)
        await talk.answering.stop((await talk.turn(visitor, number, client_turn_id)).id)
        return _turn(talk, await talk.turn(visitor, number, client_turn_id), accepted)

    return routes


def _conversation(one: Conversation) -> ConversationReply:
    return ConversationReply(
        id=one.id, title=one.title, scope=one.scope, begun=one.begun, changed=one.changed, turns=one.turns
    )


def _turn(talk: Talk, turn: Turn, accepted: str) -> TurnReply:
    running = talk.answering.run(turn.id) is not None
    return TurnReply(
        client_turn_id=turn.client_turn_id,
        kind=turn.kind,
        question=turn.asked,
        understood=turn.understood,
        scope=turn.scope,
        began=turn.began,
        state="running" if running else "answered" if turn.final else "waiting",
        passages=[] if running else _shown(turn),
        answer=None if running else _answer(turn, for_programs(turn.asked, accepted)),
    )


def _shown(turn: Turn) -> list[Shown]:
    if turn.kept is None:
        return []
    lost, closed = turn.kept.lost, turn.kept.closed
    return [
        Shown(**passage(n, one).model_dump(), deleted=n in lost, closed=n in closed)
        for n, one in enumerate(turn.kept.passages.found.evidence, 1)
    ]


def _answer(turn: Turn, say: Phrases) -> AnswerReply | None:
    if turn.kept is None:
        return None
    passages, finished = turn.kept.passages, turn.kept.finished
    made = shaped(shape(passages, finished), say)
    return AnswerReply(
        verdict=passages.found.judgement.verdict,
        text=finished.answer.text,
        direct=made.direct,
        stressed=made.stressed,
        context=made.context,
        limitations=made.limitations,
        citations=[
            KeptCitation(
                **one.model_dump(), deleted=one.n in turn.kept.lost, closed=one.n in turn.kept.closed
            )
            for one in made.citations
        ],
        calculation=passages.calculation,
        disagreement=passages.disagreement,
        struck=finished.answer.struck,
        finish=finished.answer.finish,
    )
