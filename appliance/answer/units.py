"""Quantities with units, computed exactly: the one door to pint.

Values are fractions, so that 5 miles are 8.04672 km and nothing else. A unit is a text in pint's notation
("milligram/kilogram", "" for a bare number); `read_unit` makes it from the forms that people write in
English, French and Spanish. Only what stands in UNITS counts as a unit: pint itself would read "a" as a year.
Left out is what means two things: a French "livre" (500 g, or a pound), "once" (an ounce, eleven, one time).
pint takes a third of a second to start, so it is imported when the first quantity is computed with.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from appliance.errors import LamplightError
from appliance.retrieval.words import fold

if TYPE_CHECKING:
    import pint

# pint's name | as shown | written forms; a form of one or two letters is told apart by its case
UNITS = """
kilometer | km | km kilometer kilometers kilometre kilometres kilometro kilometros
meter | m | m meter meters metre metres metro metros
centimeter | cm | cm centimeter centimeters centimetre centimetres centimetro centimetros
millimeter | mm | mm millimeter millimeters millimetre millimetres milimetro milimetros
mile | mi | mi mile miles milla millas
yard | yd | yd yard yards yarda yardas
foot | ft | ft foot feet pied pieds pie pies
inch | in | inch inches pouce pouces pulgada pulgadas
nautical_mile | nmi | nmi
gram | g | g gram grams gramme grammes gramo gramos
kilogram | kg | kg kilo kilos kilogram kilograms kilogramme kilogrammes kilogramo kilogramos
milligram | mg | mg milligram milligrams milligramme milligrammes miligramo miligramos
microgram | µg | µg μg mcg microgram micrograms microgramme microgrammes microgramo microgramos
metric_ton | t | t tonne tonnes tonelada toneladas
pound | lb | lb lbs pound pounds libra libras
ounce | oz | oz ounce ounces onza onzas
liter | L | l L liter liters litre litres litro litros
milliliter | mL | ml mL milliliter milliliters millilitre millilitres mililitro mililitros
centiliter | cL | cl cL centilitre centilitres centiliter centiliters centilitro centilitros
second | s | s sec second seconds seconde secondes segundo segundos
minute | min | min minute minutes minuto minutos
hour | h | h hr hrs hour hours heure heures hora horas
day | d | day days jour jours dia dias
year | years | year years ans annees annee anos
week | wk | week weeks semaine semaines semana semanas
degree_Celsius | °C | °C celsius centigrade centigrados
degree_Fahrenheit | °F | °F fahrenheit
kelvin | K | K kelvin kelvins
ampere | A | A amp amps ampere amperes amperio amperios
milliampere | mA | mA milliamp milliamps
volt | V | V volt volts voltio voltios
ohm | Ω | Ω ohm ohms ohmio ohmios
watt | W | W watt watts vatio vatios
kilowatt | kW | kW kilowatt kilowatts
megawatt | MW | MW megawatt megawatts
newton | N | N newton newtons
joule | J | J joule joules
kilojoule | kJ | kJ kilojoule kilojoules
kilocalorie | kcal | kcal kilocalorie kilocalories kilocaloria kilocalorias
hectare | ha | ha hectare hectares hectarea hectareas
acre | acre | acre acres
kilowatt_hour | kWh | kWh
kilometer/hour | km/h | kph kmh
mile/hour | mph | mph
dose | dose | dose doses dosis prise prises
person | people | people persons person inhabitants residents habitants habitantes personas
percent | % | % percent pourcent
"""
SHOWN = {pint_name: shown for pint_name, shown, _ in (row.split(" | ") for row in UNITS.strip().splitlines())}
FORMS = {
    form: name for name, _, forms in (row.split(" | ") for row in UNITS.strip().splitlines())
    for form in forms.split()
}  # fmt: skip
_LONG = {fold(form): name for form, name in FORMS.items() if len(form) > 2}
_POWERS = {"square": 2, "cubic": 3, "carre": 2, "carres": 2, "cube": 3, "cubes": 3, "cuadrado": 2,
           "cuadrados": 2, "sq": 2, "sq.": 2, "cubico": 3, "cubicos": 3, "²": 2, "³": 3, "2": 2, "3": 3,
           "^2": 2, "^3": 3}  # fmt: skip
YEAR = "year"
_SCALES = ("degree_Celsius", "degree_Fahrenheit", "kelvin")
NAMED = ("volt", "ampere", "ohm", "watt", "newton", "joule", "kilogram/meter**2", "kilogram/meter**3")
_LETTER = r"[^\W\d_²³]"
_FORM = "|".join(re.escape(form) for form in sorted(FORMS, key=len, reverse=True) if len(form) <= 2)
_AFTER = r"(?:[²³]|\^?[23](?!\d)|[ ](?:carr[ée]s?|cubes?|cuadrad[oa]s?|c[úu]bic[oa]s?)\b)?"
_ONE = (
    rf"(?:(?:square|cubic|sq\.?)[ ])?(?:(?:degr[eé]e?s?|grados)[ ])?"
    rf"(?:(?:{_FORM})(?!{_LETTER})|{_LETTER}{{3,}}){_AFTER}"
)
WRITTEN = re.compile(rf"{_ONE}(?:\s*/\s*{_ONE}|\s+(?:per|par|por|an)\s+{_ONE})*")
_PERCENT = re.compile(r"%|per cent\b|pour cent\b|por ciento\b")
_PART = re.compile(r"\s*/\s*|\s+(?:per|par|por|an)\s+")


class UnitsDisagree(LamplightError):
    """Quantities that cannot be put together: metres and kilograms, or a division by zero."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact value and its unit."""

    value: Fraction
    unit: str = ""


def read_unit(text: str) -> tuple[str, int]:
    """The unit at the beginning of a text and how many letters it takes; ("", 0) when there is none.

    "mg per kg of weight" -> ("milligram/kilogram", 9). "grams per bottle" is none: to read it as grams would
    give a wrong figure.
    """
    match = WRITTEN.match(text)
    if not match:
        found = _PERCENT.match(text)
        return ("percent", found.end()) if found else ("", 0)
    names = [_single(part) for part in _PART.split(match.group())]
    return ("/".join(names), match.end()) if all(names) else ("", 0)


def _single(text: str) -> str:
    """ "square metres" -> "meter**2"; "" for anything that is no unit."""
    power, body = 1, re.sub(r"^(?:degr[eé]e?s? |grados )", "", text)
    for mark in sorted(_POWERS, key=len, reverse=True):
        before, after = f"{mark} ", mark if mark[0] in "²³23^" else f" {mark}"
        if fold(body).startswith(before) and mark.isalpha():
            power, body = _POWERS[mark], body[len(before) :]
        elif (body if mark in "²³" else fold(body)).endswith(after):
            power, body = _POWERS[mark], body[: -len(after)]
        else:
            continue
        break
    name = FORMS.get(body) or _LONG.get(fold(body), "")
    return f"{name}**{power}" if name and power > 1 else name


def convert(quantity: Quantity, unit: str) -> Quantity:
    """The same in another unit. Raises UnitsDisagree."""
    found = _reckoned(lambda: _pint(quantity).to(unit or "dimensionless").magnitude, quantity, unit)
    if unit in _SCALES and quantity.unit in _SCALES and _pint(quantity).to("kelvin").magnitude < 0:
        raise UnitsDisagree(f"{quantity.value} {quantity.unit} is below the coldest there is.", "Check it.")
    return Quantity(found.value, unit)


def combine(op: str, left: Quantity, right: Quantity) -> Quantity:
    """left op right, for + − × ÷. Sums are in the left one's unit. Raises UnitsDisagree.

    Temperatures on a scale can only be subtracted.
    """

    def reckon() -> Any:  # noqa: ANN401  (pint types its arithmetic as Any)
        one, other = _pint(left), _pint(right)
        if op in "+−":
            return one + other if op == "+" else one - other
        return (one * other if op == "×" else one / other).to_reduced_units()

    return _reckoned(reckon, left, right.unit)


def tidy(quantity: Quantity) -> Quantity:
    """A result in the unit that has a name: 20 A·Ω are 20 V, 0.0023 kg/cm² are 23 kg/m²."""
    if not re.search(r"[*/]", quantity.unit) or quantity.unit in SHOWN:
        return quantity
    known = (name for name in NAMED if alike(name, quantity.unit))
    return convert(quantity, next(known, quantity.unit))


def alike(one: str, other: str) -> bool:
    """Whether two units measure the same."""
    if one == other:
        return True
    registry = _registry()
    return bool(registry.Unit(one).dimensionality == registry.Unit(other).dimensionality) and (
        ("percent" in one) == ("percent" in other)
    )


def shown(unit: str) -> str:
    """As a reader knows it: "mg/kg", "km²", "°C"."""
    if not unit:
        return ""
    if unit in SHOWN:
        return SHOWN[unit]
    above: list[str] = []
    below: list[str] = []
    for name, power in _parts(_registry().Unit(unit)):
        plain = name.removeprefix("delta_")
        mark = {1: "", 2: "²", 3: "³"}.get(abs(power), f"^{abs(power)}")
        (above if power > 0 else below).append(SHOWN.get(plain, plain) + mark)
    return "/".join(["·".join(above) or "1", *below])


def _parts(unit: Any) -> list[tuple[str, int]]:  # noqa: ANN401  (a Unit or a PlainUnit)
    """The units in a compound one with their powers, those above the line first."""
    return sorted(((name, int(power)) for name, power in unit._units.items()), key=lambda part: -part[1])


def _reckoned(reckon: Callable[[], Any], left: Quantity, unit: str) -> Quantity:
    import pint

    try:
        result = reckon()
    except (pint.PintError, ZeroDivisionError, AttributeError) as error:
        raise UnitsDisagree(
            f"{left.value} {left.unit} and {unit or 'a bare number'} cannot be put together.",
            "Ask for quantities of one kind.",
        ) from error
    if isinstance(result, Fraction):
        return Quantity(result)
    parts = _parts(result.units)
    if result.dimensionless and parts != [("percent", 1)]:
        return Quantity(Fraction(result.to("dimensionless").magnitude))
    above = "*".join(f"{name}**{power}" if power > 1 else name for name, power in parts if power > 0)
    below = "".join(f"/{name}" + (f"**{-power}" if power < -1 else "") for name, power in parts if power < 0)
    return Quantity(Fraction(result.magnitude), (above or "1") + below if parts else "")


def _pint(quantity: Quantity) -> "pint.Quantity[Any]":
    return _registry().Quantity(quantity.value, quantity.unit or "dimensionless")


@cache
def _registry() -> "pint.UnitRegistry[Any]":
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(non_int_type=Fraction)
    registry.define("dose = [dose]")
    registry.define("person = [person]")
    return registry
