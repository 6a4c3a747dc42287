"""Conversations: kills during turns, what keeping a turn costs, searching a thousand of them."""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from appliance.answer.events import Finished, Passages
from appliance.documents.conversations import MOST, Conversations
from appliance.documents.store import Store
from appliance.documents.turns import Asking
from appliance.log import step
from appliance.quality.killed_turns import kills
from appliance.quality.results import Figure
from appliance.records import Answer, Citation, Evidence, Found, Judgement
from appliance.settings import Settings

PART = "conversations"
KILLS = 500
TRIES = 200  # of each call; the median counts
PASSAGES = 8  # on an answer page
TEXT = "The mill on the upper brook was sold to Ida Brandt, who paid four hundred crowns for it. " * 7


def conversations(given: Settings, data: Path) -> list[Figure]:
    """All figures; `data` is not needed."""
    del data
    given.home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-talk-", dir=given.home) as made:
        with step(f"{KILLS} kills during turns"):
            tally = kills(Path(made) / "killed.db", KILLS)
        with step("Keeping and finding turns"):
            found = _speed(Path(made) / "speed.db")
    return [
        Figure(PART, "kills during turns", tally.kills, "kills", "500"),
        Figure(PART, "questions acknowledged before a kill", tally.asked, "questions"),
        Figure(PART, "answers acknowledged before a kill", tally.answered, "answers"),
        Figure(PART, "acknowledged and lost or changed", len(tally.wrong), "turns", "0"),
        Figure(PART, "answered after a kill under the same id", tally.unanswered, "questions"),
        *found,
    ]


def _speed(file: Path) -> list[Figure]:
    store = Store.open(file)
    kept = Conversations(store)
    here = kept.begin("browser:a", "c", "A title", "library").id
    number = count()

    def turn() -> None:
        question = f"Who bought the mill {next(number)}?"
        asked = kept.ask("browser:a", here, Asking(question, question, question, "library"))
        kept.answer(asked.id, *_answer(question))

    def find() -> None:
        kept.listed("browser:b", "brandt crowns")

    found = [Figure(PART, "keeping a question and its answer, p50", _median(turn), "ms")]
    for place in range(MOST):
        other = kept.begin("browser:b", str(place), f"Conversation {place}", "library").id
        asked = kept.ask("browser:b", other, Asking("t", f"Question {place}", "", "library"))
        kept.answer(asked.id, *_answer(asked.asked))
    found.append(Figure(PART, f"searching {MOST:,} conversations, p50", _median(find), "ms"))
    store.close()
    return found


def _answer(question: str) -> tuple[Passages, Finished]:
    sources: Sequence[Evidence] = [
        Evidence("a", str(n), "Mill", (), "", TEXT, 0, 0.9) for n in range(PASSAGES)
    ]
    passages = Passages(Found(question, tuple(sources), Judgement("answer", 0.9)))
    text = "Ida Brandt bought the mill for four hundred crowns [1]."
    return passages, Finished(Answer(text, (Citation(1, sources[0]),), 0, "stop"))


def _median(act: Callable[[], None]) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(TRIES):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000
