"""The quick answer: the one sentence of the best passages that answers, quoted before the model writes; pure.

Every sentence of the first READ passages is scored against the question by whatever reads best (a callable,
so that a trained reader and the words alone are measured alike), under two hard rules: what the question
names stands in the passage with the sentence, and the sentence says something that the question did not. It
is shown from `sure_at` on. That threshold, and whether it is shown at all, lie in models/quick.toml with
what they were fitted on; `appliance/quality/quick.py` measures how often it is wrong.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from appliance.answer.sentences import sentences
from appliance.errors import ModelFileError
from appliance.records import Evidence, Quote
from appliance.retrieval.exact import missing, named
from appliance.retrieval.words import content, fold, words

READ = 3  # passages
LONGEST, SHORTEST = 400, 20  # letters of a sentence that is quoted
FIT = "python -m appliance.quality.quick"

Score = Callable[[str, Sequence[str]], Sequence[float]]
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


def quoting(policy: Policy, scores: Mapping[str, Score]) -> Quick | None:
    """What quotes under this policy; None while it is off or what it was fitted with is not here."""
    score = scores.get(policy.score)
    return partial(pick, score=score, sure_at=policy.sure_at) if policy.on and score else None


def pick(question: str, evidence: Sequence[Evidence], score: Score, sure_at: float) -> Quote | None:
    """The sentence to quote, None when none is sure enough. `evidence` best first; `score` gives each text
    (title, colon, sentence) a number that is higher the surer it answers."""
    wanted = named(question)
    asked = {fold(word) for word in words(question)}
    found: list[Quote] = []
    texts: list[str] = []
    for n, item in enumerate(evidence[:READ], 1):
        if missing(wanted, "\n".join((item.title, *item.headings, item.text))):
            continue
        start = item.start
        for sentence in sentences(item.text):
            text = sentence.strip()
            if SHORTEST <= len(text) <= LONGEST and _news(
                f"{text}", asked | {fold(w) for w in words(item.title)}
            ):
                found.append(Quote(n, text, start + sentence.index(text), 0.0))
                texts.append(f"{item.title}: {text}")
            start += len(sentence)
    if not found:
        return None
    scores = list(score(question, texts))
    best = max(range(len(scores)), key=scores.__getitem__)
    quote = found[best]
    return (
        Quote(quote.n, quote.sentence, quote.start, float(scores[best])) if scores[best] >= sure_at else None
    )


def by_words(question: str, texts: Sequence[str]) -> list[float]:
    """0…1 for each text: the share of the question's words that it has, each weighing what it tells apart
    among these texts. The score where no reader is."""
    return shares(question, [held(text) for text in texts])


def held(text: str) -> frozenset[str]:
    """The words of a text as `by_words` compares them."""
    return frozenset(_stem(fold(word)) for word in words(text))


def shares(question: str, held: Sequence[frozenset[str]]) -> list[float]:
    """`by_words` for texts whose words are known already."""
    stems = [_stem(fold(word)) for word in content(question)]
    weights = [1.0 + 1.0 / (1 + sum(stem in have for have in held)) for stem in stems]
    total = sum(weights) or 1.0
    return [sum(w for s, w in zip(stems, weights, strict=True) if s in have) / total for have in held]


def _news(sentence: str, said: set[str]) -> bool:
    return any(fold(word) not in said for word in content(sentence))


def _stem(word: str) -> str:
    """Without the endings of number and tense, so that "opened" is held by "opens"."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
