"""What a question names exactly: years, other numbers, proper names. Pure.

A passage about 1998 is close in every other way to a question about 1994 and still does not answer it, so
these must occur in the evidence, in any of the forms in which people write them: 1,300 and 1300, 19th and
nineteen, World War 2 and World War II, 1994 inside 1991–1996, Köln and Koln.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein

from appliance.retrieval.words import LANGUAGES, fold, language, words

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[,.\u00a0\u202f ']\d{3})+(?!\d)|\d+")
_RANGE = re.compile(
    r"\b(1\d{3}|20\d{2})\s*(?:[-–—/]|to|until|till|and|through|à|au|et|a|al|y|hasta|bis|und)\s*(\d{4}|\d{2})\b"
)
_DECADE = re.compile(r"\b(\d{3}0)\s?'?s\b")
_ROMAN = re.compile(r"\b[IVX]+\b")
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf vingt",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve veinte",
    "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig",
)
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "premier": 1, "premiere": 1, "deuxieme": 2, "troisieme": 3, "primero": 1, "primera": 1,
    "primer": 1, "segundo": 2, "segunda": 2, "tercero": 3, "tercera": 3, "tercer": 3,
}  # fmt: skip
COUNTED = {word: n for line in _COUNTED for n, word in enumerate(line.split())}
_WRITTEN = COUNTED | _ORDINALS


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names: numbers as digits without separators, decades by their first year,
    and the words of proper names, folded."""

    numbers: tuple[str, ...] = ()
    decades: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


def named(question: str) -> Named:
    """Reads them off a question. Names need capitals, so a question in small letters has none."""
    decades = tuple(int(year) for year in _DECADE.findall(question))
    numbers = dict.fromkeys(_digits(_DECADE.sub(" ", question)))
    return Named(tuple(numbers), decades, tuple(dict.fromkeys(_names(question))))


def missing(wanted: Named, text: str) -> list[str]:
    """Those that do not occur in a text in any form; empty when all do."""
    present_numbers = _numbers(text) if wanted.numbers else set()
    lost = [number for number in wanted.numbers if number not in present_numbers]
    if lost or wanted.decades:
        years = _years(text)
        lost = [number for number in lost if not (len(number) == 4 and _covered(int(number), years))]
        lost += [f"{decade}s" for decade in wanted.decades if not _touched(decade, years)]
    if wanted.names:
        present = {fold(word) for word in words(text)}
        lost += [name for name in wanted.names if not _present(name, present)]
    return lost


def _digits(text: str) -> Iterable[str]:
    for match in _NUMBER.finditer(text):
        yield re.sub(r"\D", "", match.group()).lstrip("0") or "0"


def _numbers(text: str) -> set[str]:
    found = set(_digits(text))
    found |= set(re.findall(r"\d+", text))
    found |= {str(_WRITTEN[word]) for word in map(fold, words(text)) if word in _WRITTEN}
    found |= {str(_arabic(match.group())) for match in _ROMAN.finditer(text)}
    return found


def _years(text: str) -> list[tuple[int, int]]:
    """Years and spans of years that stand in a text, as (first, last)."""
    found = [(int(year), int(year)) for year in re.findall(r"\b(?:1\d{3}|20\d{2})\b", text)]
    found += [(int(year), int(year) + 9) for year in _DECADE.findall(text)]
    for first, last in _RANGE.findall(text):
        found.append((int(first), int(first[: 4 - len(last)] + last)))
    return found


def _covered(year: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= year <= last and last - first <= 100 for first, last in spans)


def _touched(decade: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= decade + 9 and last >= decade for first, last in spans)


def _arabic(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in roman]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def _names(question: str) -> Iterable[str]:
    tokens = words(question)
    code = language(tokens)
    if code == "de" or not any(token[:1].islower() for token in tokens):
        return  # German writes every noun large; a question all in capitals or of one word tells nothing
    for position, token in enumerate(tokens):
        if position == 0 or len(token) == 1 or not token[0].isupper() or _ROMAN.fullmatch(token):
            continue
        if fold(token) not in LANGUAGES[code]:
            yield fold(token)


def _present(name: str, found: set[str]) -> bool:
    """The same word, one that it begins (French, Frenchmen; Bolivia, Bolivian), or one slip away."""
    if name in found:
        return True
    stem = name[: max(4, len(name) - 3)]
    if len(name) >= 4 and any(word.startswith(stem) for word in found):
        return True
    return len(name) >= 5 and any(
        abs(len(word) - len(name)) < 2 and DamerauLevenshtein.distance(name, word, score_cutoff=1) < 2
        for word in found
    )
