"""A scripted model, as an engine (blocking, behind a queue) and as a Model; a library of fixed evidence."""

import asyncio
import time
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from appliance import settings
from appliance.answer.events import Done, Message, ModelEvent, Text, Waiting
from appliance.errors import LamplightError, PromptTooLong
from appliance.records import Evidence, Found, Judgement
from appliance.settings import Settings

TETANUS = "Tetanus is caused by a poison of the bacterium Clostridium tetani, which lives in soil and dust."
LAMP = "An oil lamp burns oil with a wick. A higher wick gives a larger flame and more soot."
BRIDGE = "The Wadden bridge was opened in 1932 by Lena Holm. It is 412 metres long."


def evidence(text: str, title: str = "Page", archive: str = "first_aid", **more) -> Evidence:
    return Evidence(archive, title.replace(" ", "_"), title, (), "", text, 0, 0.9, **more)


EVIDENCE = (evidence(TETANUS, "Tetanus"), evidence(LAMP, "Oil lamp"), evidence(BRIDGE, "Wadden bridge"))


def words(text: str) -> int:
    return len(text.split())


@dataclass
class ScriptedEngine:
    """Replays `pieces` for each of up to `slots` at once, one a step, which takes `pace` seconds; refuses
    prompts of more words than `context`."""

    pieces: Sequence[str]
    pace: float = 0.0
    slots: int = 1
    name: str = "scripted"
    context: int = 10_000
    most_running: int = 0
    began: list[str] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    fails: bool = False
    answers: dict[int, list] = field(default_factory=dict)  # slot -> what was asked, pieces told, most

    @property
    def running(self) -> int:
        return len(self.answers)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [words(text) for text in texts]

    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]:
        size = sum(self.count([message.content for message in messages]))
        if size + max_tokens > self.context:
            raise PromptTooLong(f"{size} words")
        return [ord(c) for c in messages[-1].content]

    def start(self, prompt: Sequence[int], most: int) -> int:
        slot = min(set(range(self.slots)) - set(self.answers))
        self.answers[slot] = ["".join(map(chr, prompt)), 0, most]
        self.began.append(self.answers[slot][0])
        self.most_running = max(self.most_running, self.running)
        return slot

    def stop(self, slot: int) -> None:
        self.cancelled.append(self.answers.pop(slot)[0])

    def step(self) -> list[tuple[int, Text | Done]]:
        time.sleep(self.pace)
        if self.fails:
            raise RuntimeError("decode failed")
        told: list[tuple[int, Text | Done]] = []
        for slot, answer in list(self.answers.items()):
            asked, at, most = answer
            if at < min(len(self.pieces), most):
                told.append((slot, Text(self.pieces[at])))
                answer[1] += 1
            else:
                told.append((slot, Done("stop", len(asked), len(self.pieces))))
                self.served.append(self.answers.pop(slot)[0])
        return told


@dataclass
class ScriptedModel:
    """A Model that replays events and counts its calls. `down`, if any, is raised when `ready` is asked,
    `refuses` when the answer should begin."""

    events: Sequence[ModelEvent] = ()
    down: LamplightError | None = None
    refuses: LamplightError | None = None
    name: str = "scripted"
    context: int = 4096
    calls: list[Sequence[Message]] = field(default_factory=list)
    closed: bool = False
    allowed: int = 0

    async def ready(self) -> None:
        if self.down:
            raise self.down

    def count(self, texts: Sequence[str]) -> list[int]:
        return [words(text) for text in texts]

    async def generate(
        self, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[ModelEvent, None]:
        self.calls.append(messages)
        self.allowed = max_tokens
        if self.refuses:
            raise self.refuses
        try:
            for event in self.events:
                await asyncio.sleep(0)
                yield event
        finally:
            self.closed = True


def says(text: str, finish: str = "stop") -> ScriptedModel:
    """A model that writes `text` letter by letter."""
    return ScriptedModel([Waiting(0), *map(Text, text), Done(finish, 100, len(text))])


ANSWERABLE = Judgement("answer", 0.9)


@dataclass
class FixedLibrary:
    """Finds the same evidence for every question."""

    evidence: Sequence[Evidence] = EVIDENCE
    judgement: Judgement = ANSWERABLE

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        kept = [e for e in self.evidence if archives is None or e.archive in archives]
        return Found(question, tuple(kept[:limit]), self.judgement)


@dataclass
class Desk:
    library: FixedLibrary
    model: object
    settings: Settings
    quick: object | None = None
    read: object | None = None


def desk(model: object, profile: str = "desktop", results: int = 8, **library) -> Desk:
    given = settings.load({"home": Path("nowhere")}, {})
    return Desk(FixedLibrary(**library), model, replace(given, profile=profile, results=results))
