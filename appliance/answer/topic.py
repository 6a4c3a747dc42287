"""What a turn of a conversation was about, taken from its own words; pure.

Nothing is made up: a topic is a stretch of the question, the title of the page that answered it, or a name
that stands in the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.answer.lexicon import Token, first_verb
from appliance.records import Stretch
from appliance.retrieval.words import LANGUAGES, fold, words

_NAME = r"[A-ZÀ-Þ][\w.'’-]*"
_JOIN = r"(?:of|the|de|du|da|di|dos|la|le|del|von|van|ibn|bin|d[’']|of the|de la|and)"
_RUN = re.compile(rf"{_NAME}(?:\s+(?:{_JOIN}\s+)?(?:{_NAME}|\d+\b))*")
_ARTICLE = re.compile(r"\b(?:the|la|le|les|el|los|las)\s+$|\bl['’]$", re.IGNORECASE)
_OF = re.compile(r"\b(?:of|du|del|des|de|d['’])\s*((?:(?:the|an?|la|le|les|el|los|las)\s+|l['’])?[\w'’-]+)$")
_IS = re.compile(
    r"^(?:(?:who|what)(?:['’]s| is| are| was| were| does| do)"
    r"|qu['’]est-ce qu(?:e |['’])|(?:qui|quel(?:le)?s?|que) (?:est|sont|était|étaient|fut)"
    r"|(?:qui[eé]n|qu[eé]|cu[aá]l)(?:es)? (?:es|son|era|eran|fue|fueron))\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"^how \w+ (?:is|are|was|were|does|do|did|can) (?P<what>(?:the |an? )?[\w'’-]+)", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"^(?:when|where|why|how|what|who|which) (?:is|are|was|were|do|does|did|can|has|have|had|will|should) "
    r"(?P<what>(?:the |an? )?[\w'’-]+)\b",
    re.IGNORECASE,
)
_PHRASE = r"(?P<what>(?:the|an?) [\w'’-]+(?: [\w'’-]+){0,3}?(?: of (?:the )?[\w'’-]+)?)"
_ASKED = r"how \w+|when|where|why|how"
_DONE = (
    r"\w+ed|born|bought|bound|broken|brought|built|burnt|cast|caught|cut|dug|drawn|driven|eaten|found|given|grown|held"
    r"|hung|kept|laid|led|lost|made|paid|put|read|seen|sent|set|shown|shut|sold|spent|stolen|struck|sung|taken|taught"
    r"|told|torn|won|worn|woven|written"
)
_PHRASES = [  # what is asked about in more than a word: "the threshing machine", "the roof of the chapel"
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:{_ASKED}) (?:is|are|was|were) {_PHRASE}(?: (?:{_DONE}))?$",
        rf"^(?:{_ASKED}|what) (?:do|does|did|can|could|will|should) {_PHRASE} [\w'’-]+"
        r"(?: now| today| (?:in|on|at|from|to|for|with) .+)?$",
        rf"^(?:{_ASKED}) (?:can|could|must|should|will) (?P<what>[\w'’-]+(?: [\w'’-]+){{0,3}}?) be \w+$",
        rf"^who (?!is|are|was|were)\w+ {_PHRASE}$",
        rf"\babout {_PHRASE}$",
        r"^(?:combien|cu[aá]nto) \w+ (?P<what>(?:(?:las?|les?|el|los) |l['’])[\w'’-]+(?: [\w'’-]+)?)$",
    )
]
_CAUSES = re.compile(r"^(?:who|what) \w+ (?P<what>(?:the |an? )?[\w'’-]+(?: [\w'’-]+)?)$", re.IGNORECASE)
_BY_WHOM = re.compile(
    r"^(?i:who\b|qui\b|qui[eé]n(?:es)?\b)(?!\s+(?i:is|was|are|were|est|es|fue|era)\s+[A-ZÀ-Þ])"
)
_ASKS_THING = re.compile(
    r"^(?:which|what|quel(?:le)?s?|qu[eé]|cu[aá]l) (?!(?:is|are|was|were|est|es|son|does|do)\b)\w+ \w+",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what) (?P<what>\w+) (?:do|does|did|has|have|had)\b", re.IGNORECASE)
_CONTRACTED = {"du": "le ", "des": "les ", "del": "el "}
_MOST = re.compile(
    r"\b(?:the|le|la|el) (?:most|\w{2,}est|plus|m[aá]s|mayor|menor)\b|\bm[aá]s\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question, as it was understood, and what came of it: the title of the page that answered
    and the answer's text, each "" where there is none."""

    question: str
    title: str = ""
    answer: str = ""


def telling(text: str, stressed: Sequence[Stretch]) -> str:
    """What of an answer a later question leans on: the words that answer where a name is among them, else
    all."""
    found = ", ".join(text[start : start + length] for start, length in stressed)
    return found if names(f"— {found}") else text


def bare(question: str) -> str:
    """The question without its question marks and what else surrounds it."""
    return question.strip().strip("¿?¡!. \u00a0\u202f")


def names(text: str) -> list[str]:
    """Runs of words with capitals, with their articles; the first word of a text counts only in a run of
    several, or when it is no function word of any language."""
    found = []
    for run in _RUN.finditer(text):
        name, start = run.group(), run.start()
        first = name.split()[0]
        begins = start == 0 or text[:start].rstrip(" “")[-1:] in ".!?¿¡:—"
        if begins:
            if _common(first):
                rest = name[len(first) :].lstrip()
                name, start = rest, start + len(run.group()) - len(rest)
            elif " " not in name and start == 0 and " " in text:
                continue
        if name and not _common(name):
            found.append(_article(text[:start], begins) + re.sub(r"['’]s?$", "", name.rstrip(".-")))
    return found


def _article(before: str, begins: bool) -> str:
    """The article of a name, also out of "du" and "del"."""
    if article := _ARTICLE.search(before):
        return article.group().lower() if begins or article.group().islower() else ""
    contracted = re.search(r"\b(?:du|des|del) $", before)
    return _CONTRACTED[contracted.group().strip()] if contracted else ""


def thing(turn: Turn) -> str:
    """What "it" and "its" mean after a turn: what its answer named when the question asked which thing, else
    what the question is about. "" when that cannot be told."""
    question = bare(turn.question)
    if (_ASKS_THING.match(question) or _MOST.search(question)) and (named := _news(turn)):
        return named
    return _which(question) or _phrase(question) or subject(turn)


def _which(question: str) -> str:
    """The thing of "which bicycle did Ann buy", as far as the question tells it: "the bicycle"."""
    asked = _WHICH.match(question)
    return f"the {asked.group('what')}" if asked and not _common(asked.group("what")) else ""


def _phrase(question: str) -> str:
    """A thing of several words, with its article, that the question is about."""
    found = next(filter(None, (form.search(question) for form in _PHRASES)), None)
    return found.group("what") if found and not names(found.group("what")) else ""


def person(turn: Turn) -> str:
    """What "he" and "her" mean: who the answer names when the question asked who. "" when it is not told:
    then the question's own names are not that person."""
    if _BY_WHOM.match(bare(turn.question)):
        return _news(turn) or ("" if _titled(turn) else turn.title)
    named = [name for name in names(bare(turn.question)) if name[:1].isupper() and not re.search(r"\d", name)]
    return named[0] if named else _titled(turn)


def either(turn: Turn) -> str:
    """What "they", "su" and "il" mean, which tell no person from a thing."""
    return (person(turn) if _BY_WHOM.match(bare(turn.question)) else "") or thing(turn)


def subject(turn: Turn) -> str:
    """What the question is about, in its own words."""
    question = bare(turn.question)
    if named := names(question):
        return named[-1]
    if title := _titled(turn) or _phrase(question):
        return title
    for form in (_OF, _IS, _HOW_MUCH, _SUBJECT, _CAUSES):
        match = form.search(question)
        if match and not _common(
            found := match.group("what") if "what" in match.groupdict() else match.group(1)
        ):
            return found
    return turn.title


def _titled(turn: Turn) -> str:
    """The title, when the question says it."""
    title = turn.title.partition(" (")[0]
    said = re.search(rf"(?<!\w){re.escape(title)}(?!\w)", turn.question, re.IGNORECASE) if title else None
    if said is None:
        return ""
    article = _ARTICLE.search(turn.question[: said.start()])
    return (article.group() if article else "") + said.group()


def _news(turn: Turn) -> str:
    """The first name in the answer that the question did not say; rather one that does not only say more of
    what follows ("the Dutch painter …")."""
    asked = {fold(word) for word in words(turn.question)}
    quoted = turn.answer.removeprefix(f"{turn.title}: “")
    lead = re.split(r"(?<=\w\w[.!?])\s", quoted, maxsplit=1)[0]
    news = [name for name in names(f"— {lead}") if not all(fold(word) in asked for word in words(name))]
    return next((name for name in news if not _describes(name, lead)), next(iter(news), ""))


def _describes(name: str, text: str) -> bool:
    after = re.search(rf"{re.escape(name.split()[-1])} ([a-zß-ÿ][\w-]*)", text)
    if after is None:
        return False
    return not _common(after[1]) and first_verb((Token(after[1], fold(after[1])),)) is None


def _common(text: str) -> bool:
    folded = [fold(word) for word in words(text)]
    return all(any(word in LANGUAGES[code] for code in ("en", "fr", "es")) for word in folded)
