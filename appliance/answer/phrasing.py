"""How English, French and Spanish lean on what was said before, and how the same is said in full. Data and
the few rules of grammar that it takes; pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Who = Literal["person", "thing", "any"]
Inside = Literal["words", "names", ""]
Write = Callable[[re.Match[str], str, str], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A form that stands for something said before. `inside`: what in the question itself, before the form,
    it may stand for instead: any word that tells something, only a name, or nothing."""

    form: re.Pattern[str]
    who: Who
    inside: Inside
    write: Write


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One language. `own` is a property alone ("its population"), `empty` a pronoun that stands for nothing
    ("what time is it"); `of` puts a topic behind "of", `attribute` asks for a property of it."""

    own: re.Pattern[str]
    empty: re.Pattern[str]
    article: re.Pattern[str]
    and_: str
    tell: str
    of: Callable[[str], str]
    attribute: Callable[[str, str, str], str]
    question: Callable[[str], str]
    rules: tuple[Rule, ...]

    def more(self, topic: str) -> str:
        return self.tell.format(topic)


def _form(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _in_place(match: re.Match[str], topic: str, text: str) -> str:
    """The topic in the place of the group `it`."""
    return text[: match.start("it")] + topic + text[match.end("it") :]


def _at_end(_match: re.Match[str], topic: str, text: str) -> str:
    return f"{text} {topic}"


def _asked(text: str) -> str:
    return " ".join(text.split())[:1].upper() + " ".join(text.split())[1:]


# English

_AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might"
_TIMES = "year|season|week|month|century|day|decade|time|moment|morning|evening|way|kind|case|much|many"


def _genitive(match: re.Match[str], topic: str, text: str) -> str:
    owned = topic + ("'" if topic.endswith("s") else "'s")
    return text[: match.start("it")] + owned + text[match.end("it") :]


def _in_it(place: str) -> Write:
    def write(match: re.Match[str], topic: str, text: str) -> str:
        return text[: match.start("it")] + f"{place} {topic}" + text[match.end("it") :]

    return write


def _english_attribute(_article: str, what: str, topic: str) -> str:
    verb = "are" if re.match(r"\w+[^s\W]s\b", what) else "is"
    return f"What {verb} the {what} of {topic}?"


ENGLISH = Phrasing(
    own=_form(r"(?P<det>its|his|her|their) (?P<what>.+)$"),
    empty=_form(
        r"\b(?:is|was|isn't) it (?:raining|snowing|true|possible|legal|illegal|necessary|normal|allowed)\b"
        r"|\b(?:is|was) it (?:\w+ )?(?:to|that|for|who)\b|\bit takes?\b"
        r"|\b(?:does|did|will) it (?:rain|snow)\b|\b(?:does|did|will) it (?:take|cost)\b(?=.* to\b)"
        r"|time is it\b|\bis it (?:from|until|in|on|at)\b|\bit (?:is|was) (?:\w+ )+(?:to|that|who)\b"
        r"|\bmake it\b|\bit hurts?\b|\bdoes it mean (?:when|if|to)\b|\b(?:they|it) call(?:ed)?\b"
    ),
    article=_form(r"(?:the|an?) "),
    and_=", and",
    tell="Tell me more about {}.",
    of=lambda topic: f"of {topic}",
    attribute=_english_attribute,
    question=lambda text: f"{_asked(text)}?",
    rules=(
        Rule(_form(rf"\b(?:{_AUXILIARY}) (?P<it>he|she)\b"), "person", "words", _in_place),
        Rule(_form(rf"\b(?:{_AUXILIARY}) (?P<it>it)\b"), "thing", "words", _in_place),
        Rule(_form(rf"\b(?:{_AUXILIARY}) (?P<it>they)\b"), "any", "words", _in_place),
        Rule(_form(r"\b(?P<it>his|her)\b(?= (?!(?:in|on|at|to|and|for|by)\b)\w)"),
             "person", "words", _genitive),
        Rule(_form(r"\b(?P<it>its)\b(?= \w)"), "thing", "words", _genitive),
        Rule(_form(r"\b(?P<it>their)\b(?= \w)"), "any", "words", _genitive),
        Rule(_form(r"\b(?P<it>him|her|he|she)\b"), "person", "words", _in_place),
        Rule(_form(r"\b(?P<it>(?:this|that|these|those) ones?)\b"), "any", "words", _in_place),
        Rule(_form(rf"\b(?:{_AUXILIARY}) (?P<it>this|that|these|those)"
                   rf"(?= (?:an?|the) \w+$| (?!{_TIMES})\w+$|$)"),
             "any", "words", _in_place),
        Rule(_form(rf"(?:^|\b(?:of|in|on|at|to|by|for|from|with|about|{_AUXILIARY}) |\b(?=this|these))"
                   rf"(?P<it>(?:this|that|these|those) (?!{_TIMES}|{_AUXILIARY}|an?\b|the\b)\w+)\b"
                   r"(?! (?:of|who|which|that)\b)"),
             "any", "words", _in_place),
        Rule(_form(r"\b(?P<it>it)\b(?!['’])"), "thing", "words", _in_place),
        Rule(_form(r"\b(?P<it>them|they)\b"), "any", "words", _in_place),
        Rule(_form(r"\b(?P<it>this|that)$"), "any", "words", _in_place),
        Rule(_form(r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )"
                   r"\b(?P<it>there)\b(?! (?:is|are|was|were|be))"),
             "thing", "names", _in_it("in")),
    ),
)  # fmt: skip

# French

_VOWEL = re.compile(r"[aeiouyhàâéèêëîïôûœ]", re.IGNORECASE)
_LE = re.compile(r"(?:(le|la|les) |l['’])", re.IGNORECASE)


def _de(topic: str) -> str:
    found = _LE.match(topic)
    if found is None or not topic[:1].islower():
        return f"d’{topic}" if _VOWEL.match(topic) else f"de {topic}"
    contracted = {"le": "du", "les": "des"}.get((found.group(1) or "").lower())
    return f"{contracted} {topic[found.end() :]}" if contracted else f"de {topic}"


def _french_article(owner: str, what: str) -> str:
    owner = owner.lower()
    if owner in ("ses", "leurs", "les"):
        return f"les {what}"
    if _VOWEL.match(what):
        return f"l’{what}"
    if owner in ("sa", "la"):
        return f"la {what}"
    if owner == "leur":
        return f"la {what}" if re.match(r"\w+(?:e|ion|té)\b", what) else f"le {what}"
    return f"le {what}"


def _french_owned(match: re.Match[str], topic: str, text: str) -> str:
    named = f"{_french_article(match.group('det'), match.group('what'))} {_de(topic)}"
    return text[: match.start()] + named + text[match.end() :]


def _french_attribute(owner: str, what: str, topic: str) -> str:
    noun = _french_article(owner.strip(), what)
    feminine = noun.startswith("la ") or re.match(r"l’\w+(?:e|ion|té)\b", noun)
    asks = "Quels sont" if noun.startswith("les ") else "Quelle est" if feminine else "Quel est"
    return f"{asks} {noun} {_de(topic)} ?"


def _before_verb(match: re.Match[str], topic: str, text: str) -> str:
    return f"{text[: match.start()]}{topic} {text[match.start() :]}"


def _in_place_of_there(match: re.Match[str], topic: str, text: str) -> str:
    return f"{text[: match.start()]}en {_LE.sub('', topic, count=1)}{text[match.end() :]}"


_FRENCH_TIMES = "année|siècle|semaine|mois|jour|moment|fois|soir|qui|que|qu|sont|est"
FRENCH = Phrasing(
    own=_form(r"(?P<det>son|sa|ses|leurs?) (?P<what>.+)$"),
    empty=_form(
        r"\by (?:a|avait)-t-il\b|\bil y (?:a|avait)\b|\b(?:faut|pleut|fait|s['’]agit|vaut|neige)(?:-t)?-il\b"
        r"|\bil (?:faut|fait|pleut|est possible)\b"
        r"|\best-il (?:possible|vrai|nécessaire|normal|dangereux de|bon de|utile)\b|\bheure est-il\b"
    ),
    article=_form(r"(?:(?:le|la|les|un|une) |l['’])"),
    and_=", et",
    tell="Dis-m’en plus sur {}.",
    of=_de,
    attribute=_french_attribute,
    question=lambda text: f"{_asked(text)} ?",
    rules=(
        Rule(_form(rf"\b(?P<it>(?:cette|cet|ces|ce) (?!(?:{_FRENCH_TIMES})\b)\w+)\b"),
             "any", "words", _in_place),
        Rule(_form(r"\b\w+-(?:t-)?(?:ils?|elles?)\b"), "any", "words", _before_verb),
        Rule(_form(r"(?<!du )(?<!le )(?<!un )(?<!de )\b(?P<det>son|sa|ses|leurs?) (?P<what>\w+)"),
             "any", "words", _french_owned),
        Rule(_form(r"\b(?P<it>ils?|elles?|lui|eux|cela|ça|celui-ci|celle-ci)\b"), "any", "words", _in_place),
        Rule(_form(r"\b(?P<it>là-bas)\b"), "thing", "names", _in_place_of_there),
    ),
)  # fmt: skip

# Spanish


def _del(topic: str) -> str:
    return f"del {topic[3:]}" if topic.startswith("el ") else f"de {topic}"


def _spanish_article(owner: str, what: str) -> str:
    if owner.lower() in ("el", "la", "los", "las"):
        return f"{owner.lower()} {what}"
    feminine = re.match(r"(?!\w+mas?\b)\w+(?:a|ión|dad|tad|as|iones|dades)\b", what) is not None
    if owner.lower() == "sus":
        return f"{'las' if feminine else 'los'} {what}"
    return f"{'la' if feminine else 'el'} {what}"


def _spanish_owned(match: re.Match[str], topic: str, text: str) -> str:
    named = f"{_spanish_article(match.group('det'), match.group('what'))} {_del(topic)}"
    return text[: match.start()] + named + text[match.end() :]


def _spanish_attribute(owner: str, what: str, topic: str) -> str:
    noun = _spanish_article(owner.strip(), what)
    asks = "¿Cuáles son" if noun[:3] in ("los", "las") else "¿Cuál es"
    return f"{asks} {noun} {_del(topic)}?"


_SPANISH_ASKS = (
    r"(?:cu[aá]ndo|d[oó]nde|c[oó]mo|por qu[eé]|a qu[eé]|de qu[eé]|con qui[eé]n"
    r"|(?:en )?(?:qu[eé]|cu[aá]nt[oa]s?)(?: \w+)?)"
)
_SPANISH_DONE = r"(?:fue|era|es|está|ha sido|se) \w+(?:ad[oa]|id[oa]|to|ta|ch[oa])s?"
_SPANISH_VERBS = (
    r"tiene|tuvo|mide|pesa|vive|ocurre|funciona|significa|dura|cuesta|está|es|fue|estudió|hizo|come|crece"
    r"|\w+ó"  # nació, murió, escribió
)
_SPANISH_TIMES = "año|siglo|semana|mes|día|momento|vez|noche|es|son|está"
SPANISH = Phrasing(
    own=_form(r"(?P<det>sus?) (?P<what>.+)$"),
    empty=_form(r"\bhay\b|\b(?:llueve|nieva|hace)\b|\bes (?:posible|cierto|verdad|necesario|normal)\b"),
    article=_form(r"(?:el|la|los|las|un|una) "),
    and_=" y",
    tell="Dime más sobre {}.",
    of=_del,
    attribute=_spanish_attribute,
    question=lambda text: f"¿{_asked(text)}?",
    rules=(
        Rule(_form(r"\b(?P<det>sus?) (?P<what>\w+)"), "any", "words", _spanish_owned),
        Rule(_form(r"\b(?P<it>él|ella|ellos|ellas|eso|esto|aquello|éste|ésta)\b"), "any", "words", _in_place),
        Rule(_form(rf"\b(?P<it>(?:este|esta|ese|esa|estos|estas|esos|esas) (?!(?:{_SPANISH_TIMES})\b)\w+)\b"),
             "any", "words", _in_place),
        Rule(_form(r"\b(?P<it>allí|ahí|allá)\b"), "thing", "names", _in_it("en")),
        # the subject that Spanish leaves out: "¿cuándo nació?", "¿cuántos habitantes tiene?"
        Rule(_form(rf"^{_SPANISH_ASKS} (?:(?:se|le|lo) )?"
                   rf"(?:{_SPANISH_DONE}|(?!\w+[aei]r$)(?:{_SPANISH_VERBS}))$"),
             "any", "names", _at_end),
        Rule(_form(r"^(?:es|son|era|fue|está|están|tiene) \w{4,}$"), "any", "names", _at_end),
    ),
)  # fmt: skip


def phrasing(language: str) -> Phrasing:
    """Of a language's code; English for one that is not here."""
    return {"fr": FRENCH, "es": SPANISH}.get(language, ENGLISH)
