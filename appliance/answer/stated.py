"""What the passages state about a thing: the one figure or year, or none when there is doubt. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from appliance.answer.dates import days
from appliance.answer.figures import Figure, figures, language_of
from appliance.answer.tables import told
from appliance.answer.units import Quantity, convert
from appliance.records import Evidence
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import LANGUAGES, content, fold, language, listed, words

CLOSE = 0.01  # of the larger one: 330 m and 1,083 ft are one figure
_SHORTEST = 4  # letters that two forms of a word share at least: founded, founding
NOT = frozenset(
    words("not no never without ne pas jamais sans nunca sin cannot avoid aucun ningun neither nor")
)

# A figure or a date is the thing's own where only its name and words like these stand before it.
PLAIN = listed(
    """
    the a an is are has have of at in on with its it it's total about approximately around and or height
    length
    le la les l un une est a de d du son sa el los las un una es tiene su se
    """
)
PLAIN_EVENT = PLAIN - {"and", "or"} | listed("was were he she by sir fut ete etait fue")


@dataclass(frozen=True)
class Sentence:
    """A sentence of passage `n` (from 1) with the title and headings above it."""

    text: str
    above: str
    n: int
    language: str

    @cached_property
    def figures(self) -> list[Figure]:
        return figures(self.text, self.language, self.n)

    @cached_property
    def here(self) -> frozenset[str]:
        return frozenset(map(fold, words(self.text)))

    @cached_property
    def around(self) -> frozenset[str]:
        return self.here | frozenset(map(fold, words(self.above)))

    @cached_property
    def years(self) -> frozenset[int]:
        """Of its dates; what it says may hold for those alone."""
        return frozenset(day.first.year for day in days(self.text))

    @property
    def denies(self) -> bool:
        return bool(self.here & NOT) or "n't" in self.text or "n’t" in self.text

    def about(self, wanted: Sequence[str]) -> bool:
        """Whether all these words stand in it or above it, in any of their forms."""
        return bool(wanted) and all(among(word, self.around) for word in wanted)


@dataclass(frozen=True)
class Asked:
    """A question and the passages that an answer to it may cite."""

    question: str
    passages: Sequence[Evidence]

    @cached_property
    def language(self) -> str:
        return language_of(self.question) or "en"

    @cached_property
    def figures(self) -> list[Figure]:
        return figures(self.question, language_of(self.question))

    @cached_property
    def folded(self) -> str:
        return fold(self.question).replace("’", "'").strip(" ?!.¿¡")

    @cached_property
    def sentences(self) -> list[Sentence]:
        return self._read(sentences)

    @cached_property
    def cells(self) -> list[Sentence]:
        """What tables tell of the things that their rows name."""
        return self._read(told)

    def _read(self, pieces: Callable[[str], Iterable[str]]) -> list[Sentence]:
        found = []
        for n, item in enumerate(self.passages, 1):
            spoken = language_of(item.text)
            above = " ".join((item.title, *item.headings))
            found += [Sentence(text.strip(), above, n, spoken) for text in pieces(item.text)]
        return found

    def folded_between(self, one: Figure, other: Figure) -> str:
        return fold(self.question[one.end : other.start]).strip()

    def rest(self, known: Iterable[str]) -> list[str]:
        """The question's words that say what it is about, without its figures and without `known` words."""
        text = self.question
        for figure in reversed(self.figures):
            text = text[: figure.start] + " " + text[figure.end :]
        return subject(text, known)

    def one(
        self,
        wanted: Sequence[str],
        fits: Callable[[Figure, Sentence], bool],
        more: Sequence[Sentence] = (),
    ) -> Figure | None:
        """The one figure that all sentences about `wanted` agree on; None when there is none or are
        several. `more`: what is read beside the sentences."""
        found = [
            figure
            for sentence in (*self.sentences, *more)
            if not sentence.denies and sentence.about(wanted)
            for figure in sentence.figures
            if fits(figure, sentence)
        ]
        agreed = bool(found) and all(same(found[0], other) for other in found[1:])
        return found[0] if agreed and not any(figure.loose for figure in found) else None

    def at(self, figure: Figure) -> Sentence:
        """The sentence of a figure that `one` gave, also when its unit was put in."""
        place = (figure.source, figure.start, figure.text)
        read = (*self.sentences, *self.cells)
        return next(s for s in read for f in s.figures if (f.source, f.start, f.text) == place)


def same(one: Figure, other: Figure) -> bool:
    """Whether two figures of one kind are equal up to rounding."""
    if one.unit == other.unit and (one.low, one.high) == (other.low, other.high):
        return True
    pairs = ((one.low, other.low), (one.high, other.high))
    for mine, theirs in pairs:
        there = convert(Quantity(theirs, other.unit), one.unit).value
        if abs(mine - there) > CLOSE * max(abs(mine), abs(there)):
            return False
    return True


def stray(text: str, wanted: Sequence[str], plain: Collection[str]) -> list[str]:
    """The words of a stretch that are neither of the thing nor plain: "the antenna of X is" says another
    thing than "X is". Figures are passed over, and words inside a name: the middle one of a person."""
    found = words(text)
    folded = list(map(fold, found))
    named = [n for n, word in enumerate(folded) if any(among(part, frozenset((word,))) for part in wanted)]
    middle: set[int] = set()
    for one, other in pairwise(named):
        if all(found[n][0].isupper() for n in range(one, other)):
            middle |= set(range(one, other))
    return [
        word for n, word in enumerate(folded)
        if n not in named and n not in middle and word not in plain and not word.isdigit()
    ]  # fmt: skip


def among(word: str, present: frozenset[str]) -> bool:
    """The word, another form of it, or a form of a word that means the same event."""
    return any(_form_of(each, present) for each in (word, *EVENTS.get(word, ())))


def _form_of(word: str, present: frozenset[str]) -> bool:
    if word in present:
        return True
    stem = re.sub(r"(?:ing|ion|ed|es|s|e|er|ado|ada|cion|ement)$", "", word)
    return len(stem) >= _SHORTEST and any(
        other.startswith(stem) and len(other) <= len(stem) + 5 for other in present
    )


EVENTS = {
    "founding": ("founded", "established"), "foundation": ("founded", "established"),
    "founded": ("established",), "established": ("founded",), "birth": ("born",), "death": ("died",),
    "opening": ("opened",), "coming": ("came", "arrived"),
    "arrival": ("arrived", "came"), "start": ("began", "started"), "beginning": ("began", "started"),
    "end": ("ended",), "completion": ("completed",), "invention": ("invented",), "discovery": ("discovered",),
    "fondation": ("fonde", "fondee"), "naissance": ("ne", "nee"), "mort": ("mort", "morte", "meurt"),
    "fundacion": ("fundada", "fundado"), "nacimiento": ("nacio",), "muerte": ("murio",),
}  # fmt: skip


def subject(text: str, known: Iterable[str] = ()) -> list[str]:
    """The words of a stretch of a question that name its thing, folded, without function words."""
    dropped = {fold(word) for word in known}
    return [
        word for word in map(fold, content(text))
        if word not in dropped and word not in LANGUAGES[language(words(text))]
    ]  # fmt: skip
