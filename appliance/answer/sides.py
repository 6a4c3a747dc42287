"""South Australia is not Australia. Pure."""

from collections.abc import Sequence

from appliance.answer.forms import alike
from appliance.answer.lexicon import ARTICLES, PREPOSITIONS, Token, listed

_SIDES = listed(
    """
    north south east west northern southern eastern western northeast northwest southeast southwest
    northeastern northwestern southeastern southwestern new upper lower inner outer nord sud ouest nouvelle
    nouveau norte sur oeste nueva nuevo
    """
)


def other_side(asked: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether what was said has a side where the question has none: "the capital of Australia" is not "the
    capital of South Australia". Where the name stands more than once, those count that follow the same
    word."""
    linking = PREPOSITIONS | ARTICLES
    for place, token in enumerate(asked):
        if not _capital(token) or not place or asked[place - 1].form in _SIDES:
            continue
        lead = next((one.form for one in asked[place - 1 :: -1] if one.form not in linking), "")
        at = [n for n, other in enumerate(said) if other.form == token.form]
        starts = [n for n, other in enumerate(said) if lead and alike(other.form, lead)]
        after = [min(later) for start in starts if (later := [n for n in at if n > start])]
        named = after or at
        if named and all(n and said[n - 1].form in _SIDES and _capital(said[n - 1]) for n in named):
            return True
    return False


def _capital(token: Token) -> bool:
    return token.text[:1].isupper()
