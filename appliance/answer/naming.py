"""What a name names: South Australia is not Australia, the Rhine–Herne Canal is not the Rhine, and Hamlet is
"often short for" a longer title. Pure."""

import re
from collections.abc import Callable, Sequence

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


def other_owner(claim: Sequence[Token], said: Sequence[Token], excused: Callable[[str], bool]) -> bool:
    """Whether the clause is about what the claim is about but for a name in front of it: "the British
    colonies" from "the French colonies". `excused`: words that the question said."""
    mine, theirs = claim[: first_verb(tuple(claim)) or 0], said[: first_verb(tuple(said)) or 0]
    forms = {token.form for token in mine}
    if not any(token.form in forms and token.form not in ARTICLES for token in theirs):
        return False
    return any(
        _capital(token) and token.form not in forms and not excused(token.form) for token in theirs[1:]
    )


def also_called(sentence: str, title: str) -> bool:
    """Whether the page's name stands as another name of what the sentence is about: "The Tragedy of Hamlet,
    Prince of Denmark, often shortened to Hamlet, is a tragedy"."""
    return bool(title) and any(
        fold(sentence[found.end() :]).startswith(fold(title)) for found in _ALSO.finditer(sentence)
    )


def _capital(token: Token) -> bool:
    return token.text[:1].isupper()
