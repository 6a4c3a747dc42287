"""The words of a claim as they are compared: folded, without those that only shape a sentence, and alike when
they are forms of one word. Pure."""

from collections.abc import Sequence

from appliance.answer.clauses import CALLED, Token
from appliance.retrieval.words import LANGUAGES, fold, language

CJK = "\u2e80"  # from here on, words are not set apart by spaces


def content(found: Sequence[Token]) -> list[str]:
    """The terms that say what a sentence is about, each once, in order."""
    shaping = LANGUAGES[language([token.text for token in found])] | CALLED
    return list(dict.fromkeys(terms([token.text for token in found if token.form not in shaping])))


def terms(found: Sequence[str]) -> list[str]:
    """Words folded; of a script without spaces, each letter by itself."""
    folded = []
    for word in map(fold, found):
        folded += list(word) if word >= CJK else [word]
    return folded


def by_beginning(found: Sequence[str]) -> dict[str, list[str]]:
    """Terms under their first four letters, for `among`."""
    table: dict[str, list[str]] = {}
    for term in set(found):
        table.setdefault(term[:4], []).append(term)
    return table


def among(term: str, table: dict[str, list[str]]) -> bool:
    """Whether the term or another form of it is there: one that begins alike for most of its length."""
    return any(term == other or alike(term, other) for other in table.get(term[:4], ()))


def alike(one: str, other: str) -> bool:
    """Whether two words begin alike for at least four letters and most of the longer one."""
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common >= max(4, 0.6 * max(len(one), len(other)))
