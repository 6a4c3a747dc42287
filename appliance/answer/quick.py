"""The quick answer: the one sentence of the best passages that answers, quoted before the model writes; pure.

The reader's word on every sentence of the first READ passages (`Evidence.told`) picks it, under two hard
rules: what the question names stands in the passage with the sentence, and the sentence says something that
the question did not. It is shown from `sure_at` on. That threshold, and whether it is shown at all, lie in
models/quick.toml with what they were fitted on; `appliance/quality/quick.py` measures how often it is wrong.
"""

import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from appliance.errors import ModelFileError
from appliance.records import Evidence, Quote
from appliance.retrieval.exact import missing, named
from appliance.retrieval.words import content, fold, words

READ = 3  # passages
LONGEST, SHORTEST = 400, 20  # letters of a sentence that is quoted
FIT = "python -m appliance.quality.quick"

Quick = Callable[[str, Sequence[Evidence]], Quote | None]


@dataclass(frozen=True, slots=True)
class Policy:
    """`score` is the hash of the reader that the threshold was fitted with; `on`: it was wrong in under 1 in
    20 there."""

    score: str
    sure_at: float
    on: bool

    @classmethod
    def load(cls, path: Path) -> "Policy":
        """Reads models/quick.toml. Raises ModelFileError when it is missing or not such a file."""
        try:
            found = tomllib.loads(path.read_text("utf-8"))
            policy = cls(str(found["score"]), float(found["sure_at"]), found["on"] is True)
        except (OSError, KeyError, TypeError, ValueError) as error:  # bad TOML and bad UTF-8 are ValueErrors
            raise ModelFileError(
                f"The quick answer's threshold {path.name} cannot be read: {error!r}.",
                f"Take the file from the release, or fit it: {FIT}.",
            ) from error
        if not policy.sure_at > 0:  # also refuses NaN
            raise ModelFileError(
                f"{path.name} has sure_at {policy.sure_at}; expected above 0.", f"Fit it: {FIT}."
            )
        return policy


def quoting(policy: Policy, reader_sha256: str) -> Quick | None:
    """What quotes under this policy; None while it is off or was fitted with another reader."""
    fitting = policy.on and policy.score == reader_sha256
    return partial(pick, sure_at=policy.sure_at) if fitting else None


def pick(question: str, evidence: Sequence[Evidence], sure_at: float) -> Quote | None:
    """The sentence to quote, None when none is sure enough (0…1). `evidence` best first."""
    wanted = named(question)
    asked = {fold(word) for word in words(question)}
    found = [
        Quote(n, one.sentence, item.start + item.text.index(one.sentence), _sure(one.logit))
        for n, item in enumerate(evidence[:READ], 1)
        if not missing(wanted, "\n".join((item.title, *item.headings, item.text)))
        for one in item.told
        if SHORTEST <= len(one.sentence) <= LONGEST
        and _news(one.sentence, asked | {fold(word) for word in words(item.title)})
    ]
    best = max(found, key=lambda quote: quote.sure, default=None)
    return best if best and best.sure >= sure_at else None


def _sure(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, logit))))


def _news(sentence: str, said: set[str]) -> bool:
    return any(fold(word) not in said for word in content(sentence))
