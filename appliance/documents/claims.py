"""What a sentence claims of a thing: a date, a number of something, a place, an owner. Pure.

A claim is a value and the words that say of what. Few forms are read, those that people write plainly; a
sentence that denies, asks, or gives two values of one kind claims nothing here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from appliance.answer.dates import MONTHS, Day, days
from appliance.answer.figures import Figure, figures, language_of
from appliance.answer.forms import terms
from appliance.answer.stated import NOT
from appliance.answer.units import alike
from appliance.answer.values import near
from appliance.retrieval.numbers import COUNTED
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import LANGUAGES, fold, language, listed, words
from appliance.sqlite import stems

Kind = Literal["number", "date", "place", "owner"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SHORTEST, LONGEST = 15, 400  # letters of a sentence that is read
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|stood|stands?|hangs?|lies|lay|belong(?:s|ed)|cost|weighs?|opened|built|burned|broke"
    r"|holds?|fell|came|began|ended|died|est|sont|était|étaient|fut|a|ont|avait|es|son|era|eran|fue|fueron|tiene|tenía"
    r"|ist|sind|war|waren|hat|hatte|\w{2,}ed)\b"
)
_PRONOUN = re.compile(r"(?:It|He|She|They|Its|His|Her|Their|Il|Elle|Ils|Elles|Es|Er|Sie)\b")
_CLEFT = re.compile(r"It (?:was|is) (?:on|in|at)\b.*?\bthat\b\s*")
_CLAUSE = re.compile(r"[,;:()–—]\s|\s(?:and then|but|while|whereas|mais|pero|aber)\s")
_NAME = r"\s+(?P<value>[^,.;:()]{2,60}?)(?=[,.;:()]"  # up to a mark, or a word that goes on
_OWNER = re.compile(
    r"\b(?:belong(?:s|ed)? to|(?:is|was|were) owned by|(?:is|was) the property of|appart(?:ient|enait) à"
    rf"|pertenec(?:e|ía) a|gehör(?:t|te)){_NAME}"
    r"|\s(?:before|until|since|who|which|when|and|avant|antes|bis)\b|$)"
)
_OWNING = re.compile(r"(?P<value>(?:[A-Z][\w'’-]+\s){1,3})(?:owns|owned)\s+(?=the|a|an|his|her)")
_PLACE = re.compile(
    r"\b(?:hangs?|hung|stands?|stood|lies|lay|is kept|was kept|are kept|is buried|was buried|was born"
    r"|was held|se trouve|se trouvait|está|estaba|steht|stand|liegt|lag|hängt|hing)\s+(?:now\s+)?"
    rf"(?:in|at|on|near|behind|dans|à|en|im|am|bei){_NAME}"
    r"|\s(?:from|until|since|where|which|when|and|before|after|et|y|und)\b|$)"
)
_COUNT = re.compile(
    rf"(?<![\w.,-])(?P<number>{'|'.join(sorted(COUNTED, key=len, reverse=True))})\s+(?P<noun>[a-zà-ÿ]{{3,}})",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"(?<=\S)\n(?!\s|[-*|#>]|\d+[.)]\s)")  # a line's end within a paragraph
_ENDS_SUBJECT = re.compile(r"[,;:(]\s|\s(?:that|which|who|whose|where|qui|que|dont)\s")
_STRETCH = re.compile(
    r"\b(?:between|from|since|until|entre|depuis|desde|hasta|von|zwischen|seit|bis)\b[^,.;]{0,30}$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[-*|#>•]|\d+[.)]\s")
_OF_ITSELF = re.compile(  # a text on what stands in itself: the same words mean another thing in another text
    r"\b(?:here|(?:this|the (?:present|following|above|below)) (?:recipe|page|section|document|note|chapter"
    r"|text|letter|table|list|figure|example|guide|article|file|report|survey)|ici|ci-(?:dessous|dessus|après)"
    r"|ce(?:tte)? (?:recette|page|section|note|lettre|liste|table)|aquí"
    r"|est[ea] (?:receta|página|sección|nota|carta|lista|tabla|texto)|dieses? (?:Rezept|Seite|Abschnitt"
    r"|Kapitel|Liste|Tabelle|Brief))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[{}<>|=\\`]|https?:|\w\(")
_COUNTS = re.compile(r"\d")
_NOUN = re.compile(r"\s+([a-zà-ÿ]{3,})")
_SMALLEST = 2  # "one" counts nothing
FEWEST = 2  # stems of what is said of what
_TITLES = listed("mr mrs miss ms dr sir lady the m mme mlle herr frau sr sra don dona widow saint st")
_EMPTY = listed(
    """
    such here there this that these those also only about around approximately more less than other later
    now today then still already once again soon ever"""
)


@dataclass(frozen=True)
class Claim:
    """`start` is the sentence's place in the text that was read, `place` the value's in the sentence.
    `about`: stems of what is said of what, those in `subject` name the thing itself; `told` the words, `said`
    folded; `names`: stems of those written with a capital."""

    kind: Kind
    value: str
    start: int
    sentence: str
    place: int
    about: frozenset[str]
    subject: frozenset[str]
    told: str
    said: frozenset[str]
    names: frozenset[str]
    read: Day | Figure | tuple[int, str] | frozenset[str]

    @cached_property
    def years(self) -> frozenset[int]:
        """Of the other dates in its sentence: what it says may hold for those alone."""
        end = self.place + len(self.value)
        return frozenset(d.first.year for d in days(self.sentence) if not self.place <= d.start < end)

    @property
    def question(self) -> str:
        """What it claims as a question, for the reader."""
        told = " ".join(self.told.split()).strip(" .;:,")
        return f"{ASKED[self.kind]} {told}?"


ASKED: dict[Kind, str] = {"date": "When", "number": "How many", "place": "Where", "owner": "Who owned"}


def claims(text: str) -> list[Claim]:
    """All claims of a stretch of text, in order."""
    found: list[Claim] = []
    start, before = 0, ""
    for written in sentences(_WRAPPED.sub(" ", text)):
        sentence = written.strip()
        if SHORTEST <= len(sentence) <= LONGEST and not _useless(sentence):
            found += _of_sentence(sentence, start + written.index(sentence), before)
        start += len(written)
        before = sentence
    return found


def _useless(sentence: str) -> bool:
    if not _VERB.search(sentence) or _ITEM.match(sentence):
        return True  # of a list, an instruction, a heading
    if _OF_ITSELF.search(sentence):
        return True
    return sentence.endswith("?") or bool(_CODE.search(sentence)) or "n't" in sentence or "n’t" in sentence


def _of_sentence(sentence: str, start: int, before: str) -> Iterator[Claim]:
    by_kind: dict[Kind, list[tuple[int, str, Day | Figure | tuple[int, str] | frozenset[str]]]] = {
        "date": [(d.start, sentence[d.start : d.end], d) for d in days(sentence)],
        "number": list(_numbers(sentence)),
        "place": [_named(m) for m in _PLACE.finditer(sentence)],
        "owner": [_named(m) for m in (*_OWNER.finditer(sentence), *_OWNING.finditer(sentence))],
    }
    for kind, values in by_kind.items():
        if kind == "date" and (len(values) != 1 or _is_bound(sentence, days(sentence)[0])):
            continue  # two events, or a stretch of time
        for place, value, read in values:
            subject, clause = _subject_of(sentence, before), _clause(sentence, place, len(value), kind)
            said = frozenset(map(fold, words(f"{subject} {clause}")))
            told = clause.strip() if subject.strip() in clause else f"{subject.strip()} {clause.strip()}"
            about = _stems(subject) | _stems(clause) | _counted(read)
            about -= _stems(value) - _counted(read)
            if kind == "date" and _COUNTS.search(clause):
                continue  # "had 84 members in 1923" is how it was then, and no date of an event
            if len(about) >= FEWEST and NOT.isdisjoint(terms(words(f"{subject} {clause}"))):
                names = _stems(
                    " ".join(word for word in words(f"{subject} {clause}")[1:] if word[0].isupper())
                )
                yield Claim(
                    kind,
                    value,
                    start,
                    sentence,
                    place,
                    about,
                    _stems(subject) & about,
                    told,
                    said,
                    names,
                    read,
                )


def _is_bound(sentence: str, day: Day) -> bool:
    return day.open or _STRETCH.search(sentence[: day.start]) is not None


def _named(match: re.Match[str]) -> tuple[int, str, frozenset[str]]:
    value = match["value"].rstrip()
    return match.start("value"), value, _stems(value)


def _numbers(sentence: str) -> Iterator[tuple[int, str, Figure | tuple[int, str]]]:
    """Figures with a unit, and counted things: "nine houses", "137 households"."""
    dated = [range(d.start, d.end) for d in days(sentence)]
    taken: set[int] = set()
    for figure in figures(sentence, language_of(sentence) or "en"):
        if figure.loose or any(figure.start in stretch for stretch in dated):
            continue
        taken.update(range(figure.start, figure.end))
        if figure.unit:
            yield figure.start, sentence[figure.start : figure.end], figure
        elif figure.low == figure.high and figure.low.denominator == 1 and not figure.is_year:
            counted = _NOUN.match(sentence, figure.end)
            if counted and fold(counted[1]) not in LANGUAGES["en"] and figure.low >= _SMALLEST:
                yield figure.start, figure.text, (int(figure.low), fold(counted[1]))
    for match in _COUNT.finditer(sentence):
        if match.start() in taken:
            continue
        number, noun = COUNTED[fold(match["number"])], fold(match["noun"])
        if number >= _SMALLEST and noun not in LANGUAGES["en"]:
            yield match.start(), match["number"], (number, noun)


def _counted(read: object) -> frozenset[str]:
    return frozenset(stems(read[1])) if isinstance(read, tuple) else frozenset()


def _clause(sentence: str, place: int, length: int, kind: Kind) -> str:
    """The clause that the value stands in, without the value; up to the value where that is a name."""
    marks = list(_CLAUSE.finditer(sentence))
    begin = max((mark.end() for mark in marks if mark.end() <= place), default=0)
    end = min((mark.start() for mark in marks if mark.start() >= place + length), default=len(sentence))
    after = sentence[place + length : end] if kind in ("date", "number") else ""
    return f"{sentence[begin:place]} {after}"


def _subject_of(sentence: str, before: str) -> str:
    """What stands before the first verb, up to a comma; of the sentence before where a pronoun means it."""
    if cleft := _CLEFT.match(sentence):
        sentence = sentence[cleft.end() :]
    elif _PRONOUN.match(sentence):
        sentence = before
    first = _ENDS_SUBJECT.split(sentence)[0]
    verb = _VERB.search(first)
    return first[: verb.start()] if verb else first if first != sentence else ""


def _stems(text: str) -> frozenset[str]:
    found = words(text)
    shaping = LANGUAGES[language(found)] | _EMPTY | MONTHS
    kept = [word for word in found if fold(word) not in shaping and not word.isdigit()]
    return frozenset(stems(" ".join(kept)))


def preceding(sentence: str, before: str) -> str:
    """The last sentence of what stands before this one, where a pronoun in it leads there; else nothing."""
    if not _PRONOUN.match(sentence) or _CLEFT.match(sentence):
        return ""
    return next((one.strip() for one in reversed(sentences(_WRAPPED.sub(" ", before))) if one.strip()), "")


def differ(one: Claim, other: Claim) -> bool:
    """Whether two values of one kind cannot both hold."""
    match one.read, other.read:
        case Day() as mine, Day() as theirs:
            return mine.last < theirs.first or theirs.last < mine.first
        case Figure() as mine, Figure() as theirs:
            return alike(mine.unit, theirs.unit) and not near(mine, theirs)
        case (int(mine), str(noun)), (int(theirs), str(their_noun)):
            return mine != theirs and stems(noun) == stems(their_noun)
        case frozenset() as mine, frozenset() as theirs:
            apart = not mine & theirs or (one.kind == "owner" and _of_one_family(one.value, other.value))
            return bool(mine) and bool(theirs) and apart
    return False


def _of_one_family(one: str, other: str) -> bool:
    """Whether two names are of two people who share the last one: Anna and George Pell, not J. and John."""
    mine, theirs = ([fold(word) for word in words(name) if word[0].isupper()] for name in (one, other))
    if min(len(mine), len(theirs)) < 2 or mine[-1] != theirs[-1] or {mine[0], theirs[0]} & _TITLES:
        return False
    return not mine[0].startswith(theirs[0]) and not theirs[0].startswith(mine[0])
