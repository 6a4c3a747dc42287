"""Rates: so much per something, times how much of it there is. Doses, speeds, prices of a kind. Pure.

"a child of 20 kg at 15 mg/kg", "how far in 3 hours at 50 km/h", "how long for 150 km at 50 km/h". The
strictest part of arithmetic: a dose is not computed beside a limit, for somebody else, or for a time that
nobody named.
"""

import re

from appliance.answer.expressions import As, Expression, Step
from appliance.answer.figures import Figure
from appliance.answer.stated import Asked, Sentence
from appliance.answer.units import alike
from appliance.retrieval.words import fold, words

_HOW = re.compile(
    r"\b(?:how (?:much|many|far|long|fast)|what (?:is the )?(?:\w+ )?(?:dose|dosage|speed|distance)|dose"
    r"|dosage|combien|quelle (?:dose|distance|vitesse)|a quelle vitesse|que (?:dosis|distancia|velocidad)"
    r"|cual es la (?:dosis|distancia)|cuant[oa]s?|dosis)\b"
)
_LIMIT = re.compile(
    r"\b(?:max(?:imum|imal\w*|\.)?|maxim[oa]s?|exceed\w*|limit\w*|not more|no more|up to|at most|ceiling"
    r"|toxic\w*"
    r"|overdos\w*|fatal|lethal|depasser|excede\w*|superar)\b"
)
# A rate is a dose only where the sentence says that it is given, and nothing of harm, of trials, of the body.
_GIVEN = re.compile(
    r"\b(?:given|give|dose|dosed|doses|dosage|administered|recommended|donne\w*|administre\w*|posologie|dosis|da"
    r"|administra\w*|recomienda)\b"
)
_HARM = re.compile(
    r"\b(?:harm\w*|poison\w*|mistake\w*|error\w*|stud(?:y|ies)|trial\w*|kill\w*|death\w*|died"
    r"|damage\w*"
    r"|injur\w*|liver"
    r"|above|risk\w*|adverse|bioavailab\w*|distribution|clearance|ld50|danger\w*|nocif\w*|intoxication\w*|risque\w*"
    r"|etude\w*|essai\w*|dano\w*|riesgo\w*|estudio\w*|veneno\w*)\b"
)
_TIMES = re.compile(
    r"\b(?:twice|once|thrice|daily|hourly|weekly|times|every|each day|per day|a day|total|divided"
    r"|par jour|fois"
    r"|veces|diari[oa]s?|al dia|cada)\b"
)
_WHOM = {  # for whom: the words that say so
    "child": "child children kid enfant enfants nino ninos nina",
    "infant": "infant infants baby babies nourrisson nourrissons bebe lactante lactantes",
    "newborn": "newborn newborns neonate neonates",
    "adult": "adult adults adulte adultes adulto adultos man woman",
    "pregnant": "pregnant",
    "elderly": "elderly",
    "dog": "dog dogs chien perro",
    "cat": "cat cats chat gato",
    "horse": "horse horses",
    "rat": "rat rats",
    "mouse": "mouse mice",
    "calf": "calf",
    "cattle": "cattle",
    "sheep": "sheep",
    "goat": "goat",
    "monkey": "monkeys",
}
_WHO = {word: whom for whom, listed in _WHOM.items() for word in listed.split()}
_ANYBODY = frozenset(words("person patient patients"))
_SHAPE = words(
    """
    dose doses dosage drug medicine give given giving need needs needed take takes weigh weighs weighing
    weight body mass amount quantity milligrams mg ml right correct recommended usual calculate travel
    travels traveling travelling go goes drive run fly swim speed distance hour hours minute minutes far
    long fast rate top average donner faut peser pese pesant poids prendre quelle quel vitesse distance
    dar pesa peso debo cantidad velocidad distancia recorre recorrer
    """
)


def given(asked: Asked) -> Expression | None:
    """Rate and amount both stand in the question, and no other figure does."""
    if len(asked.figures) != 2 or not _HOW.search(asked.folded) or _LIMIT.search(asked.folded):
        return None
    one, other = asked.figures
    if "/" in one.unit and "/" in other.unit:
        return None
    if "/" not in one.unit and "/" not in other.unit:
        return _speed(asked, one, other)
    rate, amount = (one, other) if "/" in one.unit else (other, one)
    return None if _other_time(asked.folded, rate) else _applied(rate, amount, asked.folded)


def stated(asked: Asked) -> Expression | None:
    """The amount stands in the question, the rate in the passages: in every sentence about the thing
    alike."""
    if len(asked.figures) != 1 or not _HOW.search(asked.folded):
        return None
    amount = asked.figures[0]
    if not amount.unit or "/" in amount.unit or amount.low != amount.high:
        return None
    about = [word for word in asked.rest(_SHAPE) if word not in _WHO and word not in _ANYBODY]
    asked_for = _whom(asked.question)

    def fits(figure: Figure, _: Sentence) -> bool:
        return "/" in figure.unit and any(alike(part, amount.unit) for part in _parts(figure.unit)[:2])

    rate = asked.one(about, fits)
    if rate is None or _other_time(asked.folded, rate):
        return None
    passage = asked.passages[rate.source - 1]
    if _is_dose(rate):
        sentence = asked.at(rate)
        said = fold(sentence.text)
        if not _GIVEN.search(said) or _HARM.search(fold(passage.text)):
            return None
        if _LIMIT.search(fold(passage.text)) or _whom(f"{sentence.above} {sentence.text}") != asked_for:
            return None
        if len(sentence.figures) > 1:  # another rate, a time, a number of doses
            return None
    return _applied(rate, amount, asked.folded)


def _applied(rate: Figure, amount: Figure, folded: str) -> Expression | None:
    above, below = _parts(rate.unit)[:2]
    if alike(below, amount.unit):
        return As(Step("×", amount, rate), rate.unit.replace(f"/{below}", "", 1))
    asks_time = re.search(
        r"\b(?:how long|how many|how much time|combien de temps|cuanto tiempo|cuant[oa]s)\b", folded
    )
    if alike(above, amount.unit) and asks_time and rate.unit == f"{above}/{below}" and rate.low > 0:
        return As(Step("÷", amount, rate), below)
    return None


def _speed(asked: Asked, one: Figure, other: Figure) -> Expression | None:
    """Distance over time, where the question asks how fast."""
    if (
        not re.search(r"\b(?:how fast|(?:average )?speed|vitesse|velocidad)\b", asked.folded)
        or not one.unit
        or not other.unit
    ):
        return None
    way, time = (one, other) if alike(one.unit, "meter") else (other, one)
    if not alike(way.unit, "meter") or not alike(time.unit, "second") or time.low <= 0:
        return None
    return As(Step("÷", way, time), f"{way.unit}/{time.unit}")


def _parts(unit: str) -> list[str]:
    return unit.split("/")


def _is_dose(rate: Figure) -> bool:
    below = _parts(rate.unit)[1]
    return alike(below, "kilogram") or "dose" in rate.unit


def _other_time(folded: str, rate: Figure) -> bool:
    """Whether the question names a rhythm ("twice a day") that the rate does not count in."""
    return _is_dose(rate) and _TIMES.search(folded) is not None


def _whom(text: str) -> frozenset[str]:
    """For whom a dose is, as far as words tell."""
    return frozenset(_WHO[word] for word in map(fold, words(text)) if word in _WHO)
