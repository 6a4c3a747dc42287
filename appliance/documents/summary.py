"""A summary of a document or a selection, made part by part within the model's context: map, then reduce.

The passages are read in their order, as many at once as the model holds, and it says in a sentence or two
what they say. For each the sentence of a passage goes out that has all of it, as in every answer; what points
at none is struck, and where nothing is left of a part, its most central sentence stands for it. Of sentences
that are too many those stay that the model points at when it reads them alone. Without a language model all
are the most central ones.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from appliance.answer.events import AskEvent, Finished, Model, Passages, Reading, Text
from appliance.answer.ground import Said
from appliance.answer.matches import located, written
from appliance.answer.prompt import PROFILES, SYSTEM, Profile, build, lined, quoted
from appliance.answer.support import Checked
from appliance.documents.central import central
from appliance.errors import PromptTooLong, QueueFull, ServiceDown
from appliance.records import Answer, Citation, Evidence, Found, Judgement, Match
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import language, words
from appliance.sources.textblocks import unbroken

MOST = 160  # passages that are read
LINES = 8  # sentences of a summary
QUOTES, EACH = 3, 35  # sentences that stand for a part at most, and words of it for each
ROUNDS = 3  # of putting together, at most
TASKS = {
    "en": "What are the main things that these passages say?",
    "fr": "Quelles sont les choses principales que disent ces passages ?",
    "es": "¿Cuáles son las cosas principales que dicen estos pasajes?",
}
QUOTED = "These sentences stand so in the text: no language model was asked, or it could not be used."
FIRST = "Only the first {n} of {total} passages were read."
NONE = "There is no text here to be summed up."


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence without marks, and what it rests on: passage number -> stretches of it."""

    text: str
    matches: dict[int, tuple[Match, ...]]

    def marked(self) -> str:
        body = self.text.rstrip(" .!?…")
        marks = "".join(f"[{n}]" for n in self.matches)
        end = self.text[len(body) :].strip() or ("" if body.endswith("”") else ".")
        return f"{body} {marks}{end}"


class Telling(Checked):
    """What the model writes about passages, held against them. There is no question that it must answer."""

    def _right(self, n: int, claim: str, said: Said) -> bool:
        del n, claim, said
        return True


async def summary(
    model: Model | None, profile: str, name: str, evidence: Sequence[Evidence], total: int
) -> AsyncGenerator[AskEvent, None]:
    """Passages first, Finished last. `evidence` are the first of `total` passages, in reading order; `name`
    says what they are. Closing the generator stops the model."""
    sources = [replace(one, score=1.0) for one in evidence]
    yield Passages(Found(name, tuple(sources), _judged(sources)))
    if not sources:
        yield Finished(Answer("", (), 0, "refused"), (NONE,))
        return
    work = Work(model, PROFILES[profile], sources)
    async with aclosing(work.lines()) as events:
        async for event in events:
            yield event
    text = "\n".join(line.marked() for line in work.made)
    yield Text(text)
    notes = (*((QUOTED,) if work.quoted else ()), *_first(len(sources), total))
    finish = "search_only" if work.quoted else "stop"
    yield Finished(Answer(text, tuple(_citations(work.made, sources)), work.struck, finish), notes)


class Work:
    """One summary while it is made: `made` are its sentences in the end, `struck` what was left out, `quoted`
    whether all of them are the text's own. A model that goes away is done without."""

    def __init__(self, model: Model | None, profile: Profile, sources: Sequence[Evidence]) -> None:
        self.model, self.struck = model, 0
        self.made: list[Line] = []
        self._profile, self._sources = profile, sources
        self._task = TASKS.get(language(words(" ".join(one.text for one in sources[:4]))), TASKS["en"])
        self._wrote = False

    @property
    def quoted(self) -> bool:
        return not self._wrote

    async def lines(self) -> AsyncGenerator[AskEvent, None]:
        """Makes them, and tells how far it is."""
        at = 0
        while at < len(self._sources):
            yield Reading(at, len(self._sources))
            group = self._group(at)
            given, found = await self._mapped(at, group)
            self.made += [line for line in found if line.text not in {one.text for one in self.made}]
            at += given
        for _ in range(ROUNDS):
            if len(self.made) <= LINES or self.model is None:
                break
            yield Reading(at, len(self._sources))
            before = len(self.made)
            self.made = await self._reduced(self.made)
            if len(self.made) >= before:
                break
        self.made = _thinned(self.made)

    def _group(self, at: int) -> list[Evidence]:
        """Passages of one document that may be read together."""
        group = self._sources[at : at + self._profile.passages]
        return [one for one in group if one.path == group[0].path]

    async def _mapped(self, at: int, group: Sequence[Evidence]) -> tuple[int, list[Line]]:
        """How many passages were read, and what was said of them."""
        checked, given = await self._written(group)
        if checked is None or not checked.kept:
            given = given or len(group)
            return given, await asyncio.to_thread(self._central, at, group[:given])
        stretches = written(checked.rests, group)
        lines = []
        for place, claim in enumerate(checked.kept):
            on = {
                at + n: tuple(match for match in found if match.claim == place)
                for n, found in sorted(stretches.items())
            }
            lines.append(Line(claim, {n: matches for n, matches in on.items() if matches}))
        self._wrote = True
        return given, [line for line in lines if line.matches]

    async def _written(self, group: Sequence[Evidence]) -> tuple[Telling | None, int]:
        """What the model says of the group, checked, and how many passages of it it has read."""
        if self.model is None:
            return None, 0
        try:
            await self.model.ready()
            prompt = await asyncio.to_thread(
                build, self._task, group, self.model.count, self._profile, self.model.context
            )
            grounds = ["\n".join((one.title, *one.headings, lined(one.text))) for one in group]
            checked = Telling("", grounds[: len(prompt.given)], SYSTEM)
            if prompt.given:
                async with aclosing(self.model.generate(prompt.messages, self._profile.answer)) as events:
                    async for event in events:
                        if isinstance(event, Text):
                            checked.feed(event.delta)
                        if checked.complete:
                            break
                checked.end()
        except (ServiceDown, QueueFull, PromptTooLong):
            self.model = None
            return None, 0
        self.struck += checked.struck
        return checked, len(prompt.given)

    def _central(self, at: int, group: Sequence[Evidence]) -> list[Line]:
        """The most central sentences of a group as they stand, in their order; the longer it is the more."""
        there = [
            (n, told)
            for n, one in enumerate(group, at + 1)
            for sentence in sentences(unbroken(one.text))
            if (told := quoted(sentence))
        ]
        count = max(1, min(QUOTES, sum(len(words(one.text)) for one in group) // EACH))
        places = sorted(place for place, _ in central([sentence for _, sentence in there])[:count])
        lines = []
        for n, sentence in (there[place] for place in places):
            source = self._sources[n - 1]
            if span := located(sentence, source.text):
                match = Match(0, "copied", source.text[slice(*span)], source.start + span[0])
                lines.append(Line(f"“{sentence}”", {n: (match,)}))
        return lines

    async def _reduced(self, lines: list[Line]) -> list[Line]:
        """Those of the sentences that the model points at, in each batch; all where it points at none."""
        found: list[Line] = []
        size = self._profile.passages
        for start in range(0, len(lines), size):
            batch = lines[start : start + size]
            title = self._sources[next(iter(batch[0].matches)) - 1].title
            group = [Evidence("", "", title, (), "", line.text, 0, 1.0) for line in batch]
            checked, _ = await self._written(group)
            ns = {rest.n for rest in checked.rests} if checked else set()
            found += [line for n, line in enumerate(batch, 1) if n in ns] or batch
        return found


def _judged(sources: Sequence[Evidence]) -> Judgement:
    return Judgement("answer", 1.0) if sources else Judgement("nothing", 1.0, NONE)


def _thinned(lines: list[Line]) -> list[Line]:
    """At most LINES of them, spread evenly over the text."""
    if len(lines) <= LINES:
        return lines
    return [lines[round(place * (len(lines) - 1) / (LINES - 1))] for place in range(LINES)]


def _citations(lines: Sequence[Line], sources: Sequence[Evidence]) -> list[Citation]:
    """Of all lines, in the order of the text; a match says which sentence of the summary it is of."""
    found: dict[int, list[Match]] = {}
    for place, line in enumerate(lines):
        for n, matches in line.matches.items():
            found.setdefault(n, []).extend(replace(match, claim=place) for match in matches)
    return [Citation(n, sources[n - 1], tuple(matches)) for n, matches in sorted(found.items())]


def _first(read: int, total: int) -> tuple[str, ...]:
    return (FIRST.format(n=f"{read:,}", total=f"{total:,}"),) if read < total else ()
