"""An answer as it is kept: what it says as JSON, what it shows as pointers to passages. Pure.

Of own documents no words are kept here but those of the answer itself: quotes are places in a passage, whose
text is read from the document when the answer is shown again. So what was deleted is gone here too, and no
citation is ever made of what the language model wrote.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from appliance.answer.events import Finished, Passages
from appliance.answer.matches import located
from appliance.documents.records import ARCHIVE
from appliance.records import (
    Answer,
    Calculation,
    Citation,
    Disagreement,
    Evidence,
    Found,
    Input,
    Judgement,
    Match,
    Quote,
    Side,
)

Place = tuple[int, str, int, int]
"""Of a match: claim, kind, start and length in the document's text."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A passage that an answer shows. `matches` is None for one that it does not cite. `text` is None where
    it cannot be had: the own document was deleted, or is `closed` to who looks. Of an own document neither
    text nor title is kept with the answer."""

    n: int
    archive: str
    path: str
    title: str
    headings: tuple[str, ...]
    anchor: str
    start: int
    length: int
    score: float
    matches: tuple[Place, ...] | None
    text: str | None
    closed: bool = False

    @property
    def own(self) -> bool:
        return self.archive == ARCHIVE


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer again as it came about. `lost` are the numbers of passages whose document was deleted,
    `closed` of those whose document is not open to who looks."""

    passages: Passages
    finished: Finished
    lost: frozenset[int] = frozenset()
    closed: frozenset[int] = frozenset()


def packed(passages: Passages, finished: Finished) -> tuple[str, list[Pointer]]:
    """The answer as JSON and the passages that it shows."""
    found, answer = passages.found, finished.answer
    cited = {citation.n: citation for citation in answer.citations}
    body = {
        "judgement": asdict(found.judgement),
        "found_notes": found.notes,
        "suggestion": found.suggestion,
        "calculation": asdict(passages.calculation) if passages.calculation else None,
        "disagreement": _sides(passages.disagreement, found.evidence),
        "quote": _quote(passages.quote),
        "text": answer.text,
        "stressed": answer.stressed,
        "struck": answer.struck,
        "finish": answer.finish,
        "notes": finished.notes,
        "tokens": (finished.prompt_tokens, finished.completion_tokens),
    }
    pointers = [_pointer(n, one, cited.get(n)) for n, one in enumerate(found.evidence, 1)]
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")), pointers


def unpacked(question: str, body: str, pointers: Sequence[Pointer]) -> Kept:
    """What `packed` took, with the texts that the pointers have now."""
    told: Mapping[str, Any] = json.loads(body)
    evidence = tuple(_evidence(pointer) for pointer in pointers)
    judgement = Judgement(**{**told["judgement"], "lacking": tuple(told["judgement"]["lacking"])})
    found = Found(question, evidence, judgement, tuple(told["found_notes"]), told["suggestion"])
    citations = tuple(
        Citation(pointer.n, one, _matches(pointer))
        for pointer, one in zip(pointers, evidence, strict=True)
        if pointer.matches is not None
    )
    stressed = tuple((start, length) for start, length in told.get("stressed", ()))  # new in this version
    answer = Answer(told["text"], citations, told["struck"], told["finish"], stressed)
    return Kept(
        Passages(
            found,
            _calculation(told["calculation"]),
            _disagreement(told["disagreement"], evidence),
            _quoted(told["quote"], evidence),
        ),
        Finished(answer, tuple(told["notes"]), *told["tokens"]),
        frozenset(pointer.n for pointer in pointers if pointer.text is None and not pointer.closed),
        frozenset(pointer.n for pointer in pointers if pointer.closed),
    )


def _pointer(n: int, one: Evidence, citation: Citation | None) -> Pointer:
    own = one.archive == ARCHIVE
    matches = tuple((m.claim, m.kind, m.start, len(m.quote)) for m in citation.matches) if citation else None
    return Pointer(
        n,
        one.archive,
        one.path,
        "" if own else one.title,
        () if own else one.headings,
        one.anchor,
        one.start,
        len(one.text),
        one.score,
        matches,
        None if own else one.text,
    )


def _evidence(pointer: Pointer) -> Evidence:
    return Evidence(
        pointer.archive,
        pointer.path,
        pointer.title,
        pointer.headings,
        pointer.anchor,
        pointer.text or "",
        pointer.start,
        pointer.score,
    )


def _matches(pointer: Pointer) -> tuple[Match, ...]:
    found = []
    for claim, told, start, length, *_ in pointer.matches or ():  # earlier versions kept more
        kind = "words" if told == "reader" else told  # no longer made; its words stood in the passage
        quote = (pointer.text or "")[start - pointer.start :][:length]
        if quote:
            found.append(Match(claim, kind, quote, start))  # type: ignore[arg-type]
    return tuple(found)


def _sides(disagreement: Disagreement | None, evidence: Sequence[Evidence]) -> dict[str, Any] | None:
    """Each side with the place of its sentence in the first of its passages."""
    if disagreement is None:
        return None
    sides = [
        {"value": one.value, "ns": one.ns, "place": located(one.sentence, evidence[one.ns[0] - 1].text)}
        for one in disagreement.sides
    ]
    return {"kind": disagreement.kind, "sides": sides}


def _disagreement(told: Mapping[str, Any] | None, evidence: Sequence[Evidence]) -> Disagreement | None:
    if told is None:
        return None
    sides = (
        Side(one["value"], _cut(evidence[one["ns"][0] - 1].text, one["place"]), tuple(one["ns"]))
        for one in told["sides"]
    )
    return Disagreement(told["kind"], tuple(sides))


def _quote(quote: Quote | None) -> dict[str, Any] | None:
    if quote is None:
        return None
    return {"n": quote.n, "start": quote.start, "length": len(quote.sentence), "sure": quote.sure}


def _quoted(told: Mapping[str, Any] | None, evidence: Sequence[Evidence]) -> Quote | None:
    """None also when its passage is lost."""
    if told is None:
        return None
    source = evidence[told["n"] - 1]
    at = told["start"] - source.start
    sentence = _cut(source.text, (at, at + told["length"]))
    return Quote(told["n"], sentence, told["start"], told["sure"]) if sentence else None


def _calculation(told: Mapping[str, Any] | None) -> Calculation | None:
    if told is None:
        return None
    inputs = tuple(Input(**given) for given in told["inputs"])
    return Calculation(inputs, told["formula"], told["result"], told["rounded"])


def _cut(text: str, place: Sequence[int] | None) -> str:
    return text[place[0] : place[1]] if place else ""
