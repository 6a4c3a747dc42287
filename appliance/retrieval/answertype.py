"""What kind of thing a question asks for, and whether a sentence has one that the question did not say. Pure.

Who asks for a name, when for a date, where for a place, how many for a number (with its unit where the
question asks one). English, French and Spanish question words. A question without a known kind asks for
anything.
"""

import re
from collections.abc import Collection
from typing import Literal

from appliance.retrieval.numbers import COUNTED, ORDINAL
from appliance.retrieval.words import LANGUAGES, fold, listed

Kind = Literal["name", "time", "year", "place", "number", "percent", "money", "length", "duration", "age"]

# The narrower kinds first; each line is one way to ask.
_ASKS: dict[Kind, str] = {
    "percent": r"""(what|which) (\w+ )?percent(age)?
        what proportion|quel pourcentage|que porcentaje""",
    "year": r"""(what|which) (\w+ )?(years?|decade|century)
        (en )?quelle annee|en que ano""",
    "time": r"""(what|which) (\w+ )?(date|day|month|time of (day|year))
        when|quand|cuando|quelle date|que (fecha|dia|mes)""",
    "age": r"how old|(at )?what age|quel age|que edad",
    "money": r"""how much (\w+ ){0,3}(cost|money|paid|pay|spend|spent|worth|earn|dollars|donated?|invest)
        what (\w+ ){0,3}(cost|price)|how expensive|combien coute|cuanto cuesta""",
    "length": r"""how (tall|high|deep|far|wide)
        what (\w+ )?(height|depth|distance|width|altitude|elevation)
        quelle (hauteur|distance|profondeur|altitude)""",
    "duration": r"""how long (did|does|do|has|have|had|was|were|will|can|ago|after|before|would|until)
        how many (years|months|days|hours|weeks|minutes)|combien de temps|cuanto tiempo""",
    "number": r"""how many|how (large|big|fast|often|long|much|heavy|hot|cold|populous)
        (what|which) (\w+ )?number of
        (what|which) (\w+ ){0,3}(population|temperature|speed|weight|rate|number|score|ratio)
        combien|cuant[oa]s?""",
    "place": r"""where|donde|ou (est|se|sont|etait)
        (what|which) (\w+ )?(city|country|state|place|location|town|county|continent|region|province)
        (what|which) (\w+ )?(island|river|nation|countries|cities|states)
        quel(le)? (pays|ville|region)|que (pais|ciudad)""",
    "name": r"""who|whom|whose|quien(es)?|qui (?!est-ce que)
        (what|which) (\w+ ){0,2}(person|people|man|woman|actor|actress|player|president|king|queen|author)
        (what|which) (\w+ ){0,2}(company|band|team|singer|scientist|organization|architect|artist|writer)
        (what|which) (\w+ ){0,2}(university|school|name)""",
}
_KINDS = {
    kind: re.compile(rf"\b(?:{'|'.join(line.strip() for line in ways.splitlines())})\b")
    for kind, ways in _ASKS.items()
}
_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*|[%$£€]")
_MONTHS = listed(
    """
    january february march april may june july august september october november december jan feb mar apr
    jun jul aug sept sep oct nov dec janvier fevrier mars avril mai juin juillet aout septembre octobre
    novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
    diciembre monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter
    """
)
_OF_TIME = _MONTHS | listed(
    """
    century centuries decade decades ago today tonight yesterday tomorrow annually yearly easter christmas
    midnight noon era age period war siecle siglo hier ayer hoy birth death during after before until since
    """
)
_YEAR = re.compile(r"(?:1\d{3}|20\d{2}|\d{3})(?:s|th)?|\d{1,2}(?:st|nd|rd|th)")
_COUNTS = frozenset(COUNTED) | frozenset(ORDINAL) | listed(
    """
    hundred thousand million billion dozen half third quarter twice once double triple cent mil mille
    millones hundreds thousands millions dozens both single pair several many few daily weekly monthly
    annually every each all no none yearly always never regularly frequently
    """
)  # fmt: skip
_UNITS: dict[Kind, frozenset[str]] = {
    "percent": listed(
    """
    % percent per percentage half third quarter thirds quarters majority fraction cent
    """
),
    "money": listed(
    """
    $ £ € dollars dollar pounds pound euros euro cents cent yen francs pesos shillings million billion
    """
),
    "length": listed(
    """
    m km cm mm ft feet foot mile miles metre metres meter meters kilometre kilometres kilometer kilometers
    inch inches in yard yards mi metros metro kilometros metres light nautical
    """
),
    "duration": listed(
    """
    second seconds minute minutes hour hours day days week weeks month months year years decade decades
    century centuries ans annees jours heures semaines mois anos dias horas meses semanas siglos until since
    to from later forever millennia
    """
),
    "age": listed("age aged old years year months ans anos edad"),
}  # fmt: skip
_BEFORE_PLACE = listed(
    """
    in at from near to of on into throughout around across outside inside between within through toward
    towards along and dans a au aux en sur pres de des du vers por hacia desde del
    """
)


def expected(question: str) -> Kind | None:
    """The kind of thing that answers; None when its words do not tell. Where several are named the first
    counts, and of those at one place the narrowest."""
    plain = " ".join(fold(question).split())
    found = [(match.start(), kind) for kind, pattern in _KINDS.items() if (match := pattern.search(plain))]
    return min(found, key=lambda one: one[0])[1] if found else None


def given(kind: Kind | None, said: Collection[str], sentence: str) -> float:
    """1 when a sentence has a thing of this kind that is not among `said` (the question's words, folded),
    0 when it has none, .5 when nothing tells of which kind it should be."""
    if kind is None:
        return 0.5
    tokens = _TOKEN.findall(sentence)
    forms = [fold(token) for token in tokens]
    new = [place for place, form in enumerate(forms) if form not in said]
    if kind in ("time", "year"):
        return float(any(_YEAR.fullmatch(forms[n]) or (kind != "year" and forms[n] in _OF_TIME) for n in new))
    if kind in ("name", "place"):
        return float(any(_named(kind, tokens, forms, n) for n in new))
    counted = any(forms[n][0].isdigit() or forms[n] in _COUNTS for n in new)
    units = _UNITS.get(kind)
    return float(counted and (units is None or any(_with_unit(form, units) for form in forms)))


def _named(kind: Kind, tokens: list[str], forms: list[str], place: int) -> bool:
    token = tokens[place]
    if not token[0].isupper() or len(token) < 2 or forms[place] in LANGUAGES["en"] or forms[place] in _MONTHS:
        return False
    if kind == "name":
        return place > 0 or (len(tokens) > 1 and tokens[1][0].isupper())
    before = forms[max(0, place - 3) : place]
    return bool(_BEFORE_PLACE & set(before)) or (place > 0 and tokens[place - 1][0].isupper())


def _with_unit(form: str, units: Collection[str]) -> bool:
    return form in units or re.sub(r"^[\d.,]+", "", form) in units
