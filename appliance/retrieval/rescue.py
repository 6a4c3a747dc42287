"""Lexical rescue: what a question names exactly is found where it stands, however far its vector is. Pure.

Identifiers, codes, flags, paths, dates in figures, code and quoted words are exact: who asks for ERR-4471 is
not helped by a passage about ERR-4472, near as it is, nor who asks for --force by --force-with-lease.
Passages of own documents and sources in which they stand are read first, and come first. A person's or a
place's name is weaker: one passage with it stands among the first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.records import Evidence
from appliance.retrieval.candidates import Candidate, Searched
from appliance.retrieval.lexical import WordHits
from appliance.retrieval.words import LANGUAGES, fold, language, words

MOST = 6  # tokens of a question
EACH = 8  # passages that are read for each
AMONG = 3  # places, within which a name is found
_QUOTED = re.compile(r"`([^`\n]{2,200})`|[\"“«„]\s?([^\"”»“\n]{2,200}?)\s?[\"”»“]")
_DATE = re.compile(r"(?<!\d)\d{1,4}([/.-])\d{1,2}\1\d{1,4}(?!\d)")
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:"
    r"[A-Za-z]+[-/_.]?\d[\w]*(?:[-/_.][\w]+)*"  # interp1, ERR-4471, x86_64
    r"|\d+[-/_.]?[A-Za-z]{1,}[\w]*\d[\w]*"  # 4B-17
    r"|[A-Za-z]\w*(?:_\w+)+|[a-z]+(?:[A-Z][a-z0-9]+)+"  # snake_case, camelCase
    r"|[A-Za-z_]\w*(?:\.\w+)*\(\)?"  # plot(
    r"|\d{5,}"
    r")(?![\w])"
)
_WRITTEN = re.compile(
    r"(?<![\w-])--[A-Za-z][\w-]*\w(?:=[^\s,;?]+)?"  # --force-with-lease, --marker=slow
    r"|(?<![\w-])-[A-Za-z](?![\w-])"  # -f
    r"|(?<![\w.@/-])[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+(?:\(\))?(?![\w/])"  # pkg.module.fn, switches.toml
    r"|(?<![\w/.:])(?:~|\.{1,2})?(?:/[\w.-]*\w){2,}"  # /etc/library/api.env
)
_STRICT = re.compile(r"\w*[^\W_]_\w+|[A-Za-z]{1,8}[-_.]?\d{3,}")  # snake_case, E1234, ERR-4471
_CODE = re.compile(r"[;{}=]|\w\(|\)\s*$|::|->")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[^\W\d_a-z]\w+(?:[ -][^\W\d_a-z]\w+)*")


@dataclass(frozen=True, slots=True)
class Token:
    """What a question names, as written; `exact`: passages without it are no answer. `strict`: it is written
    in no other way (flags, paths, codes, names of programs)."""

    text: str
    exact: bool = True
    strict: bool = False


def tokens(question: str) -> tuple[Token, ...]:
    """At most MOST of them, the exact ones first."""
    found: dict[str, Token] = {}
    for token in _tokens(question):
        key = fold(token.text)
        if len(token.text) > 1 and not any(key in other for other in found):
            found[key] = token
    return tuple(sorted(found.values(), key=lambda token: not token.exact)[:MOST])


def _tokens(question: str) -> Iterator[Token]:
    written = words(question)
    shaping = sum(fold(word) in LANGUAGES[language(written)] for word in written)
    if _CODE.search(question) and "?" not in question and 2 * shaping < len(written):
        yield Token(question.strip(" ?"))
    for quoted in _QUOTED.finditer(question):
        yield Token((quoted[1] or quoted[2]).strip())
    yield from (Token(date.group()) for date in _DATE.finditer(question))
    yield from (Token(exact.group(), strict=True) for exact in _WRITTEN.finditer(question))
    for exact in _IDENTIFIER.finditer(question):
        yield Token(exact.group().rstrip("("), strict=bool(_STRICT.fullmatch(exact.group())))
    if question != question.upper():
        yield from (Token(name.group(), False) for name in _NAME.finditer(question))


def lifted(
    candidates: Sequence[Candidate], hits: Sequence[tuple[Searched, WordHits]], named: Sequence[Token]
) -> list[Candidate]:
    """The candidates, best first, those in front that hold what is named, whether they were among them or
    not."""
    first: dict[tuple[int, int], Candidate] = {}
    for book, words_of in hits:
        if book.phrases is None:
            continue
        known = {candidate.passage: candidate for candidate in candidates if candidate.book is book}
        for token in named:
            ids = book.phrases.holding(token.text)
            shares = words_of.share_of(ids)
            held = [
                known.get(int(i)) or Candidate(book, int(i), float(share) / 2, float(share), None)
                for i, share in zip(ids, shares, strict=True)
            ]
            for candidate in sorted(held, key=lambda one: (-one.score, one.passage))[:EACH]:
                first[id(book), candidate.passage] = candidate
    top = max((candidate.score for candidate in candidates), default=0.0)
    raised = [replace(candidate, score=max(candidate.score, top)) for candidate in first.values()]
    return [*raised, *(one for one in candidates if (id(one.book), one.passage) not in first)]


def placed(evidence: Sequence[Evidence], named: Sequence[Token]) -> list[Evidence]:
    """The evidence, those in front that hold most of what is named exactly, by itself rather than within a
    longer word; of a name that none of the first few holds, the best that does becomes the last of these."""
    if not named:
        return list(evidence)
    texts = {id(item): _text(item) for item in evidence}
    exact = [_squeezed(token.text) for token in named if token.exact]
    ranked = sorted(evidence, key=lambda item: -sum(_held(text, texts[id(item)]) for text in exact))
    for name in [_squeezed(token.text) for token in named if not token.exact]:
        holding = [place for place, item in enumerate(ranked) if name in texts[id(item)]]
        if holding and holding[0] >= AMONG:
            ranked.insert(AMONG - 1, ranked.pop(holding[0]))
    return ranked


def _held(token: str, text: str) -> int:
    """2 where a token stands by itself in a text, 1 within a longer word alone, else 0."""
    at = text.find(token)
    if at < 0:
        return 0
    while at >= 0:
        before, after = text[max(0, at - 1) : at], text[at + len(token) :][:2]
        longer = _goes_on(after[:1]) or (after[:1] in ("-", ".") and _goes_on(after[1:]))
        if not (longer and _goes_on(token[-1])) and not _goes_on(before) and before != "-":
            return 2
        at = text.find(token, at + 1)
    return 1


def _goes_on(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def stands(token: str, text: str) -> bool:
    """Whether a token stands by itself in a text, however its letters are written."""
    return _held(_squeezed(token), _squeezed(text)) == 2


def _text(item: Evidence) -> str:
    return _squeezed(" ".join((item.title, *item.headings, item.text)))


def _squeezed(text: str) -> str:
    return " ".join(fold(text).split())
