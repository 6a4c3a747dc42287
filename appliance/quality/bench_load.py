"""A class of thirty: all ask within a minute while ten read articles; then again while one floods the box.

A real box over the dev archive, as `appliance run` starts it. Both runs ask the same questions.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

import numpy as np

from appliance.errors import SetupError
from appliance.log import step
from appliance.quality import questions
from appliance.quality.bench_box import BOUNDS, OFF
from appliance.quality.bench_search import dev_archive
from appliance.quality.box import Box, memory, running
from appliance.quality.class_of_thirty import Class, Heard, Ran, run
from appliance.quality.questions import Question
from appliance.quality.results import Figure
from appliance.services import kiwix
from appliance.settings import Settings

PART = "load"
CLASS = 30
ARTICLES = 40
FLOOD = 30  # connections of one visitor
QUIET, FLOODED = "30 ask within a minute, 10 read", "the same while one visitor floods"


def load(given: Settings, data: Path) -> list[Figure]:
    """All figures of one start."""
    given = dev_archive(given, data)
    drawn = [one for one in questions.sample(questions.wiki(data / "wiki"), 150) if one.answerable]
    asked = [one.text for one in drawn[:CLASS]]
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        beside = replace(given, runtime=Path(folder), queue=40)
        with running(beside) as box:
            _await_model(box)
            one = Class(str(box.http.base_url), asked, _articles(given, drawn[-ARTICLES:]))
            with step(f"Asking: {QUIET}"):
                found = _figures(QUIET, asyncio.run(run(one)))
            found += _memory(box)
            with step(f"Asking: {FLOODED}"):
                ran = asyncio.run(run(replace(one, flood=FLOOD, seed=31)))
            return [*found, *_figures(FLOODED, ran), *_flooder(ran.flooded)]


def _await_model(box: Box) -> None:
    until = time.monotonic() + 120
    while box.states().get("llama", OFF).state != "ready":
        if time.monotonic() > until:
            raise SetupError("The language model did not start.", "Fetch one with `appliance models`.")
        time.sleep(0.2)


def _articles(given: Settings, drawn: Sequence[Question]) -> list[str]:
    """Addresses of articles, half of them in Kiwix where that is installed."""
    name = given.archive[0].stem
    found = []
    for number, one in enumerate(drawn):
        if number % 2 and kiwix.installed():
            found.append(f"/read/{name}/{quote(one.page)}")
        else:
            found.append("/source?" + urlencode({"archive": name, "path": one.page}))
    return found


def _figures(run_of: str, ran: Ran) -> list[Figure]:
    heard = ran.asked
    answered = [one for one in heard if one.words]
    longest = max(one.end if one.end is not None else np.inf for one in heard)
    shown = {
        "passages on the page": (_of(one.passages for one in heard), "at most 1 (p95)"),
        "first sentence": (_of(one.sentence for one in answered), ""),
        "end of the answer": (_of(one.end for one in answered), ""),
        "an article is there": (ran.read, ""),
    }
    figures = [
        Figure(PART, f"{run_of}: questions that came to their end, of {CLASS}", _ended(heard), "", "all"),
        Figure(PART, f"{run_of}: of them answered in words", len(answered), ""),
        Figure(PART, f"{run_of}: of them sent away, the queue full", sum(one.busy for one in heard), ""),
        Figure(PART, f"{run_of}: last place that was told", max(_places(heard)), ""),
    ]
    for what, (seconds, bound) in shown.items():
        figures += _percentiles(f"{run_of}: {what}", seconds, bound)
    if np.isfinite(longest):
        figures.append(Figure(PART, f"{run_of}: longest wait for an end", float(longest), "s"))
    if paces := [one.pace for one in answered if one.pace]:
        pace = float(np.median(paces))
        figures.append(
            Figure(PART, f"{run_of}: words per second after an answer's first sentence, p50", pace, "words/s")
        )
    return figures


def _ended(heard: Iterable[Heard]) -> int:
    return sum(one.end is not None for one in heard)


def _places(heard: Iterable[Heard]) -> list[int]:
    return [0, *(place for one in heard for place in one.places)]


def _of(seconds: Iterable[float | None]) -> list[float]:
    return [one for one in seconds if one is not None]


def _flooder(heard: Sequence[Heard]) -> list[Figure]:
    served = [one for one in heard if not one.refused]
    return [
        Figure(PART, f"{FLOODED}: requests of the flooder", len(heard), ""),
        Figure(PART, f"{FLOODED}: of them refused (429)", len(heard) - len(served), ""),
        *_percentiles(f"{FLOODED}: passages, of the flooder", _of(one.passages for one in served)),
    ]


def _percentiles(what: str, seconds: Sequence[float], bound: str = "") -> list[Figure]:
    if not seconds:
        return []
    p50, p95 = (float(np.percentile(seconds, at)) for at in (50, 95))
    return [Figure(PART, f"{what}: p50", p50, "s"), Figure(PART, f"{what}: p95", p95, "s", bound)]


def _memory(box: Box) -> list[Figure]:
    pids = {name: state.pid for name, state in box.states().items() if state.pid}
    held = {name: memory(pid)[1] for name, pid in pids.items()}
    held["web and embedder"] = held["web"] + held["embedder"]
    what = f"after {CLASS} questions within a minute"
    return [
        Figure(PART, f"memory of {name} {what}", rss, "MB RSS", BOUNDS.get(name, ""))
        for name, rss in held.items()
    ]
