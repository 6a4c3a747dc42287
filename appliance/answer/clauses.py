"""A sentence as its clauses: which words are said together. Pure, and without a grammar of any language.

A parser would be a second model on a small board. Closed lists do nearly as well for the short, declarative
sentences of reference works: a clause begins at a conjunction, a mark or a bracket where a new verb
follows. A clause without a subject of its own has that of the clause before it; one that begins with a
relative pronoun has all of that clause, since what it speaks of stands there, or in a list parted by
semicolons all of its item. Where a verb is not recognised two clauses stay one.
"""

import re
from dataclasses import dataclass

from appliance.retrieval.numbers import COUNTED
from appliance.retrieval.words import fold

_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*|[,;:()\[\]–—]|\s-\s")
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_SPLIT = frozenset(",;:()[]–—")
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
RELATIVE = listed(
    """
    which who whom whose where when that qui dont ou lequel laquelle que quien quienes cual donde cuyo cuya
    welche welcher welches
    """
)
BEING = listed(
    """
    is are was were be been being am include includes included means est sont etait etaient fut furent ete
    es son era eran fue fueron sido esta estan estaba ist sind war waren wird wurde wurden
    """
)
HELPING = BEING | listed(
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
_ASIDE = CALLED | listed(
    """
    also often sometimes commonly usually formerly originally officially locally historically simply better
    once now then still aussi souvent parfois autrefois tambien antes antiguamente auch oft fruher
    """
)  # with one of these begins what is said beside: "Tetanus, also called lockjaw, is a disease"
MARK = 10
SVO = 3  # words of the shortest clause: who does what


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands in its text, and folded; `at` is its place in the sentence, where a mark takes up
    MARK places and a word one."""

    text: str
    form: str
    at: int


@dataclass(frozen=True, slots=True)
class Clause:
    """`words` are said in it; `subject` is lent by the clause before it, empty when it has its own;
    `relative`: the pronoun with which it begins."""

    words: tuple[Token, ...]
    subject: tuple[Token, ...] = ()
    relative: str = ""

    @property
    def whole(self) -> tuple[Token, ...]:
        return (*self.subject, *self.words)


def clauses(sentence: str) -> list[Clause]:
    """The clauses of one sentence in order; [] for one without words."""
    found: list[Clause] = []
    for relative, words, item in _pieces(sentence):
        verb = first_verb(words)
        unfinished = bool(found) and first_verb(found[-1].whole) is None
        another = bool(found and found[-1].relative) and item > found[-1].words[0].at  # of a list's items
        lacking = unfinished or (verb is None and not another)
        if found and not relative and lacking and not _stands_alone(words):
            last = found[-1]
            found[-1] = Clause((*last.words, *words), last.subject, last.relative)
        elif found and (relative or verb == 0):
            before = found[-1]
            own = tuple(token for token in before.whole if token.at > item) or before.whole
            found.append(Clause(words, own if relative else _subject(before), relative))
        else:
            found.append(Clause(words))
    return found


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
        if form in HELPING or form in _PAST or (regular and (not n or words[n - 1].form not in PREPOSITIONS)):
            return n
    return None


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, without its marks."""
    return tuple(Token(word, fold(word), at) for at, word in enumerate(_words(text)) if word not in _SPLIT)


def _stands_alone(words: tuple[Token, ...]) -> bool:
    """Whether words without a known verb may be a clause: "owls hunt voles", no "voles and a few mice"."""
    if len(words) != SVO or words[0].form in _ASIDE:
        return False
    return not any(
        token.form in PREPOSITIONS
        or token.form in ARTICLES
        or token.form in COUNTED
        or not token.form.isalpha()
        for token in words
    )


def _subject(clause: Clause) -> tuple[Token, ...]:
    verb = first_verb(clause.words)
    own = clause.words[: verb or 0]
    return own or clause.subject or clause.words


def _words(text: str) -> list[str]:
    plain = _ELIDED.sub(lambda match: match.group()[:-1] + " ", _NOT.sub(" not", text))
    return [part.strip() for part in _TOKEN.findall(plain)]


def _pieces(sentence: str) -> list[tuple[str, tuple[Token, ...], int]]:
    """The words between two places where a clause could begin, the relative pronoun that begins them, and the
    place of the last semicolon before them (0: none)."""
    pieces: list[tuple[str, tuple[Token, ...], int]] = []
    run: list[Token] = []
    relative = ""
    at = item = 0
    for word in _words(sentence):
        form = fold(word)
        related = form in RELATIVE and bool(run or pieces)
        marked = word in _SPLIT or word == "-"
        at += MARK if marked else 1
        if marked or form in JOINING or related:
            if run:
                pieces.append((relative, tuple(run), item))
                run, relative = [], ""
            relative = relative or (form if related else "")
            item = at if word == ";" else item
        else:
            run.append(Token(word, form, at))
    return [*pieces, (relative, tuple(run), item)] if run else pieces
