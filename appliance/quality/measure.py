"""Runs questions through the library and says where the gold passage stood and what the gate said.

A hit counts when a passage overlaps the gold paragraph or section (a whole page for searches that find
pages).
"""

import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from appliance.errors import EntryMissing, EntryUnreadable
from appliance.log import step
from appliance.quality import figures
from appliance.quality.questions import Question
from appliance.records import Document, Evidence, Found, Verdict
from appliance.retrieval.search import Library

DEPTH = 20


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a page; `end` -1 stands for the whole page."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one search found, best first, and the seconds that it took."""

    places: tuple[Place, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question, asked. `rank` of the gold passage from 1, None when it is not among DEPTH."""

    question: Question
    rank: int | None
    verdict: Verdict
    probability: float
    seconds: float


class Gold:
    """Where the answers of one archive's questions stand."""

    def __init__(self, library: Library, archive: str) -> None:
        self._library, self._archive = library, archive
        self._documents: dict[str, Document | None] = {}

    def rank(self, question: Question, places: Sequence[Place]) -> int | None:
        """Rank from 1 of the first place that overlaps the gold passage."""
        spans = self._spans(question)
        for rank, place in enumerate(places[:DEPTH], 1):
            if place.path != question.page:
                continue
            if place.end < 0 or any(place.start < end and start < place.end for start, end in spans):
                return rank
        return None

    def _spans(self, question: Question) -> list[tuple[int, int]]:
        if question.page not in self._documents:
            try:
                document: Document | None = self._library.document(self._archive, question.page)
            except (EntryMissing, EntryUnreadable):
                document = None
            self._documents[question.page] = document
        document = self._documents[question.page]
        blocks = document.blocks if document else ()
        return [(block.start, block.end) for block in blocks if question.anchor in ("", block.anchor)]


def page_text(library: Library, archive: str, path: str) -> str:
    """Title and text of an entry. Raises EntryMissing, EntryUnreadable."""
    document = library.document(archive, path)
    return f"{document.title}\n{document.text}"


def titled_rank(question: Question, evidence: Sequence[Evidence]) -> int | None:
    """For sets that name a title: the first passage of that title, or one that holds an answer."""
    for rank, item in enumerate(evidence[:DEPTH], 1):
        if item.title == question.page or holds_answer(item.text, question.answers):
            return rank
    return None


def holds_answer(text: str, answers: Collection[str]) -> bool:
    """Whether a text holds one of the answers, but for capitals, spaces and marks at the ends."""
    plain = _plain(text)
    wanted = [re.escape(_plain(answer).strip(" .,;:\"'")) for answer in answers]
    return any(re.search(rf"(?<!\w){answer}(?!\w)", plain) for answer in wanted if answer)


def ask(
    library: Library, questions: Sequence[Question], archives: Collection[str] | None, gold: Gold | None
) -> list[Outcome]:
    """Asks every question of the named archives (None: of all), one after the other."""
    outcomes = []
    with step(f"Asking {len(questions):,} questions", len(questions), "questions") as progress:
        for question in questions:
            began = time.perf_counter()
            found = library.search(question.text, DEPTH, archives)
            seconds = time.perf_counter() - began
            rank = _rank(question, found, gold) if question.answerable else None
            judged = found.judgement
            outcomes.append(Outcome(question, rank, judged.verdict, judged.probability, seconds))
            progress.advance()
    return outcomes


def retrieval_figures(ranks: Sequence[int | None], seconds: Sequence[float]) -> dict[str, float]:
    """Recall at 1, 5 and 20, and the time of one question in milliseconds (p50, p95)."""
    return {
        **{f"recall@{k}": round(figures.recall(ranks, k), 4) for k in (1, 5, 20)},
        "p50_ms": round(float(np.percentile(seconds, 50)) * 1000, 1),
        "p95_ms": round(float(np.percentile(seconds, 95)) * 1000, 1),
    }


def gate_figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Both error rates of the shipped gate, always together, and the area under the curve."""
    answerable = np.array([outcome.question.answerable for outcome in outcomes])
    answered = np.array([outcome.verdict == "answer" for outcome in outcomes])
    probabilities = np.array([outcome.probability for outcome in outcomes])
    return {
        "false_answers": round(float(np.mean(answered[~answerable])), 4),
        "false_refusals": round(float(np.mean(~answered[answerable])), 4),
        "auc": round(figures.area(probabilities, answerable), 4),
    }


def _rank(question: Question, found: Found, gold: Gold | None) -> int | None:
    if gold is None:
        return titled_rank(question, found.evidence)
    places = [Place(item.path, item.start, item.start + len(item.text)) for item in found.evidence]
    return gold.rank(question, places)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
