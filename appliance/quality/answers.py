"""Asks the whole path, with the language model, and looks for the gold answer in what comes out.

Words are compared, not marks and spaces: "April 19 , 1775" is held by "on April 19, 1775". Whether a shown
sentence is supported only a reader can say: `listed` puts each beside its evidence, to be read by hand.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance import models
from appliance.answer.ask import Finished, ask
from appliance.answer.batch import Batch
from appliance.answer.events import Model
from appliance.answer.llm import Llama
from appliance.answer.prompt import FIXED
from appliance.answer.queue import QueuedModel
from appliance.answer.quick import Quick
from appliance.errors import ModelFileError
from appliance.log import step
from appliance.quality.measure import holds_answer
from appliance.quality.questions import Question
from appliance.records import Answer
from appliance.retrieval.rerank import Read
from appliance.retrieval.search import Library
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import words
from appliance.settings import Settings

_MARKER = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Desk:
    """What `ask` needs of an appliance, without its processes."""

    settings: Settings
    library: Library
    model: Model | None
    quick: Quick | None = None
    read: Read | None = None  # for what own documents are compared by


@dataclass(frozen=True, slots=True)
class Reply:
    """One question and its finished answer."""

    question: Question
    answer: Answer


def open_model(given: Settings) -> QueuedModel:
    """The language model in this process. Raises ModelFileError when there is none."""
    name = models.model_for(given.profile, given.home, given.model)
    if name is None:
        raise ModelFileError("There is no language model here.", "Fetch it with `appliance models`.")
    file: Path = models.path(given.home, name)
    return QueuedModel(Batch(Llama(file, given.context, given.threads, beginning=FIXED)), given.queue)


async def ask_all(desk: Desk, asked: Sequence[Question]) -> list[Reply]:
    """Asks every question, one after the other."""
    replies = []
    with step(f"Answering {len(asked):,} questions", len(asked), "questions") as progress:
        for question in asked:
            last = [event async for event in ask(desk, question.text)][-1]
            if isinstance(last, Finished):
                replies.append(Reply(question, last.answer))
            progress.advance()
    return replies


def listed(replies: Sequence[Reply]) -> list[str]:
    """One JSON line for each sentence that was shown, with the passages it cites; `verdict` is left empty for
    whoever reads them: supported, unsupported, or supported and beside the question."""
    lines = []
    for reply in replies:
        given = {citation.n: citation.evidence for citation in reply.answer.citations}
        for sentence in sentences(reply.answer.text):
            cited = [given[int(n)] for n in _MARKER.findall(sentence) if int(n) in given]
            row = {
                "question": reply.question.text,
                "answerable": reply.question.answerable,
                "answers": list(reply.question.answers),
                "sentence": sentence.strip(),
                "evidence": [{"title": one.title, "path": one.path, "text": one.text} for one in cited],
                "verdict": "",
            }
            lines.append(json.dumps(row, ensure_ascii=False))
    return lines


def answer_figures(replies: Sequence[Reply]) -> dict[str, float]:
    """Shares of answerable questions: refused, answered; of the answers those that hold a gold answer, in all
    and in their first sentence; of the citations those whose passage holds one; how many markers and
    sentences were struck for each question; and how many unanswerable ones were answered in words."""
    answerable = [one for one in replies if one.question.answerable]
    others = [one for one in replies if not one.question.answerable]
    answered = [one for one in answerable if one.answer.text]
    cited = [
        _holds(citation.evidence.text, one.question.answers)
        for one in answered
        for citation in one.answer.citations
    ]
    held = [_holds(one.answer.text, one.question.answers) for one in answered]
    direct = [_holds(sentences(one.answer.text)[0], one.question.answers) for one in answered]
    return {
        "refused": _share([one.answer.finish == "refused" for one in answerable]),
        "answered": _share([bool(one.answer.text) for one in answerable]),
        "answers_with_gold": _share(held),
        "first_sentences_with_gold": _share(direct),
        "citations_with_gold": _share(cited),
        "struck": round(sum(one.answer.struck for one in replies) / max(1, len(replies)), 4),
        "unanswerable_answered": _share([bool(one.answer.text) for one in others]),
    }


def _holds(text: str, answers: Sequence[str]) -> bool:
    return holds_answer(" ".join(words(text)), [" ".join(words(answer)) for answer in answers])


def _share(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4) if hits else 0.0
