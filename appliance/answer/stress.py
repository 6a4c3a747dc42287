"""Which words of a quoted sentence are the answer, so that they are seen at a glance; pure.

They are those that the model said and the question did not: where the question asks for a time, a number, a
place or a name, only words of that kind. What lies between two of them is theirs when the model said it, too
("Vincent van Gogh", "flour, water and salt"). None where they would be most of the sentence, or many pieces
of it: then the sentence itself is the answer. None where it denies something, either: a glance at "safe to
eat" must not miss the "not" before it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from appliance.answer.amounts import amounts, converted, is_number
from appliance.answer.dates import MONTHS, OPEN
from appliance.answer.figures import LOOSE
from appliance.answer.forms import CJK, among, by_beginning, content, terms
from appliance.answer.lexicon import ARTICLES, JOINING, PREPOSITIONS, Token, first_verb, tokens
from appliance.answer.question import Asked
from appliance.answer.stated import NOT
from appliance.answer.units import read_unit
from appliance.records import Stretch
from appliance.retrieval.numbers import numbers
from appliance.retrieval.words import LANGUAGES, fold, listed, words

MOST = 0.5  # share of the sentence's words
PIECES = 3
_BOUNDING = 25  # letters before a number that may bound it
_DENYING = NOT | listed("n nicht kein keine keinen nie ohne except unless sauf salvo excepto")
_AMOUNTS = ("measure", "number")  # kinds of a question
_COUNTED = 2  # words after a number that say of what
_YEAR = 4  # digits
PARTICLE = 3  # letters of the longest word in a name that is written small: "van", "de", "bin"
_WORD = re.compile(r"(?:(?<!\w)[$£€−])?(?P<word>[^\W_]+(?:[.,]\d+)*)(?:\s?[%‰€](?!\w)|°)?")
_LINKING = JOINING | PREPOSITIONS | ARTICLES
_NEAR = re.compile(r"[\s,.'’&/·・°–-]{0,3}")  # between two words of one stretch


Run = tuple[int, int]
"""The first and the last word of some that stand together."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A word of the sentence, from `start` to `end`."""

    token: Token
    start: int
    end: int


@dataclass(frozen=True)
class Claim:
    """What the model said, of a question."""

    text: str
    question: str

    @cached_property
    def words(self) -> tuple[Token, ...]:
        return tokens(self.text)

    @cached_property
    def new(self) -> dict[str, list[str]]:
        """What it says beyond the question, without its amounts."""
        counted = amounts(self.words)
        bare = [token for place, token in enumerate(self.words) if place not in counted]
        return by_beginning([term for term in content(bare) if not among(term, self.asked)])

    @cached_property
    def asked(self) -> dict[str, list[str]]:
        return by_beginning(terms(words(self.question)))

    @cached_property
    def values(self) -> frozenset[str]:
        given = [numbers(token.text).values for token in self.words if is_number(token)]
        return frozenset().union(*given) - numbers(self.question).values

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(terms([token.text for token in self.words]))

    def says(self, token: Token, first: bool) -> bool:
        """Whether a word of the sentence is news of the claim's; `first`: it is large whatever it is."""
        if is_number(token):
            return not self.values.isdisjoint(numbers(token.text).values)
        if token.text[:1].isupper() and not first and token.form in self.forms:
            return not among(token.form, self.asked)  # also "Will" and "The" of a name
        return not _shapes(token.form) and all(among(term, self.new) for term in terms([token.text]))


def stressed(claim: str, sentence: str, question: str) -> tuple[Stretch, ...]:
    """The stretches of the sentence, which the claim points at, that answer the question."""
    said = Claim(claim, question)
    if _denies(sentence):
        return ()
    placed = _placed(sentence)
    own = [one.token for one in placed]
    hits = {place for place, token in enumerate(own) if said.says(token, first=not place)}
    hits |= {place + 1 for place in hits if is_number(own[place]) and _unit(own, place + 1)}
    amounts_in = converted(claim, sentence)
    hits |= {n for n, one in enumerate(placed) if any(start <= one.start < end for start, end in amounts_in)}
    asked = Asked(question)
    runs = _telling(_runs(sorted(_of_kind(asked, own, hits) or hits), placed, sentence, said), placed)
    if asked.kind == "number":
        runs = [run for run in runs if _counts(run, own, said)] or runs
    if len(runs) > PIECES or sum(last - first + 1 for first, last in runs) >= MOST * len(placed):
        return ()
    spans = [(_start(placed[first], sentence), placed[last].end) for first, last in runs]
    return tuple((start, end - start) for start, end in spans)


def titled(claim: str, title: str, sentence: str, question: str) -> Stretch | None:
    """The stretch of a title, before which its sentence is quoted, where that is what answers: "Ada Brandt:
    “She was the first …”"."""
    name = title.partition(" (")[0]
    said, named, kind = Claim(claim, question), tokens(name), Asked(question).kind
    if kind not in ("", "name") or not named or _denies(sentence):
        return None
    begins = [token.form for token in said.words if token.form not in ARTICLES][: len(named)]
    if kind == "name":
        answers = said.says(named[-1], first=False) and all(token.form in said.forms for token in named)
    else:
        answers = begins == [token.form for token in named] and all(said.says(one, False) for one in named)
    return (0, len(name)) if answers else None


def _counts(run: Run, own: Sequence[Token], said: Claim) -> bool:
    """Whether what is counted there is what the question asks for: "11,825,551 inhabitants"."""
    first, last = run
    return any(among(token.form, said.asked) for token in own[first : last + 2])


def _denies(sentence: str) -> bool:
    return any(term in _DENYING for term in terms([token.text for token in tokens(sentence)]))


def _of_kind(asked: Asked, own: Sequence[Token], hits: set[int]) -> set[int]:
    """Those that may be what is asked for; a number with what it counts."""
    if not asked.kind:
        return hits
    found = {place for place in hits if asked.of_kind(own, place)}
    if asked.kind in _AMOUNTS:
        for place in sorted(hits):
            near = own[max(0, place - _COUNTED) : place]
            found |= {place} if place - 1 in found and any(map(is_number, near)) else set()
    if asked.kind == "time":
        found = {place for place in found if not _loose(own, place)}
        if any(_dates(own[place].form) for place in found):
            return {place for place in found if own[place].form in MONTHS or own[place].form[:1].isdigit()}
    if asked.kind == "place":
        return {place for place in found if own[place].text[:1].isupper()} or found
    return found


def _loose(own: Sequence[Token], place: int) -> bool:
    """Whether a small number stands without the month or year that would make it a date."""
    around = (*own[max(0, place - 1) : place], *own[place + 1 : place + 3])
    form = own[place].form
    return form.isdigit() and len(form) < _YEAR and not any(_dates(one.form) for one in around)


def _dates(form: str) -> bool:
    return form in MONTHS or (form.isdigit() and len(form) == _YEAR)


def _telling(runs: Sequence[Run], placed: Sequence[Placed]) -> list[Run]:
    """Without single letters of a script without spaces, words that stand in another one, too, and names that
    only say more of what follows ("the Dutch painter …") where others stand."""
    forms = [{one.token.form for one in placed[first : last + 1]} for first, last in runs]
    found = [
        run
        for n, run in enumerate(runs)
        if (run[0] < run[1] or placed[run[0]].token.text < CJK)
        and not any(forms[n] < other or (forms[n] == other and m < n) for m, other in enumerate(forms))
    ]
    return [run for run in found if not _describes(run, placed)] or found


def _describes(run: Run, placed: Sequence[Placed]) -> bool:
    """Whether a name stands right before a noun: "Dutch" before "painter"."""
    first, last = run
    large = all(one.token.text[:1].isupper() for one in placed[first : last + 1])
    after = next(
        (one.token for one in placed[last + 1 : last + 2] if one.start == placed[last].end + 1), None
    )
    if not large or after is None or not after.text[:1].islower():
        return False
    return not _shapes(after.form) and first_verb((after,)) is None


def _start(first: Placed, sentence: str) -> int:
    """With what bounds a number or date: "up to 3 km", "before 1914"."""
    before = sentence[max(0, first.start - _BOUNDING) : first.start]
    bound = (LOOSE.search(before) or OPEN.search(before)) if is_number(first.token) else None
    if bound is None or before[: bound.start()][-1:].isalnum():
        return first.start
    return first.start - len(before) + bound.start()


def _placed(sentence: str) -> list[Placed]:
    """The words; of a script without spaces each letter by itself."""
    found = []
    for match in _WORD.finditer(sentence):
        word, start = match.group("word"), match.start("word")
        if word >= CJK:
            found += [
                Placed(Token(letter, fold(letter)), start + n, start + n + 1) for n, letter in enumerate(word)
            ]
        else:
            found.append(Placed(Token(word, fold(word)), match.start(), match.end()))
    return found


def _runs(places: Sequence[int], placed: Sequence[Placed], sentence: str, said: Claim) -> list[Run]:
    runs: list[Run] = []
    for place in places:
        if runs and _one(placed[runs[-1][1] : place + 1], sentence, said):
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def _one(there: Sequence[Placed], sentence: str, said: Claim) -> bool:
    """Whether the first and the last of these words belong together, by what lies between them."""
    gaps = [_NEAR.fullmatch(sentence, one.end, other.start) for one, other in pairwise(there)]
    if not all(gaps) or not all(_joins(one.token, said) for one in there[1:-1]):
        return False
    parted = any(gap and "," in gap.group() for gap in gaps)
    return not parted or all(one.token.form in JOINING for one in there[1:-1])


def _joins(token: Token, said: Claim) -> bool:
    particle = token.text[:1].islower() and len(token.form) <= PARTICLE and not _shapes(token.form)
    return token.form in said.forms and (particle or token.form in _LINKING)


def _shapes(form: str) -> bool:
    return any(form in shaping for shaping in (JOINING, PREPOSITIONS, *LANGUAGES.values()))


def _unit(own: Sequence[Token], place: int) -> bool:
    return place < len(own) and bool(read_unit(own[place].text)[0])
