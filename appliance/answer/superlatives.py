"""A superlative must stand as one: "a higher court" is not the highest, "mostly" is not "most". Pure."""

import re
from collections.abc import Callable, Sequence

from appliance.answer.clauses import ARTICLES, PREPOSITIONS, Token, listed

_EXACT = listed("best worst first last only most least")
_REGULAR = re.compile(r"[a-z]{2,}est")
_MOST = listed("most least")
_WITHIN = listed("in on among within")
_NEAR = 3  # words from "most" in which its adjective stands: "most widely and often used"

Alike = Callable[[str, str], bool]


def raised(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim makes a superlative of what was said without one, or of a smaller number of things:
    "the first woman" from "the first Norlandic woman"."""
    forms = {token.form for token in said}
    return any(
        _widened(claim, n, said, alike)
        or (token.form in _EXACT and token.form not in forms)
        or (token.form in _MOST and _of_another(claim, n, said, alike))
        or (
            _REGULAR.fullmatch(token.form) is not None
            and token.form not in forms
            and bool(_lower(token.form) & forms)
        )
        for n, token in enumerate(claim)
    )


def scopes(claim: Sequence[Token]) -> list[Token]:
    """Of what the claim's superlatives hold: "world" in "the largest port in the world"."""
    found = []
    for n, token in enumerate(claim):
        if token.form not in _EXACT and not _REGULAR.fullmatch(token.form):
            continue
        stretch = claim[n + 1 : n + 2 + _NEAR]
        at = next((m for m, one in enumerate(stretch, n + 1) if one.form in PREPOSITIONS), None)
        if at is not None and claim[at].form in _WITHIN:
            found += [one for one in claim[at + 1 : at + 3] if one.form not in ARTICLES][:1]
    return found


def _widened(claim: Sequence[Token], n: int, said: Sequence[Token], alike: Alike) -> bool:
    """Whether wherever the superlative stands a word limits it that the claim leaves out."""
    if claim[n].form in _MOST or (claim[n].form not in _EXACT and not _REGULAR.fullmatch(claim[n].form)):
        return False
    after = claim[n + 1].form if n + 1 < len(claim) else ""
    limits = [
        _between(said, at, after, alike) for at, token in enumerate(said) if token.form == claim[n].form
    ]
    return bool(limits) and all(
        any(not any(alike(word.form, one.form) for one in claim) for word in between) for between in limits
    )


def _between(said: Sequence[Token], at: int, after: str, alike: Alike) -> Sequence[Token]:
    """The words between a superlative and what it is of; none where that does not follow it closely."""
    for end in range(at + 1, min(at + 2 + _NEAR, len(said))):
        if said[end].at - said[end - 1].at > 1 or said[end].form in PREPOSITIONS | ARTICLES:
            return ()
        if alike(said[end].form, after):
            return said[at + 1 : end]
    return ()


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
