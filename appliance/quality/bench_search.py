"""Search latency on the dev archive, in one process and through the embedder's, and the baselines beside it.

Each search gets the same questions in the same run. The figure is from the question to ranked passages with
their text; a baseline that gives places only is measured without text, in its favour.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import httpx

from appliance import wiring
from appliance.errors import SetupError
from appliance.quality import questions
from appliance.quality.baselines import Baselines
from appliance.quality.library import InProcess, open_book, open_encoder
from appliance.quality.measure import DEPTH, Gold, Place, Ranked, retrieval_figures
from appliance.quality.questions import Question
from appliance.quality.results import Figure
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Library
from appliance.services import kiwix
from appliance.services.children import end, spawn
from appliance.services.probe import answers
from appliance.services.run import LOCAL, environment, free_port, verb
from appliance.services.runtime import prepare, socket_path
from appliance.settings import Settings

SAMPLE = 150  # questions of each origin
WARM = 20

ALONE = {"p50_ms": "at most 60", "p95_ms": "at most 150"}
READ = {"p50_ms": "at most 260"}  # the search, and 200 ms for reading 20 to 30 candidates

Search = Callable[[str], Sequence[Place]]


def dev_archive(given: Settings, data: Path) -> Settings:
    """Settings of a box over the dev archive. Raises SetupError when it is not here."""
    archive = data / "wiki" / "wiki_dev.zim"
    if not archive.is_file():
        raise SetupError(
            f"The dev archive {archive.name} is not in the folder of data.", "Name it with --data."
        )
    return replace(given, archive=(archive,))


def search(given: Settings, data: Path) -> list[Figure]:
    """Latency and recall of ours and of each baseline."""
    given = dev_archive(given, data)
    asked = [one for one in questions.sample(questions.wiki(data / "wiki"), SAMPLE) if one.answerable]
    book = open_book(given, given.archive[0])
    models = InProcess(open_encoder(given), open_reader(given))
    inside = wiring.open_appliance(given, models).library
    gold = Gold(inside, book.archive.name)
    alone = Library(inside.books, models.encoder, wiring.open_gate(given), None)
    found = list(_ours("search alone, nothing read", alone, asked, gold, ALONE))
    found += _ours("in one process", inside, asked, gold, READ)
    with _embedder(given) as beside:
        found += _ours("embedder as a process", wiring.open_appliance(beside).library, asked, gold, READ)
    texts = [one.text for one in asked]
    vectors = models.encode(texts)
    if book.index is None:
        raise SetupError(f"{book.archive.name} has no index.")
    baselines = Baselines(book.archive, book.index)
    for name, baseline in baselines.searches().items():
        found += _compared(name, asked, gold, baselines.run(baseline, texts, vectors))
    if kiwix.installed():
        with _kiwix(given) as pages:
            found += _compared("kiwix-serve's own search", asked, gold, _timed(pages, texts))
    size = book.index.path.stat().st_size / book.index.meta.passages
    return [*found, Figure("search", "index file, bytes per passage", size, "bytes", "at most 650")]


def _ours(
    name: str, library: Library, asked: Sequence[Question], gold: Gold, bounds: dict[str, str]
) -> Iterator[Figure]:
    def one(text: str) -> list[Place]:
        evidence = library.search(text, DEPTH).evidence
        return [Place(item.path, item.start, item.start + len(item.text)) for item in evidence]

    return _compared(f"Lamplight, {name}", asked, gold, _timed(one, [item.text for item in asked]), bounds)


def _timed(one: Search, texts: Sequence[str]) -> list[Ranked]:
    """Each question once, after WARM of them have been asked to warm up."""
    for text in texts[:WARM]:
        one(text)
    ranked = []
    for text in texts:
        began = time.perf_counter()
        places = one(text)
        ranked.append(Ranked(tuple(places[:DEPTH]), time.perf_counter() - began))
    return ranked


def _compared(
    name: str,
    asked: Sequence[Question],
    gold: Gold,
    ranked: Sequence[Ranked],
    bounds: dict[str, str] | None = None,
) -> Iterator[Figure]:
    """Latency over all questions, recall for each origin apart."""
    times = retrieval_figures([None], [one.seconds for one in ranked])
    for key in ("p50_ms", "p95_ms"):
        yield Figure("search", f"{name}: {key[:3]}", times[key], "ms", (bounds or {}).get(key, ""))
    for group in sorted({one.group for one in asked}):
        rows = [n for n, one in enumerate(asked) if one.group == group]
        ranks = [gold.rank(asked[n], ranked[n].places) for n in rows]
        recalls = retrieval_figures(ranks, [0.0])
        for k in (1, 5, 20):
            yield Figure(
                "search", f"{name}: {group} recall@{k} of {len(rows)}", recalls[f"recall@{k}"], "share"
            )


@contextmanager
def _embedder(given: Settings) -> Iterator[Settings]:
    """The embedder's process with a runtime folder of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        beside = replace(given, runtime=Path(folder))
        prepare(beside.runtime)
        process = spawn(verb("embedder"), environment(beside), beside.runtime / "embedder.log")
        try:
            _await(lambda: answers(socket_path(beside.runtime, "embedder"), "/health"))
            yield beside
        finally:
            end([process], 5.0)


@contextmanager
def _kiwix(given: Settings) -> Iterator[Search]:
    """kiwix-serve's full-text search of the archive, over HTTP as a browser asks it."""
    name = kiwix.reader_name(given.archive[0].stem)
    link = re.compile(rf'href="{kiwix.ROOT}/(?:content/)?{re.escape(name)}/([^"]+)"')
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        port = free_port()
        beside = replace(given, runtime=Path(folder), reader=f"http://{LOCAL}:{port}")
        prepare(beside.runtime)
        process = spawn(verb("reader"), environment(beside), beside.runtime / "kiwix.log")
        try:
            _await(lambda: answers((LOCAL, port), f"{kiwix.ROOT}/"))
            with httpx.Client(base_url=beside.reader, timeout=30, trust_env=False) as http:

                def one(text: str) -> list[Place]:
                    fields = {"content": name, "pattern": text, "pageLength": str(DEPTH)}
                    page = http.get(f"{kiwix.ROOT}/search", params=fields).text
                    return [Place(unquote(path), 0, -1) for path in link.findall(page)]

                yield one
        finally:
            end([process], 5.0)


def _await(ready: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > until:
            raise SetupError("A process that is to be measured did not answer within a minute.")
        time.sleep(0.1)
