"""The one door to llama-cpp-python: a GGUF model, and the states of several sequences in one context.

All sequences share one memory, in which tokens that begin several of them alike are kept once. Attention
passes over what is not a sequence's own. The likeliest token is always chosen. The text of a message is
turned into tokens apart from the chat format around it: nothing inside a message can end its turn or open
another.
Leaves what is computed when to `batch`, queueing to `queue`, and the words of the prompt to `prompt`.
"""

import ctypes
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from appliance.answer.batch import STEP, Part
from appliance.answer.events import Message
from appliance.errors import DecodingError, ModelFileError, PromptTooLong

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
import numpy as np
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

logging.getLogger("llama-cpp-python").setLevel(logging.ERROR)  # llama.cpp tells all of a model

TEMPLATE = b"tokenizer.chat_template"
PIECE = 256  # bytes of a token's text; the longest of the catalogue's models has 128
REFUSED = 1  # of llama_decode: no place in the memory


class Llama:
    """A language model in this process, for one thread at a time but for `count` and `prompt`.

    `context` is in tokens, for each of `slots` answers; `threads` 0 means as many as cores; `beginning` is
    what every prompt begins with. Raises ModelFileError for a file that llama.cpp cannot load.
    """

    def __init__(
        self,
        path: Path,
        context: int = 2048,
        threads: int = 0,
        slots: int = 1,
        beginning: Sequence[Message] = (),
    ) -> None:
        self.name, self.context, self.slots = path.stem, context, slots
        llama_cpp.llama_backend_init()
        self._model = _loaded(path)
        self._vocabulary = llama_cpp.llama_model_get_vocab(self._model)
        self._size = llama_cpp.llama_vocab_n_tokens(self._vocabulary)
        self._template = self._read_template(path)
        self.beginning: Sequence[int] = self._shared(beginning)
        workers = threads or len(os.sched_getaffinity(0))
        self._context = self._opened(path, slots * context + len(self.beginning), workers)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(STEP, 0, 1)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as plain text. Safe beside a running `decode`."""
        return [len(self._tokens(text, special=False)) for text in texts]

    def prompt(self, messages: Sequence[Message], max_tokens: int) -> list[int]:
        """The tokens of a conversation, up to where the answer begins. Raises PromptTooLong when the context
        has no room for them and `max_tokens` more. Safe beside a running `decode`."""
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

    def decode(self, parts: Sequence[Part]) -> list[int]:
        """See batch.States: at most STEP tokens in all."""
        last = self._fill(parts)
        if code := llama_cpp.llama_decode(self._context, self._batch):
            why = "its memory is full" if code == REFUSED else f"llama.cpp gave {code}"
            raise DecodingError(f"The language model cannot go on: {why}.", "Ask again.")
        return [self._likeliest(at) if part.wanted else 0 for part, at in zip(parts, last, strict=True)]

    def cut(self, sequence: int, length: int) -> None:
        llama_cpp.llama_memory_seq_rm(self._memory, sequence, length, -1)

    def copy(self, source: int, target: int, length: int) -> None:
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def piece(self, token: int, special: bool = False) -> bytes:
        room = ctypes.create_string_buffer(PIECE)
        size = llama_cpp.llama_token_to_piece(self._vocabulary, token, room, PIECE, 0, special)
        return room.raw[: max(0, size)]

    def ends(self, token: int) -> bool:
        return bool(llama_cpp.llama_vocab_is_eog(self._vocabulary, token))

    def close(self) -> None:
        llama_cpp.llama_batch_free(self._batch)
        llama_cpp.llama_free(self._context)
        llama_cpp.llama_model_free(self._model)

    def _fill(self, parts: Sequence[Part]) -> list[int]:
        """Puts the parts into llama.cpp's batch; gives the place of the last token of each. llama.cpp checks
        nothing here."""
        if sum(len(part.tokens) for part in parts) > STEP:
            raise ValueError(f"more than {STEP} tokens in one step")
        batch, at, last = self._batch, 0, []
        for part in parts:
            for offset, token in enumerate(part.tokens):
                batch.token[at], batch.pos[at] = token, part.start + offset
                batch.n_seq_id[at], batch.seq_id[at][0] = 1, part.sequence
                batch.logits[at] = False
                at += 1
            batch.logits[at - 1] = part.wanted
            last.append(at - 1)
        batch.n_tokens = at
        return last

    def _likeliest(self, at: int) -> int:
        scores = llama_cpp.llama_get_logits_ith(self._context, at)
        return int(np.ctypeslib.as_array(scores, (self._size,)).argmax())

    def _tokens(self, text: str, *, special: bool) -> list[int]:
        written = text.encode("utf-8", "replace")
        room = (llama_cpp.llama_token * (len(written) + 1))()  # a token is at least a byte
        size = llama_cpp.llama_tokenize(
            self._vocabulary, written, len(written), room, len(room), False, special
        )
        return list(room[: max(0, size)])

    def _shared(self, beginning: Sequence[Message]) -> list[int]:
        """Where the prompts of these messages and any question part: what follows them is left out."""
        if not beginning:
            return []
        one, other = (self.prompt([*beginning, Message("user", text)], 1) for text in ("a", "1"))
        return one[: next(n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)]

    def _opened(self, path: Path, size: int, workers: int) -> Any:  # noqa: ANN401  a pointer of ctypes
        given = llama_cpp.llama_context_default_params()
        given.n_ctx, given.n_seq_max = size, self.slots + 1
        given.n_batch = given.n_ubatch = STEP
        given.n_threads = given.n_threads_batch = workers
        given.kv_unified = True
        given.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        given.no_perf = True
        context = llama_cpp.llama_init_from_model(self._model, given)
        if not context:
            raise ModelFileError(
                f"The language model {path} cannot have a context of {size:,} tokens.",
                "Give it less room with --context, or fewer answers at once with --at-once.",
            )
        return context

    def _read_template(self, path: Path) -> Jinja2ChatFormatter:
        size = llama_cpp.llama_model_meta_val_str(self._model, TEMPLATE, None, 0) + 1
        room = ctypes.create_string_buffer(max(1, size))
        llama_cpp.llama_model_meta_val_str(self._model, TEMPLATE, room, len(room))
        if not room.value:
            raise ModelFileError(f"The language model {path} has no chat template.", "Use an instruct model.")
        marks = (llama_cpp.llama_vocab_eos(self._vocabulary), llama_cpp.llama_vocab_bos(self._vocabulary))
        end, begin = (self.piece(token, special=True).decode() for token in marks)
        return Jinja2ChatFormatter(room.value.decode(), end, begin)


def _loaded(path: Path) -> Any:  # noqa: ANN401  a pointer of ctypes
    given = llama_cpp.llama_model_default_params()
    model = llama_cpp.llama_model_load_from_file(os.fsencode(path), given) if path.is_file() else None
    if not model:
        raise ModelFileError(
            f"The language model {path} cannot be loaded.",
            "Fetch it again with ./build.sh run, or start with --search-only.",
        )
    return model


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
