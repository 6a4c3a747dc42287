"""A deed told by its noun: "until the fall of the Torrin Wall in 1989" says that the wall fell in 1989. Pure.

English, and narrow: the noun is of the claim's verb, an article stands before it and "of" behind it, and the
sentence takes it for granted ("after the fall of", "the fall of … was the"): what was planned, prevented or
called for has not happened.
"""

from collections.abc import Callable, Sequence

from appliance.answer.clauses import ARTICLES, BEING, PREPOSITIONS, Token, first_verb, listed

_GRANTED = listed("after before since until till following during upon despite with")
_TELLING = listed("marked led brought caused ended began meant allowed paved came made left followed")
# "The attack of Rome" is not told as "Rome attacked".
_SUFFERED = listed("attacked invaded conquered defeated captured bombed besieged raided killed elected")
_BETWEEN = 2  # words that may stand between the article and the noun: "the first great fall of"
_LONGEST = 6  # words of a name

Alike = Callable[[str, str], bool]


def told_by_noun(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> tuple[Token, ...]:
    """What the clause tells of the claim's deed as a clause of its own: the name behind "of", the claim's
    verb, and what stands behind the name. () where it does not tell it so."""
    start, end = _deed(claim)
    for n in range(1, len(said) - 2) if start else ():
        if said[n + 1].form != "of" or not alike(said[n].form, claim[end - 1].form):
            continue
        article = next((at for at in range(n - 1, n - 2 - _BETWEEN, -1) if _is_article(said, at)), None)
        name = _phrase(said, n + 2)
        if article is None or not name or name[-1].form not in {one.form for one in claim[:start]}:
            continue
        rest = _together(said, n + 2 + len(name))
        if _granted(said, article, n + 2 + len(name) + len(rest)):
            told = (*name, *claim[start:end], *said[article + 1 : n], *rest)
            return tuple(Token(one.text, one.form, at) for at, one in enumerate(told))
    return ()


def told_of_another(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the clause tells the claim's deed by its noun alone, and of something else: "the fall of the
    wall" where the claim has the country fall."""
    start, end = _deed(claim)
    if not start:
        return False
    places = [n for n, token in enumerate(said) if alike(token.form, claim[end - 1].form)]
    nouns = [n for n in places if said[n + 1 : n + 2] and said[n + 1].form == "of"]
    names = [_phrase(said, n + 2) for n in nouns if any(_is_article(said, n - back) for back in (1, 2))]
    mine = {token.form for token in claim[:start]} - ARTICLES
    return (
        bool(names) and len(names) == len(places) and not any(mine & {t.form for t in name} for name in names)
    )


def _deed(claim: Sequence[Token]) -> tuple[int, int]:
    """Where the verb of the claim begins and ends: "fell", "was opened"; (0, 0) where something is done to
    another thing, or none is known."""
    start = first_verb(tuple(claim)) or 0
    end = start + 1
    if not start:
        return 0, 0
    if claim[start].form in BEING:
        while end < len(claim) and claim[end].form.endswith("ly"):
            end += 1
        end += 1
    elif claim[start].form in _SUFFERED:
        return 0, 0
    ends = end == len(claim) or (end < len(claim) and claim[end].form in PREPOSITIONS)
    return (start, end) if ends else (0, 0)


def _is_article(said: Sequence[Token], at: int) -> bool:
    return at >= 0 and said[at].form in ARTICLES


def _phrase(said: Sequence[Token], start: int) -> tuple[Token, ...]:
    """The name that begins here, with its articles."""
    found: list[Token] = []
    for token in _together(said, start)[:_LONGEST]:
        if token.form in PREPOSITIONS:
            break
        found.append(token)
    return tuple(found)


def _together(said: Sequence[Token], start: int) -> tuple[Token, ...]:
    """The words from here on up to a verb, a mark or a conjunction."""
    verb = first_verb(tuple(said[start:]))
    stretch = said[start:] if verb is None else said[start : start + verb]
    for n in range(1, len(stretch)):
        if stretch[n].at - stretch[n - 1].at > 1:
            return tuple(stretch[:n])
    return tuple(stretch)


def _granted(said: Sequence[Token], article: int, end: int) -> bool:
    """Whether the sentence takes the deed, told from `article` to `end`, for granted."""
    if article:
        return said[article - 1].form in _GRANTED
    behind = [token.form for token in said[end : end + 2]]
    return bool(behind) and (
        behind[0] in _TELLING or (behind[0] in BEING and behind[-1] in ARTICLES and len(behind) > 1)
    )
