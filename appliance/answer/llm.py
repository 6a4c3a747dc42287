"""The one door to llama-cpp-python: a GGUF model in one context, asked by one caller at a time.

Sampling is greedy: the most likely token is always taken. The state of the last prompt stays; a new
prompt is read from where it differs, so a fixed system prompt is read once. The text of a message is turned
into tokens apart from the chat format around it: nothing inside a message can end its turn or open another.
Leaves queueing to `queue`, and the words of the prompt to `prompt`.
"""

import codecs
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from appliance.answer.events import Done, Finish, Message, Text
from appliance.errors import ModelFileError, PromptTooLong

# The threads of one computation wait for each other many times per token. By default they spin meanwhile:
# one that has no core (the embedder or another program has it) holds up the others, and on two busy cores the
# model hardly writes at all. OpenMP reads this when it is loaded, so it comes first.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# A short spin before they sleep: alone on two cores 40 tokens/s instead of 22, as with endless spinning;
# beside three busy programs 8 instead of 14.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")
# When llama.cpp gives up it starts a debugger on itself and may wait for that for ever; without one the
# process ends, and is started again.
os.environ.setdefault("GGML_NO_BACKTRACE", "1")

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

# Tokens read at once. A larger batch is no faster on these processors and costs memory, and a reader who
# leaves is noticed only between two batches: at the speed of a Raspberry Pi 4 one takes over a second.
BATCH = 32

# Chat markers that a model may spell out as plain text instead of sending the token for it.
STOPS = ("<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>")


class Llama:
    """A language model in this process; calls of `generate` take turns, since two at once would crash it.

    `context` is in tokens; `threads` 0 means as many as cores. Raises ModelFileError for a file that
    llama.cpp cannot load.
    """

    def __init__(self, path: Path, context: int = 2048, threads: int = 0) -> None:
        self.name = path.stem
        self.context = context
        workers = threads or len(os.sched_getaffinity(0))
        try:
            self._llama = llama_cpp.Llama(
                str(path),
                n_ctx=context,
                n_batch=BATCH,
                n_ubatch=BATCH,
                n_threads=workers,
                n_threads_batch=workers,
                verbose=False,
            )
        except (ValueError, RuntimeError) as error:
            raise ModelFileError(
                f"The language model {path} cannot be loaded: {error}.",
                "Fetch it again with ./build.sh run, or start with --search-only.",
            ) from error
        self._one_at_a_time = threading.Lock()
        self._vocabulary = llama_cpp.llama_model_get_vocab(self._llama.model)
        self._template = _template(self._llama)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as plain text. Safe beside a running `generate`."""
        return [len(self._tokens(text, special=False)) for text in texts]

    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]:
        """The tokens of a conversation, up to where the answer begins. Raises PromptTooLong when the context
        has no room for them and `max_tokens` more. Safe beside a running `generate`."""
        tokens: list[int] = []
        for turn, around in enumerate(_frame(self._template, messages)):
            tokens += self._tokens(around, special=True)
            if turn < len(messages):
                tokens += self._tokens(messages[turn].content, special=False)
        if len(tokens) + max_tokens > self.context:
            raise PromptTooLong(
                f"The prompt has {len(tokens)} tokens and the answer may have {max_tokens}; "
                f"the context holds {self.context}.",
                "Ask a shorter question, or give the model more room with --context.",
            )
        return tokens

    def generate(
        self, prompt: Sequence[int], max_tokens: int, cancelled: Callable[[], bool]
    ) -> Iterator[Text | Done]:
        """The answer as it is written, then Done; ends without Done once `cancelled` says so, which is asked
        before every token and every BATCH tokens of the prompt."""
        with self._one_at_a_time:
            yield from self._answer(prompt, max_tokens, cancelled)

    def _answer(
        self, prompt: Sequence[int], max_tokens: int, cancelled: Callable[[], bool]
    ) -> Iterator[Text | Done]:
        kept = self._keep(prompt)
        if not self._read(prompt[kept:], cancelled):
            return
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        stops = StopText(STOPS)
        written = 0
        for token in self._sampled(max_tokens, cancelled):
            written += 1
            if delta := stops.feed(decoder.decode(self._llama.detokenize([token]))):
                yield Text(delta)
            if stops.reached:
                break
        if cancelled():
            return
        if delta := stops.end(""):  # bytes of a letter that was cut off are dropped
            yield Text(delta)
        finish: Finish = "length" if written == max_tokens and not stops.reached else "stop"
        yield Done(finish, len(prompt), written, kept)

    def warm(self, messages: Sequence[Message]) -> None:
        """Reads messages that every prompt begins with, so that the first question need not wait."""
        prompt = self.prompt(messages, 1)
        with self._one_at_a_time:
            self._read(prompt[self._keep(prompt) :], lambda: False)

    def close(self) -> None:
        self._llama.close()

    def _tokens(self, text: str, *, special: bool) -> list[int]:
        return self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=special)

    def _keep(self, prompt: Sequence[int]) -> int:
        """Goes back to where the prompt parts from what was read last; the last token is always read, since
        its scores choose the first word."""
        before = self._llama.input_ids[: self._llama.n_tokens].tolist()
        kept = 0
        while kept < min(len(before), len(prompt) - 1) and before[kept] == prompt[kept]:
            kept += 1
        self._llama.n_tokens = kept
        return kept

    def _read(self, tokens: Sequence[int], cancelled: Callable[[], bool]) -> bool:
        """Whether all was read."""
        for start in range(0, len(tokens), BATCH):
            if cancelled():
                return False
            self._llama.eval(tokens[start : start + BATCH])
        return True

    def _sampled(self, max_tokens: int, cancelled: Callable[[], bool]) -> Iterator[int]:
        for _ in range(max_tokens):
            if cancelled():
                return
            token = self._llama.sample(temp=0.0)
            if llama_cpp.llama_vocab_is_eog(self._vocabulary, token):
                return
            yield token
            self._llama.eval([token])


class StopText:
    """Cuts a stream of text at the first of some words, holding back what may be the beginning of one."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = stops
        self._held = ""
        self.reached = False

    def feed(self, text: str) -> str:
        text = self._held + text
        self._held = ""
        found = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        if found:
            self.reached = True
            return text[: min(found)]
        longest = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - longest :]
        return text[: len(text) - longest]

    def end(self, text: str) -> str:
        """What is left when the model has ended by itself."""
        if self.reached:
            return ""
        released = self.feed(text)
        return released if self.reached else released + self._held


def _overlap(text: str, stop: str) -> int:
    """How many letters at the end of the text are the beginning of `stop`."""
    return next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)


def _template(model: llama_cpp.Llama) -> Jinja2ChatFormatter:
    source = model.metadata.get("tokenizer.chat_template")
    if not source:
        raise ModelFileError(
            f"The language model {model.model_path} has no chat template.", "Use an instruct model."
        )
    end, begin = (
        model.detokenize([token], special=True).decode() for token in (model.token_eos(), model.token_bos())
    )
    return Jinja2ChatFormatter(source, end, begin)


def _frame(template: Jinja2ChatFormatter, messages: Sequence[Message]) -> list[str]:
    """What the template puts before, between and after the contents of the messages."""
    holes = [f"\x00{turn}\x00" for turn in range(len(messages))]
    filled: list[Any] = [
        {"role": message.role, "content": hole} for message, hole in zip(messages, holes, strict=True)
    ]
    rest = str(template(messages=filled).prompt)
    frame = []
    for hole in holes:
        before, found, rest = rest.partition(hole)
        if not found:
            raise ModelFileError("The model's chat template drops a message.", "Use another instruct model.")
        frame.append(before)
    return [*frame, rest]
