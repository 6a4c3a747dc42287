"""How many of a question's words texts have: what picks a sentence where no reader is. Pure."""

from collections.abc import Sequence

from appliance.retrieval.words import content, fold, words


def held(text: str) -> frozenset[str]:
    """The words of a text as `shares` compares them."""
    return frozenset(_stem(fold(word)) for word in words(text))


def shares(question: str, held: Sequence[frozenset[str]]) -> list[float]:
    """0…1 for each text, by its words: the share of the question's words that it has, each weighing what it
    tells apart among these texts."""
    stems = [_stem(fold(word)) for word in content(question)]
    weights = [1.0 + 1.0 / (1 + sum(stem in have for have in held)) for stem in stems]
    total = sum(weights) or 1.0
    return [sum(w for s, w in zip(stems, weights, strict=True) if s in have) / total for have in held]


def _stem(word: str) -> str:
    """Without the endings of number and tense, so that "opened" is held by "opens"."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
