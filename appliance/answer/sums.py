"""Calculations whose figures all stand in the question: conversions, percentages, sums, averages. Pure.

Nothing is taken from anywhere else and nothing may be left over: a word that none of these forms knows could
change what is meant, so it ends in silence.
"""

import re
from fractions import Fraction

from appliance.answer.expressions import As, Constant, Expression, Op, Step
from appliance.answer.stated import Asked
from appliance.answer.units import YEAR, Quantity, alike, read_unit
from appliance.retrieval.words import words

_SHAPE = words(
    """
    convert converted converts conversion equal equals change calculate compute work worked total sum add
    added average mean difference product percentage percent between per cent times plus minus multiplied
    divided degrees value result times
    convertir convertis convertissez convertit combien font vaut fait degres somme moyenne pourcentage calcule
    calculer pour cent
    convierte convertir cuanto cuantos cuantas equivale equivalen grados suma promedio media porcentaje
    calcula por ciento
    """
)
_TARGET = re.compile(r"(?=(?:\b(?:to|into|in|as|en|a)|=)\s+(\S.*)$)")  # each of "in in cm"
_COUNTED = re.compile(r"(?:how many|how much|combien de|combien d'|cuant[oa]s)\s+(.+)$")


def target(asked: Asked) -> tuple[str, str]:
    """The unit that the question wants its answer in, and how it writes it; empty when it names none."""
    for pattern in (_TARGET, _COUNTED):
        for match in pattern.finditer(asked.folded):
            typed = _as_typed(asked, match.group(1))
            unit, length = read_unit(typed)
            if unit and (pattern is _COUNTED or length == len(typed)):
                return unit, typed[:length]
    return "", ""


def conversion(asked: Asked) -> Expression | None:
    """ "convert 5 miles to km", "how many km are 5 miles"."""
    wanted, typed = target(asked)
    if not wanted or len(asked.figures) != 1 or _left_over(asked, typed):
        return None
    figure = asked.figures[0]
    if not figure.unit or YEAR in (figure.unit, wanted):  # a calendar year is no fixed number of days
        return None
    if figure.unit == wanted or not alike(figure.unit, wanted):
        return None
    return As(figure, wanted)


def share(asked: Asked) -> Expression | None:
    """ "12 % of 250", "30 is what percent of 250", "what percentage of 250 is 30"."""
    if len(asked.figures) != 2 or _left_over(asked):
        return None
    one, other = asked.figures
    between = asked.question[one.end : other.start]
    if one.unit == "percent" and other.unit != "percent" and re.fullmatch(r"\s+(?:of|de|d['’])\s*", between):
        return As(Step("×", other, one), other.unit)
    if "percent" in (one.unit, other.unit) or not alike(one.unit, other.unit):
        return None
    if re.search(r"what (?:percent|percentage) of $", asked.question[: one.start], re.IGNORECASE):
        return As(Step("÷", other, one), "percent")
    if re.search(r"\bis what (?:percent|percentage) of $", asked.question[: other.start], re.IGNORECASE):
        return As(Step("÷", one, other), "percent")
    return None


def listed(asked: Asked) -> Expression | None:
    """ "the average of 3, 5 and 10", "the sum of 12 kg and 500 g", "the difference between 9 and 4"."""
    given = asked.figures
    kind = re.search(
        r"\b(?:(average|mean|moyenne|promedio|media)|(sum|total|somme|suma)|(difference))\b", asked.folded
    )
    if not kind or len(given) < 2 or _left_over(asked) or any("percent" in figure.unit for figure in given):
        return None
    if any(re.search(r"\d,(?!\d{3}(?!\d))", figure.text) for figure in given):
        return None  # "3,5 and 10": two numbers or three?
    if kind.group(3):
        larger, smaller = sorted(given[:2], key=lambda figure: -figure.low)
        return Step("−", larger, smaller) if len(given) == 2 and larger.unit == smaller.unit else None
    total: Expression = given[0]
    for figure in given[1:]:
        total = Step("+", total, figure)
    return Step("÷", total, Constant(Quantity(Fraction(len(given))))) if kind.group(1) else total


_SIGNS: dict[str, Op] = {"+": "+", "plus": "+", "mas": "+", "-": "−", "−": "−", "minus": "−", "moins": "−",
          "menos": "−",
          "x": "×", "×": "×", "*": "×", "times": "×", "fois": "×", "por": "×", "multiplied by": "×",
          "÷": "÷", "/": "÷", "divided by": "÷", "divise par": "÷",
          "dividido por": "÷", "dividido entre": "÷"}  # fmt: skip


def sign(asked: Asked) -> Expression | None:
    """ "3 × 4", "12 divided by 5": two figures and what stands between them."""
    if len(asked.figures) != 2:
        return None
    one, other = asked.figures
    op = _SIGNS.get(asked.folded_between(one, other))
    rest = asked.question[: one.start] + asked.question[other.end :]
    if op in ("+", "−") and (one.unit == "percent") != (other.unit == "percent"):
        return None  # "250 plus 12 %": 12 % of what?
    if op is None or not re.fullmatch(
        r"(?i)\W*(?:what(?:['’]s| is)|how much is|combien (?:font|fait)|cu[aá]nto es|calculate)?\W*", rest
    ):
        return None
    return Step(op, one, other)


def _left_over(asked: Asked, unit: str = "") -> bool:
    """Whether a word of the question is neither a figure, nor of the unit as written, nor of a form known
    here."""
    return bool(asked.rest([*_SHAPE, *words(unit)]))


def _as_typed(asked: Asked, folded: str) -> str:
    """The end of the question in its own letters: units tell mg from Mg."""
    plain = asked.question.strip(" ?!.¿¡")
    return plain[-len(folded) :] if len(plain) == len(asked.folded) else folded
