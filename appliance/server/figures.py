"""How numbers and sizes read in the language of a page; pure.

French: groups of three behind a narrow no-break space, a decimal comma, `Mo` behind a no-break space.
Spanish: the same groups, from five digits on (Ortografía de la lengua española, 2010: neither point nor
comma, since countries differ), a decimal comma.
"""

import re
from dataclasses import dataclass

NARROW, FIXED = "\u202f", "\xa0"  # spaces at which no line breaks
UNITS = (("GB", 1e9), ("MB", 1e6))


@dataclass(frozen=True, slots=True)
class Manner:
    """`least`: the digits from which on a number is set in groups. `byte` is a byte's letter."""

    group: str = ","
    least: int = 4
    point: str = "."
    space: str = " "
    byte: str = "B"


MANNERS = {
    "en": Manner(),
    "fr": Manner(NARROW, 4, ",", FIXED, "o"),
    "es": Manner(NARROW, 5, ",", FIXED),
}
# As our own sentences have them: 4,096 or 4,096 MB or 2.3 GB; not 3.11.2, nor 12.
_FIGURE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?: ([kMGT]i?)B)?")


def number(value: float, language: str = "en") -> str:
    """A whole number: `6,132`."""
    return figure(f"{value:,.0f}", language)


def size(value: float, language: str = "en") -> str:
    """Bytes as people read them: `512 kB`, `41 MB`, `2.3 GB`."""
    for unit, step in UNITS:
        if value >= step:
            told = f"{value / step:.1f} {unit}" if value < 10 * step else f"{value / step:,.0f} {unit}"
            return figure(told, language)
    return figure(f"{max(1, round(value / 1e3)) if value else 0} kB", language)


def figure(english: str, language: str) -> str:
    """A number that is written as in English, with or without a unit of bytes; other text as it is."""
    manner, found = MANNERS.get(language, MANNERS["en"]), _FIGURE.fullmatch(english.strip())
    if found is None or manner is MANNERS["en"]:
        return english
    digits, part, prefix = found[1].replace(",", ""), found[2], found[3]
    grouped = f"{int(digits):,}".replace(",", manner.group) if "," in found[1] else digits
    whole = grouped if len(digits) >= manner.least else digits
    return (
        whole
        + (f"{manner.point}{part}" if part else "")
        + (f"{manner.space}{prefix}{manner.byte}" if prefix else "")
    )
