"""Numbers, years, decades and centuries of a text, in every form in which people write them. Pure.

1,300 and 1300 and "thirteen hundred"; 12, twelve, XII and doce; 1.2 million and 1,200,000; 1994 inside
1991–96; the 1990s; the 19th century, siglo XIX and the 1800s. English, Spanish, French; German to 20.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from appliance.retrieval.words import fold, listed

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf vingt",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve veinte",
    "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig",
)
_TENS = (
    "thirty forty fifty sixty seventy eighty ninety",
    "trente quarante cinquante soixante septante quatre-vingts nonante",
    "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
)
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    "premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme onzieme "
    "douzieme treizieme quatorzieme quinzieme seizieme dix-septieme dix-huitieme dix-neuvieme vingtieme",
    "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
    "primera segunda tercera cuarta quinta sexta septima octava novena decima",
    "premiere seconde tercer",
)
_SCALES = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "cent": 100,
    "cien": 100, "ciento": 100, "mille": 1000, "mil": 1000, "millions": 10**6, "millones": 10**6,
    "milliard": 10**9, "milliards": 10**9, "bn": 10**9,
}  # fmt: skip
# COUNTED: counting words alone. ORDINAL: their places ("second"). Folded; the value as a whole number.
COUNTED = {word: n for line in _UNITS for n, word in enumerate(line.split())}
ORDINAL = {word: n for line in _ORDINALS for n, word in enumerate(line.split(), 1)} | {
    "tercer": 3,
    "seconde": 2,
}
_WRITTEN = (
    COUNTED
    | {word: 10 * n for line in _TENS for n, word in enumerate(line.split(), 3)}
    | {"dozen": 12}
    | ORDINAL
    | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100}
)
_ALONE = listed("hundred thousand million cien ciento mille")  # "a thousand"
_JOINING = listed("and y et e")
# Words of one language that count in another: they count where evidence is read, not in a question.
_DOUBTFUL = listed(
    """
    once onze seize cent mil mille seconde dix quarante six as null acht elf sept
    """
)
# "which three", "two of the", "what are the four": how many things are asked for, not a fact about them.
_ASKED_FOR = re.compile(
    r"(?:\b(?:what|which|name|list|are|were|these|other|que|quel\w*|cual\w*|son|sont)"
    r"(?: the| les| los| las)?|^)\s*$"
)
_CENTURY = r"(?:century|centuries|siecles?|siglos?|jahrhunderts?)"

_NUMBER = re.compile(
    r"(?<![\w.,])\d{1,3}(?:[,.\u00a0\u202f ']\d{3})+(?:[.,]\d{1,2})?(?![\d])"
    r"|(?<![\d.,])\d+[.,]\d+(?![.,]?\d)|\d+"
)
_SCALED = re.compile(rf"[\s\u00a0-]?({'|'.join(sorted(_SCALES, key=len, reverse=True))})\b")
_RANGE = re.compile(
    r"\b(1\d{3}|20\d{2})\s*(?:[-–—/]|to|until|till|and|through|à|au|et|a|al|y|hasta|bis|und)\s*(\d{4}|\d{2})\b"
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_PLACED = re.compile(r"\b(?:the|his|her|its|their|s)\s+$")
_DECADE = re.compile(r"\b(\d{3}0|(?<![\d.,])[2-9]0)\s?['’]?s\b")
_LONGEST = 40  # signs of a number that is calculated with; a longer one is a row of digits
_ROMAN = re.compile(r"\b(?=[IVXL])(XL|L?X{0,3})(IX|IV|V?I{0,3})(?:e|er|th)?\b(?!['’])")
_ORDERED = re.compile(
    rf"(?:\b(\w+?)(?:st|nd|rd|th)?\s+(?:and|or|to|through)\s+(?:the )?)?"
    rf"\b(\d+|[a-z]+(?:-[a-z]+)?)(?:st|nd|rd|th|e|eme)?"
    rf"[\s-]+{_CENTURY}"
)
_SIGLO = re.compile(r"siglos? ([ivxl]+|\d+)\b")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class Numbers:
    """`values` as plain decimals without separators ("1300", "3.5"), without those that only name a decade or
    a century. `decades` by their first year; `centuries` by their number; `years`: (first, last) spans."""

    values: frozenset[str]
    decades: frozenset[int]
    centuries: frozenset[int]
    years: tuple[tuple[int, int], ...]

    def has(self, value: str) -> bool:
        """Whether a number stands here, or a year inside a span of years."""
        return value in self.values or (len(value) == 4 and value.isdecimal() and self.has_year(int(value)))

    def has_year(self, year: int) -> bool:
        return any(first <= year <= last and last - first <= 100 for first, last in self.years)

    def has_decade(self, decade: int) -> bool:
        """Any year of the ten; for 1800 of the hundred, which "the 1800s" may also mean."""
        if decade % 100 == 0 and (decade // 100 + 1 in self.centuries or decade in self.decades):
            return True
        last = decade + (99 if decade % 100 == 0 else 9)
        return any(first <= last and end >= decade for first, end in self.years)

    def has_century(self, century: int) -> bool:
        first = 100 * (century - 1)
        return (
            century in self.centuries
            or first in self.decades
            or any(first <= year <= first + 100 for year, _ in self.years)
        )


def numbers(text: str, generous: bool = True) -> Numbers:
    """All that stand in a text. `generous`: in every way in which each can be read (for evidence); else in
    the likeliest one, and without counting words that are more often something else (for a question)."""
    plain = fold(text)
    decades = frozenset(_first_year(year) for year in _DECADE.findall(plain))
    centuries = frozenset(_centuries(plain))
    rest = plain if generous else _SIGLO.sub(" ", _ORDERED.sub(" ", _DECADE.sub(" ", plain)))
    values = set(_digits(rest, generous)) | set(_in_words(rest, generous))
    if generous or not centuries:
        values |= {str(value) for value in _romans(text, generous)}
    return Numbers(frozenset(values), decades, centuries, tuple(_years(plain)))


def _digits(plain: str, generous: bool) -> Iterator[str]:
    for match in _NUMBER.finditer(plain):
        written = match.group()
        if len(written) > _LONGEST:
            yield re.sub(r"\D", "", written)
            continue
        readings = _readings(written)
        scaled = _SCALED.match(plain, match.end())
        if scaled:
            yield _plain(
                float(readings[0] if "." in readings[0] else readings[-1]) * _SCALES[scaled.group(1)]
            )
        if generous or not scaled:
            yield from readings if generous else readings[:1]
        if generous and re.search(r"[ \u00a0\u202f']", written):
            yield from (str(int(part)) for part in re.findall(r"\d+", written))


def _readings(written: str) -> list[str]:
    """ "1,300" is 1300; "1.300" 1300 or 1.3; "3,5" 3.5; "1,300.50" 1300.5."""
    parts = re.split(r"\D", written)
    if len(parts) == 1:
        return [str(int(written))]
    whole = str(int("".join(parts)))
    if all(len(part) == 3 for part in parts[1:]):
        return [whole, _plain(float(f"{parts[0]}.{parts[1]}"))] if len(parts) == 2 else [whole]
    return [_plain(float(f"{''.join(parts[:-1])}.{parts[-1]}"))]


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.6f}".rstrip("0")


def _in_words(plain: str, generous: bool) -> Iterator[str]:
    """Counting words and those of an order, joined ("twenty-one", "two hundred and five", "treinta y dos");
    for a question without "one" and "first", which mostly count nothing."""
    total = current = 0
    begun = False
    place = 0
    for match in _WORD.finditer(plain):
        adjoining = plain[place : match.start()].strip(" -\u00a0") == ""
        place = match.end()
        pieces = [match.group()] if match.group() in _WRITTEN else match.group().split("-")
        for part, word in enumerate(pieces):
            adjoining = adjoining or part > 0
            value, scale = _WRITTEN.get(word), _SCALES.get(word)
            fits = value is not None and (
                current % 100 == 0 or (current % 100 >= 20 and current % 10 == 0 and 0 < value < 10)
            )
            if begun and adjoining and word in _JOINING:
                continue
            if begun and not (adjoining and (scale or fits)):
                yield from _counted(total + current, generous)
                total = current = 0
                begun = False
            if not begun and not generous and _says_little(word, plain[: match.start()]):
                continue
            if value is not None:
                current, begun = current + value, True
            elif scale and (begun or (word in _ALONE and not plain[: match.start()].rstrip()[-1:].isdigit())):
                begun = True
                if scale == 100:
                    current = max(1, current) * 100
                else:
                    total, current = total + max(1, current) * scale, 0
    if begun:
        yield from _counted(total + current, generous)


def _counted(value: int, generous: bool) -> Iterator[str]:
    if generous or value > 1:
        yield str(value)


def _says_little(word: str, before: str) -> bool:
    """Whether a counting word of a question is likelier something else, or how many things are asked for."""
    if word == "second":
        return _PLACED.search(before) is None
    return word in _DOUBTFUL or (word not in ORDINAL and _ASKED_FOR.search(before) is not None)


def _romans(text: str, generous: bool) -> Iterator[int]:
    for match in _ROMAN.finditer(text):
        value = _arabic(match.group(1)) + _arabic(match.group(2))
        if value and (generous or len(match.group(1) + match.group(2)) > 1):
            yield value


def _arabic(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in roman]
    pairs = zip(values, [*values[1:], 0], strict=True) if values else ()
    return sum(-value if value < following else value for value, following in pairs)


def _centuries(plain: str) -> Iterator[int]:
    for found in (*chain.from_iterable(_ORDERED.findall(plain)), *_SIGLO.findall(plain)):
        if found.isdecimal():
            yield from (int(found),) if len(found) <= _LONGEST else ()
        elif found in _WRITTEN:
            yield _WRITTEN[found]
        elif re.fullmatch(r"[ivxl]+e?", found):
            yield from _romans(found.rstrip("e").upper(), generous=True)
        else:
            yield from (int(value) for value in _in_words(found, generous=True))


def _first_year(decade: str) -> int:
    """ "1980s", and "80s", which are those of the last century."""
    return int(decade) if len(decade) == 4 else 1900 + int(decade)


def _years(plain: str) -> Iterator[tuple[int, int]]:
    for year in _YEAR.findall(plain):
        yield int(year), int(year)
    for year in _DECADE.findall(plain):
        yield _first_year(year), _first_year(year) + 9
    for first, last in _RANGE.findall(plain):
        yield int(first), int(first[: 4 - len(last)] + last)
