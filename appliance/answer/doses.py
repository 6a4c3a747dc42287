"""When a rate is a dose, and when a dose is plain enough to be computed. Pure.

A list of dangerous words is never complete: "three times daily", "formerly", "in kidney failure", "for pigs",
"or less" each make another dose. So it is the other way round: the sentence that states a dose may hold only
the medicine, whom it is for, the rate with its rhythm, and words that are known to change nothing. What
stands around it may not limit, forbid or change it. Anything else ends in silence.
"""

import re

from appliance.answer.figures import Figure
from appliance.answer.stated import NOT, Asked, Sentence
from appliance.answer.units import Quantity, alike, convert, read_unit
from appliance.retrieval.numbers import COUNTED
from appliance.retrieval.words import fold, listed, words

_WHOM = {  # for whom: the words that say so
    "child": "child children kid enfant enfants nino ninos nina",
    "infant": "infant infants baby babies nourrisson nourrissons bebe lactante lactantes",
    "newborn": "newborn newborns neonate neonates",
    "adult": "adult adults adulte adultes adulto adultos man men woman women",
    "pregnant": "pregnant",
    "elderly": "elderly",
    "dog": "dog dogs chien chiens perro perros",
    "cat": "cat cats chat chats gato gatos",
    "kitten": "kitten kittens chaton",
    "puppy": "puppy puppies chiot",
    "horse": "horse horses",
}
WHO = {word: whom for whom, named in _WHOM.items() for word in named.split()}
_PLAIN = listed(
    """
    is are be a an the in for to at of by per dose doses dosed dosage given give administered recommended
    usual usually standard should may can get gets receive weight body bodyweight mouth oral orally
    le la les l un une du des de d est sont donne donnee donnes administre administree aux au chez pour a par
    prise posologie recommandee recommande poids corporel
    el los las una del se da dan administra es dosis en para al por recomienda recomendada recomendado peso
    corporal
    """
)
_GIVEN = re.compile(
    r"\b(?:given|give|dosed?|doses|dosage|administered|recommended|donne\w*|administre\w*|posologie|dosis|dan?"
    r"|administra\w*|recomienda)\b"
)
_CHANGED = re.compile(  # in any sentence about the medicine: a limit, harm, an exception, another dose
    r"\b(?:max\w*|exceed\w*|limit\w*|more|most|up to|ceiling|over|above|toxi\w*|overdos\w*|fatal|lethale?"
    r"|harm\w*|poison\w*|mistake\w*|error\w*|stud(?:y|ies)|trials?|kill\w*|deaths?|died|damage\w*|injur\w*|liver"
    r"|kidney|renal|hepatic|risk\w*|adverse|bioavailab\w*|clearance|ld50|danger\w*|contra\w*|avoid\w*|unsafe"
    r"|allerg\w*|warn\w*|caution\w*|except\w*|unless|only|instead|half|halve\w*|double\w*|reduc\w*|lower(?:ed)?"
    r"|higher|less|under|below|younger|withdraw\w*|banned|former\w*|obsolete|antidote|injection\w*"
    r"|veterin\w*|animals?|myths?|wrong\w*|incorrect\w*|false|believed|practice|outdated|histor\w*|stop\w*|too"
    r"|trop|demasiado|animaux|animal\w*|falso|faux|mito|mythe|perime\w*|ancien\w*|antigu\w*"
    r"|depass\w*|nocif\w*|intoxication\w*|risque\w*|etudes?|essais?|evit\w*|moins|plus|sauf|moitie|interdi\w*"
    r"|exced\w*|superar|danos?|riesgos?|estudios?|veneno\w*|intoxicacion|menos|salvo|mitad|prohib\w*"
    r"|maxim[oa]s?|surdos\w*|sobredosis|higado|foie|reins?|rinon\w*|mortel\w*|mortal\w*)\b"
)
_RHYTHM = re.compile(
    r"\b(?:twice|once|thrice|dail[yi]\w*|hourly|weekly|times|every|each|per (?:day|dose)|a day|split|total"
    r"|divided|tablet\w*|drops?|capsule\w*|bottle\w*|spoon\w*|fois|par (?:jour|prise)|comprime\w*|gouttes?"
    r"|toutes|veces|diari[oa]s?|al dia|cada|por (?:dia|dosis)|pastillas?|gotas?)\b"
)
_NAME = re.compile(
    r"(?:how (?:much|many)|(?:dose|dosage|dosis) (?:of|de|d')|combien (?:de|d')|cuant[oa]s?)\s*(\w+)"
)
_THREE = re.compile(r"[1-9]\d{0,2}[.,]\d{3}(?!\d)")
_NO_MARKS = re.compile(r"(?:[^\W\d_]|[\s.,'’])*")
_LIGHTEST = 400  # grams of a body that is given in grams
_HEAVIEST = 150  # kilograms of a person: nobody doses beyond by weight alone
_ANIMALS = frozenset(("dog", "cat", "kitten", "puppy", "horse"))
_MOST = {"kilogram": 1000, "liter": 100}  # of a plausible rate per kilogram, in milligrams, in millilitres
_SMALL = {"kilogram": "milligram", "liter": "milliliter"}


def is_dose(rate: Figure) -> bool:
    """Whether a rate counts so much of a substance per body weight, or per dose."""
    below = rate.unit.split("/")[1]
    return alike(below, "kilogram") or "dose" in rate.unit


def may_be_dose(rate: Figure) -> bool:
    """Whether a rate that passages state could be one: also so many grams a day, a person, a square metre."""
    above, below = rate.unit.split("/")[:2]
    substance = any(alike(above, kind) for kind in ("kilogram", "liter"))
    return is_dose(rate) or (
        substance and any(alike(below, kind) for kind in ("second", "person", "meter**2", "liter"))
    )


def asked_plainly(asked: Asked, rate: Figure, amount: Figure, known: frozenset[str]) -> bool:
    """Whether the question asks for rate times weight and for nothing else. `known`: the words of such a
    question; beside them only the medicine's name may stand, where it is asked for."""
    folded = asked.folded
    present = frozenset(map(fold, words(folded)))
    if present & NOT or "n't" in folded or _CHANGED.search(folded) or _RHYTHM.search(_without(asked)):
        return False
    if any(_THREE.search(figure.text) for figure in (rate, amount)) or not _plausible(rate, amount, folded):
        return False
    if any(word in COUNTED for word in map(fold, words(_without(asked))) if word not in ("un", "una", "une")):
        return False
    named = _NAME.search(folded)
    name = named.group(1) if named else ""
    unit = read_unit(name)[0]
    if unit and not alike(unit, rate.unit.split("/")[0]):
        return False  # "how many ml" at so many mg
    others = [word for word in asked.rest(known) if word not in WHO and word != name]
    return not others and ("how many" not in folded or bool(unit))


def stated_plainly(asked: Asked, rate: Figure, amount: Figure, about: list[str]) -> bool:
    """Whether one plain sentence states the dose of what is asked about, for the one that is asked about, and
    nothing around it could change it."""
    sentence = asked.at(rate)
    rest = sentence.text[: rate.start] + " " + sentence.text[rate.end :]
    present = frozenset(map(fold, words(rest)))
    if len(sentence.figures) > 1 or not _NO_MARKS.fullmatch(rest.strip()) or not _GIVEN.search(fold(rest)):
        return False
    if _THREE.search(rate.text) or rate.unit.count("/") < 2 or not _plausible(rate, amount, asked.folded):
        return False  # without a rhythm it could be for a day or for one time
    if not about or not present >= set(about) or present - set(about) - set(WHO) - _PLAIN:
        return False
    if _CHANGED.search(asked.folded) or _whom(sentence.above) - _whom(rest):
        return False
    whom = _whom(rest)
    if len(whom) != 1 or whom != _whom(asked.question) or _RHYTHM.search(_without(asked)):
        return False
    return not _changed_elsewhere(asked, sentence, about) and not NOT & set(map(fold, words(asked.question)))


def _changed_elsewhere(asked: Asked, sentence: Sentence, about: list[str]) -> bool:
    for other in asked.sentences:
        if other.n != sentence.n and not other.around & set(about):
            continue
        if _CHANGED.search(fold(f"{other.above} {other.text}")) or other.denies:
            return True
        again = other.n == sentence.n and other.text != sentence.text
        if again and (_GIVEN.search(fold(other.text)) or _whom(other.text)):
            return True
    return False


def _plausible(rate: Figure, amount: Figure, folded: str) -> bool:
    """Whether a body can weigh that, and a medicine be given so: 1500 mg/kg or 2000 kg is a slip."""
    above, below = rate.unit.split("/")[:2]
    kind = next((kind for kind in _MOST if alike(above, kind)), "")
    if not kind or not alike(below, "kilogram") or not _is_weight(amount) or rate.low <= 0:
        return False
    if convert(amount.quantity, "kilogram").value > _HEAVIEST and not _whom(folded) & _ANIMALS:
        return False
    most = convert(Quantity(rate.high, f"{above}/{below}"), f"{_SMALL[kind]}/kilogram")
    return most.value <= _MOST[kind]


def _is_weight(amount: Figure) -> bool:
    """Of a body: one figure, in kilograms or pounds; in grams that of a small one."""
    if amount.low != amount.high or amount.low <= 0:
        return False
    return amount.unit in ("kilogram", "pound") or (amount.unit == "gram" and amount.low >= _LIGHTEST)


def _without(asked: Asked) -> str:
    """The question without its figures, folded."""
    text = asked.question
    for figure in reversed(asked.figures):
        text = text[: figure.start] + " " + text[figure.end :]
    return fold(text).replace("’", "'")


def _whom(text: str) -> frozenset[str]:
    """For whom a dose is, as far as words tell."""
    return frozenset(WHO[word] for word in map(fold, words(text)) if word in WHO)
