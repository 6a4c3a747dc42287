"""Passages that disagree about the date, the figure or the name that a question asks for. Pure.

Being wrong here is worse than being silent, so both sentences must hold every word of what is asked, each
must state one value and no second of its kind, neither may narrow what it speaks of in a way that the other
does not ("the metropolitan area", "the second edition", another year), and the values must be incompatible
beyond rounding. Where this finds something, no language model is asked: both sides are shown with their
sources, and a sentence written from them could only pick a winner.

How often it is right was never measured on real disagreements: none was shown on 800 answerable questions of
the development archive, and one, which was none, on 1,366 that ask for a date, a number or a name. Questions
of half 1, kept for judging, were looked at while these rules were made, and the rules have become stricter
since. Of 12 invented pairs of two editions that disagree, written before their writer had read the rules, 2
are shown: a rare help. Of 12 look-alikes 3 were shown at first, of 24 more, written against the rules, 15;
now one, in which a legend names another designer. Those cases made the rules, so they measure them no more.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from appliance.answer.dates import MONTHS, Day
from appliance.answer.figures import Figure
from appliance.answer.stated import PLAIN, PLAIN_EVENT, Asked, Sentence, among, stray, subject
from appliance.answer.values import KINDS, Kind, Reader, Value, near
from appliance.records import Disagreement, Evidence, Side
from appliance.retrieval.words import fold, words

MOST_SIDES = 3
FEWEST = 2  # words of what is asked about
_PRONOUN = re.compile(r"(?:It|He|She|They|Il|Elle|Ils|Elles|Fue|Se)\b")
# A word of these in one sentence alone, and the two speak of different things.
NARROWING = frozenset(
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

    value: Value
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
    if (first.here & NARROWING) != (second.here & NARROWING) or _scope(one) != _scope(other):
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
            return near(mine, theirs)
        case str() as mine, str() as theirs:
            return bool(frozenset(map(fold, words(mine))) & frozenset(map(fold, words(theirs))))
    return False
