"""A calculation as a small typed tree: figures at its leaves, one operation in each node. Pure, and exact.

A figure may be a range ("10–15 mg/kg"); then the result is one too, from the ends of what the operation can
give. Nothing is ever parsed into code.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

from appliance.answer.figures import Figure, written
from appliance.answer.units import YEAR, Quantity, UnitsDisagree, combine, convert, shown, tidy
from appliance.records import Calculation, Input

YEARS = {"en": ("years", "year"), "fr": ("ans", "an"), "es": ("años", "año"), "de": ("Jahre", "Jahr")}
WORDS = {"fr": {"people": "habitants", "dose": "prise"}, "es": {"people": "habitantes", "dose": "dosis"}}
Op = Literal["+", "−", "×", "÷"]


@dataclass(frozen=True, slots=True)
class Step:
    """left op right."""

    op: Op
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class As:
    """What is inside, in another unit."""

    inner: "Expression"
    unit: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the formula itself: the 2 of an average of two, π."""

    value: Quantity
    text: str = ""


Expression = Figure | Constant | Step | As


def value(tree: Expression) -> tuple[Quantity, Quantity]:
    """The least and the greatest that it can be, in one unit. Raises UnitsDisagree."""
    match tree:
        case Constant(number):
            return number, number
        case Figure():
            return Quantity(tree.low, tree.unit), Quantity(tree.high, tree.unit)
        case As(inner, unit):
            low, high = value(inner)
            return convert(low, unit), convert(high, unit)
        case Step(op, left, right):
            ends = [combine(op, one, other) for one, other in product(value(left), value(right))]
            if op == "÷" and any(end.value == 0 for end in value(right)):
                raise UnitsDisagree("A division by zero has no result.", "Check the figures.")
            ordered = sorted(ends, key=lambda end: end.value)
            return ordered[0], ordered[-1]


def leaves(tree: Expression) -> list[Figure]:
    """The figures, in the order in which they are read, each once."""
    match tree:
        case Constant():
            return []
        case Figure():
            return [tree]
        case As(inner, _):
            return leaves(inner)
        case Step(_, left, right):
            return list(dict.fromkeys(leaves(left) + leaves(right)))


def formula(tree: Expression, language: str) -> str:
    """As a reader writes it: "20 kg × 15 mg/kg"."""
    match tree:
        case Constant(number, text):
            return text or written(number.value, language)[0]
        case Figure():
            return _figure(tree, language)
        case As(inner, _):
            return formula(inner, language)
        case Step(op, left, right):
            return f"{_inside(left, op, language, False)} {op} {_inside(right, op, language, True)}"


def calculation(tree: Expression, language: str) -> Calculation:
    """The tree with its result. Raises UnitsDisagree."""
    ends = value(tree)
    low, high = ends if isinstance(tree, As) else map(tidy, ends)  # the unit that was asked for is kept
    texts = [written(end.value, language) for end in ((low,) if low == high else (low, high))]
    unit = _named(low.unit, high.value == 1, language)
    result = "–".join(text for text, _ in texts) + (f" {unit}" if unit else "")
    inputs = tuple(Input(figure.text, figure.source) for figure in leaves(tree))
    return Calculation(inputs, formula(tree, language), result, any(rounded for _, rounded in texts))


def _named(unit: str, one: bool, language: str) -> str:
    """The unit as shown, words in the question's language."""
    if unit == YEAR:
        return YEARS[language][one]
    words = WORDS.get(language, {})
    return "/".join(words.get(part, part) for part in shown(unit).split("/"))


def _figure(figure: Figure, language: str) -> str:
    if figure.unit == YEAR and figure.low >= 1000:
        return str(figure.low)
    ends = (figure.low,) if figure.low == figure.high else (figure.low, figure.high)
    number = "–".join(written(end, language, 12)[0] for end in ends)
    return f"{number} {_named(figure.unit, False, language)}".strip()


def _inside(tree: Expression, op: Op, language: str, right: bool) -> str:
    text = formula(tree, language)
    if not isinstance(tree, Step):
        return text
    weaker = op in "×÷" and tree.op in "+−"
    return f"({text})" if weaker or (right and op in "−÷") else text
