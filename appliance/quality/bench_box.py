"""The running product: start, first passage, first token, and the memory of each process after questions.

Starts a box over the dev archive as `appliance run` does and asks it over HTTP, like a browser and a program.
"""

import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np

from appliance.errors import SetupError
from appliance.quality import questions
from appliance.quality.bench_search import dev_archive
from appliance.quality.box import Box, memory, running
from appliance.quality.results import Figure
from appliance.services.runtime import ServiceState
from appliance.settings import Settings

ASKED = 50  # questions before memory is read
ANSWERED = 15  # of them with an answer by the language model
OFF = ServiceState("llama", "off")
PASSAGE = b'<li id="p1"'
PART = "box"
BOUNDS = {"llama": "at most 900", "web and embedder": "at most 350"}


def box(given: Settings, data: Path) -> list[Figure]:
    """All figures of one start."""
    given = dev_archive(given, data)
    asked = [one.text for one in questions.sample(questions.wiki(data / "wiki"), ASKED) if one.answerable][
        :ASKED
    ]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        beside = replace(given, runtime=Path(folder))
        with running(beside):  # the first start may make what is missing
            pass
        with running(beside) as started:
            found = [
                Figure(PART, "second start to the printed address", started.seconds, "s", "less than 10")
            ]
            found += _passages(started, asked)
            found += _answers(started, asked[:ANSWERED])
            return found + _memory(started)


def _passages(started: Box, asked: Sequence[str]) -> list[Figure]:
    """From the request to the first passage on the page, for every question."""
    times = []
    for question in asked:
        began = time.perf_counter()
        with started.http.stream("GET", "/ask", params={"q": question}) as page:
            seen = b""
            for chunk in page.iter_raw():
                seen += chunk
                if PASSAGE in seen:
                    times.append(time.perf_counter() - began)
                    break
    if not times:
        raise SetupError("No answer page had a passage.", "Look at web/templates/_passages.html.")
    what = f"first passage on the page, {len(times)} of {len(asked)} questions"
    return _percentiles(what, times, "at most 300")


def _answers(started: Box, asked: Sequence[str]) -> list[Figure]:
    """From the request to the first word of an answer, where the language model was asked at all."""
    until = time.monotonic() + 60
    while started.states().get("llama", OFF).state == "starting" and time.monotonic() < until:
        time.sleep(0.1)
    if started.states().get("llama", OFF).state != "ready":
        return []
    times, whole = [], []
    for question in asked:
        began = time.perf_counter()
        first = _first_word(started.http, question)
        if first is not None:
            times.append(first - began)
            whole.append(time.perf_counter() - began)
    what = f"of {len(times)} of {len(asked)} questions that were answered"
    return [*_percentiles(f"first token {what}", times), *_percentiles(f"whole answer {what}", whole)]


def _first_word(http: httpx.Client, question: str) -> float | None:
    """When the first word came; reads to the end. None when the language model wrote nothing."""
    body = {"model": "lamplight", "stream": True, "messages": [{"role": "user", "content": question}]}
    first, verdict, finish = None, "", None
    with http.stream("POST", "/v1/chat/completions", json=body) as stream:
        for line in stream.iter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            verdict = event.get("lamplight", {}).get("verdict", verdict)
            for choice in event.get("choices", ()):
                finish = choice.get("finish_reason") or finish
                if choice.get("delta", {}).get("content") and first is None:
                    first = time.perf_counter()
    return first if verdict == "answer" and finish == "stop" else None


def _memory(started: Box) -> list[Figure]:
    """What each process holds (RSS, which the bounds are about) and its fair share of it (PSS)."""
    pids = {name: state.pid for name, state in started.states().items() if state.pid}
    found = {name: memory(pid) for name, pid in {**pids, "run": started.process.pid}.items()}
    (web, embedder) = found["web"], found["embedder"]
    found["web and embedder"] = (web[0] + embedder[0], web[1] + embedder[1])
    figures = []
    for name, (pss, rss) in found.items():
        figures += [
            Figure(PART, f"memory of {name}", rss, "MB RSS", BOUNDS.get(name, "")),
            Figure(PART, f"memory of {name}, fair share", pss, "MB PSS"),
        ]
    return figures


def _percentiles(what: str, seconds: Sequence[float], bound: str = "") -> list[Figure]:
    if not seconds:
        return []
    p50, p95 = (float(np.percentile(seconds, at)) * 1000 for at in (50, 95))
    return [Figure(PART, f"{what}: p50", p50, "ms", bound), Figure(PART, f"{what}: p95", p95, "ms")]
