"""What a question names exactly: years, other numbers, proper names. Pure.

A passage about 1998 is close in every other way to a question about 1994 and still does not answer it, so
these must occur in the evidence, in any of the forms in which people write them: `numbers` has those of
numbers; of names these count: Köln and Koln, Bolivia and Bolivians, France and French, UN and United
Nations, Spider-Man and Spiderman.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import DamerauLevenshtein

from appliance.retrieval.lexical import Term
from appliance.retrieval.numbers import Numbers, numbers
from appliance.retrieval.words import LANGUAGES, fold, language, listed, words

RARE = 5.0  # weight of a word from which on it may be a name that was typed small: one passage in 150
FEW = 3  # passages; in a small archive no word weighs as much
_ROMAN = re.compile(r"[IVXL]+")
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}")  # U.S.A.
_WORLD_WAR = re.compile(r"\bWW ?(I{1,2}|[12])\b")
_TOKEN = re.compile(r"[^\W_]+")
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?:;\"“”«»(\[|•\n])[\s'‘’\"“(]*$")
_SMALL = listed("of the and for de la le les du des del y et und der")
# A name and what is said of it: Bolivia, Bolivian; China, Chinese; Buddhism, Buddhist; Newton, Newtonian.
_SAID_OF = listed(
    """
    s es n an ns ans ian ians ean eans ese ish i is ic ics man men woman women er ers ite ites ism ist ists
    ien ienne iens ais aise ano ana anos anas
    """
)
_ENDINGS = _SAID_OF | listed("a e y ia as")
_IRREGULAR = """
    france french
    spain spanish
    britain british
    england english
    ireland irish
    scotland scottish
    wales welsh
    poland polish poles
    sweden swedish swedes
    denmark danish danes
    finland finnish
    argentina argentine argentinian
    turkey turkish turks
    greece greek greeks
    netherlands dutch holland
    switzerland swiss
    portugal portuguese
    norway norwegian norwegians
    thailand thai
    germany german germans
    tv television
    christ christian christians
    january jan
    february feb
    march mar
    april apr
    august aug
    september sept sep
    october oct
    november nov
    december dec
"""
_ALSO = {word: frozenset(line.split()) for line in _IRREGULAR.strip().splitlines() for word in line.split()}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_DATE = re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.]\d{2,4}\b|\b\d{4}-(\d{1,2})-\d{1,2}\b")


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names: numbers as digits without separators, decades by their first year, centuries by
    their number, and the words of proper names, folded. `unknown`: those of the names that stand in no
    archive, so that they may be a slip of the keyboard."""

    numbers: tuple[str, ...] = ()
    decades: tuple[int, ...] = ()
    centuries: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()


def named(question: str, terms: Sequence[Term] | None = None, texts: Iterable[str] = ()) -> Named:
    """Reads them off a question.

    `terms` are its words as the archives know them; None where there are none to ask (then every name may be
    mistyped). `texts` are evidence: a word that they write with a capital within their sentences is a name
    however the question writes it, which may be in small letters throughout or begin with it.
    """
    question = _spelled_out(question)
    found = numbers(question, generous=False)
    rare = {fold(term.word) for term in terms or () if term.weight >= RARE or term.frequency <= FEW}
    names = tuple(dict.fromkeys(_names(question, rare, texts)))
    known = {fold(term.word) for term in terms or () if term.frequency}
    return Named(
        tuple(sorted(found.values)),
        tuple(sorted(found.decades)),
        tuple(sorted(found.centuries)),
        names,
        frozenset(names) - known,
    )


def missing(wanted: Named, text: str) -> list[str]:
    """Those that do not occur in a text in any form; empty when all do."""
    lost: list[str] = []
    text = _spelled_out(text)
    if wanted.numbers or wanted.decades or wanted.centuries:
        lost += _uncounted(wanted, numbers(text))
    if wanted.names:
        present = {fold(word) for word in words(text)}
        absent = [name for name in wanted.names if name not in present]
        if absent:
            lost += _absent(absent, wanted, text, present)
    return lost


def _uncounted(wanted: Named, found: Numbers) -> list[str]:
    lost = [number for number in wanted.numbers if not found.has(number)]
    lost += [f"{decade}s" for decade in wanted.decades if not found.has_decade(decade)]
    return lost + [f"{century}th century" for century in wanted.centuries if not found.has_century(century)]


def _names(question: str, rare: Collection[str], texts: Iterable[str]) -> Iterator[str]:
    tokens = words(question)
    code = language(tokens)
    shaping = LANGUAGES[code]
    # German writes every noun large; a question all in capitals or of one word tells nothing.
    telling = code != "de" and any(token[:1].islower() for token in tokens)
    candidates = {fold(token) for token in tokens if len(token) > 2} & set(rare) - shaping
    proper = capitalised(candidates, texts) if candidates else frozenset()
    for position, token in enumerate(tokens):
        name = fold(token)
        if len(token) == 1 or name in shaping or _ROMAN.fullmatch(token) or name[0].isdigit():
            continue
        if name in proper or (telling and position > 0 and token[0].isupper()):
            yield name


def typed_small(question: str) -> bool:
    """Whether a question may write names in small letters, as it writes all but its first word."""
    tokens = words(question)
    large = [token[0].isupper() for token in tokens[1:] if len(token) > 1]
    return language(tokens) != "de" and (not any(large) or all(large))


def capitalised(candidates: Collection[str], texts: Iterable[str]) -> frozenset[str]:
    """Those of the folded words that texts write with a capital within sentences, and hardly otherwise."""
    large, small = _written(candidates, texts)
    return frozenset(name for name in large if large[name] > 4 * small[name])


def capital(word: str, texts: Iterable[str]) -> float:
    """How much of a name texts make of a folded word, 0…1: the share that they write with a capital within
    sentences, less where few tell; 0 where none does."""
    large, small = _written((word,), texts)
    return large[word] / (large[word] + small[word] + 1)


def _written(candidates: Collection[str], texts: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """How often texts write each of the folded words with a capital within sentences, and without one."""
    large: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for text in texts:
        for match in _TOKEN.finditer(text):
            token = match.group()
            if len(token) < 3 or (name := fold(token)) not in candidates:
                continue
            if not token[0].isupper():
                small[name] += 1
            elif not _SENTENCE_BEGINS.search(text[max(0, match.start() - 4) : match.start()]):
                large[name] += 1
    return large, small


def _spelled_out(text: str) -> str:
    """U.S.A. as USA, WWII as World War II."""
    return _WORLD_WAR.sub(r"World War \1", _INITIALS.sub(lambda match: match.group().replace(".", ""), text))


def _absent(absent: Sequence[str], wanted: Named, text: str, present: Collection[str]) -> list[str]:
    """Those of the names that stand in the text in no other form either."""
    squeezed = "".join(words(fold(text)))
    initials = "".join(word[0] for word in words(text) if word[0].isupper() and fold(word) not in _SMALL)
    lost = [
        name
        for name in absent
        if not any(_same(name, word) for word in present)
        and not (name in wanted.unknown and any(_slip(name, word) for word in present))
        and not _joined(name, wanted.names, squeezed)
        and not (3 <= len(name) <= 5 and name.upper() in initials)
        and not _in_a_date(name, text)
    ]
    return lost if len(lost) < 2 or not _abbreviated(lost, wanted.names, text) else []


def _joined(name: str, names: Sequence[str], squeezed: str) -> bool:
    """Written as one word where the question has two, or the other way round: Spider-Man."""
    place = names.index(name)
    pairs = [first + second for first, second in pairwise(names[max(0, place - 1) : place + 2])]
    return (len(name) > 5 and name in squeezed) or any(pair in squeezed for pair in pairs)


def _same(name: str, word: str) -> bool:
    """The same name, or what is said of it."""
    if word in _ALSO.get(name, ()):
        return True
    if name[:3] != word[:3]:
        return False
    common = 3
    for a, b in zip(name[3:], word[3:], strict=False):
        if a != b:
            break
        common += 1
    rests = {name[common:], word[common:]}
    if "" in rests:
        return rests - {""} <= _SAID_OF
    return common >= 4 and rests <= _ENDINGS and bool(rests & _SAID_OF)


def _slip(name: str, word: str) -> bool:
    return (
        len(name) >= 5
        and abs(len(word) - len(name)) < 2
        and DamerauLevenshtein.distance(name, word, score_cutoff=1) < 2
    )


def _abbreviated(lost: Sequence[str], names: Sequence[str], text: str) -> bool:
    """Whether all lost names stand next to each other and the text has their initials: UN, WWII."""
    initials = "".join(name[0] for name in lost).upper()
    at = [names.index(name) for name in lost]
    return at[-1] - at[0] == len(lost) - 1 and re.search(rf"\b{initials}(?:[IVX]*|s)\b", text) is not None


def _in_a_date(name: str, text: str) -> bool:
    if name not in _MONTHS:
        return False
    month = _MONTHS.index(name) + 1
    return any(str(month) in (a.lstrip("0"), b.lstrip("0"), c.lstrip("0")) for a, b, c in _DATE.findall(text))
