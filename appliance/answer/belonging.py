"""Of what a thing is said to be: "the capital of Australia" is not "the capital of the Australian state of
Victoria". Pure.

A bag of words cannot tell the two apart. Where a claim says a thing *of* a name, the evidence must say the
same thing of that name: in the first "of" that follows it, or by a possessive or an adjective in front of it.
English, French and Spanish.
"""

from collections.abc import Callable, Iterator, Sequence

from appliance.answer.clauses import BEING, Token
from appliance.retrieval.words import listed

_OF = listed("of du de des d del della dos da do")
_SMALL = listed("the la le les l el los las")
_ENDS = listed("and et y or ou o in at on en dans sur to with that which who que qui is was est es")
BEFORE = 4  # words in front of a thing in which its owner may stand: "Australia's busy old capital"
LONGEST = 8  # words of what follows an "of"

Alike = Callable[[str, str], bool]


def misplaced(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim says a thing of a name, and the evidence has the thing, but of something else."""
    return any(_elsewhere(thing, name, said, alike) for thing, name in _said_of(claim))


def owners(claim: Sequence[Token]) -> list[Token]:
    """Every word of which a claim says a thing: "water" in "the boiling point of water"."""
    found = []
    for place in range(1, len(claim) - 1):
        if claim[place].form in _OF:
            after = [token for token in claim[place + 1 : place + 4] if token.form not in _SMALL]
            found += after[:1]
    return found


def _said_of(claim: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """(thing, name): "capital", "Australia" in "the capital of Australia"."""
    for place in range(1, len(claim) - 1):
        if claim[place].form not in _OF:
            continue
        after = [token for token in claim[place + 1 : place + 4] if token.form not in _SMALL]
        thing = claim[place - 1]
        if after and after[0].text[:1].isupper() and thing.text[:1].islower():
            yield thing, after[0]


def _elsewhere(thing: Token, name: Token, said: Sequence[Token], alike: Alike) -> bool:
    places = [n for n, token in enumerate(said) if token.form == thing.form or alike(token.form, thing.form)]
    spoken = [_owner(said, place) for place in places]
    owned = [owner for owner in spoken if owner]
    if any(_fronted(said, place, name, alike) for place in places):
        return False
    if not owned:  # "first lady of the United States … as president": the name is another thing's
        return any(other.form == name.form for _, other in _said_of(said))
    return not any(_holds(owner, name, alike) for owner in owned)


def _owner(said: Sequence[Token], place: int) -> list[Token]:
    """What follows the first "of" after a thing, up to the next joining word; [] where there is none."""
    for n in range(place + 1, len(said) - 1):
        if said[n].form in BEING:  # "its capital Tarn is the largest city of Velland"
            return []
        if said[n].form not in _OF:
            continue
        owner: list[Token] = []
        for token in said[n + 1 : n + 1 + LONGEST]:
            if owner and (token.form in _OF or token.form in _ENDS):
                break
            owner.append(token)
        return owner
    return []


def _holds(owner: Sequence[Token], name: Token, alike: Alike) -> bool:
    """Its name, or another form of it that stands alone: "of the English", not "of the English town"."""
    named = [token for token in owner if token.form not in _SMALL]
    return any(token.form == name.form for token in named) or (
        len(named) == 1 and alike(named[0].form, name.form)
    )


def _fronted(said: Sequence[Token], place: int, name: Token, alike: Alike) -> bool:
    """Whether the name stands before the thing: "Australia's capital", "the French capital"."""
    before = said[max(0, place - BEFORE) : place]
    return any(token.form == name.form or alike(token.form, name.form) for token in before)
