"""From a question to a cited answer: the whole path.

    search -> verdict ─┬-> passages, and the model writes: prompt -> model -> checked -> text
                       ├-> passages only: no model, model down, queue full, nothing left after checking
                       └-> refusal: the model is never called

Passages always go out first. Whatever happens to the model after that, the reader keeps them and gets a
sentence.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Protocol

from appliance.answer.events import AskEvent as Event
from appliance.answer.events import Done, Finished, Model, Passages, Text, Waiting
from appliance.answer.prompt import PROFILES, SYSTEM, Prompt, build
from appliance.answer.support import Checked
from appliance.errors import PromptTooLong, QueueFull, ServiceDown
from appliance.records import Answer, Citation, Found
from appliance.settings import Settings

__all__ = ["Event", "Finished", "Model", "Passages", "Text", "Waiting", "ask"]

NO_MODEL = "No language model is on. These passages come nearest to your question."
UNSUPPORTED = "What the language model wrote was not supported by the passages, so it is left out."
NOT_STATED = "The passages come close, but they do not state the answer."
BROKEN = "The answer broke off: the language model stopped. The passages below it still hold."


class Searcher(Protocol):
    """What an answer needs of a library (retrieval.search.Library)."""

    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...


class Desk(Protocol):
    """What an answer needs of an appliance (wiring.Appliance). `model` is None where there is none."""

    @property
    def settings(self) -> Settings: ...
    @property
    def library(self) -> Searcher: ...
    @property
    def model(self) -> Model | None: ...


async def ask(
    desk: Desk, question: str, archives: Collection[str] | None = None
) -> AsyncGenerator[Event, None]:
    """Passages first, Finished last; between them places in the queue and text. Closing the generator stops
    the model. Raises only what the search raises."""
    found = await asyncio.to_thread(desk.library.search, question, desk.settings.results, archives)
    yield Passages(found)
    if found.judgement.verdict != "answer" or not found.evidence:
        yield Finished(
            Answer("", (), 0, "refused"), (found.judgement.reason,) if found.judgement.reason else ()
        )
    elif desk.model is None:
        yield Finished(Answer("", (), 0, "search_only"), (NO_MODEL,))
    else:
        async with aclosing(_answered(desk.model, found, desk.settings.profile)) as events:
            async for event in events:
                yield event


async def _answered(model: Model, found: Found, profile: str) -> AsyncGenerator[Event, None]:
    budget = PROFILES[profile]
    try:
        await model.ready()
        prompt = await asyncio.to_thread(
            build, found.question, found.evidence, model.count, budget, model.context
        )
        if not prompt.given:
            yield Finished(Answer("", (), 0, "stop"), prompt.notes)
            return
        async with aclosing(_written(model, found, prompt, budget.answer)) as events:
            async for event in events:
                yield event
    except QueueFull as error:
        yield Finished(Answer("", (), 0, "busy"), (f"{error} {error.hint}",))
    except (ServiceDown, PromptTooLong) as error:
        yield Finished(Answer("", (), 0, "broken"), (f"{error} {error.hint}",))


async def _written(
    model: Model, found: Found, prompt: Prompt, max_tokens: int
) -> AsyncGenerator[Event, None]:
    read = [
        "\n".join((evidence.title, *evidence.headings, text))
        for evidence, text in zip(found.evidence, prompt.given, strict=False)
    ]
    checked = Checked(found.question, read, SYSTEM)
    last = Done("broken")
    async with aclosing(model.generate(prompt.messages, max_tokens)) as events:
        async for event in events:
            match event:
                case Waiting():
                    yield event
                case Text(delta):
                    if shown := checked.feed(delta):
                        yield Text(shown)
                case Done():
                    last = event
            if checked.complete:
                last = Done("stop")
                break
    if shown := checked.end():
        yield Text(shown)
    yield _finished(found, prompt, checked, last)


def _finished(found: Found, prompt: Prompt, checked: Checked, last: Done) -> Finished:
    citations = tuple(Citation(n, found.evidence[n - 1]) for n in sorted(checked.cited))
    notes: tuple[str, ...] = prompt.notes
    finish: str = last.finish
    if checked.refused:
        finish, notes = "refused", (NOT_STATED,)
    elif finish == "broken":
        notes = (BROKEN,)
    elif not checked.text.strip():
        notes = (UNSUPPORTED,)
    answer = Answer(checked.text.strip(), citations, checked.struck, finish)
    return Finished(answer, notes, last.prompt_tokens, last.completion_tokens)
