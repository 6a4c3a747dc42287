"""`appliance bench`: speed, size and memory on this machine, beside the baselines, as data.

Each part says what it needs; where that is not here, the part is left out with a sentence, never filled in.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from appliance.errors import LamplightError
from appliance.log import say, step
from appliance.quality import (
    bench_answer,
    bench_box,
    bench_bundles,
    bench_cluster,
    bench_desk,
    bench_documents,
    bench_hostile,
    bench_load,
    bench_repositories,
    bench_search,
    bench_small,
    bench_talk,
    bench_together,
    results,
)
from appliance.quality.results import Figure
from appliance.settings import Settings

Part = Callable[[Settings, Path], Sequence[Figure]]
PARTS: dict[str, Part] = {
    "index": bench_desk.index,
    "search": bench_search.search,
    "box": bench_box.box,
    "answer": bench_answer.answer,
    "together": bench_together.together,
    "load": bench_load.load,
    "bundles": bench_bundles.bundles,
    "conversations": bench_talk.conversations,
    "documents": bench_documents.documents,
    "repositories": bench_repositories.repositories,
    "small": bench_small.small,
    "hostile": bench_hostile.hostile,
    "cluster": bench_cluster.scaling,
    "scale": bench_desk.scale,
}


def bench(given: Settings, data: Path, only: Sequence[str], file: Path | None) -> int:
    """Measures the named parts (all when empty), prints each figure, and adds them to `file` (by default
    docs/benchmarks/results.jsonl). 0 when every part was measured, 1 when one was left out."""
    left_out = 0
    for name in only or PARTS:
        try:
            with step(f"Measuring: {name}"):
                found = results.lines(PARTS[name](given, data))
        except LamplightError as error:
            say(f"Left out: {name}. {error} {error.hint}".strip())
            left_out += 1
            continue
        for line in found:
            print(
                f"{line.part:12} {line.what:68} {line.figure:>12,g} {line.unit:12} {line.bound}", flush=True
            )
        results.append(file or results.FILE, found)
    return 1 if left_out else 0
