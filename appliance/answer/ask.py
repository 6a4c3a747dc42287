"""From a question to a cited answer: the whole path.

    search -> verdict ─┬-> passages, and the model writes: prompt -> model -> checked -> text
                       │   (nothing left after checking: once more, from the best sentence alone)
                       ├-> passages only: no model, model down, queue full, nothing left after checking
                       ├-> the sources disagree: both sides, the model is not called
                       └-> refusal: the model is never called

A calculation that the question asks for is made in code and stands before all of these; when its figures are
all the question's own, nothing else follows.
Passages always go out first. Whatever happens to the model after that, the reader keeps them and gets a
sentence.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Protocol

from appliance.answer.calculate import calculate
from appliance.answer.contradictions import disagreements
from appliance.answer.events import AskEvent as Event
from appliance.answer.events import Done, Finished, Model, Passages, Text, Waiting
from appliance.answer.focus import Focus, focus, narrowed, readable
from appliance.answer.matches import citations, made, written
from appliance.answer.prompt import PROFILES, SYSTEM, Profile, Prompt, build, close, lined
from appliance.answer.quick import Quick
from appliance.answer.support import Checked
from appliance.answer.visit import searching
from appliance.errors import PromptTooLong, QueueFull, ServiceDown
from appliance.records import Answer, Citation, Disagreement, Evidence, Found
from appliance.settings import Settings

__all__ = ["Event", "Finished", "Model", "Passages", "Text", "Waiting", "ask", "considered"]

NO_MODEL = "No language model is on. These passages come nearest to your question."
UNSUPPORTED = "The language model found no sentence in the passages that answers this."
NOT_STATED = "The passages come close, but they do not state the answer."
BROKEN = "The answer broke off: the language model stopped. The passages below it still hold."


Known = Callable[[str, Sequence[Evidence]], Disagreement | None]
"""Where passages are already known to differ on what a question asks for (documents.known)."""


class Searcher(Protocol):
    """What an answer needs of a library (retrieval.search.Library)."""

    def search(self, question: str, limit: int = ..., archives: Collection[str] | None = ...) -> Found: ...


class Desk(Protocol):
    """What an answer needs of an appliance (wiring.Appliance). `model` is None where there is none,
    `quick` where no sentence is quoted."""

    @property
    def settings(self) -> Settings: ...
    @property
    def library(self) -> Searcher: ...
    @property
    def model(self) -> Model | None: ...
    @property
    def quick(self) -> Quick | None: ...


async def ask(
    desk: Desk, question: str, archives: Collection[str] | None = None, known: Known | None = None
) -> AsyncGenerator[Event, None]:
    """Passages first, Finished last; between them places in the queue and text. Closing the generator stops
    the model. Raises only what the search raises, and QueueFull when too many search."""
    async with searching():
        found = await asyncio.to_thread(desk.library.search, question, desk.settings.results, archives)
        passages = await asyncio.to_thread(considered, found, desk.settings.profile, desk.quick, known)
    yield passages
    calculation = passages.calculation
    if calculation and not calculation.sources:
        yield Finished(Answer("", (), 0, "calculated"))
    elif passages.disagreement:
        ns = {n for side in passages.disagreement.sides for n in side.ns}
        sides = made(None, passages.disagreement, found.evidence)
        yield Finished(Answer("", citations(ns, found.evidence, sides), 0, "disagreement"))
    elif found.judgement.verdict != "answer" or not found.evidence:
        yield Finished(
            Answer("", (), 0, "refused"), (found.judgement.reason,) if found.judgement.reason else ()
        )
    elif desk.model is None:
        yield Finished(Answer("", _computed(passages), 0, "search_only"), (NO_MODEL,))
    else:
        async with aclosing(_answered(desk.model, passages, desk.settings.profile)) as events:
            async for event in events:
                yield event


def considered(
    found: Found, profile: str, quick: Quick | None = None, known: Known | None = None
) -> Passages:
    """What code makes of the passages that an answer may cite. Blocks for a part of a second at the first."""
    answerable = found.judgement.verdict == "answer"
    cited = _citable(found, profile) if answerable else ()
    calculation = calculate(found.question, cited)
    parted = () if calculation else disagreements(found.question, cited)
    if known and cited and not calculation and not parted:
        told = known(found.question, found.evidence)
        parted = (told,) if told and min(n for side in told.sides for n in side.ns) <= len(cited) else ()
    quote = quick(found.question, cited) if quick and cited and not calculation and not parted else None
    return Passages(found, calculation, parted[0] if parted else None, quote)


def _citable(found: Found, profile: str) -> tuple[Evidence, ...]:
    return found.evidence[: min(close(found.evidence), PROFILES[profile].passages)]


async def _answered(model: Model, passages: Passages, profile: str) -> AsyncGenerator[Event, None]:
    found = passages.found
    budget = PROFILES[profile]
    try:
        await model.ready()
        cited = readable(found.question, _citable(found, profile))
        seen = focus(cited)
        given = narrowed(cited, seen) if seen else cited
        prompt = await asyncio.to_thread(build, found.question, given, model.count, budget, model.context)
        if not prompt.given:
            yield Finished(Answer("", _computed(passages), 0, "stop"), prompt.notes)
            return
        left_out: Finished | None = None
        async with aclosing(_written(model, passages, prompt, budget.answer, seen)) as events:
            async for event in events:
                if isinstance(event, Finished) and _nothing_left(event) and seen and len(seen.told) > 1:
                    left_out = event
                else:
                    yield event
        if left_out and seen:
            async with aclosing(_again(model, passages, budget, seen, left_out)) as events:
                async for event in events:
                    yield event
    except QueueFull as error:
        yield Finished(Answer("", _computed(passages), 0, "busy"), (f"{error} {error.hint}",))
    except (ServiceDown, PromptTooLong) as error:
        yield Finished(Answer("", _computed(passages), 0, "broken"), (f"{error} {error.hint}",))


def _nothing_left(finished: Finished) -> bool:
    """Whether the model wrote something, and no sentence of it was supported."""
    answer = finished.answer
    return not answer.text and answer.struck > 0 and answer.finish in ("stop", "length")


async def _again(
    model: Model, passages: Passages, budget: Profile, seen: Focus, left_out: Finished
) -> AsyncGenerator[Event, None]:
    """Asks once more with the best sentence alone, which a small model cannot mix up with others."""
    found, best = passages.found, seen.best
    alone = [replace(found.evidence[best.n - 1], text=best.sentence)]
    prompt = await asyncio.to_thread(
        build, found.question, alone, model.count, budget, model.context, first=best.n
    )
    if not prompt.given:
        yield left_out
        return
    try:
        written = _written(model, passages, prompt, budget.answer, seen)
        async with aclosing(written) as events:
            async for event in events:
                if isinstance(event, Finished):
                    struck = event.answer.struck + left_out.answer.struck
                    yield replace(event, answer=replace(event.answer, struck=struck))
                else:
                    yield event
    except QueueFull:
        yield left_out


def _computed(passages: Passages) -> tuple[Citation, ...]:
    """The passages that a calculation took its figures from."""
    calculation, evidence = passages.calculation, passages.found.evidence
    figures = made(calculation, None, evidence)
    return citations(calculation.sources if calculation else (), evidence, figures)


async def _written(
    model: Model,
    passages: Passages,
    prompt: Prompt,
    max_tokens: int,
    seen: Focus | None,
) -> AsyncGenerator[Event, None]:
    found = passages.found
    grounds = [
        "\n".join((evidence.title, *evidence.headings, lined(evidence.text)))
        for n, evidence in enumerate(found.evidence[: prompt.last], 1)
    ]
    checked = Checked(found.question, grounds, SYSTEM, seen)
    last = Done("broken")
    async with aclosing(model.generate(prompt.messages, max_tokens)) as events:
        async for event in events:
            match event:
                case Waiting():
                    yield event
                case Text(delta):
                    first = not checked.kept
                    if shown := checked.feed(delta):
                        yield Text(shown, checked.stressed if first else ())
                case Done():
                    last = event
            if checked.complete:
                last = Done("stop")
                break
    first = not checked.kept
    if shown := checked.end():
        yield Text(shown, checked.stressed if first else ())
    yield _finished(passages, prompt, checked, last)


def _finished(passages: Passages, prompt: Prompt, checked: Checked, last: Done) -> Finished:
    calculation = passages.calculation
    evidence = passages.found.evidence
    sentences = written(checked.rests, evidence)
    ns = checked.cited | set(calculation.sources if calculation else ())
    cited = citations(ns, evidence, made(calculation, None, evidence), sentences)
    notes: tuple[str, ...] = prompt.notes
    finish: str = last.finish
    if checked.refused:
        finish, notes = "refused", (NOT_STATED,)
    elif finish == "broken":
        notes = (BROKEN,)
    elif not checked.text.strip():
        notes = (UNSUPPORTED,)
    answer = Answer(checked.text.strip(), cited, checked.struck, finish, checked.stressed)
    return Finished(answer, notes, last.prompt_tokens, last.completion_tokens)
