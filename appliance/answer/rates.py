"""Rates: so much per something, times how much of it there is. Doses, speeds, prices of a kind. Pure.

"a child of 20 kg at 15 mg/kg", "how far in 3 hours at 50 km/h", "how long for 150 km at 50 km/h". The
strictest part of arithmetic; what holds for doses is in `doses`.
"""

import re

from appliance.answer import doses
from appliance.answer.expressions import As, Expression, Step
from appliance.answer.figures import Figure
from appliance.answer.stated import NOT, Asked, Sentence, stray
from appliance.answer.units import alike, read_unit
from appliance.retrieval.words import listed, words

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
_TURNED = re.compile(  # what makes it another sum
    r"\b(?:against|wind|uphill|brak\w*|stop\w*|acceler\w*|than|faster|slower|twice|half|double|cost\w*|price|kill\w*"
    r"|left|remain\w*|contre|mas rapido|plus vite|cuesta|coute)\b"
)
_ANYBODY = frozenset(words("person patient patients"))
_SHAPE = frozenset(
    words(
        """
    dose doses dosage drug medicine give given giving need needs needed take takes weigh weighs weighing
    weight body mass amount quantity milligrams mg ml right correct recommended usual calculate travel
    travels traveling travelling go goes drive run fly swim speed distance hour hours minute minutes far
    long fast rate top average donner faut peser pese pesant poids prendre quelle quel vitesse distance
    dar pesa peso debo cantidad velocidad distancia recorre recorrer
    """
    )
)
_MOVES = listed(
    "the a an is at of in has its it runs flies swims moves speeds le la les l a de el los las un una"
)
_KNOWN = _SHAPE | _ANYBODY


def given(asked: Asked) -> Expression | None:
    """Rate and amount both stand in the question, and no other figure does."""
    if len(asked.figures) != 2 or not _HOW.search(asked.folded) or _turned(asked):
        return None
    one, other = asked.figures
    if "/" in one.unit and "/" in other.unit:
        return None
    if "/" not in one.unit and "/" not in other.unit:
        return _speed(asked, one, other)
    rate, amount = (one, other) if "/" in one.unit else (other, one)
    if doses.is_dose(rate) and not doses.asked_plainly(asked, rate, amount, _KNOWN):
        return None
    return _applied(rate, amount, asked)


def stated(asked: Asked) -> Expression | None:
    """The amount stands in the question, the rate in the passages: in every sentence about the thing
    alike."""
    if len(asked.figures) != 1 or not _HOW.search(asked.folded) or _turned(asked):
        return None
    amount = asked.figures[0]
    if not amount.unit or "/" in amount.unit or amount.low != amount.high:
        return None
    about = [word for word in asked.rest(_SHAPE) if word not in doses.WHO and word not in _ANYBODY]

    def fits(figure: Figure, _: Sentence) -> bool:
        return "/" in figure.unit and any(alike(part, amount.unit) for part in _parts(figure.unit)[:2])

    rate = asked.one(about, fits)
    if rate is None or (doses.may_be_dose(rate) and not doses.stated_plainly(asked, rate, amount, about)):
        return None
    sentence = asked.at(rate)
    if not doses.may_be_dose(rate) and stray(sentence.text[: rate.start], about, _SHAPE | _MOVES):
        return None
    return _applied(rate, amount, asked)


def _turned(asked: Asked) -> bool:
    """Whether the question sets a limit, denies, or adds what makes it another sum."""
    text = asked.folded
    return bool(_LIMIT.search(text) or _TURNED.search(text) or "n't" in text or NOT & set(words(text)))


def _applied(rate: Figure, amount: Figure, asked: Asked) -> Expression | None:
    """The product, or how often the rate goes into the amount; in the unit that the question names."""
    above, below = _parts(rate.unit)[:2]
    asks_time = re.search(
        r"\b(?:how long|how many|how much time|combien de temps|cuanto tiempo|cuant[oa]s)\b", asked.folded
    )
    if alike(below, amount.unit):
        found = As(Step("×", amount, rate), rate.unit.replace(f"/{below}", "", 1))
    elif alike(above, amount.unit) and asks_time and rate.unit == f"{above}/{below}" and rate.low > 0:
        found = As(Step("÷", amount, rate), below)
    else:
        return None
    named = re.search(r"\b(?:in|en) ([^\d\s]+)$", asked.folded) or re.search(
        r"\b(?:how many|cuant[oa]s|combien d[e'])\s*(.+)$", asked.folded
    )
    wanted = read_unit(named.group(1))[0] if named else ""
    if not wanted or wanted == found.unit or wanted == found.unit.split("/")[0]:
        return found
    return As(found.inner, wanted) if alike(wanted, found.unit) else None


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
