"""Who did what to a thing: whoever published a song did not write it, and to speak of waves is not to
discover them. Pure."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile

from appliance.answer.clauses import (
    ARTICLES,
    BEING,
    HELPING,
    JOINING,
    PREPOSITIONS,
    Clause,
    Token,
    first_verb,
    listed,
)
from appliance.answer.inflected import plain
from appliance.retrieval.words import LANGUAGES

# Who wrote a thing did not publish it.
_DEEDS = {
    form: deed
    for deed, forms in {
        "write": "wrote written writes write author authored penned ecrit ecrite ecrivit escribio "
        "escrito escrita",
        "publish": "published publishes publisher publie publiee publico publicado publicada",
        "compose": "composed composes composer compose compositeur compuso compuesto compositor",
        "direct": "directed directs director realise realisateur dirigio dirigida dirigido",
        "produce": "produced produces producer produit producteur produjo producido producida",
        "sing": "sang sung sings singer performed chante chanteur canto cantada cantante",
        "paint": "painted paints painter painting paintings peint peinte peintre pinto pintado pintada",
        "design": "designed designs designer architect concu dessine diseno disenado disenada",
        "build": "built builds builder construit construite construyo construido construida",
        "invent": "invented invents inventor invente inventa inventado",
        "discover": "discovered discovers discoverer discovery decouvert decouverte descubrio descubierto",
        "found": "founded founds founder established fonde fondee fundo fundado fundada fundador",
        "play": "played plays portrayed portrays stars starred starring joue jouee interprete interpreto",
    }.items()
    for form in forms.split()
}
_LIGHT = listed("take took taken takes called named known considered")  # "took place", "is considered to be"
# Verbs to everybody but `first_verb`, which knows what is surely one.
_PRESENT = listed(
    """
    come comes go goes mean grow grows eat eats need needs belong belongs give gives sell sells buy
    buys teach teaches wear wears send sends drink drinks swim swims bring brings keep keeps lose
    loses win wins write writes sing sings build builds speak speaks own owns pay pays serve serves
    allow allows require requires prevent prevents provide provides create creates protect protects
    cover covers receive receives consist consists
    """
)
# What may be said for one another of whatever is told.
_SAME = (
    listed("make made makes produce produced produces create created creates manufactured manufactures"),
    listed("take held hold holds host hosted hosts happen happened happens occur occurred occurs"),
    listed("begin began begun start started launched opened"),
    listed("live lives lived inhabit inhabits inhabited found"),
    listed("write wrote written writes author authored penned"),
    listed("play played plays portrayed portrays starred stars starring"),
)
_BY = listed("by par por von")
_NAMES = 8  # words behind a "by" in which those who did it are named
_OF = listed("of de du des d del")
_SHAPING = frozenset().union(*LANGUAGES.values())
_ENDING = _SHAPING - (JOINING | ARTICLES | _OF)  # words at which the names of those who did it end
_BESIDE = PREPOSITIONS - _BY - _OF  # when and where, not who
# A play "of" somebody is written by them; nothing is discovered or invented without a word for it.
_SAID = {
    "discover": listed(
        "find found finds identified isolated detected observed first trouve identifie hallo identifico"
    ),
    "invent": listed("developed created devised patented introduced cree developpe brevete creo desarrollo"),
}


def untold(claim: Clause, held: Callable[[str], bool]) -> bool:
    """Whether what the claim tells is told by no verb of the clause, nor by one that means the same: the
    question's verb is not the passage's. `held`: whether the clause has a word, in any form."""
    present = [token.form for token in claim.words if token.form in _PRESENT]
    return not all(form in _LIGHT or _told(form, held) for form in [*present, *_verb(claim.words)])


def _told(verb: str, held: Callable[[str], bool]) -> bool:
    same = [*_SAID.get(_deed_of(verb), ()), *(other for words in _SAME if verb in words for other in words)]
    return any(map(held, [verb, *same]))


def _verb(words: Sequence[Token]) -> list[str]:
    """ "Built" of "had been built" and "was mostly built"; none of "is a mill", or where it is unsure."""
    start = first_verb(tuple(words))
    if start is None:
        return []
    helping = [*takewhile(lambda one: one.form in HELPING or one.form.endswith("ly"), words[start:])]
    verb = words[start + len(helping) : start + len(helping) + 1]
    if not verb or (helping and not verb[0].form.endswith("ed") and first_verb(tuple(verb)) is None):
        return []
    return [verb[0].form]


def other_deed(claim: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the claim tells a deed and the clause another one, or none where one must be told. Where the
    claim tells who did it, what was done at a time and by nobody ("published in 1862") is no other deed."""
    mine = _deeds(claim)
    theirs = _deeds(said) - (set() if _timed(claim) else _timed(said))
    if mine and theirs:
        return not mine & theirs
    forms = {token.form for token in said}
    return any(not forms & _SAID[deed] for deed in mine if deed in _SAID)


def other_doer(claim: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the clause names who did a deed ("sung by Mara Blay"), and the claim has another do it."""
    named = dict(_by(said))
    mine = dict(_by(claim))
    for n, one in enumerate(claim):
        deed = _deed(one)
        before = {token.form for token in claim[:n] if token.text[:1].isupper()} - _SHAPING
        doers = mine.get(deed, before)
        if deed in named and doers and named[deed] and not doers & named[deed]:
            return deed in mine or not any(token.form in BEING for token in claim[:n])
    return False


def _by(words: Sequence[Token]) -> Iterator[tuple[str, set[str]]]:
    """Deeds with the names behind their "by"."""
    for n, (one, other) in enumerate(pairwise(words)):
        if other.form in _BY and (deed := _deed(one)):
            yield deed, _names(words[n + 2 : n + 2 + _NAMES])


def _names(words: Sequence[Token]) -> set[str]:
    """The first names of a stretch, those that "and" joins to them, and those behind what they are: "the
    English author Mary Shelley"."""
    found: set[str] = set()
    for token in words:
        if token.text[:1].isupper():
            found.add(token.form)
        elif found and token.form in _ENDING:
            break
    return found


def _deeds(words: Sequence[Token]) -> set[str]:
    return {deed for one in words if (deed := _deed(one))}


def _deed(word: Token) -> str:
    return _deed_of(word.form)


def _deed_of(form: str) -> str:
    """ "Written" and "writing" are of one deed; a "play" and a "building" are things."""
    if form.endswith("ing") and form != "building":
        return next((one for one in sorted(plain(form)) if one in _DEEDS.values()), "")
    return _DEEDS.get(form, "")


def _timed(words: Sequence[Token]) -> set[str]:
    """Deeds behind which a time or a place stands."""
    return {
        _DEEDS[one.form] for one, other in pairwise(words) if one.form in _DEEDS and other.form in _BESIDE
    }
