"""A superlative must stand as one: "a higher court" is not the highest, "mostly" is not "most". Pure."""

import re
from collections.abc import Callable, Sequence

from appliance.answer.clauses import ARTICLES, PREPOSITIONS, Token, listed

_EXACT = listed("best worst first last only most least")
_REGULAR = re.compile(r"[a-z]{2,}est")
_MOST = listed("most least")
_NEAR = 3  # words from "most" in which its adjective stands: "most widely and often used"

Alike = Callable[[str, str], bool]


def raised(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim makes a superlative of what was said without one."""
    forms = {token.form for token in said}
    return any(
        (token.form in _EXACT and token.form not in forms)
        or (token.form in _MOST and _of_another(claim, n, said, alike))
        or (
            _REGULAR.fullmatch(token.form) is not None
            and token.form not in forms
            and bool(_lower(token.form) & forms)
        )
        for n, token in enumerate(claim)
    )


def _of_another(claim: Sequence[Token], n: int, said: Sequence[Token], alike: Alike) -> bool:
    """Whether "the most" stands there with other words than the claim's: "the most powerful" from "the most
    northern and a powerful one"."""
    if not n or claim[n - 1].form not in ARTICLES or n + 1 == len(claim) or claim[n + 1].form in PREPOSITIONS:
        return False
    word = claim[n + 1].form
    return not any(
        token.form == claim[n].form
        and any(alike(word, other.form) for other in said[max(0, at - _NEAR) : at + 1 + _NEAR])
        for at, token in enumerate(said)
    )


def _lower(form: str) -> set[str]:
    """What a superlative is of, and its comparative: "big" and "bigger" of "biggest"."""
    stem = form.removesuffix("est")
    roots = {stem, f"{stem}e"}
    if stem[-1:] == stem[-2:-1]:
        roots.add(stem[:-1])
    if stem.endswith("i"):
        roots.add(f"{stem[:-1]}y")
    return roots | {f"{stem}er"}
