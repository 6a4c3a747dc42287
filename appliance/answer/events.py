"""What passes between the parts of an answer: messages to a model, events from it, events to a reader.

A leaf: it knows the records and nothing else. `Model` is what `ask` needs of a language model, wherever it
runs.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from appliance.records import Answer, Calculation, Disagreement, Found, Quote, Stretch

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "broken"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn for the model. Its content is data: no marker of the chat format inside it has an effect."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The place in the queue: 1 is next; 0 means that the model reads this question now."""

    place: int


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text, to be appended to what came before it. `stressed`: words of the whole text that
    answer, told with the piece in which they stand."""

    delta: str
    stressed: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The model's last event. `broken`: its process went away in the middle. `kept_tokens` of the prompt
    were not read again, since their state was still there."""

    finish: Finish
    prompt_tokens: int = 0
    completion_tokens: int = 0
    kept_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Passages:
    """What the search found, and what code alone makes of it: the first event of every answer, before any
    language model is asked. With a `disagreement`, or a `calculation` from the question alone, none is."""

    found: Found
    calculation: Calculation | None = None
    disagreement: Disagreement | None = None
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of every answer. `notes` are sentences for the reader: why there is no answer text,
    what was left out, that it broke off. Token counts are 0 when the model was not called, or was stopped
    before its end."""

    answer: Answer
    notes: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a long text was read: passages, of so many."""

    done: int
    total: int


ModelEvent = Waiting | Text | Done
AskEvent = Passages | Waiting | Reading | Text | Finished


class Model(Protocol):
    """A language model that answers some questions at a time; the others wait in its queue.

    `context` is the number of tokens that it can hold, prompt and answer together.
    """

    name: str
    context: int

    async def ready(self) -> None:
        """Returns when the model can be asked; raises ServiceDown when it cannot."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without the marks of the chat format. Blocks; raises ServiceDown."""

    def generate(self, messages: Sequence[Message], max_tokens: int) -> AsyncGenerator[ModelEvent, None]:
        """Waiting (each change of place, 0 at last), Text, and Done at the end. Closing the generator stops
        the model. Raises ServiceDown, QueueFull or PromptTooLong before the first event; QueueFull also after
        a Waiting, for a visitor who asked much and has to give way to others."""
