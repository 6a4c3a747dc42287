"""A question that leans on the one before it, written so that it stands alone; pure.

"And its population?" after "What is the capital of France?" becomes "What is the population of France?".
Only words of the question, of the turn before it and of its answer are used. What the rules are not sure of
stays as it was typed: a question that was left alone finds too little, one that was bent finds wrong things.
English, French and Spanish. Measured on tests/cases/followups.jsonl.
"""

import re
from collections.abc import Callable, Sequence

from appliance.answer.phrasing import Inside, Phrasing, Who, phrasing
from appliance.answer.topic import Turn, bare, either, names, person, subject, thing
from appliance.retrieval.words import LANGUAGES, fold, language, told, words

LONGEST = 25  # words of a question that may lean on another; longer ones say what they mean
LONGEST_THING = 5  # words of a thing that takes the place of another

_OPENING = re.compile(
    r"^(?:(?:ok(?:ay)?|so|alors|entonces|pero|mais|but)[, ]+)?"
    r"(?:(?P<about>(?:and |y |et )?(?:what about|how about|qu['’]en est-il (?:de|du|des)|quid d(?:e|u|es)"
    r"|qu[eé] hay de(?:l)?|qu[eé] tal))|(?P<and>and|or|y|e|et))\s+",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:why|when|where|how|who|by whom|with whom|how many|how much|how often|since when|until when"
    r"|for how long"
    r"|(?:what|which|in what|in which) (?:year|month|day|century|country|city|place)"
    r"|pourquoi|quand|où|comment|qui|par qui|combien|depuis quand|en quelle année"
    r"|por qu[eé]|cu[aá]ndo|d[oó]nde|c[oó]mo|qui[eé]n|por qui[eé]n|cu[aá]ntos|cu[aá]nto|desde cu[aá]ndo"
    r"|en qu[eé] año)(?: (?:so|exactly|exactement|exactamente))?",
    re.IGNORECASE,
)
_ADVERB = re.compile(  # a question word that another may stand in for without a change to the rest
    r"(?:when|where|why|how) (?=(?:is|are|was|were|do|does|did|has|have|had|can|will|should)\b)"
    r"|(?:quand|où|pourquoi|comment) |(?:cu[aá]ndo|d[oó]nde|por qu[eé]|c[oó]mo) ",
    re.IGNORECASE,
)
_SIZE = re.compile(r"how (?P<much>old|tall|big|long|far|high|deep|large|fast|heavy|wide|hot|cold)", re.I)
_NUMBER = re.compile(r"how many (?P<of>[\w-]+(?: [\w-]+)?)", re.I)
_MORE = re.compile(
    r"(?:tell me more|more|more details|go on|explain more|dime más|más|dis-m['’]en plus)", re.I
)
_PREPOSITION = re.compile(
    r"(?P<how>in|for|on|at|during|among|to|from|with|without|after|before|as"
    r"|en|para|durante|con|sin|desde|pour|dans|chez|au|aux|à|avec|sans|pendant)\s+(?P<what>[^,;]+)",
    re.IGNORECASE,
)
_ENDING = r"(?:(?:the|la|le|les|el|los|las) |l['’])?[\w'’-]+(?: [A-ZÀ-Þ][\w'’-]*)*$"
_PLACED = re.compile(rf"\b(?:(?P<of>of|de|del|du|des)|in|en|à|au|aux|dans) (?=\S*[A-ZÀ-Þ]|l[ae] ){_ENDING}")
_LEADING_OF = re.compile(r"^(?:of|de)\s+", re.IGNORECASE)
_IT = re.compile(r"\bit\b", re.IGNORECASE)
_OF_BEFORE = re.compile(
    r"\b(?:of|du|del|des|de|d['’])\s*(?:the|la|le|les|el|los|las|l['’])?\s*$", re.IGNORECASE
)
_COUNTED = re.compile(  # what a question asks for is no antecedent: "in which army", "who discovered"
    r"^(?:(?:in|at|from|to|for|with|on|by|of|under|en|a|de|à|avec|par|pour|con|por) )?"
    r"(?:(?:how|what|which)(?: [\w'’-]+){0,4}? "
    r"(?=(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b)"
    r"|combien d(?:e |['’])[\w-]+"
    r"|(?:who|how|what|which|whose|qui|quel(?:le)?s?|qui[eé]n|qu[eé]|cu[aá]nt[oa]s?)(?: a)? [\w-]+)",
    re.IGNORECASE,
)
_TOLD = 3  # words after a pronoun from which on a question says by itself what it is about
_ASKING = re.compile(
    r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|can|could|has|have|had|will|would"
    r"|should|qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est|a|y a|qu['’]|qui[eé]n|qu[eé]"
    r"|cu[aá]l|cu[aá]ndo|d[oó]nde|c[oó]mo|cu[aá]nt[oa]s?|por)\b",
    re.IGNORECASE,
)


def understood(question: str, before: Sequence[Turn]) -> str:
    """The question as it stands alone after these turns, oldest first; unchanged when it already does."""
    if not before or len(words(question)) > LONGEST:
        return question
    return _rewritten(bare(question), before[-1]) or question


def conversation(turns: Sequence[Turn]) -> list[Turn]:
    """The turns with each question as it was understood in its place."""
    alone: list[Turn] = []
    for turn in turns:
        alone.append(Turn(understood(turn.question, alone), turn.title, turn.answer))
    return alone


def _rewritten(typed: str, last: Turn) -> str:
    """The new question, "" when there is nothing to change or no sure way to."""
    opening = _OPENING.match(typed)
    rest = typed[opening.end() :] if opening else typed
    code = _code(rest, last)
    say = phrasing(code)
    if _MORE.fullmatch(rest):
        return say.more(subject(last)) if subject(last) else ""
    if _BARE.fullmatch(rest):
        return _swapped(rest, last, say)
    if found := _sized(rest, last):
        return found
    if opening is None or _ASKING.match(rest):
        leaning = None if opening else _fragment(rest)
        return _placed(leaning, last, say) if leaning else _pronouns(rest, last, say)
    if own := say.own.match(rest):
        topic = person(last) if own.group("det").lower() in ("his", "her") else either(last)
        return say.attribute(own.group("det"), own.group("what"), topic) if topic else ""
    if leaning := _fragment(rest):
        return _placed(leaning, last, say)
    return _parallel(rest, last, say)


def _code(rest: str, last: Turn) -> str:
    """The language to write in: the question's own where it tells, else that of both turns together."""
    both = words(f"{last.question} {rest}")
    return "es" if "¿" in last.question else told(words(rest)) or told(both) or language(both)


def _swapped(asked: str, last: Turn, say: Phrasing) -> str:
    """Another question word over the same question."""
    earlier = bare(last.question)
    adverb = _ADVERB.match(earlier)
    if adverb and _ADVERB.match(f"{asked} is "):
        return say.question(f"{asked} {earlier[adverb.end() :]}")
    return say.question(f"{earlier}{say.and_} {asked[:1].lower()}{asked[1:]}")


def _sized(rest: str, last: Turn) -> str:
    topic = thing(last)
    if not topic:
        return ""
    if size := _SIZE.fullmatch(rest):
        return f"How {size.group('much')} is {topic}?"
    if number := _NUMBER.fullmatch(rest):
        return f"How many {number.group('of')} does {topic} have?"
    return ""


def _fragment(rest: str) -> re.Match[str] | None:
    """A few words that begin with a preposition and ask nothing by themselves: "in Spain", "for children"."""
    found = _PREPOSITION.fullmatch(rest)
    if found is None or len(words(rest)) > 5 or any(_ASKING.fullmatch(word) for word in words(rest)):
        return None
    return found


def _placed(part: re.Match[str], last: Turn, say: Phrasing) -> str:
    """The question before with this place, group or time instead of its own."""
    earlier = bare(last.question)
    other = {"au": "le ", "aux": "les "}.get(part.group("how").lower(), "") + part.group("what")
    same = re.search(rf"\b{re.escape(part.group('how'))} {_ENDING}", earlier, re.IGNORECASE)
    if same is None and names(f"x {other}") and (placed := _PLACED.search(earlier)):
        if placed.group("of"):
            return say.question(f"{earlier[: placed.start()]}{say.of(other)}")
        same = placed
    kept = earlier[: same.start()].rstrip() if same else earlier
    return say.question(f"{kept} {part.group()}")


def _parallel(rest: str, last: Turn, say: Phrasing) -> str:
    """A thing alone: in the place of the topic, or a property of it ("and the population?")."""
    topic, earlier = _replaceable(last), bare(last.question)
    at = earlier.casefold().rfind(topic.casefold())
    if not topic or at < 0 or len(words(rest)) > LONGEST_THING:
        return ""
    of = _OF_BEFORE.search(earlier[:at] + topic[: 3 if say.article.match(topic) else 0])
    rest = _LEADING_OF.sub("", rest) if of else rest
    article = say.article.match(rest)
    if article and rest[article.end() :][:1].islower() and (of or not say.article.match(topic)):
        return say.attribute(article.group().strip(), rest[article.end() :], topic)
    head, tail = earlier[:at], earlier[at + len(topic) :]
    if of:
        return say.question(f"{_OF_BEFORE.sub('', head)}{say.of(rest)}{tail}")
    return say.question(head + rest + tail)


def _replaceable(last: Turn) -> str:
    """The topic as it stands in the question before; "light" of "the speed of light"."""
    topic, earlier = subject(last), bare(last.question)
    if not names(topic) and (of := re.search(r" (?:of|de) ((?:la |el )?[\w'’-]+)$", topic)):
        return of.group(1)
    return topic if topic.casefold() in earlier.casefold() else re.sub(r"^(?:les?|el) ", "", topic)


def _pronouns(rest: str, last: Turn, say: Phrasing) -> str:
    """The question with what its pronouns stand for."""
    if say.empty.search(rest):
        return ""
    for rule in say.rules:
        for match in rule.form.finditer(rest):
            if _antecedent(rest[: match.start()], rule.inside) or (
                rule.who != "person" and len(_telling(rest[match.end() :])) >= _TOLD
            ):
                continue
            topic = _meant(rule.who)(last)
            if not topic:
                return ""
            written = rule.write(match, topic, rest)
            other = thing(last) if rule.who == "person" else ""
            return say.question(_IT.sub(other, written) if other and other != topic else written)
    return ""


def _meant(who: Who) -> Callable[[Turn], str]:
    return {"person": person, "thing": thing, "any": either}[who]


def _antecedent(before: str, inside: Inside) -> bool:
    """Whether the question itself has said already what a pronoun may stand for."""
    if names(before) or not inside or inside == "names":
        return bool(inside and names(before))
    return bool(_telling(_COUNTED.sub("", before)))


def _telling(text: str) -> list[str]:
    """The words that are no function words of any language."""
    return [w for w in words(text) if all(fold(w) not in listed for listed in LANGUAGES.values())]
