"""`/v1/…` in OpenAI's shapes, so that programs written for them can ask this library.

The question is the last message of the user; one that leans on those before it ("and its population?") is
put in full words first, which `lamplight.understood` tells. Answers come from the archives and from nowhere
else, so system prompts and sampling settings have no effect. A refusal is a normal answer:
`finish_reason` "stop", and `lamplight.verdict` "near" or "nothing". `lamplight` stands beside OpenAI's
fields, in a stream on the last chunk. Shapes: https://platform.openai.com/docs/api-reference
"""

import json
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from appliance.answer.ask import ask
from appliance.answer.events import AskEvent, Finished, Passages, Text, Waiting
from appliance.answer.followup import conversation, understood
from appliance.answer.shape import Shape, shape
from appliance.answer.topic import Turn
from appliance.errors import LamplightError, QueueFull
from appliance.records import Answer, Calculation, Citation, Disagreement, Evidence, Found, Quote
from appliance.server import questions
from appliance.server.answers import ShapeReply, cited, passage, shaped
from appliance.server.asking import Desk, desk
from appliance.server.counting import counted
from appliance.server.embeddings import EMBEDDINGS
from appliance.server.git_sources import GitSources, open_to
from appliance.server.parts import Appliance
from appliance.server.phrases import Phrases, for_programs
from appliance.server.render import Accepted
from appliance.server.rights import OPEN

CHAT = "lamplight"
NOT_HERE = "The archives here do not answer this question."
NEAREST = "These passages come nearest."
CALCULATED = "Calculated: {result}. From: {inputs}."
DISAGREE = "The sources disagree: {sides}."
STANDING = 3  # passages that stand in the place of an answer
TURNS = 4  # earlier questions that a follow-up may lean on
EMPTY = ShapeReply(direct="", stressed=[], context=[], limitations=[], citations=[])
ENDS = {"length": "length", "broken": "length"}  # all others are "stop"


class TextPart(BaseModel):
    type: Literal["text"]
    text: str


class Message(BaseModel):
    role: str
    content: str | list[TextPart] | None = None

    def plain(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    model: str = CHAT
    messages: Annotated[list[Message], Field(min_length=1, max_length=1000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = 1


@dataclass(slots=True)
class Completion:
    """One chat completion while it comes about. `say` has its fixed sentences; `standing` are the
    passages in the place of an answer."""

    model: str
    asked: str
    say: Phrases
    passages: Passages | None = None
    found: Found | None = None
    calculation: Calculation | None = None
    disagreement: Disagreement | None = None
    quote: Quote | None = None
    text: str = ""
    answer: Answer | None = None
    shape: Shape | None = None
    standing: Sequence[Evidence] = ()
    usage: dict[str, int] | None = None
    id: str = field(default_factory=lambda: "chatcmpl-" + secrets.token_hex(12))
    created: int = field(default_factory=lambda: int(time.time()))

    def take(self, event: AskEvent) -> str:
        """What the event adds to the text."""
        added = ""
        match event:
            case Passages(found, calculation, disagreement, quote):
                self.passages = event
                self.found, self.calculation, self.disagreement = found, calculation, disagreement
                self.quote = quote
                added = _worked_out(self.say, calculation, disagreement)
            case Text(delta):
                added = delta
            case Finished(answer, notes, prompt, written):
                self.answer = answer
                self.shape = shape(self.passages, event) if self.passages else None
                self.usage = {
                    "prompt_tokens": prompt,
                    "completion_tokens": written,
                    "total_tokens": prompt + written,
                }
                if self.found and answer.finish != "refused" and not self.text:
                    self.standing = self.found.evidence[:STANDING]
                added = _ending(self.say, self.text, answer, self.standing, notes)
        self.text += added
        return added

    def finish(self) -> str:
        return ENDS.get(self.answer.finish, "stop") if self.answer and self.answer.text else "stop"

    def lamplight(self) -> dict[str, Any]:
        judgement = self.found.judgement if self.found else None
        verdict = judgement.verdict if judgement else "nothing"
        if verdict == "answer" and self.answer is not None and self.answer.finish == "refused":
            verdict = "near"  # the model read the passages and did not find the answer stated
        return {
            "verdict": verdict,
            "probability": judgement.probability if judgement else 0.0,
            **self._shaped().model_dump(),
            "struck": self.answer.struck if self.answer else 0,
            "understood": self.asked,
            "quick": _quoted(self.quote, self.found),
            "calculation": asdict(self.calculation) if self.calculation else None,
            "disagreement": asdict(self.disagreement) if self.disagreement else None,
        }

    def _shaped(self) -> ShapeReply:
        """With the passage of every mark in the text."""
        reply = shaped(self.shape, self.say) if self.shape else EMPTY
        known = {citation.n for citation in reply.citations}
        more = [cited(Citation(n, e)) for n, e in enumerate(self.standing, 1) if n not in known]
        pointed = sorted((*reply.citations, *more), key=lambda one: one.n)
        return reply.model_copy(update={"citations": pointed})

    def body(self, kind: str, choices: list[dict[str, Any]], **more: object) -> dict[str, Any]:
        head = {"id": self.id, "object": kind, "created": self.created, "model": self.model}
        return head | {"choices": choices} | more

    def chunk(self, delta: dict[str, Any], finish: str | None = None, **more: object) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _sse(self.body("chat.completion.chunk", [choice], **more))


def router(appliance: Appliance, git: GitSources | None = None) -> APIRouter:
    routes = APIRouter(prefix="/v1", tags=["OpenAI"], dependencies=[OPEN])

    @routes.get("/models")
    async def models() -> dict[str, Any]:
        return {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "created": 0, "owned_by": "lamplight"}
                for name in (*_chat_models(appliance), EMBEDDINGS)
            ],
        }

    @routes.post("/chat/completions")
    async def chat(request: Request, body: ChatRequest, accepted: Accepted = "") -> Response:
        questions.model_named(body.model, _chat_models(appliance))
        typed, _ = questions.question(_asked(body.messages), "messages")
        question = understood(typed, conversation(_earlier(body.messages)))
        completion = Completion(body.model, question, for_programs(typed, accepted))
        box = desk(appliance, await open_to(git, request))
        if body.stream:
            return await _streamed(box, completion, body.stream_options)
        async with aclosing(counted(ask(box, question, None))) as events:
            async for event in events:
                completion.take(event)
        _not_busy(completion)
        message = {"role": "assistant", "content": completion.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": completion.finish()}
        more = {"usage": completion.usage, "lamplight": completion.lamplight()}
        return JSONResponse(completion.body("chat.completion", [choice], **more))

    return routes


async def _streamed(box: Desk, completion: Completion, options: StreamOptions | None) -> Response:
    """Waits for the first word, place or end before it answers, so that a full queue is still a 429."""
    events = counted(ask(box, completion.asked, None))
    async with AsyncExitStack() as unanswered:
        unanswered.push_async_callback(events.aclose)
        first = ""
        async for event in events:
            first += completion.take(event)
            if not isinstance(event, Passages):
                break
        _not_busy(completion)
        unanswered.pop_all()

    async def lines() -> AsyncIterator[str]:
        async with aclosing(events):
            yield completion.chunk({"role": "assistant", "content": first})
            try:
                async for event in events:
                    if isinstance(event, Waiting):
                        yield f": {event.place} before this question\n\n"
                    if added := completion.take(event):
                        yield completion.chunk({"content": added})
            except LamplightError as error:
                yield _sse(questions.error_body(str(error), "server_error"))
                return
        more: dict[str, Any] = {"lamplight": completion.lamplight()}
        yield completion.chunk({}, completion.finish(), **more)
        if options is not None and options.include_usage:
            yield _sse(completion.body("chat.completion.chunk", [], usage=completion.usage, **more))
        yield "data: [DONE]\n\n"

    headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
    return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)


def _asked(messages: Sequence[Message]) -> str:
    for message in reversed(messages):
        if message.role == "user":
            return message.plain()
    raise questions.BadRequest("No message has the role user.", "Send the question as one.", "messages")


def _earlier(messages: Sequence[Message]) -> list[Turn]:
    """The last TURNS questions before the one that is asked, each with what was answered to it."""
    turns: list[Turn] = []
    answer = ""
    places = [n for n, message in enumerate(messages) if message.role == "user"]
    for message in reversed(messages[: places[-1]] if places else ()):
        if message.role == "assistant":
            answer = message.plain()
        elif message.role == "user":
            turns = [*questions.earlier(message.plain(), "", answer), *turns]
            answer = ""
        if len(turns) == TURNS:
            break
    return turns


def _chat_models(appliance: Appliance) -> tuple[str, ...]:
    return (CHAT, appliance.model.name) if appliance.model is not None else (CHAT,)


def _not_busy(completion: Completion) -> None:
    if completion.answer is not None and completion.answer.finish == "busy":
        raise QueueFull("Too many questions wait for the language model.", "Ask again in a minute.")


def _ending(
    say: Phrases, text: str, answer: Answer, standing: Sequence[Evidence], notes: Sequence[str]
) -> str:
    """What a program reads after the model's text or in its place: the refusal, the passages, a sentence."""
    sentences = "\n".join(map(say, notes))
    if answer.finish == "refused":
        return sentences or say(NOT_HERE)
    if text:
        return f"\n\n({sentences})" if answer.finish == "broken" and sentences else ""
    quoted = (f"[{n}] {e.title}: {e.text}" for n, e in enumerate(standing, 1))
    return "\n\n".join((sentences or say(NEAREST), *quoted))


def _worked_out(say: Phrases, calculation: Calculation | None, disagreement: Disagreement | None) -> str:
    """What code made of the passages, in words; text that follows is set apart from it."""
    if calculation:
        own = say("from your question")
        inputs = ", ".join(f"{i.text} [{i.n}]" if i.n else f"{i.text} ({own})" for i in calculation.inputs)
        sign = "≈" if calculation.rounded else "="
        more = "\n\n" if calculation.sources else ""
        result = f"{calculation.formula} {sign} {calculation.result}"
        return say(CALCULATED, result=result, inputs=inputs) + more
    if disagreement:
        sides = (f"{side.value} {''.join(f'[{n}]' for n in side.ns)}" for side in disagreement.sides)
        return say(DISAGREE, sides="; ".join(sides))
    return ""


def _quoted(quote: Quote | None, found: Found | None) -> dict[str, Any] | None:
    """The quick answer: the sentence, with the passage that it stands in."""
    if quote is None or found is None:
        return None
    return {"sentence": quote.sentence, **passage(quote.n, found.evidence[quote.n - 1]).model_dump()}


def _sse(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n"
