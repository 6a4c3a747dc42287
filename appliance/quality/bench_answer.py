"""How fast the language model reads and writes here, with the state of the system prompt kept and without.

Speed depends on the number of tokens and not on what they say, so the evidence is a fixed text, as much as
the board's profile gives the model to read. Each pair of prompts shares the fixed part and nothing after it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance import models
from appliance.answer.batch import Batch
from appliance.answer.events import Done, Message, Text
from appliance.answer.llm import Llama
from appliance.answer.prompt import FIXED, PROFILES, build
from appliance.errors import ModelFileError
from appliance.quality.results import Figure
from appliance.records import Evidence
from appliance.settings import Settings

PART = "answer"
ASKED = 5  # prompts of each kind
SENTENCE = "The lighthouse on the northern cape was built of granite in 1868 and guides ships to this day. "
OTHER = (Message("system", "Another beginning, so that nothing of the last prompt can be kept."),)


@dataclass(frozen=True, slots=True)
class Timed:
    """One answer: seconds to the first text and from there to the end, and the model's own counts."""

    first: float
    rest: float
    done: Done


def answer(given: Settings, _data: Path) -> list[Figure]:
    """First token with and without kept state, and the speeds of reading and writing."""
    name = models.model_for(given.profile, given.home, given.model)
    if name is None:
        raise ModelFileError("There is no language model here.", "Fetch it with ./build.sh run.")
    file = models.path(given.home, name)
    kept = _asked(Llama(file, given.context, given.threads, beginning=FIXED), given.profile)
    anew = _asked(Llama(file, given.context, given.threads), given.profile)
    tokens = f"{name}, {round(np.mean([one.done.prompt_tokens for one in kept]))} tokens of prompt"
    reading = [one.done.prompt_tokens / one.first for one in anew]
    writing = [(one.done.completion_tokens - 1) / one.rest for one in kept if one.done.completion_tokens > 1]
    return [
        Figure(PART, f"first token, state of the system prompt kept: p50 ({tokens})", _p50(kept), "ms"),
        Figure(PART, f"first token, everything read anew: p50 ({tokens})", _p50(anew), "ms"),
        Figure(PART, f"reading ({name})", float(np.median(reading)), "tokens/s"),
        Figure(PART, f"writing ({name})", float(np.median(writing)), "tokens/s"),
    ]


def _asked(llama: Llama, profile: str) -> list[Timed]:
    try:
        batch = Batch(llama)
        return [_timed(batch, _prompt(llama, profile, n)) for n in range(ASKED + 1)][1:]
    finally:
        llama.close()


def _prompt(llama: Llama, profile: str, n: int) -> tuple[Message, ...]:
    passages = [Evidence("bench", "p", f"Cape {n}{at}", (), "", SENTENCE * 10, 0, 1.0) for at in range(8)]
    question = f"Of what was lighthouse {n} built, and when?"
    return build(question, passages, llama.count, PROFILES[profile], llama.context).messages


def _timed(batch: Batch, messages: Sequence[Message]) -> Timed:
    other = batch.prompt(OTHER, 1)
    for _ in batch.alone(other, 1):  # takes the place of what was read last
        pass
    tokens = PROFILES["pi4"].answer
    prompt = batch.prompt(messages, tokens)
    began = time.perf_counter()
    first = began
    done = Done("broken")
    for event in batch.alone(prompt, tokens):
        if isinstance(event, Text) and first == began:
            first = time.perf_counter()
        elif isinstance(event, Done):
            done = event
    return Timed(first - began, time.perf_counter() - first, done)


def _p50(found: Sequence[Timed]) -> float:
    return float(np.median([one.first for one in found])) * 1000
