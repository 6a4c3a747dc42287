"""Trains the reader: `python -m appliance.training.train --examples FOLDER --encoder FOLDER --to reader.pt`.

Each step takes a few questions with their passages: a right one, wrong ones that the search ranked high, and
the right one again without the sentence that answers. Three losses: the right passage before all others of
the step (listwise), each pair right or wrong by itself (so that the score means the same for every question
and can refuse), and the answer's place in the right passage.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from appliance.quality.measure import holds_answer
from appliance.training.drawing import Drawn, epochs
from appliance.training.network import PAD, PASSAGE_TOKENS, QUESTION_TOKENS, Reader, load_encoder


@dataclass(frozen=True)
class Step:
    """Token ids of the questions and passages of a step, `owner` [p] the question of each passage, `label`
    [p], `known` [q, p]: the pair may be taken as wrong; `span` [p, tokens]: where the answer is."""

    questions: Tensor
    passages: Tensor
    owner: Tensor
    label: Tensor
    known: Tensor
    span: Tensor


class Maker:
    """Turns drawn questions into tensors."""

    def __init__(self, tokenizer: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()

    def ids(self, texts: Sequence[str], longest: int) -> tuple[Tensor, list[Any]]:
        self._tokenizer.enable_truncation(longest)
        found = self._tokenizer.encode_batch(list(texts))
        width = max(len(one.ids) for one in found)
        ids = torch.full((len(found), width), PAD)
        for row, one in enumerate(found):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
        return ids, found

    def step(self, drawn: Sequence[Drawn]) -> Step:
        questions, _ = self.ids([one.question for one in drawn], QUESTION_TOKENS)
        texts = [text for one in drawn for text in one.passages]
        passages, encodings = self.ids(texts, PASSAGE_TOKENS)
        owner = torch.tensor([n for n, one in enumerate(drawn) for _ in one.passages])
        label = torch.tensor([value for one in drawn for value in one.labels])
        known = torch.ones(len(drawn), len(texts), dtype=torch.bool)
        span = torch.zeros_like(passages, dtype=torch.bool)
        for n, one in enumerate(drawn):
            for column, text in enumerate(texts):
                own = int(owner[column]) == n
                if own and int(label[column]) == 1:
                    _mark(span[column], encodings[column].offsets, text, one.answers)
                elif not own:
                    known[n, column] = not (one.answers and holds_answer(text, one.answers))
                elif int(label[column]) < 0:
                    known[n, column] = False
        return Step(questions, passages, owner, label, known, span)


def _mark(row: Tensor, offsets: Sequence[tuple[int, int]], text: str, answers: Sequence[str]) -> None:
    for answer in answers:
        at = text.casefold().find(answer.casefold(), text.find(": ") + 1)
        if at >= 0 and len(answer) < 80:
            for token, (start, end) in enumerate(offsets):
                if start < at + len(answer) and at < end and end > start:
                    row[token] = True
            return


def loss(reader: Reader, step: Step) -> Tensor:
    """The three losses of one step, added."""
    found = reader.scores(step.questions, step.passages)
    logits = found.logits.float()
    columns = torch.arange(len(step.owner))
    own = logits[step.owner, columns]
    judged = step.label >= 0
    target = step.label.clamp_min(0).float()
    weight = torch.where(step.label == 1, 1.5, 1.0)[judged]
    alone = functional.binary_cross_entropy_with_logits(own[judged], target[judged], weight)
    terms = [alone]
    rows = step.owner[step.label == 1]
    if len(rows):
        right = columns[step.label == 1]
        allowed = step.known[rows].clone()
        allowed[torch.arange(len(rows)), right] = True
        listed = logits[rows].masked_fill(~allowed, -1e4)
        terms.append(functional.cross_entropy(listed, right))
        spans = step.span[right]
        has = spans.any(1)
        if has.any():
            pointed = found.pointers.float()[rows, right][has].log_softmax(-1)
            at = pointed.masked_fill(~spans[has], -1e4).logsumexp(-1)
            terms.append(-0.3 * at.clamp_min(-12).mean())
    return torch.stack(terms).sum()


def groups(reader: Reader, speed: float) -> list[dict[str, Any]]:
    """The encoder learns slowly and its word vectors not at all, the head fast."""
    for parameter in reader.encoder.embeddings.parameters():
        parameter.requires_grad = False
    inner = [p for p in reader.encoder.parameters() if p.requires_grad]
    head = [p for name, p in reader.named_parameters() if not name.startswith("encoder.")]
    return [{"params": inner, "lr": speed}, {"params": head, "lr": speed * 20}]


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="train")
    parser.add_argument("--examples", type=Path, required=True, help="folder of training.examples")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2, fp32")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--size", type=int, default=8, help="questions of a step")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--speed", type=float, default=4e-5, help="learning rate of the encoder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="0: as many as cores")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    with (options.examples / "train.jsonl").open(encoding="utf-8") as lines:
        examples = [json.loads(line) for line in lines]
    maker = Maker(options.encoder / "tokenizer.json")
    reader = Reader(load_encoder(options.encoder, options.layers))
    reader.train()
    for module in reader.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.05
    optimiser = torch.optim.AdamW(groups(reader, options.speed), weight_decay=0.01)
    warm = max(1, options.steps // 20)
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda n: min((n + 1) / warm, max(0.02, 1 - n / options.steps))
    )
    began, total = time.monotonic(), 0.0
    for number, drawn in enumerate(epochs(examples, options.size, chance), 1):
        with torch.autocast("cpu", torch.bfloat16):
            value = loss(reader, maker.step(drawn))
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        plan.step()
        total += value.item()
        if number % 50 == 0:
            print(f"step {number}: loss {total / 50:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total = 0.0
        if number % 400 == 0 or number == options.steps:
            torch.save(reader.state_dict(), options.to)
        if number == options.steps:
            break


if __name__ == "__main__":
    main()
