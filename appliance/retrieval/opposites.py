"""Words whose opposite says another thing: "largest" is not met by "smallest", "first" not by "second". Pure.

What a question says of this kind must stand in the sentence that answers it, or a word for the same; where
the sentence has only the other side instead, it speaks of something else. English, and the commonest of
French and Spanish.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.retrieval.words import fold, listed, words

# One line for each scale, its sides parted by "|"; each side contradicts all others of its line.
_SCALES = """
largest biggest greatest bigger larger most main grande mayor | smallest littlest smaller least minor
highest tallest higher taller | lowest shortest lower shorter
longest longer | shortest shorter
oldest older earliest eldest | newest newer youngest younger latest
best better mejor meilleur meilleure | worst worse peor pire
fastest faster quickest | slowest slower
hottest warmest hotter warmer | coldest coolest colder cooler
richest wealthiest richer | poorest poorer
heaviest heavier | lightest lighter
deepest deeper | shallowest shallower
nearest closest closer | farthest furthest
most more plus mas | least fewest fewer less moins menos
maximum maximal | minimum minimal
north northern nord norte northernmost | south southern sud sur southernmost
east eastern easternmost | west western ouest oeste westernmost
increase increased increases increasing rise rose rises risen rising grow grew grows grown growth
    raise raised gain gained | decrease decreased decreases decreasing fall fell falls fallen falling
    decline declined declines drop dropped reduce reduced reduces reduction lose lost shrink shrank
cause caused causes causing trigger produce | prevent prevented prevents preventing avoid protect
before prior previous precede preceded avant antes | after following later subsequent succeeded apres
    despues
begin began begins beginning begun start started starts founded established opened launched debuted
    commence | end ended ends ending finish finished closed dissolved ceased abolished disbanded
    concluded
born birth nacio nacimiento naissance | died die dies death killed mort morte murio muerte deceased
win won wins winner victory defeated beat champion champions | lose lost loses loser defeat runner
import imported imports | export exported exports
above over exceed | below under beneath
inside within indoor | outside outdoor
legal lawful legalized allowed permitted | illegal unlawful banned forbidden prohibited outlawed
male man men boy boys king father son brother husband actor | female woman women girl girls queen
    mother daughter sister wife actress
advantage advantages benefit benefits strength | disadvantage disadvantages drawback drawbacks
    weakness
first 1st premier premiere primero primera primer original inaugural initial earliest | second 2nd |
    third 3rd | fourth 4th | fifth 5th | sixth 6th | seventh 7th | eighth 8th | ninth 9th | tenth 10th
    | last final latest dernier derniere ultimo ultima
only sole | multiple several
true correct | false incorrect
"""
_NOT = listed(
    """
    not never no none without except nor cannot isn aren wasn weren doesn don didn hasn haven ne
    jamais sans sauf nunca sin excepto ni unable fail failed fails lack lacks lacked refuse refused other
    rather instead neither exclude excluded excluding exclusive non few little rarely seldom hardly lost
    lose avoid forbidden stop
    """
)
_ASKED_NOT = listed(
    """
    not never without except isn aren wasn weren doesn don didn hasn haven
    """
)


_ORDINALS = listed(
    "second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th 6th 7th 8th 9th 10th"
)
_LIKE_SUPERLATIVES = listed("west northwest southwest")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question says that has an opposite: the word, its equals and its opposites."""

    word: str
    equals: frozenset[str]
    opposites: frozenset[str]


def _table() -> dict[str, tuple[Asked, ...]]:
    found: dict[str, list[Asked]] = {}
    for line in _SCALES.replace("\n    ", " ").strip().splitlines():
        sides = [frozenset(side.split()) for side in line.split("|")]
        for side in sides:
            others = frozenset().union(*(other for other in sides if other is not side)) - side
            for word in side:
                found.setdefault(word, []).append(Asked(word, side, others))
    return {word: tuple(several) for word, several in found.items()}


_BY_WORD = _table()


def asked(question: str) -> tuple[Asked, ...]:
    """Those of a question, in order, each once; for a negation `equals` are negations."""
    forms = [fold(word) for word in words(question)]
    found = [several for form in dict.fromkeys(forms) for several in _BY_WORD.get(form, ())]
    if _ASKED_NOT & set(forms):
        found.append(Asked("not", _NOT, frozenset()))
    return tuple(found)


def met(wanted: Iterable[Asked], text: str) -> float:
    """1 when a text has all of them or equals of them (or nothing is asked), 0 when it has an opposite of one
    instead, .5 when it is silent on one."""
    forms = {fold(word) for word in words(text)}
    scores = [1.0 if one.equals & forms else 0.0 if one.opposites & forms else 0.5 for one in wanted]
    return min(scores, default=1.0)


def falls_short(question: str, text: str) -> bool:
    """Whether a text has of what is asked for in the highest degree only the next one ("the second largest")
    or the other end ("the smallest")."""
    wanted, found = [fold(word) for word in words(question)], [fold(word) for word in words(text)]
    return any(_next_or_other(word, found) for word in _highest(wanted))


def _highest(forms: Sequence[str]) -> list[str]:
    """The superlatives among the words; of "the second largest" it is not asked for the largest."""
    return [
        word
        for before, word in pairwise(["", *forms])
        if _is_superlative(word) and word in _BY_WORD and before not in _ORDINALS
    ]


def _next_or_other(word: str, forms: Sequence[str]) -> bool:
    equals = {form for one in _BY_WORD[word] for form in one.equals}
    others = {form for one in _BY_WORD[word] for form in one.opposites}
    before = [one for one, form in pairwise(["", *forms]) if form in equals and _is_superlative(form)]
    if before:
        return all(one in _ORDINALS for one in before)
    return not equals & set(forms) and any(form in others and _is_superlative(form) for form in forms)


def _is_superlative(form: str) -> bool:
    return (form.endswith("est") and form not in _LIKE_SUPERLATIVES) or form in ("most", "least")
