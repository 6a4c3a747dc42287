"""What one step of training is shown: a question's right passage, wrong ones that the search ranked high, and
the right one without the sentence that answers. Pure, and without PyTorch."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from appliance.quality.measure import holds_answer

WRONG = 3  # wrong passages of a question in a step
AMONG = 12  # they are drawn from the first of the search's
SHORTEST = 160  # letters of a passage whose answering sentence was taken out
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Drawn:
    """One question of a step: its passages, and for each 1 right, 0 wrong, -1 not known; the answer."""

    question: str
    passages: tuple[str, ...]
    labels: tuple[int, ...]
    answers: tuple[str, ...]


def draw(example: dict[str, Any], chance: random.Random) -> Drawn | None:
    """Passages of one question, None when it has none to learn from."""
    candidates = example["candidates"]
    answers = tuple(example["answers"])
    right = [one["text"] for one in candidates if one["right"]]
    if example["answerable"] and not right:
        return None
    wrong = [one["text"] for one in candidates[:AMONG] if not one["right"]]
    chance.shuffle(wrong)
    texts, labels = [], []
    if right:
        chosen = chance.choice(right)
        texts.append(chosen)
        labels.append(1)
        emptied = without_answer(chosen, answers)
        if emptied and chance.random() < 0.6:
            texts.append(emptied)
            labels.append(0)
    for text in wrong[: WRONG + 1 - len(texts) + (1 if right else 0)]:
        texts.append(text)
        # Another page may answer too: what holds the answer's words is neither right nor wrong.
        labels.append(-1 if right and answers and holds_answer(text, answers) else 0)
    return Drawn(example["question"], tuple(texts), tuple(labels), answers) if texts else None


def without_answer(passage: str, answers: Sequence[str]) -> str:
    """The passage without the sentences that hold an answer, "" when too little is left of it."""
    head, _, text = passage.partition(": ")
    kept = [sentence for sentence in _SENTENCE.split(text) if not holds_answer(sentence, answers)]
    left = " ".join(kept)
    return f"{head}: {left}" if answers and SHORTEST <= len(left) < len(text) else ""


def epochs(examples: Sequence[dict[str, Any]], size: int, chance: random.Random) -> Iterator[list[Drawn]]:
    """Steps of `size` questions without end; natural questions come twice as often."""
    while True:
        order = [one for one in examples for _ in range(2 if one["group"] == "NQ" else 1)]
        chance.shuffle(order)
        step: list[Drawn] = []
        for example in order:
            if drawn := draw(example, chance):
                step.append(drawn)
            if len(step) == size:
                yield step
                step = []
