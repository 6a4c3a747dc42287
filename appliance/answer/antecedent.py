"""To what a clause or an apposition belongs: the phrase before it. In "make sugar by photosynthesis, a
process that needs light" the process is photosynthesis, not sugar. Pure.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from appliance.answer.clauses import ARTICLES, BEING, MARK, PREPOSITIONS, Clause, Token, first_verb, listed

_WHO = listed("who that qui")
_OF = listed("of de du des d del")
_BY = listed("by as par comme")
_TO_SOMEBODY = listed("to with from for against than like")
# "Penguins are a group of birds which": the birds are the penguins.
_KINDS = listed(
    """
    group kind type sort form class family genus species order breed member one some range set series groupe
    espece famille genre sorte grupo especie familia genero tipo
    """
)
_PRONOUNS = listed("he she it they il elle ils elles el ella")

Alike = Callable[[str, str], bool]


def antecedent(clause: Clause) -> tuple[tuple[Token, ...], bool]:
    """The phrase before a relative clause, which that is about, and whether it is about nothing else:
    "Norland" in "the last king of Norland, which", "Emil" in "Ada met Emil, who"; () where none is found."""
    before = clause.subject
    last = max((n for n, token in enumerate(before) if _governs(token, clause.relative)), default=None)
    if last is None or clause.relative not in _WHO | {"which"}:
        return (), False
    phrase = before[last + 1 :]
    parted = any(token.at - before[last + n].at >= MARK for n, token in enumerate(phrase) if n)
    governing = before[last].form
    kind = governing in _OF and last > 0 and before[last - 1].form in _KINDS
    if parted or kind or governing in BEING | _BY or first_verb(phrase) is not None:
        return (), False
    if clause.relative == "which":
        return (phrase, True) if governing in PREPOSITIONS else ((), False)
    is_one = any(  # "Ada was a painter from Melden who"
        token.form in BEING and after.form in ARTICLES for token, after in pairwise(before[:last])
    )
    alone = clause.relative == "who" and not is_one and governing not in PREPOSITIONS - _TO_SOMEBODY
    return phrase, alone


def _governs(token: Token, relative: str) -> bool:
    """Whether the phrase behind this word may be what a relative clause is about."""
    if token.form in PREPOSITIONS:
        return relative == "which" or token.form not in _OF  # "the brother of Ada, who": either of the two
    return relative == "who" and first_verb((token,)) is not None


def of_before(claim: Clause, said: Clause, alike: Alike) -> bool:
    """Whether only the clause before a relative one tells what the claim tells: whom Ada met is not told by
    "Ada met Emil in Melden, where the mill was sold to Ida"."""
    verb = first_verb(claim.words)
    if not said.relative or verb is None or claim.words[verb].form in BEING:
        return False
    own, before = (
        [alike(one.form, claim.words[verb].form) for one in words] for words in (said.words, said.subject)
    )
    return any(before) and not any(own)


def of_another(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim says that a thing is what stands in the clause beside another thing. For claims of
    what something is, held against a clause that tells something else."""
    verb = first_verb(tuple(claim)) or 0
    kind = _kind(claim[verb + 1 :])
    mine = [token for token in claim[:verb] if token.form not in ARTICLES | PREPOSITIONS]
    places = [n for n, token in enumerate(said) if kind and alike(token.form, kind.form)]
    beside = [_before(said, n) for n in places]
    return bool(mine and beside) and all(
        phrase and not any(alike(one.form, other.form) for one in mine for other in phrase)
        for phrase in beside
    )


def _kind(words: Sequence[Token]) -> Token | None:
    """What it is said to be: "process" in "a process that needs light"."""
    verb = first_verb(tuple(words))
    found: Token | None = None
    for n, token in enumerate(words[:verb]):
        if token.form in PREPOSITIONS or (n and token.at - words[n - 1].at > 1):
            break
        found = token
    return found


def _before(said: Sequence[Token], n: int) -> tuple[Token, ...]:
    """The phrase to which the one with word `n` is set, behind a mark; () where it is set to none, or to a
    pronoun."""
    start = n
    while start and said[start].at - said[start - 1].at == 1 and said[start - 1].form not in PREPOSITIONS:
        start -= 1
    if not start or said[start].form not in ARTICLES or said[start].at - said[start - 1].at < MARK:
        return ()
    end, start = start, start - 1
    while start and said[start].at - said[start - 1].at < MARK and not _ends(said[start - 1]):
        start -= 1
    phrase = said[start:end]
    return () if any(token.form in _PRONOUNS for token in phrase) else tuple(phrase)


def _ends(token: Token) -> bool:
    return (token.form in PREPOSITIONS and token.form not in _OF) or first_verb((token,)) is not None
