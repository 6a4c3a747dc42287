"""Several answers side by side in one model: which tokens of which answer are computed next.

A step is one run of the model. It takes one token of every answer that is being written. Prompts are read one
after the other, STEP tokens at a time, while nobody's answer is being written; beside those that are, only
the rest of a prompt that is nearly read (BESIDE tokens), as that of a question which was asked before. So
words come at their full speed once they come, and the first ones as early as one after the other gives them.
A prompt that was passed over for LONGEST steps is read on beside the others. A single answer is a batch of
one.

What was read stays until its place is needed: a prompt that begins like another, or like the beginning that
all share, is read from where it differs, also when the other is being read just now. Knows nothing of
llama.cpp (`llm`) and of who asks (`queue`). For one thread at a time.
"""

import codecs
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from appliance.answer.events import Done, Finish, Message, Text
from appliance.answer.stops import StopText
from appliance.errors import DecodingError

# Tokens in one step. More are no faster on these processors and cost memory, and a reader who leaves is
# noticed only between two steps: at the speed of a Raspberry Pi 4 one of 32 takes over a second.
STEP = 32
# Answers at once, by board profile (docs/decisions/0011-answers-at-once.md).
AT_ONCE = {"desktop": 4, "pi5": 4, "pi4": 2}
BESIDE = 16  # of them of prompts, in a step in which somebody's answer goes on
LONGEST = 200  # steps; more than an answer of any profile has tokens


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens that come next in a sequence, from position `start`. `wanted`: the token after them is asked."""

    sequence: int
    start: int
    tokens: Sequence[int]
    wanted: bool


class States(Protocol):
    """A model that holds the states of `slots` sequences, of at most `context` tokens each, and as sequence
    number `slots` that of `beginning`, when it was read (llm.Llama)."""

    name: str
    context: int
    slots: int
    beginning: Sequence[int]

    def count(self, texts: Sequence[str]) -> list[int]: ...
    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]: ...
    def decode(self, parts: Sequence[Part]) -> list[int]:
        """The likeliest token after each part, in their order; any number for one that wants none. Raises
        DecodingError: nothing of it counts then."""

    def cut(self, sequence: int, length: int) -> None:
        """Forgets what comes after the first `length` tokens."""

    def copy(self, source: int, target: int, length: int) -> None:
        """The empty `target` begins as `source` does; what they share is kept once."""

    def piece(self, token: int) -> bytes: ...
    def ends(self, token: int) -> bool: ...


@dataclass(slots=True)
class _Answer:
    """`rest` is what comes next in its sequence: of the prompt, then the token that was chosen last."""

    prompt: Sequence[int]
    most: int
    kept: int
    rest: Sequence[int]
    written: int = 0
    text: StopText = field(default_factory=StopText)
    letters: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )

    def done(self, finish: Finish) -> Done:
        return Done(finish, len(self.prompt), self.written, self.kept)


Told = list[tuple[int, Text | Done]]


class Batch:
    """Answers in the slots of a model; the Engine behind a queue. Reads the model's beginning at first."""

    def __init__(self, model: States) -> None:
        self.name, self.context, self.slots = model.name, model.context, model.slots
        self._model = model
        self._passed_over = 0  # steps since a prompt was read
        self._held: list[list[int]] = [[] for _ in range(self.slots + 1)]
        self._answers: dict[int, _Answer] = {}  # by slot, in order of start
        self._free = list(range(self.slots))  # the one that ended longest ago first
        self.forget()

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._model.count(texts)

    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]:
        return self._model.prompt(messages, max_tokens)

    def forget(self) -> None:
        """Ends all answers, and reads the beginning anew."""
        for slot in list(self._answers):
            self.stop(slot)
        for sequence in range(self.slots + 1):
            self._forget(sequence)
        shared, beginning = self.slots, self._model.beginning
        for start in range(0, len(beginning), STEP):
            self._model.decode([Part(shared, start, beginning[start : start + STEP], False)])
        self._held[shared] = list(beginning)

    def start(self, prompt: Sequence[int], most: int) -> int:
        """Takes a free slot for an answer of at most `most` tokens to a prompt (of `prompt`), and gives its
        number. Raises IndexError when all are taken."""
        origin, kept = self._begun(prompt)
        slot = origin if origin in self._free else self._free[0]
        self._free.remove(slot)
        self._begin(slot, origin, kept)
        self._answers[slot] = _Answer(prompt, most, kept, prompt[kept:])
        return slot

    def stop(self, slot: int) -> None:
        """Ends the answer where it is; its slot is free then."""
        del self._answers[slot]
        self._free.append(slot)

    @property
    def running(self) -> int:
        """Answers that have not ended."""
        return len(self._answers)

    def step(self) -> Told:
        """Runs the model once for all answers, and gives what each has to tell. An answer that the model
        fails to go on with ends as `broken`, without the others."""
        told: Told = []
        for part, token in self._run(self._planned()):
            answer, slot = self._answers[part.sequence], part.sequence
            if token is None:
                self._forget(slot)
                told.append((slot, answer.done("broken")))
                continue
            self._held[slot] += part.tokens
            answer.rest = answer.rest[len(part.tokens) :]
            if part.wanted:
                told += [(slot, event) for event in self._taken(answer, token)]
        for slot in [slot for slot, event in told if isinstance(event, Done)]:
            self.stop(slot)
        return told

    def alone(
        self, prompt: Sequence[int], most: int, cancelled: Callable[[], bool] = lambda: False
    ) -> Iterator[Text | Done]:
        """One answer, to its end; ends without Done once `cancelled` says so, which is asked before every
        step."""
        slot = self.start(prompt, most)
        try:
            while slot in self._answers and not cancelled():
                yield from (event for _, event in self.step())
        finally:
            if slot in self._answers:
                self.stop(slot)

    def _begun(self, prompt: Sequence[int]) -> tuple[int, int]:
        """The sequence that begins as the prompt does for longest, and for how many tokens. The last token
        is always read, since it chooses the first word. Of several the shared beginning is taken."""
        shared = [(_common(held, prompt), sequence) for sequence, held in enumerate(self._held)]
        kept, origin = max(shared)
        return origin, min(kept, len(prompt) - 1)

    def _catch_up(self) -> None:
        """Prompts that are being read begin as far on as any that was read meanwhile."""
        for slot, answer in self._answers.items():
            if len(answer.rest) > 1:
                origin, kept = self._begun(answer.prompt)
                if kept > len(self._held[slot]):
                    self._begin(slot, origin, kept)
                    answer.kept, answer.rest = kept, answer.prompt[kept:]

    def _begin(self, slot: int, origin: int, kept: int) -> None:
        """The slot's sequence begins as the first `kept` tokens of another, or of what it held."""
        if slot == origin:
            self._model.cut(slot, kept)
        else:
            self._model.cut(slot, 0)
            self._model.copy(origin, slot, kept)
        self._held[slot] = self._held[origin][:kept]

    def _planned(self) -> list[Part]:
        self._catch_up()
        writing = [slot for slot, answer in self._answers.items() if len(answer.rest) == 1]
        parts = [self._part(slot, 1) for slot in writing]
        room = min(STEP - len(parts), BESIDE) if writing else STEP
        for slot in self._read(bool(writing), room):
            if room > 0:
                parts.append(self._part(slot, room))
                room -= len(parts[-1].tokens)
                if parts[-1].wanted and self._passed_over >= LONGEST:
                    self._passed_over = 0
        return parts

    def _read(self, writing: bool, room: int) -> list[int]:
        """The slots whose prompts may be read in this step, the oldest first."""
        reading = [slot for slot, answer in self._answers.items() if len(answer.rest) > 1]
        if not writing:
            self._passed_over = 0
        elif self._passed_over < LONGEST:
            nearly = [slot for slot in reading if len(self._answers[slot].rest) <= room]
            self._passed_over += len(nearly) < len(reading)
            return nearly
        return reading

    def _part(self, slot: int, most: int) -> Part:
        rest = self._answers[slot].rest
        return Part(slot, len(self._held[slot]), rest[:most], len(rest) <= most)

    def _run(self, parts: Sequence[Part]) -> list[tuple[Part, int | None]]:
        """Each part and the token after it, None where the model failed. A step that fails is tried again
        part by part."""
        if not parts:
            return []
        try:
            return list(zip(parts, self._model.decode(parts), strict=True))
        except DecodingError:
            for part in parts:
                self._model.cut(part.sequence, part.start)
            if len(parts) == 1:
                return [(parts[0], None)]
            return [found for part in parts for found in self._run([part])]

    def _taken(self, answer: _Answer, token: int) -> Iterator[Text | Done]:
        if self._model.ends(token):
            yield from self._ended(answer, "stop")
            return
        answer.written += 1
        answer.rest = [token]
        if delta := answer.text.feed(answer.letters.decode(self._model.piece(token))):
            yield Text(delta)
        if answer.text.reached:
            yield from self._ended(answer, "stop")
        elif answer.written == answer.most:
            yield from self._ended(answer, "length")

    def _ended(self, answer: _Answer, finish: Finish) -> Iterator[Text | Done]:
        if delta := answer.text.end(""):  # bytes of a letter that was cut off are dropped
            yield Text(delta)
        yield answer.done(finish)

    def _forget(self, sequence: int) -> None:
        self._model.cut(sequence, 0)
        self._held[sequence] = []


def _common(held: Sequence[int], prompt: Sequence[int]) -> int:
    """How many tokens both begin with."""
    parted = (n for n, (a, b) in enumerate(zip(held, prompt, strict=False)) if a != b)
    return next(parted, min(len(held), len(prompt)))
