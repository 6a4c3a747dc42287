"""What was meant, tried or expected is not what happened: "seemed primed to score" says of no goal. Pure.

English, French and Spanish: a word for it, and the verb behind its "to".
"""

from collections.abc import Callable, Sequence

from appliance.answer.clauses import BEING, MARK, Token, listed

_MEANT = listed(
    """
    seem seems seemed appear appears appeared try tries tried trying attempt attempts attempted attempting
    fail fails failed failing plan plans planned planning intend intends intended intending expect expects
    expected expecting want wants wanted wanting wish wishes wished wishing hope hopes hoped hoping aim aims
    aimed aiming seek seeks sought seeking propose proposes proposed threaten threatens threatened offer
    offers offered promise promises promised prepare prepares prepared preparing primed poised about scheduled
    slated supposed unable ready likely unlikely eager keen willing asked invited urged encouraged said
    reported alleged rumoured rumored believed thought claimed claims struggle struggled
    """
)
_MEANT_ABROAD = listed(
    """
    voulait voulut voulu veut tente tenta essaye essaya espere esperait comptait prevoyait pensait faillit
    queria quiso quiere intenta intento trato pretendia esperaba pensaba planeaba
    """
)
_NEXT = listed("about said reported ready likely unlikely")  # of these the "to" follows at once
_INFINITIVES = ("er", "ir", "re", "ar")
_REACH = 4  # words between the word for it and its "to": "wanted his eldest son to become"

Alike = Callable[[str, str], bool]


def only_meant(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim tells as done what the clause only tells as meant, tried, expected or said of."""
    return any(
        not any(alike(one.form, word) for one in claim)
        and any(alike(one.form, said[at].form) for one in claim)
        and not any(alike(other.form, said[at].form) for n, other in enumerate(said) if n != at)
        for word, at in _meant(said)
    )


def _meant(said: Sequence[Token]) -> list[tuple[str, int]]:
    """Each word for it, with the place of what was meant."""
    found = []
    for n, token in enumerate(said):
        at = None
        if token.form in _MEANT:
            at = _behind_to(said, n)
        elif token.form in _MEANT_ABROAD:
            at = next(
                (m for m in range(n + 1, min(n + 3, len(said))) if said[m].form.endswith(_INFINITIVES)), None
            )
        if at is not None:
            found.append((token.form, at))
    return found


def _behind_to(said: Sequence[Token], n: int) -> int | None:
    """The place of the verb behind the first "to"; of "to be opened", that of "opened"."""
    reach = 0 if said[n].form in _NEXT else _REACH
    for to in range(n + 1, min(n + 2 + reach, len(said))):
        if said[to].at - said[to - 1].at >= MARK:
            return None
        if said[to].form == "to":
            return next(
                (
                    m
                    for m in range(to + 1, len(said))
                    if said[m].form not in BEING | {"have", "not"} and not said[m].form.endswith("ly")
                ),
                None,
            )
    return None
