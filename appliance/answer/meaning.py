"""Whether two clauses that share their words say the same thing, or one turns what the other says. Pure.

Most invented sentences of a small model are made of the right words: a "not" is lost, "second largest"
becomes "largest", "until 1945" becomes "in 1945", whoever was defeated becomes the one who won. Each rule
here is about one such turn. They err towards "turned": a sentence that is struck costs less than one that
is wrong.
"""

import re
from collections.abc import Callable, Sequence

from appliance.answer.clauses import (
    ARTICLES,
    BEING,
    CALLED,
    MARK,
    PREPOSITIONS,
    SVO,
    Clause,
    Token,
    first_verb,
    listed,
)
from appliance.answer.deeds import other_deed, other_doer
from appliance.answer.event_years import only_now, other_year
from appliance.answer.intended import only_meant
from appliance.answer.naming import other_side
from appliance.retrieval.words import LANGUAGES

_NOT = listed(
    """
    not no never none nor neither nobody nothing nowhere without cannot lacks failed refused ne pas jamais
    aucun aucune sans ni nunca jamas sin ningun ninguna ninguno tampoco nicht kein keine keinen keiner nie
    niemals ohne weder
    """
)
_NOT_ONLY = re.compile(
    r"\b(?:not|non|no|nicht) (?:only|just|merely|seulement|solo|solamente|nur)\b", re.IGNORECASE
)
# A claim that leaves one of these out says more than its source.
_HEDGES = listed(
    """
    may might could possibly probably perhaps maybe allegedly reportedly supposedly presumably rumoured
    rumored seemed seems nearly tried likely
    proposed planned attempted believed thought claimed suspected estimated peut peutetre
    probablement pourrait podria quizas probablemente supuestamente wahrscheinlich vielleicht vermutlich
    angeblich
    """
)
# Whoever says one of these must have it from the passage itself: the others of its kind mean something else.
DECISIVE = listed(
    """
    north south east west northern southern eastern western northeast northwest southeast southwest raise
    raises raised lowers lowered increase increased increases decrease decreased decreases rise rose risen
    rises fall fell fallen falls grew grown shrank before after until since first last earliest latest next
    previous former largest smallest biggest greatest highest lowest longest shortest oldest youngest newest
    tallest deepest heaviest lightest fastest slowest hottest coldest richest poorest best worst most least
    fewest larger smaller bigger higher lower longer shorter older younger newer taller deeper heavier
    lighter faster slower hotter colder more less fewer better worse won lost win lose wins loses victory
    defeat defeated beat born died birth death began begin begins ended ends end start started opened closed
    open close founded dissolved entered left joined married divorced above below over under upper inside
    outside maximum minimum male female men women man woman boys girls husband wife father mother son
    daughter brother sister parent child king queen only all always every legal illegal safe unsafe
    dangerous allowed forbidden banned import imports export exports buy bought sell sold attack attacked
    defend defended mayor minor capital nord sud est ouest premier premiere dernier derniere avant apres
    plus moins grand grande petit petite ne nee mort morte augmente diminue norte sur este oeste primero
    primera ultimo ultima antes despues mas menos menor nacio murio aumento disminuyo
    """
) - listed(
    """
    sur est ne son mayor minor
    """
)  # these mean other things in another of the languages
_RANKS = listed(
    """
    second third fourth fifth sixth seventh eighth ninth tenth two three one deuxieme troisieme quatrieme
    segundo segunda tercero tercera cuarto zweite zweiter dritte 2nd 3rd 4th 5th
    """
)
_BOUNDS = listed(
    """
    before after until till since under below less fewer than over more above least most up exceeding beyond
    avant apres jusqu depuis moins plus antes despues hasta desde menos mas vor nach bis seit unter mehr
    """
)
_SUPERLATIVE = re.compile(r"[a-z]{2,}est|most|least|best|worst|first|last|only")
_DIRECTED = listed(
    """
    from to into than over against before after until since de desde hasta a von nach bis
    """
)
_PASSIVE = listed("is are was were be been being")
_NOW = listed("is are est sont es esta estan ist sind")
_TOGETHER = listed("total together altogether combined overall ensemble juntos juntas")
_ONE_OF = listed("a an un una une ein eine")
_ONCE = listed("was were etait etaient fut furent era eran fue fueron war waren")
Alike = Callable[[str, str], bool]


def turned(claim: Clause, said: Clause, alike: Alike) -> str:
    """What turns the claim against what was said: "" when nothing does. `alike` tells two forms of a word."""
    if found := _differs(claim, said, alike):
        return found
    return "role" if _other_roles(claim, said, alike) or _undone(claim, said, alike) else ""


def _differs(claim: Clause, said: Clause, alike: Alike) -> str:
    """The same without who does what to whom."""
    if _denies(claim) != _denies(said):
        return "negation"
    if (_hedges(said) and not _hedges(claim)) or only_meant(claim.whole, said.whole, alike):
        return "hedge"
    if copular(claim) and copular(said) and _verb(claim) in _NOW and _verb(said) in _ONCE:
        return "tense"
    if _of_one(claim, said, alike) or _of_all(claim, said):
        return "kind"
    if _unqualified(claim.whole, said.whole, alike):
        return "qualifier"
    if other_deed(claim.whole, said.whole) or other_doer(claim.whole, said.whole):
        return "deed"
    if other_side(claim.whole, said.whole, alike):
        return "name"
    if other_year(claim.whole, said.whole, alike) or only_now(claim.whole, said.whole):
        return "year"
    return ""


def decisive(words: Sequence[Token]) -> list[str]:
    """The words of a claim that no other word may stand in for."""
    return [token.form for token in words if token.form in DECISIVE]


def _denies(clause: Clause) -> bool:
    forms = (token.form for token in clause.words if token.text.casefold() not in ("né", "nés"))  # born
    text = _NOT_ONLY.sub(" ", " ".join(forms))
    return any(word in _NOT for word in text.split())


def _hedges(clause: Clause) -> bool:
    forms = [token.form if token.text != "May" else "" for token in clause.words]  # the month
    return any(form in _HEDGES and (n == 0 or forms[n - 1] != "in") for n, form in enumerate(forms))


def _unqualified(claim: Sequence[Token], said: Sequence[Token], alike: Alike) -> bool:
    """Whether the claim keeps a superlative or a number and drops what limits it just before."""
    for place, token in enumerate(claim):
        number = token.form[:1].isdigit()
        if not number and not _SUPERLATIVE.fullmatch(token.form):
            continue
        limits = _BOUNDS if number else _RANKS
        mine = _just_before(claim, place, limits)
        theirs = [
            _just_before(said, at, limits)
            for at, other in enumerate(said)
            if other.form == token.form or (not number and alike(other.form, token.form))
        ]
        if theirs and mine not in theirs:
            return True
    return False


def _of_one(claim: Clause, said: Clause, alike: Alike) -> bool:
    """Whether the claim tells of a kind what was told of one of it: "a volcano is an active shield" from "it
    is a volcano, an active shield"."""
    if not (copular(claim) and copular(said)) or any(token.form in CALLED for token in claim.whole):
        return False
    subject, told = (clause.whole[: first_verb(clause.whole) or 0] for clause in (claim, said))
    if not subject or subject[0].form not in _ONE_OF:
        return False
    kind, after = subject[-1].form, said.whole[len(told) :]
    of_it = any(
        alike(token.form, kind) and after[n - 1].form in _ONE_OF for n, token in enumerate(after) if n
    )
    return of_it and not any(alike(token.form, kind) for token in told)


def _of_all(claim: Clause, said: Clause) -> bool:
    """Whether the claim says of one what all have together: "the lake covers" from "lakes in total cover"."""
    forms = {token.form for token in said.whole}
    if not forms & _TOGETHER or {token.form for token in claim.whole} & _TOGETHER:
        return False
    return any(f"{one.form}s" in forms and one.form not in forms for one in head(claim))


def _just_before(words: Sequence[Token], place: int, limits: frozenset[str]) -> frozenset[str]:
    return frozenset(token.form for token in words[max(0, place - 3) : place]) & limits


def _other_roles(claim: Clause, said: Clause, alike: Alike) -> bool:
    """Whether two things that both clauses name have changed places around the verb."""
    mine, theirs = _roles(claim), _roles(said)
    shared: list[tuple[tuple[int, str, bool], tuple[int, str, bool]]] = []
    for form, role in mine.items():
        named = [form] if form in theirs else [name for name in theirs if alike(name, form)]
        same = [theirs[name] for name in named]
        if not same:
            continue
        if not any(_compatible(role[1], other[1]) for other in same):
            return True
        shared.append((role, same[0]))
    named_only = len(mine) < SVO and first_verb(claim.whole) is None
    if named_only or (copular(claim) and copular(said)):
        return False
    for (at, governed, before), (place, their, _) in shared:
        for (later, other, after), (there, others, _) in shared:
            if not (before and not after and at < later):
                continue
            if governed or their not in ("", "by") or other not in ("", "by") or others not in ("", "by"):
                continue
            doer = other == "by"
            their_doer = others == "by" or (their != "by" and place > there)
            if doer != their_doer:
                return True
    return False


def _undone(claim: Clause, said: Clause, alike: Alike) -> bool:
    """Whether the claim says who did what was only done: "Ada sold the mill" from "the mill was sold"."""
    words, verb = claim.whole, first_verb(claim.whole)
    if not verb or words[verb].form in BEING or verb + 1 == len(words):
        return False
    if words[verb + 1].form in PREPOSITIONS:
        return False
    told = [n for n, token in enumerate(said.whole) if alike(token.form, words[verb].form)]
    if not told or not all(n and said.whole[n - 1].form in _PASSIVE for n in told):
        return False
    doers = {form for form, (_, governed, _) in _roles(said).items() if governed == "by"}
    mine = {token.form for token in head(claim)}
    return bool(mine) and not mine & doers


def _compatible(one: str, other: str) -> bool:
    if "than" in (one, other) or "over" in (one, other) or "against" in (one, other):
        return one == other
    return not (one in _DIRECTED and other in _DIRECTED) or one == other


def _roles(clause: Clause) -> dict[str, tuple[int, str, bool]]:
    """For each word that carries meaning: its place, the preposition it depends on, whether it stands before
    the verb."""
    words = clause.whole
    verb = first_verb(words)
    found: dict[str, tuple[int, str, bool]] = {}
    governed, filled = "", False
    for n, token in enumerate(words):
        form = token.form
        form = "by" if form in ("par", "por", "von") else form
        if form in PREPOSITIONS:
            governed, filled = form, False
            continue
        if n and token.at - words[n - 1].at >= MARK:
            governed = ""
        if n == verb or form in BEING or (filled and form in ARTICLES):
            governed = ""
        elif not any(token.form in words_of for words_of in LANGUAGES.values()):
            found.setdefault(form, (n, governed, not found if verb is None else n < verb))
            filled = True
    return found


def head(clause: Clause) -> list[Token]:
    """What a clause is about: the words before its verb that depend on no preposition."""
    return [clause.whole[at] for at, governed, before in _roles(clause).values() if before and not governed]


def opening(clause: Clause) -> tuple[Token, ...]:
    """The words before its verb, with what depends on them; all of them where none is known."""
    return clause.whole[: first_verb(clause.whole)]


def core(clause: Clause) -> list[Token]:
    """The words that depend on no preposition but "by"."""
    return [clause.whole[at] for at, governed, _ in _roles(clause).values() if governed in ("", "by")]


def _verb(clause: Clause) -> str:
    at = first_verb(clause.whole)
    return "" if at is None else clause.whole[at].form


def copular(clause: Clause) -> bool:
    """Whether it says what something is, so that both sides may change places."""
    words = clause.whole
    verb = first_verb(words)
    if verb is None or words[verb].form not in BEING:
        return False
    following = [token.form for token in words[verb + 1 :]]
    return "by" not in following and not any(
        form.endswith("ed") and form not in CALLED for form in following[:2]
    )
