"""The verbs `appliance quality` and `appliance bench`: what is measured."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from appliance import commandline
from appliance.settings import Settings


def _quality(given: Settings, options: argparse.Namespace) -> int:
    from appliance.quality.report import main as report

    return report(given, options)


def _bench(given: Settings, options: argparse.Namespace) -> int:
    if options.check:
        return commandline.checked(given)
    from appliance.quality.bench import bench

    return bench(given, options.data, options.only or (), options.results_file)


Verb = Callable[[Settings, argparse.Namespace], int | None]
VERBS: dict[str, tuple[Verb, str]] = {
    "quality": (_quality, "Measure recall, false answers and false refusals on real questions."),
    "bench": (_bench, "Measure speed, size and memory, beside the baselines."),
}
DATA = Path(__file__).parent.parent.parent / "shared" / "data"
_DATA = (
    ("--data",),
    {"type": Path, "default": DATA, "metavar": "FOLDER", "help": "Real archives and questions."},
)
BENCHED = (
    *("index", "search", "box", "answer", "together", "load", "bundles", "conversations", "documents"),
    *("repositories", "small", "hostile", "cluster", "scale"),
)
_RESULTS = (("--results-file",), {"type": Path, "metavar": "FILE", "help": "Where JSON lines are added."})
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "quality": (
        (
            ("--set",),
            {
                "action": "append",
                "choices": ("wiki", "medical", "starter", "documents", "runbooks"),
                "help": "Which questions.",
            },
        ),
        (("--sample",), {"type": int, "default": 500, "help": "Questions of each group and kind; 0: all."}),
        (("--unseen",), {"action": "store_true", "help": "Only pages that the reader did not learn from."}),
        (
            ("--answers",),
            {"type": int, "default": 0, "help": "Questions of each that the language model answers."},
        ),
        (
            ("--shown",),
            {
                "type": Path,
                "metavar": "FILE",
                "help": "Where each sentence of those answers goes, with its evidence.",
            },
        ),
        (
            ("--plots",),
            {
                "type": Path,
                "metavar": "FOLDER",
                "help": "Where ROC, calibration and error rates go, as PNG files.",
            },
        ),
        (
            ("--baselines",),
            {"action": "store_true", "help": "Also the searches that this one is compared with."},
        ),
        _DATA,
        _RESULTS,
    ),
    "bench": (
        (
            ("--only",),
            {
                "action": "append",
                "choices": BENCHED,
                "help": "Which parts.",
            },
        ),
        (("--check",), {"action": "store_true", "help": "Only check the options."}),
        _DATA,
        _RESULTS,
    ),
}
