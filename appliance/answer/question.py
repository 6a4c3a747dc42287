"""Does a sentence that a passage supports answer the question that was asked? A lexical rule, pure.

A small model often writes something true about the right page and beside the point: it says the question
again, or names a song's singer when asked for its album. So a sentence must bring something that the
question did not say, of the kind that was asked for, from a sentence of the passage that is about what was
asked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from appliance.answer.inflected import plain
from appliance.answer.lexicon import BEING, PREPOSITIONS, Token, listed, tokens
from appliance.answer.units import read_unit
from appliance.retrieval.numbers import numbers
from appliance.retrieval.words import LANGUAGES, fold, language, words

_TO_UNIT = 3  # words from a counting word to its unit
ABOUT = 0.35  # share of the question's words that the sentence of the passage must hold, with its title

Holds = Callable[[str], bool]
_YES_NO = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|est-ce|es|son|puede|hay)\b",
    re.IGNORECASE,
)
_KINDS = (
    ("measure", re.compile(r"\bhow (?:old|tall|high|long|far|deep|heavy|big|large|wide|fast)\b",
                           re.IGNORECASE)),
    ("number", re.compile(r"\bhow (?:many|much|often)\b"
                          r"|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bwieviele?\b|\bwie viele?\b", re.IGNORECASE)),
    ("time", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|decade)\b|\bquand\b"
                        r"|\b(?:quelle ann[ée]e|quelle date)\b|\bcu[aá]ndo\b|\bqu[eé] a[ñn]o\b|\bwann\b",
                        re.IGNORECASE)),
    ("place", re.compile(r"^\W*(?:where|où|d['’]où|d[oó]nde|wo|woher|wohin)\b", re.IGNORECASE)),
    ("name", re.compile(r"^\W*(?:who|whom|whose|qui|à qui|qui[eé]n|qui[eé]nes|wer|wem|wen)\b",
                        re.IGNORECASE)),
)  # fmt: skip
_DESCRIBED = re.compile(  # "Who was Zheng He?" asks for no name
    r"^\W*(?:[Ww]ho|[Qq]ui|[Qq]ui[eé]n|[Ww]er) (?:is|was|were|are|est|était|fut|es|era|fue|ist|war) "
    r"(?:\w+ ){0,3}[A-ZÀ-Þ]"
)
_TIMES = listed(
    """
    january february march april may june july august september october november december janvier
    fevrier mars avril mai juin juillet aout septembre octobre novembre decembre enero febrero marzo
    abril mayo junio julio agosto septiembre octubre noviembre diciembre januar februar marz juni juli
    oktober dezember monday tuesday wednesday thursday friday saturday sunday spring summer autumn
    winter morning evening night day daily year yearly century season week hour minute before after
    during until while when once since ago jour an annee siecle semaine avant apres pendant dia ano
    siglo semana antes despues durante every each
    """
)
_COUNTED = listed(
    """
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
    thousand million billion dozen half twice once times none no several many few most all little un une
    deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent mille moitie uno una dos tres
    cuatro cinco seis siete ocho nueve diez doce veinte treinta cien mil millon medio zwei drei vier
    funf sechs sieben
    """
)
_ONE = listed("one un une uno una")
_ASKING = re.compile(
    r"\b(?:what|which|quel(?:le)?s?|qu[eé]|cu[aá]l(?:es)?|welche[rsmn]?)\b\s+", re.IGNORECASE
)


@dataclass(frozen=True)
class Asked:
    """One question."""

    text: str

    def answered(self, claim: str, new: Sequence[str], sentence: Holds, passage: Holds) -> bool:
        """`new`: words of the claim that the question did not say. `sentence` and `passage` tell whether a
        word stands in the sentence that supports the claim (with its title), and in its passage."""
        if not new and not _YES_NO.match(self.text):
            return False
        said = tokens(claim)
        if self.kind and not any(self.of_kind(said, place) for place in range(len(said))):
            return False
        asked = self.content
        if sum(map(sentence, asked)) < ABOUT * len(asked):
            return False
        return all(sentence(word) for word in self._wanted if passage(word))

    @property
    def bare(self) -> bool:
        """Whether it asks nothing: a code, a date, a title ("ERR-4471"). What says it again answers it."""
        found = words(self.text)
        return not any(fold(word) in LANGUAGES[language(found)] for word in found)

    @cached_property
    def content(self) -> list[str]:
        """The words that say what it is about, folded."""
        return _content(words(self.text))

    @property
    def _wanted(self) -> list[str]:
        """The kind of thing that "what" or "which" asks for: "nfl team" in "what nfl team is he in"."""
        found = _ASKING.search(self.text)
        if not found:
            return []
        shaping = LANGUAGES[language(words(self.text))]
        wanted: list[str] = []
        for word in map(fold, words(self.text[found.end() :])):
            if word in shaping or word in BEING or word in PREPOSITIONS:
                break
            wanted.append(word)
        return wanted[:2] if len(wanted) < 3 else []

    @cached_property
    def _said(self) -> frozenset[str]:
        """Its words in all their plain forms."""
        return frozenset(form for word in words(self.text) for form in plain(fold(word)))

    def _counts(self, claim: Sequence[Token], place: int) -> bool:
        """A counting word; "un" and "one" only before what is asked for: they are articles otherwise."""
        form, after = claim[place].form, claim[place + 1 : place + 2]
        return form in _COUNTED and (
            form not in _ONE or any(not self._said.isdisjoint(plain(one.form)) for one in after)
        )

    @cached_property
    def kind(self) -> str:
        """What it asks for: measure, number, time, place, name; "" where that is not told."""
        kind = next((kind for kind, asks in _KINDS if asks.search(self.text)), "")
        return "" if kind == "name" and _DESCRIBED.match(self.text) else kind

    def of_kind(self, claim: Sequence[Token], place: int) -> bool:
        """Whether the word at the place may be what it asks for."""
        token, kind = claim[place], self.kind
        if kind == "measure":
            return token.form[:1].isdigit() or _measured(claim, place)
        if kind == "number":
            return token.form[:1].isdigit() or self._counts(claim, place)
        if not self._said.isdisjoint(plain(token.form)):
            return False
        if kind == "time":
            return _may_date(token) or token.form in _TIMES
        return _may_place(token) if kind == "place" else _may_name(token, first=not place)


def _measured(claim: Sequence[Token], place: int) -> bool:
    """Whether a counting word with a unit stands there: "five million years", no "five oceans"."""
    after = claim[place + 1 : place + 1 + _TO_UNIT]
    counts = claim[place].form in _COUNTED or bool(numbers(claim[place].text).values)
    return counts and any(read_unit(token.text)[0] for token in after)


def _may_date(token: Token) -> bool:
    """A year, a day of a month, "1930s", "5th": no "368"."""
    digits = "".join(filter(str.isdigit, token.form))
    return 0 < len(digits) <= 2 or len(digits) == 4


def _may_place(token: Token) -> bool:
    """A word that says something besides a time and a count."""
    shaping = any(token.form in words_of for words_of in LANGUAGES.values())
    return not (shaping or token.form in PREPOSITIONS | BEING | _TIMES | _COUNTED or token.form[:1].isdigit())


def _may_name(token: Token, first: bool) -> bool:
    """A word written large, or of a script that knows no small letters; the first of a sentence is large
    whatever it is."""
    letter = token.text[:1]
    large = letter.isalpha() and not letter.islower()
    return large and not (first and any(token.form in shaping for shaping in LANGUAGES.values()))


def _content(found: Sequence[str]) -> list[str]:
    shaping = LANGUAGES[language(found)]
    folded = list(dict.fromkeys(map(fold, found)))
    return [word for word in folded if word not in shaping] or folded
