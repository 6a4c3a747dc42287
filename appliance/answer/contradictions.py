"""Passages that disagree about the date, the figure or the name that a question asks for. Pure.

Being wrong here is worse than being silent, so both sentences must hold every word of what is asked, each
must state one value and no second of its kind, neither may narrow what it speaks of in a way that the other
does not ("the metropolitan area", "the second edition", another year), and the values must be incompatible
beyond rounding. Where this finds something, no language model is asked: both sides are shown with their
sources, and a sentence written from them could only pick a winner.

Of 800 answerable questions of the development archive none was shown a disagreement, of 1,366 that ask for a
date, a number or a name one, which was none; that one led to the rule about names in `_about`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Literal

from appliance.answer.dates import MONTHS, Day, days
from appliance.answer.figures import Figure
from appliance.answer.stated import PLAIN, PLAIN_EVENT, Asked, Sentence, among, stray, subject
from appliance.answer.units import Quantity, alike, convert
from appliance.records import Disagreement, Evidence, Side
from appliance.retrieval.words import fold, words

Kind = Literal["date", "number", "name"]
TOLERANCE = Fraction(2, 100)  # of the larger value, beyond what its rounding says
MOST_SIDES = 3
FEWEST = 2  # words of what is asked about
_DATE = re.compile(
    r"\b(?:when (?:was|were|did|is)|(?:in )?(?:what|which) year|what (?:was|is) the date|on what date|quand|"
    r"en quelle annee|quelle annee|a quelle date|cuando|en que (?:ano|fecha)|que ano)\b"
)
_NO_EVENT = re.compile(r"\bwhen (?:is|are|do|does|should|can)\b")
_PRONOUN = re.compile(r"(?:It|He|She|They|Il|Elle|Ils|Elles|Fue|Se)\b")
_COUNT = re.compile(r"\b(?:how many|combien d(?:e |')|cuant[oa]s)\s*([a-z]+(?: [a-z]+)?)")
_WHO = re.compile(r"\b(?:who|qui|quien) (?:was |were |has |a |est |fue )?(?:the )?(\w+)")
_MEASURES = {  # asked: (a unit of its kind, words of which one must stand in the sentence)
    "how tall": ("meter", "tall high height elevation"),
    "how high": ("meter", "tall high height elevation"),
    "how long": ("meter", "long length"),
    "how wide": ("meter", "wide width"),
    "how deep": ("meter", "deep depth"),
    "how heavy": ("kilogram", "weigh weighs weight mass"),
    "how much does": ("kilogram", "weigh weighs weight mass"),
    "how large": ("meter**2", "area large covers size"),
    "how big": ("meter**2", "area large covers size"),
    "height": ("meter", "tall high height"),
    "elevation": ("meter", "elevation high altitude"),
    "length": ("meter", "long length"),
    "area": ("meter**2", "area covers"),
    "population": ("person", "population people inhabitants residents"),
    "hauteur": ("meter", "haut haute hauteur"),
    "longueur": ("meter", "long longue longueur"),
    "altitude": ("meter", "altitude"),
    "superficie": ("meter**2", "superficie"),
    "altura": ("meter", "altura alto"),
    "longitud": ("meter", "longitud largo"),
    "poblacion": ("person", "poblacion habitantes"),
}
# A word of these in one sentence alone, and the two speak of different things.
_NARROWING = frozenset(
    words(
        """
    metro metropolitan urban rural city county district province state region municipality land water inland
    total average mean median maximum minimum peak estimated estimate expected planned projected approximately
    first second third fourth fifth last final initial original originally new old former early late later
    again re reopened rebuilt restored renovated renamed extended expanded begun began started completed
    finished ended announced signed north south east west northern southern eastern western upper lower main
    male female men women summer winter official officially partly partially almost only alone each per
    annual annually daily version edition series season part volume single album film book novel video club
    team world national international metropolitaine urbaine agglomeration commune premiere premier deuxieme
    seconde derniere nouvelle metropolitana urbana municipio primera primer segunda ultima nueva
    """
    )
)
_SHAPE = words(
    """
    year years date day month many number people much time times big large tall high long wide deep heavy
    located happen happened happens occur occurred take place annee date jour combien nombre ano fecha dia
    numero
"""
)


@dataclass(frozen=True)
class Claim:
    """A value that one sentence states."""

    value: Day | Figure | str
    text: str
    sentence: Sentence
    wanted: tuple[str, ...]

    @property
    def start(self) -> int:
        """Where the value stands in the sentence."""
        return self.sentence.text.index(self.value) if isinstance(self.value, str) else self.value.start


def disagreements(question: str, evidence: Sequence[Evidence]) -> tuple[Disagreement, ...]:
    """At most one, about what the question asks for; `evidence`: the passages that may be cited, in order."""
    asked = Asked(question, evidence)
    for kind, read in KINDS.items():
        reader = read(asked)
        if reader is not None:
            return _disagreement(kind, _claims(asked, reader))
    return ()


Reader = Callable[[Sentence], list[tuple[Day | Figure | str, str]]]


def _claims(asked: Asked, reader: Reader) -> list[Claim]:
    """Of each passage the one sentence that states a value, if it is one that holds all that is asked."""
    wanted = subject(asked.question, _SHAPE)
    if len(wanted) < FEWEST:
        return []
    found = []
    for n in range(1, len(asked.passages) + 1):
        fitting = [s for s in asked.sentences if s.n == n and not s.denies and _about(s, wanted)]
        stated = [(sentence, reader(sentence)) for sentence in fitting]
        stated = [(sentence, values) for sentence, values in stated if values]
        if len(stated) == 1 and len(stated[0][1]) == 1:
            sentence, ((value, text),) = stated[0]
            found.append(Claim(value, text, sentence, tuple(wanted)))
    return found


def _about(sentence: Sentence, wanted: Sequence[str]) -> bool:
    """Whether all is in the sentence, but for words of its page's title, of which some may stand there
    alone."""
    title = frozenset(map(fold, words(sentence.above)))
    own = [word for word in wanted if among(word, sentence.here)]
    of_title = [word for word in wanted if among(word, title)]
    if len(own) < FEWEST and not _PRONOUN.match(sentence.text):
        return False  # the page is about it, the sentence perhaps about something else
    if not of_title and not any(_capital(word, sentence.text) for word in own):
        return False  # "the first elections": nothing tells whose
    whole = all(word in own or word in of_title for word in wanted)
    return whole and (len(of_title) == len(wanted) or any(word not in of_title for word in own))


def _capital(word: str, text: str) -> bool:
    """Whether the text writes it with a capital within a sentence: a name."""
    return any(fold(token) == word and token[0].isupper() for token in words(text)[1:])


def _disagreement(kind: Kind, claims: Sequence[Claim]) -> tuple[Disagreement, ...]:
    groups: list[list[Claim]] = []
    for claim in claims:
        home = next((group for group in groups if all(_agree(claim, other) for other in group)), None)
        if home is None:
            groups.append([claim])
        else:
            home.append(claim)
    if not 2 <= len(groups) <= MOST_SIDES:
        return ()
    pairs = ((one, other) for left, right in combinations(groups, 2) for one in left for other in right)
    if not all(_of_one_thing(one, other) and not _agree(one, other) for one, other in pairs):
        return ()
    sides = (
        Side(group[0].text, group[0].sentence.text, tuple(dict.fromkeys(c.sentence.n for c in group)))
        for group in groups
    )
    return (Disagreement(kind, tuple(sides)),)


def _of_one_thing(one: Claim, other: Claim) -> bool:
    first, second = one.sentence, other.sentence
    if (first.here & _NARROWING) != (second.here & _NARROWING) or _scope(one) != _scope(other):
        return False
    if _reference(one) != _reference(other):
        return False
    dated = isinstance(one.value, Day)
    return dated or not (first.years ^ second.years)


def _scope(claim: Claim) -> frozenset[str]:
    """What a sentence says beyond what is asked, up to its value; all it says where what is asked comes
    after. "The antenna of", "closed to passengers in"; and a place after a figure: "40 people died in Borgo".
    """
    sentence, start = claim.sentence, claim.start
    told, rest = sentence.text[:start], sentence.text[start:]
    near = words(rest)[:4]
    after = [w for w in claim.wanted if among(w, frozenset(map(fold, words(rest)[4:])))]
    known = frozenset(map(fold, words(told) + near))
    text = sentence.text if any(not among(w, known) for w in after) else told
    if isinstance(claim.value, Figure):
        clause = re.split(r"[,.;:()]", sentence.text[claim.value.end :])[0]
        text += " " + " ".join(word for word in words(clause) if word[0].isupper())
    return frozenset(stray(text, claim.wanted, PLAIN_EVENT | PLAIN | MONTHS | frozenset(_SHAPE)))


def _reference(claim: Claim) -> bool:
    """Whether a figure is counted from something else than the sea: "1,150 m above the valley"."""
    if not isinstance(claim.value, Figure):
        return False
    after = fold(claim.sentence.text[claim.value.end :])
    return (
        re.match(r"[^,.;]{0,12}\b(?:above|below|from|over)\b(?! (?:the )?(?:mean )?sea)", after) is not None
    )


def _agree(one: Claim, other: Claim) -> bool:
    match one.value, other.value:
        case Day() as mine, Day() as theirs:
            return mine.first <= theirs.last and theirs.first <= mine.last
        case Figure() as mine, Figure() as theirs:
            return _near(mine, theirs)
        case str() as mine, str() as theirs:
            return bool(frozenset(map(fold, words(mine))) & frozenset(map(fold, words(theirs))))
    return False


def _near(one: Figure, other: Figure) -> bool:
    """Whether the spans that two figures can mean overlap: "5.5 million" is anything from 5.45 to 5.55."""
    unit = one.unit or other.unit
    spans = []
    for figure in (one, other):
        low, high = (
            convert(Quantity(end, figure.unit), unit).value if figure.unit else end
            for end in (figure.low - _rounding(figure), figure.high + _rounding(figure))
        )
        spans.append((low, high))
    slack = TOLERANCE * max(abs(end) for span in spans for end in span)
    (a, b), (c, d) = spans
    return a <= d + slack and c <= b + slack


def _rounding(figure: Figure) -> Fraction:
    """Half of the place of its last digit that is not a zero."""
    value, place = abs(figure.low), Fraction(1)
    while (value / place).denominator != 1 and place > Fraction(1, 10**6):
        place /= 10
    while value and (value / (place * 10)).denominator == 1:
        place *= 10
    return place / 2


def _dated(asked: Asked) -> Reader | None:
    if not _DATE.search(asked.folded) or _NO_EVENT.search(asked.folded):
        return None
    return lambda sentence: [(day, day.text) for day in _distinct(days(sentence.text))]


def _distinct(found: Sequence[Day]) -> list[Day]:
    """One for each span; none at all when one is a bound ("since 1998") or a span of years of another
    kind."""
    if any(day.open or day.first.year > date.today().year for day in found):
        return []
    return list({(day.first, day.last): day for day in found}.values())


def _counted(asked: Asked) -> Reader | None:
    if match := _COUNT.search(asked.folded):
        noun = match.group(1).split()
        return lambda sentence: [(f, f.text) for f in sentence.figures if _counts(f, sentence, noun)]
    for name, (unit, beside) in _MEASURES.items():
        if re.search(rf"\b{name}\b", asked.folded):
            return _measuring(unit, frozenset(beside.split()))
    return None


def _counts(figure: Figure, sentence: Sentence, noun: Sequence[str]) -> bool:
    """Whether the figure counts the noun, which stands at most two words after it."""
    if figure.loose or figure.is_year:
        return False
    inside = sentence.text[figure.start : figure.end]
    after = re.split(r"[.,;:()–—]", sentence.text[figure.end : figure.end + 60])[0]
    near = frozenset(map(fold, [*words(inside), *words(after)[:2]]))
    return among(noun[0], near)


def _measuring(unit: str, beside: frozenset[str]) -> Reader:
    def read(sentence: Sentence) -> list[tuple[Day | Figure | str, str]]:
        found: list[Figure] = []
        for figure in sentence.figures if beside & sentence.here else ():
            counted = unit == "person" and not figure.unit and not figure.is_year and figure.low >= 100
            if counted or (figure.unit and alike(figure.unit, unit)):
                if figure.loose:
                    return []
                if not any(_near(figure, other) for other in found):
                    found.append(figure)
        return [(figure, figure.text) for figure in found]

    return read


def _named(asked: Asked) -> Reader | None:
    """Who did it: the name before the question's verb, or after its "by"."""
    match = _WHO.search(asked.folded)
    if not match or not match.group(1).endswith(("ed", "ote", "rew", "built", "on")):
        return None
    verb = match.group(1)
    name = r"((?:[A-ZÀ-Þ][\w'’-]+|de|van|von|of)(?:\s(?:[A-ZÀ-Þ][\w'’.-]+|de|van|von|of))*\s[A-ZÀ-Þ][\w'’-]+)"
    forms = {"wrote": "wrote|written", "drew": "drew|drawn", "won": "won"}.get(verb, re.escape(verb))
    pattern = re.compile(rf"\b(?:{forms}) by {name}|{name} (?:{forms})\b")

    def read(sentence: Sentence) -> list[tuple[Day | Figure | str, str]]:
        if any(
            re.match(r",? (?:and|et|y|&) ", sentence.text[m.end() :]) for m in pattern.finditer(sentence.text)
        ):
            return []  # one of several
        names = [next(filter(None, found.groups())) for found in pattern.finditer(sentence.text)]
        return [(found, found) for found in dict.fromkeys(names)]

    return read


KINDS: dict[Kind, Callable[[Asked], Reader | None]] = {"date": _dated, "number": _counted, "name": _named}
