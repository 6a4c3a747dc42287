"""Which of two years a sentence says of an event: "led Norland from 1971 until the fall of the wall in
1989" does not say that the wall fell in 1971. Pure.

A year belongs to the words that stand nearest to it; each mark and each word that begins another part of the
sentence ("and", "until") between them counts as many words.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from appliance.answer.clauses import BEING, JOINING, MARK, PREPOSITIONS, RELATIVE, Token, first_verb, listed
from appliance.answer.dates import MONTHS
from appliance.retrieval.words import LANGUAGES, language

_PARTING = (
    JOINING
    | RELATIVE
    | listed("until till before after since jusqu avant apres hasta antes despues vor nach")
)
_NEAR, _TIMES = listed("this last next"), listed("year season week month summer winter night")
_DAYS = listed("today tonight tomorrow yesterday")
_YEAR = range(1000, 2100)

Alike = Callable[[str, str], bool]


def other_year(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim has one of several years of the sentence, and what it tells stands nearer to
    another."""
    mine = {token.form for token in claim if _is_year(token)}
    years = [at for at, token in enumerate(said) if _is_year(token)]
    if not mine or {said[at].form for at in years} <= mine:
        return False
    told = {
        at
        for at, token in enumerate(said)
        if at not in years and any(alike(token.form, one.form) for one in _predicate(claim))
    }
    nearest = {said[min((_apart(said, at, year), year) for year in years)[1]].form for at in told}
    return bool(nearest) and not nearest & mine


def only_now(claim: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the claim has a time that only whoever asks knows: "this year", of which no passage tells."""
    return not _nows(claim) <= _nows(said)


def _nows(words: Sequence[Token]) -> set[tuple[str, str]]:
    near = {
        (one.form, other.form.removesuffix("s"))
        for one, other in pairwise(words)
        if one.form in _NEAR and other.form.removesuffix("s") in _TIMES
    }
    return near | {(token.form, "") for token in words if token.form in _DAYS}


def _predicate(claim: Sequence[Token]) -> list[Token]:
    """What is told of the claim's subject, or the subject where nothing else is: without dates."""
    shaping = LANGUAGES[language([token.text for token in claim])] | BEING | PREPOSITIONS | MONTHS
    verb = first_verb(tuple(claim)) or 0
    parts = (claim[verb:], claim[:verb])
    found = (
        [one for one in part if one.form not in shaping and not one.form[:1].isdigit()] for part in parts
    )
    return next((part for part in found if part), [])


def _apart(said: Sequence[Token], one: int, other: int) -> int:
    first, last = sorted((one, other))
    marks = sum(said[at + 1].at - said[at].at > 1 for at in range(first, last))
    parting = sum(token.form in _PARTING for token in said[first + 1 : last])
    return last - first + MARK * (marks + parting)


def _is_year(token: Token) -> bool:
    return len(token.form) == 4 and token.form.isdecimal() and int(token.form) in _YEAR
