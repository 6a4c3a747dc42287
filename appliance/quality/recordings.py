"""What the library finds for questions, kept, so that weights can be fitted again without asking again.

Asking is slow, so a run that was stopped goes on where it was. What is kept is what the search found and the
reader read; `prepare` adds what the search does once the best passages are known, and `ranked` ranks it with
any weights.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.log import step
from appliance.quality.measure import Gold, Place, holds_answer
from appliance.quality.questions import Question
from appliance.records import Evidence, Judgement
from appliance.retrieval import capitals
from appliance.retrieval.gate import LEVELS, Gate, Logistic, Weights
from appliance.retrieval.lexical import Term
from appliance.retrieval.rerank import CLOSELY, Reader, read_closely
from appliance.retrieval.search import Library
from appliance.retrieval.signals import Stem
from appliance.retrieval.texts import DocumentCache

NEARLY = 8  # passages that are read closely: other weights may have other ones among the first CLOSELY
EVERY = 50  # questions after which they are kept
NOTHING = Logistic({}, 0.0)
UNSET = Weights(NOTHING, dict.fromkeys(LEVELS, 0.5), 0.5)


class Recorder(Gate):
    """A gate that ranks and judges nothing and keeps what it was last shown."""

    last: tuple[str, Sequence[Term], Sequence[Evidence]] | None

    def __init__(self) -> None:
        super().__init__(NOTHING, NOTHING, UNSET, UNSET, "", "")
        object.__setattr__(self, "last", None)

    def ranked(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        return list(evidence)

    def judge(
        self,
        question: str,
        terms: Sequence[Term],
        evidence: Sequence[Evidence],
        stem: Stem,  # noqa: ARG002
    ) -> Judgement:
        object.__setattr__(self, "last", (question, terms, evidence))
        return Judgement("nothing", 0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what the library found; `right`: for each passage whether it answers; `swapped`: made
    from an answerable question by changing one thing."""

    question: Question
    text: str
    terms: tuple[Term, ...]
    evidence: tuple[Evidence, ...]
    right: tuple[bool, ...]
    swapped: bool = False


class Recordings:
    """Questions asked before, kept in a file (None: only while this lives)."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._added = 0
        self._kept: dict[tuple[str, bool], Asked | None] = {}
        if file and file.is_file():
            self._kept = pickle.loads(file.read_bytes())

    def collect(
        self, library: Library, recorder: Recorder, asked: Sequence[tuple[Question, bool]], gold: Gold
    ) -> list[Asked]:
        """Asks questions (and whether they are swapped) that are not kept; those for which nothing was found
        are left out."""
        left = [one for one in asked if _name(one[0]) not in self._kept]
        with step(f"Asking {len(left):,} questions", len(left), "questions") as progress:
            for question, swapped in left:
                self._add(_name(question), _asked(library, recorder, question, gold, swapped))
                progress.advance()
        self._save()
        found = (self._kept[_name(question)] for question, _ in asked)
        return [one for one in found if one is not None]

    def prepare(self, found: Sequence[Asked], gate: Gate, reader: Reader, library: Library) -> list[Asked]:
        """With the sentences of the first passages by this gate read, and the terms looked up."""
        documents = DocumentCache()
        left = [one for one in found if not any(item.told for item in one.evidence)]
        with step(f"Reading the best passages of {len(left):,}", len(left), "questions") as progress:
            for one in left:
                self._add(_name(one.question), _prepared(one, gate, reader, library, documents))
                progress.advance()
        self._save()
        return [self._kept[_name(one.question)] or one for one in found]

    def _add(self, name: tuple[str, bool], one: "Asked | None") -> None:
        self._kept[name] = one
        self._added += 1
        if self._added % EVERY == 0:
            self._save()

    def _save(self) -> None:
        if self._file:
            aside = self._file.with_suffix(".part")
            aside.write_bytes(pickle.dumps(self._kept))
            aside.replace(self._file)


def _name(question: Question) -> tuple[str, bool]:
    return question.text, question.answerable


def _asked(
    library: Library, recorder: Recorder, question: Question, gold: Gold, swapped: bool
) -> Asked | None:
    object.__setattr__(recorder, "last", None)
    library.search(question.text, 30)
    if recorder.last is None or not recorder.last[1] or not recorder.last[2]:
        return None
    text, terms, evidence = recorder.last
    right = tuple(_right(question, item, gold) for item in evidence)
    bare = tuple(replace(item, told=()) for item in evidence)
    return Asked(question, text, tuple(replace(term, capital=0.0) for term in terms), bare, right, swapped)


def _right(question: Question, item: Evidence, gold: Gold) -> bool:
    if not question.answerable:
        return False
    place = Place(item.path, item.start, item.start + len(item.text))
    return gold.rank(question, [place]) is not None or holds_answer(item.text, question.answers)


def _prepared(one: Asked, gate: Gate, reader: Reader, library: Library, documents: DocumentCache) -> Asked:
    ordered = gate.ranked(one.evidence)
    told = {_key(item): item.told for item in read_closely(reader, one.text, ordered, NEARLY)}
    terms = capitals.looked_up(one.text, one.terms, ordered, library.books, documents)
    evidence = tuple(replace(item, told=told[_key(item)]) for item in one.evidence)
    return replace(one, terms=terms, evidence=evidence)


def ranked(gate: Gate, evidence: Sequence[Evidence]) -> list[Evidence]:
    """As the search ranks it: by whole passages, then the first CLOSELY by their sentences."""
    told = {_key(item): item.told for item in evidence}
    ordered = gate.ranked([replace(item, told=()) for item in evidence])
    closely = [replace(item, told=told[_key(item)]) for item in ordered[:CLOSELY]]
    return gate.ranked([*closely, *ordered[CLOSELY:]])


def _key(item: Evidence) -> tuple[str, str, int]:
    return item.archive, item.path, item.start
