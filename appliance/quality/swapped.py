"""Questions with one year, number, place in an order, or name swapped: the right behaviour is a refusal.

Made from answerable questions, deterministic by seed, at most one of each kind from a question. A year moves
by 1 to 60; a number becomes another of the same length, written the same way; "second" becomes "fourth"; a
name becomes one that another page's question names in the same position (after a preposition of place, before
a possessive, as an adjective, elsewhere) with as many words. In a question without capitals a name is a word
that its page never writes without one. Left out, and counted:

- "no other found": everything that was tried stands on the page too (in any written form): it might answer;
- "elsewhere": a passage of the archive holds the new thing and half of the rest of the question;
- "bare": fewer than two other words carry the question, which is then a good one about another thing.

Of 42 wrongly answered ones read by hand two were no errors: a slip of the same name, left out since, and
one that another page answers ("In what year was the Milton Friedman Institute created?"), which words alone
cannot tell.
A number of things that are asked for ("which three cities") is not swapped, since that makes
nothing false.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, reduce

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein

from appliance.indexfile import Index
from appliance.quality.measure import ask
from appliance.quality.questions import Question
from appliance.records import Evidence, Judgement
from appliance.retrieval import exact, lexical
from appliance.retrieval.gate import Gate
from appliance.retrieval.lexical import Term
from appliance.retrieval.numbers import COUNTED, ORDINAL, Numbers, numbers
from appliance.retrieval.search import Library
from appliance.retrieval.signals import Stem, measure
from appliance.retrieval.words import ENGLISH, content, fold, words

KINDS = ("year", "number", "order", "name")
ELSEWHERE = 0.5  # share of the rest of a question that a passage holds beside the new thing
_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?<![\w.,])(?:1\d{3}|20[0-2]\d)(?![\w,]|\.\d)")
_DIGITS = re.compile(
    r"(?<![\w.,$-])(\d{1,3}(?:,\d{3})+|\d{1,3}|[3-9]\d{3}|\d{5,})(?=(?:st|nd|rd|th)?\b)(?![.,]\d)"
)
_ASKED_FOR = re.compile(
    r"(?:\b(?:what|which|name|list|are|were|these|other)(?: the)?|\bof(?: the)?|^)\s*$", re.I
)
_OF_PLACE = re.compile(r"\b(?:in|at|from|near|to|of|into|around|outside|across)(?: the)? $", re.I)
_ADJECTIVE = re.compile(r"\w+(?:ish|ese|ian|ean|can|man|ic|ch)$")
_COUNTED = list(COUNTED)[2:21]  # two … twenty
_PLACES = list(ORDINAL)[:10]
_LAST_YEAR = 2020


@dataclass(frozen=True, slots=True)
class Part:
    """What can be swapped in a question: where it stands and the position that a name has."""

    kind: str
    start: int
    end: int
    position: str = ""


@dataclass(frozen=True, slots=True)
class Swapped:
    """A swapped question (`question.answerable` is False, `page` the one it was made from)."""

    question: Question
    kind: str
    out: str
    into: str


@dataclass(frozen=True)
class Page:
    """Title and text of an entry."""

    text: str

    @cached_property
    def numbers(self) -> Numbers:
        return numbers(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(map(fold, words(self.text)))

    @cached_property
    def names(self) -> frozenset[str]:
        """Words that it writes with a capital within sentences and nowhere without."""
        return exact.capitalised(self.words, [self.text]) - {
            word for word in words(self.text) if word[0].islower()
        }


@dataclass(frozen=True, slots=True)
class Made:
    """The questions, and how many swaps were left out by kind and reason."""

    questions: tuple[Swapped, ...]
    left_out: Mapping[tuple[str, str], int]


def make(asked: Sequence[Question], index: Index, page_text: Callable[[str], str], seed: int = 4) -> Made:
    """Swapped questions from the answerable ones of `asked`. `page_text` gives title and text of an entry."""
    answerable = [one for one in asked if one.answerable]
    pages = {path: Page(page_text(path)) for path in dict.fromkeys(one.page for one in answerable)}
    parts = [list(_parts(one.text, pages[one.page])) for one in answerable]
    pool = _pool(answerable, parts)
    made: list[Swapped] = []
    left_out: Counter[tuple[str, str]] = Counter()
    for one, found in zip(answerable, parts, strict=True):
        chance = random.Random(f"{seed} {one.text}")
        for kind in KINDS:
            choices = [part for part in found if part.kind == kind]
            if not choices:
                continue
            part = chance.choice(choices)
            into = _other(one, part, pool, pages[one.page], chance)
            reason = _reason(one.text, part, into, index) if into else "no other found"
            if reason:
                left_out[kind, reason] += 1
                continue
            text = one.text[: part.start] + into + one.text[part.end :]
            wrong = replace(one, text=text, answerable=False, answers=())
            made.append(Swapped(wrong, kind, one.text[part.start : part.end], into))
    return Made(tuple(made), left_out)


class Unchecked(Gate):
    """The baseline: the same weights without what the question names."""

    @classmethod
    def of(cls, gate: Gate) -> "Unchecked":
        return cls(**{field.name: getattr(gate, field.name) for field in fields(gate)})

    def judge(
        self, question: str, terms: Sequence[Term], evidence: Sequence[Evidence], stem: Stem
    ) -> Judgement:
        judged = super().judge(question, terms, evidence, stem)
        if not judged.lacking:
            return judged
        signals = measure(question, terms, evidence, (), stem)
        weights = self.both if "best" in signals else self.words
        probability = weights.logistic.probability(signals)
        sure = probability >= weights.answer_at[self.level]
        return Judgement("answer" if sure else "near", probability)


def answered(library: Library, made: Sequence[Swapped]) -> list[bool]:
    """Which of the swapped questions the library answers; each is a false answer."""
    return [
        outcome.verdict == "answer" for outcome in ask(library, [one.question for one in made], None, None)
    ]


def by_kind(made: Sequence[Swapped], wrong: Sequence[bool]) -> dict[tuple[str, str], tuple[int, float]]:
    """(group, kind) -> how many were asked, and the share of false answers."""
    kinds = dict.fromkeys((one.question.group, one.kind) for one in made)
    found = {}
    for kind in sorted(kinds):
        those = [
            lost for one, lost in zip(made, wrong, strict=True) if (one.question.group, one.kind) == kind
        ]
        found[kind] = len(those), round(sum(those) / len(those), 4)
    return found


def _parts(question: str, page: Page) -> Iterator[Part]:
    taken: list[tuple[int, int]] = []
    for match in _YEAR.finditer(question):
        taken.append(match.span())
        yield Part("year", *match.span())
    for match in _DIGITS.finditer(question):
        if not any(start < match.end(1) and match.start(1) < end for start, end in taken):
            yield Part("number", *match.span(1))
    for match in _TOKEN.finditer(question):
        word, before = fold(match.group()), question[: match.start()]
        if word in _COUNTED:
            yield Part("asked for" if _ASKED_FOR.search(before) else "number", *match.span())
        elif word in _PLACES and re.search(r"(?:\bthe|\bhis|\bher|\bits|\btheir|s) $", before):
            yield Part("order", *match.span())
    yield from _names(question, page)


def _names(question: str, page: Page) -> Iterator[Part]:
    """Runs of words with capitals after the first word; in a question without capitals, words that the
    page writes with capitals."""
    matches = list(_TOKEN.finditer(question))
    large = any(match.group()[0].isupper() for match in matches[1:])
    proper = frozenset[str]() if large else page.names
    run: list[re.Match[str]] = []
    for place, match in enumerate([*matches, None]):
        if match is not None:
            word = match.group()
            listed = fold(word) in ENGLISH or len(word) < 3 or not word[0].isalpha()
            name = not listed and (fold(word) in proper or (place > 0 and word[0].isupper()))
            adjoining = not run or question[run[-1].end() : match.start()] in (" ", "-")
            if name and adjoining:
                run.append(match)
                continue
        title_goes_on = match is not None and place > 0 and word[0].isupper()  # "Doctor Who"
        if run and not title_goes_on:
            yield _named(question, run)
        run = [match] if match is not None and name else []


def _named(question: str, run: Sequence[re.Match[str]]) -> Part:
    start, end = run[0].start(), run[-1].end()
    text = question[start:end]
    if question[end : end + 2] in ("'s", "’s"):
        position = "owner"
    elif len(run) == 1 and _ADJECTIVE.fullmatch(text):
        position = "adjective"
    else:
        position = "place" if _OF_PLACE.search(question[:start]) else "other"
    return Part("name", start, end, f"{position} {min(len(run), 3)} {text[0].isupper()}")


def _pool(asked: Sequence[Question], parts: Sequence[Sequence[Part]]) -> dict[str, list[str]]:
    """Names by their position, each once, in order."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for one, several in zip(asked, parts, strict=True):
        for part in several:
            if part.kind == "name":
                found[part.position][one.text[part.start : part.end]] = None
    return {position: list(names) for position, names in found.items()}


def _other(
    one: Question, part: Part, pool: Mapping[str, Sequence[str]], page: Page, chance: random.Random
) -> str:
    """Something of the same kind that the page does not have; "" when there is none."""
    out = one.text[part.start : part.end]
    if part.kind == "name":
        present = page.words | {fold(word) for word in words(one.text)}
        names = pool[part.position]
        tried = (names[chance.randrange(len(names))] for _ in range(200))
        others = (name for name in tried if DamerauLevenshtein.distance(name, out) > 2)  # no spelling of it
        return next((name for name in others if not {fold(w) for w in words(name)} & present), "")
    for _ in range(100):
        into, value = _another(part.kind, out, chance)
        if into and fold(into) != fold(out) and not page.numbers.has(str(value)):
            return into
    return ""


def _another(kind: str, out: str, chance: random.Random) -> tuple[str, int]:
    if kind == "year":
        year = int(out) + chance.choice((-1, 1)) * chance.randint(1, 60)
        return (str(year), year) if year <= _LAST_YEAR else ("", 0)
    if kind == "order":
        word = chance.choice(_PLACES)
        return word, ORDINAL[word]
    if not out[0].isdigit():
        word = chance.choice(_COUNTED)
        return (word.capitalize() if out[0].isupper() else word), COUNTED[word]
    value = int(out.replace(",", ""))
    least = 10 ** (len(str(value)) - 1) if value > 9 else 2
    other = chance.randint(max(least, value // 2), min(10 * least - 1 if value > 9 else 9, 2 * value + 3))
    return (f"{other:,}" if "," in out else str(other)), other


def _reason(question: str, part: Part, into: str, index: Index) -> str:
    """Why the swap would not be wrong for certain; "" when it is."""
    others = content(question[: part.start] + " " + question[part.end :])
    rest = [word for word in others if fold(word) not in ENGLISH]
    if len(rest) < 2:
        return "bare"
    holding = _holding(index, words(into))
    hits = lexical.search(index, lexical.weigh(index, rest))
    return "elsewhere" if len(holding) and float(hits.share_of(holding).max()) >= ELSEWHERE else ""


def _holding(index: Index, wanted: Collection[str]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Passages with all of the words."""
    return reduce(np.intersect1d, (index.postings(word) for word in wanted))
