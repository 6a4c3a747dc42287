"""The words of a sentence as they are compared, and closed lists of those that only shape it; pure, and
without a grammar of any language: a parser would be a second model on a small board."""

import re
from dataclasses import dataclass

from appliance.retrieval.words import fold

_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


JOINING = listed(
    """
    and or but while whereas although though because since yet so as et ou mais tandis alors bien y e o u
    pero mientras aunque und oder aber wahrend obwohl weil sondern
    """
)
BEING = listed(
    """
    is are was were be been being am include includes included means est sont etait etaient fut furent ete
    es son era eran fue fueron sido esta estan estaba ist sind war waren wird wurde wurden
    """
)
_HELPING = BEING | listed(
    """
    has have had does do did can could will would may might must shall should a ont avait avaient peut
    peuvent doit ha han habia puede pueden hat haben hatte kann konnen
    """
) - {"a", "e", "son"}  # fmt: skip
_NOUNS, _GERMAN = listed("war"), listed("der das ein eine einer er sie wann wer wo")  # "the war", "er war"
_PAST = listed(
    """
    became began beat bore bought brought built came caught chose drew fell felt fought found gave got grew
    held kept knew laid led left lost lay made meant met paid ran rose said sang sank saw sent set shot sold
    spent spoke stood struck swam taught thought told took went won wore wrote ate drove flew killed borders
    died lies lives flows contain produce live lie flow remain become contains remains becomes produces
    causes makes takes holds plays stars includes means
    """
)
PREPOSITIONS = listed(
    """
    of in on at to from by with for into onto over under above below between against than through during
    near before after until since within without about across along around behind beside toward towards upon
    via as like per de du des d en dans au aux par pour sur sous avec contre entre vers avant apres chez del
    al por para con hacia desde hasta sobre bajo von vom im am zu zum zur mit fur gegen uber unter
    """
)


ARTICLES = listed("the a an le la les un une el los las una der die das ein eine")
# "The gap is called a diastema" says no more than "a diastema is a gap".
CALLED = listed("called named known termed appele appelee nomme connu llamado llamada conocido conocida")


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands in its text, and folded."""

    text: str
    form: str


def first_verb(words: tuple[Token, ...]) -> int | None:
    """Where the first word stands that is surely a finite verb."""
    german = any(token.form in _GERMAN for token in words)
    for n, token in enumerate(words):
        form = token.form
        if form in _NOUNS and not german:
            continue
        following = words[n + 1].form if n + 1 < len(words) else ""
        participle = following == "by" or (n and following in {"in", "on", "at", "for", "as", ""})
        regular = form.endswith("ed") and len(form) > 4 and token.text[:1].islower() and not participle
        if (
            form in _HELPING
            or form in _PAST
            or (regular and (not n or words[n - 1].form not in PREPOSITIONS))
        ):
            return n
    return None


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, without its marks; "isn't" is two, and so is "l'eau"."""
    whole = _ELIDED.sub(lambda match: match.group()[:-1] + " ", _NOT.sub(" not", text))
    return tuple(Token(word, fold(word)) for word in _TOKEN.findall(whole))
