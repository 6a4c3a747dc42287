"""The words of a claim as they are compared: folded, without those that only shape a sentence, and alike when
they are forms of one word. Pure."""

from collections.abc import Sequence

from appliance.answer.inflected import beginnings, plain
from appliance.answer.lexicon import CALLED, Token
from appliance.retrieval.words import LANGUAGES, fold, language

_BORN, _BORN_MALE = "nee", ("né", "nés")  # folded, "né" would be the "ne" of "ne … pas"
CJK = "\u2e80"  # from here on, words are not set apart by spaces


def content(found: Sequence[Token]) -> list[str]:
    """The terms that say what a sentence is about, each once, in order."""
    shaping = LANGUAGES[language([token.text for token in found])] | CALLED
    return list(dict.fromkeys(terms([token.text for token in found if token.form not in shaping])))


def terms(found: Sequence[str]) -> list[str]:
    """Words folded; of a script without spaces, each letter by itself."""
    folded = []
    for word in (_BORN if word.casefold() in _BORN_MALE else fold(word) for word in found):
        folded += list(word) if word >= CJK else [word]
    return folded


def by_beginning(found: Sequence[str]) -> dict[str, list[str]]:
    """Terms and their plain forms under their first four letters, for `among`."""
    table: dict[str, list[str]] = {}
    for form in {form for term in set(found) for form in plain(term)}:
        table.setdefault(form[:4], []).append(form)
    return table


def among(term: str, table: dict[str, list[str]]) -> bool:
    """Whether the term or another form of it is there."""
    return any(_same(form, other) for form in plain(term) for other in table.get(form[:4], ()))


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: a plain form of one is that of the other, or begins like it."""
    if one == other:
        return True
    if beginnings(one).isdisjoint(beginnings(other)):
        return False
    return any(_same(form, other_form) for form in plain(one) for other_form in plain(other))


def _same(one: str, other: str) -> bool:
    return one == other or _begin_alike(one, other)


def _begin_alike(one: str, other: str) -> bool:
    """For at least four letters and most of the longer word."""
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common >= max(4, 0.6 * max(len(one), len(other)))
