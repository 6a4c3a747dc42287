"""How many answers at once: what each reader feels, and what the model writes in all.

Eight readers ask in the same moment, each something of their own or all the same; as many as there are slots
are answered, the others wait. The evidence is a fixed text, as much as the board's profile gives the model to
read; no two questions share it. Seconds are those of `clock`: of the wall on a quiet machine; on a busy one,
of this process with a single thread.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance import models
from appliance.answer.batch import Batch
from appliance.answer.events import Message, Text
from appliance.answer.llm import Llama
from appliance.answer.prompt import FIXED, PROFILES, build
from appliance.errors import ModelFileError
from appliance.quality.results import Figure
from appliance.records import Evidence
from appliance.settings import Settings

PART = "together"
READERS = 8
SLOTS = (1, 2, 4, 8)
OWN, SAME = KINDS = ("8 ask, each their own", "8 ask, all the same")
# Tokens that only this many prompts share: the passages differ from their first word on.
SENTENCES = (
    "The lighthouse on the northern cape was built of granite in {year} and guides ships to this day. ",
    "Its keeper was {name}, who wrote the weather of every evening into a book of {n} pages. ",
    "In clear nights its light is seen from the island of Sorrel, {n} kilometres away. ",
)
NAMES = ("Ada Lund", "Jon Vik", "Mara Sol", "Per Dahl", "Lea Brandt", "Ole Moen", "Ida Falk", "Tor Rand")


@dataclass(slots=True)
class Felt:
    """One reader's answer: seconds from the question to the first sentence and to the end, and its size."""

    sentence: float = 0.0
    end: float = 0.0
    text: str = ""
    tokens: int = 0

    @property
    def pace(self) -> float:
        """Words per second, once it has begun."""
        return len(self.text.split()) / (self.end - self.sentence) if self.end > self.sentence else 0.0


def together(given: Settings, _data: Path) -> list[Figure]:
    name = models.model_for(given.profile, given.home, given.model)
    if name is None:
        raise ModelFileError("There is no language model here.", "Fetch it with ./build.sh run.")
    found = []
    for slots in SLOTS:
        llama = Llama(models.path(given.home, name), given.context, given.threads, slots, FIXED)
        try:
            for kind in KINDS:
                found += figures(f"{kind}, {slots} at once", felt(Batch(llama), given.profile, kind))
        finally:
            llama.close()
    return found


def felt(batch: Batch, profile: str, kind: str, clock: Callable[[], float] = time.perf_counter) -> list[Felt]:
    """What each of the readers feels, in the order of their questions."""
    most = PROFILES[profile].answer
    numbers = range(READERS) if kind == OWN else [0] * READERS
    waiting = [(Felt(), batch.prompt(_asked(batch, profile, n), most)) for n in numbers]
    readers = [reader for reader, _ in waiting]
    answered: dict[int, Felt] = {}
    began = clock()
    while waiting or answered:
        while waiting and len(answered) < batch.slots:
            reader, prompt = waiting.pop(0)
            answered[batch.start(prompt, most)] = reader
        for slot, event in batch.step():
            reader, now = answered[slot], clock() - began
            if isinstance(event, Text):
                reader.text += event.delta
                if not reader.sentence and "." in event.delta:
                    reader.sentence = now
            else:
                reader.end, reader.tokens = now, event.completion_tokens
                reader.sentence = reader.sentence or now
                del answered[slot]
    return readers


def figures(what: str, readers: Sequence[Felt]) -> list[Figure]:
    whole = max(reader.end for reader in readers)
    paces = [reader.pace for reader in readers if reader.pace]
    return [
        Figure(PART, f"{what}: first sentence, p50", _p50([reader.sentence for reader in readers]), "s"),
        Figure(PART, f"{what}: first sentence, last", max(reader.sentence for reader in readers), "s"),
        Figure(PART, f"{what}: end, p50", _p50([reader.end for reader in readers]), "s"),
        Figure(PART, f"{what}: all have ended", whole, "s"),
        Figure(PART, f"{what}: words per second of one answer, p50", _p50(paces), "words/s"),
        Figure(PART, f"{what}: written in all", sum(r.tokens for r in readers) / whole, "tokens/s"),
    ]


def _asked(batch: Batch, profile: str, n: int) -> tuple[Message, ...]:
    text = "".join(
        sentence.format(year=1800 + 11 * n + at, name=NAMES[(n + at) % len(NAMES)], n=20 + 7 * n + at)
        for at in range(4)
        for sentence in SENTENCES
    )
    passages = [Evidence("bench", f"p{at}", f"Cape {NAMES[n]} {at}", (), "", text, 0, 1.0) for at in range(8)]
    question = f"Of what was the lighthouse of Cape {NAMES[n]} built, when, and who kept it?"
    return build(question, passages, batch.count, PROFILES[profile], batch.context).messages


def _p50(seconds: Sequence[float]) -> float:
    return float(np.median(seconds)) if seconds else 0.0
