"""What a name names: South Australia is not Australia, the Rhine–Herne Canal is not the Rhine, and Hamlet is
"often short for" a longer title. Pure."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from appliance.answer.clauses import ARTICLES, PREPOSITIONS, Token, first_verb, listed
from appliance.retrieval.words import fold

_SIDES = listed(
    """
    north south east west northern southern eastern western northeast northwest southeast southwest
    northeastern northwestern southeastern southwestern new upper lower inner outer nord sud ouest nouvelle
    nouveau norte sur oeste nueva nuevo
    """
)
# What makes another thing of a name. A river, a mountain or a state is not among them: "Everest" will do.
_KINDS = listed(
    """
    canal bridge tunnel dam tower railway line highway street road park station airport war battle siege
    treaty edict act party university college school institute museum library hospital church cathedral
    company corporation club team league cup championship prize award medal festival program programme project
    mission bank theatre theater stadium foundation society revolution crisis pont tour guerre bataille traite
    universite ecole musee hopital eglise prix puente torre guerra batalla tratado universidad escuela museo
    iglesia premio
    """
)
_LONGEST_NAME = 5  # words
_NEXT = 3  # words from a kind in which the name stands that it belongs to
_ALSO = re.compile(
    r"\b(?:called|named|known as|shortened to|abbreviated (?:to|as)|simply|appelée?s?|dite?|connue?s? comme"
    r"|connue?s? sous le nom de|simplemente|conocid[oa]s? como|llamad[oa]s?|genannt) (?:the |la |le |el |l')?"
)
Alike = Callable[[str, str], bool]


def other_side(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim leaves out the side: "the capital of Australia" from "the capital of South
    Australia". Where the name stands more than once, those count that follow the same word."""
    linking = PREPOSITIONS | ARTICLES
    for place, token in enumerate(claim):
        if not _capital(token) or not place or claim[place - 1].form in _SIDES:
            continue
        lead = next((one.form for one in claim[place - 1 :: -1] if one.form not in linking), "")
        at = [n for n, other in enumerate(said) if other.form == token.form]
        starts = [n for n, other in enumerate(said) if lead and alike(other.form, lead)]
        after = [min(later) for start in starts if (later := [n for n in at if n > start])]
        named = after or at
        if named and all(n and said[n - 1].form in _SIDES and _capital(said[n - 1]) for n in named):
            return True
    return False


def other_kind(about: Sequence[Token], claim: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the claim is `about` a name to which its clause adds what kind of thing it is, and the claim
    does not: "the Rhine is 45 km long" from "the Rhine–Herne Canal is 45 km long"."""
    spoken_of = said[: first_verb(tuple(said)) or 0]
    forms, names = {token.form for token in claim}, {token.form for token in about if _capital(token)}
    return any(
        token.form in _KINDS
        and _capital(token)
        and token.form not in forms
        and names & {one.form for one in spoken_of[max(0, n - _NEXT) : n + _NEXT + 1]}
        for n, token in enumerate(spoken_of)
    )


def other_owner(claim: Sequence[Token], said: Sequence[Token], around: Sequence[Token], alike: Alike) -> bool:
    """Whether the clause is about what the claim is about but for the name in front of it: "the British
    colonies" from "the French colonies". `around`: names that both may go by."""
    mine, theirs = (words[: first_verb(tuple(words)) or 0] for words in (claim, said))
    forms, their_forms, known = ({token.form for token in words} for words in (mine, theirs, around))
    known |= forms & their_forms
    fronts = [
        (mine[n - 1].form, theirs[m - 1].form)
        for n in range(1, len(mine))
        for m in range(1, len(theirs))
        if mine[n].form == theirs[m].form
        and _fronting(mine, n)
        and _fronting(theirs, m)
        and not (
            mine[n - 1].form == theirs[m - 1].form and _fronting(mine, n - 1) and _fronting(theirs, m - 1)
        )
    ]
    others = [not (alike(*front) or front[0] in known or front[1] in known) for front in fronts]
    return bool(others) and all(others)


def _fronting(words: Sequence[Token], n: int) -> bool:
    """Whether a name stands right in front of word `n`."""
    before = words[n - 1]
    return n > 0 and _capital(before) and before.form not in ARTICLES and words[n].at - before.at == 1


def narrower(
    about: Sequence[Token],
    claim: Sequence[Token],
    said: Sequence[Token],
    known: Callable[[str], bool],
    alike: Alike,
) -> bool:
    """Whether the clause is about one kind of what the claim is `about`: "the Velland penguin" where the
    claim has "penguins". `known`: names that stand in the question, the title or the claim."""
    spoken_of = said[: first_verb(tuple(said)) or len(said)]
    definite = {claim[n].form for n in range(1, len(claim)) if claim[n - 1].form in ARTICLES}
    for thing in about:
        if not thing.form.endswith("s") or thing.form in definite:
            continue
        places = [
            n for n, token in enumerate(spoken_of) if alike(token.form, thing.form) and not _capital(token)
        ]
        kinds = [spoken_of[n - 1] for n in places if n > 1 and spoken_of[n].at - spoken_of[n - 1].at == 1]
        if kinds and len(kinds) == len(places):
            return all(_capital(kind) and not known(kind.text) for kind in kinds)
    return False


def joined(claim: Sequence[Token], parts: Sequence[Sequence[Token]]) -> bool:
    """Whether the claim makes one name of two: "Thomas Crane" from "Thomas Marrow" and "Mrs Crane". `parts`:
    the sentences of the evidence, its titles and the question."""
    return any(
        not any(_stands(first.form, second.form, part) for part in parts)
        and any(_goes_on(first.form, part, 1) for part in parts)
        and any(_goes_on(second.form, part, -1) for part in parts)
        for first, second in pairwise(claim)
        if _capital(first) and _capital(second) and second.at - first.at == 1
    )


def _stands(first: str, second: str, part: Sequence[Token]) -> bool:
    """Whether the two stand in this order in one name: "Erich Ernst Paul Honecker"."""
    for n, token in enumerate(part):
        if token.form != first:
            continue
        for before, other in pairwise(part[n : n + _LONGEST_NAME]):
            if other.at - before.at > 1 or not (_capital(other) or other.form in PREPOSITIONS | ARTICLES):
                break
            if other.form == second:
                return True
    return False


def _goes_on(name: str, part: Sequence[Token], way: int) -> bool:
    """Whether the name stands there with another name right after it (`way` 1) or before it (-1)."""
    beside = ((n, n + way) for n, token in enumerate(part) if token.form == name and _capital(token))
    return any(
        0 <= other < len(part)
        and abs(part[other].at - part[n].at) == 1
        and _capital(part[other])
        and part[other].form not in ARTICLES | PREPOSITIONS
        for n, other in beside
    )


def also_called(sentence: str, title: str) -> bool:
    """Whether the page's name stands as another name of what the sentence is about: "The Tragedy of Hamlet,
    Prince of Denmark, often shortened to Hamlet, is a tragedy"."""
    return bool(title) and any(
        fold(sentence[found.end() :]).startswith(fold(title)) for found in _ALSO.finditer(sentence)
    )


def _capital(token: Token) -> bool:
    return token.text[:1].isupper()
