"""How often the quick answer is wrong: `python -m appliance.quality.quick --data ../shared/data`.

Asks the wiki set's second half (pages that the reader never saw), NQ and SQuAD apart, as many answerable as
withheld questions of each. Of what the gate lets through, the best sentence and its score are kept. A quote
is wrong when an answerable question's holds no gold answer, and whenever a withheld question gets one. The
threshold is the lowest on the first two folds of pages from which fewer than 1 in 20 quotes are wrong in
both groups; it is judged on the other two and written to models/quick.toml, with `on = false` when there is
none or those say otherwise.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from appliance import settings
from appliance.answer.ask import considered
from appliance.answer.quick import pick
from appliance.log import say, step
from appliance.quality import questions
from appliance.quality.library import open_book, open_encoder
from appliance.quality.measure import holds_answer
from appliance.quality.questions import Question
from appliance.retrieval.readers import open_reader
from appliance.retrieval.rerank import DEPTH
from appliance.retrieval.search import Library
from appliance.wiring import open_gate

ALLOWED = 1 / 20
FEWEST = 30  # quotes of a group from which a share says something
GROUPS = ("NQ", "SQuAD")


@dataclass(frozen=True, slots=True)
class Quoted:
    """One question: the score of its best sentence (-inf: it gets none), and whether that holds a gold
    answer, never so for a withheld question."""

    question: Question
    sure: float
    right: bool


@dataclass(frozen=True, slots=True)
class Rates:
    """At one threshold: shares of the answerable and of the withheld questions that get a quote; of the
    quotes under answerable questions those without a gold answer; of all quotes those that are wrong."""

    quotes: int
    shown: float
    shown_withheld: float
    lacking: float
    wrong: float


def quote_all(library: Library, asked: Sequence[Question], results: int, profile: str) -> list[Quoted]:
    """Asks every question as the pages do and keeps its best sentence."""
    quick = partial(pick, sure_at=-math.inf)
    found = []
    with step(f"Quoting for {len(asked):,} questions", len(asked), "questions") as progress:
        for question in asked:
            quote = considered(library.search(question.text, results), profile, quick).quote
            held = quote is not None and holds_answer(quote.sentence, question.answers)
            found.append(Quoted(question, quote.sure if quote else -math.inf, held and question.answerable))
            progress.advance()
    return found


def rates(quoted: Sequence[Quoted], sure_at: float) -> Rates:
    """The shares at a threshold; those of nothing are 0."""
    answerable = [one for one in quoted if one.question.answerable]
    shown = [one for one in quoted if one.sure >= sure_at]
    asked = [one for one in shown if one.question.answerable]
    return Rates(
        len(shown),
        len(asked) / max(1, len(answerable)),
        (len(shown) - len(asked)) / max(1, len(quoted) - len(answerable)),
        sum(not one.right for one in asked) / max(1, len(asked)),
        sum(not one.right for one in shown) / max(1, len(shown)),
    )


def fitted(quoted: Sequence[Quoted]) -> float | None:
    """The lowest score from which every group is wrong in fewer than ALLOWED of its quotes; None: nowhere."""
    for sure_at in sorted({one.sure for one in quoted if one.sure > 0}):
        found = [rates(members, sure_at) for members in _groups(quoted)]
        if any(one.quotes < FEWEST for one in found):
            return None
        if all(one.wrong < ALLOWED for one in found):
            return sure_at
    return None


def _groups(quoted: Sequence[Quoted]) -> list[list[Quoted]]:
    return [[one for one in quoted if one.question.group == group] for group in GROUPS]


def _report(what: str, quoted: Sequence[Quoted], sure_at: float) -> None:
    for group, members in zip(GROUPS, _groups(quoted), strict=True):
        found = rates(members, sure_at)
        say(
            f"{what:6} {group:6} at {sure_at:.3f}: shown for {found.shown:.3f} of the answerable and "
            f"{found.shown_withheld:.3f} of the withheld; of the shown lack the gold {found.lacking:.3f}, "
            f"wrong together {found.wrong:.3f} ({found.quotes} quotes, {len(members)} questions)"
        )


def judged(quoted: Sequence[Quoted]) -> tuple[float, bool]:
    """(threshold, whether it may be shown): fitted on one half of the folds, reported for both."""
    parts = [[one for one in quoted if one.question.fold // (questions.FOLDS // 2) == n] for n in (0, 1)]
    sure_at = fitted(parts[0])
    shown_at = 1.0 if sure_at is None else sure_at
    for what, part in zip(("tuned", "unseen"), parts, strict=True):
        _report(what, part, shown_at)
    on = sure_at is not None and all(rates(one, sure_at).wrong < ALLOWED for one in _groups(parts[1]))
    return shown_at, on


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="quick", description="Fits models/quick.toml.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the sets")
    parser.add_argument("--sample", type=int, default=500, help="questions of each group and kind; 0: all")
    parser.add_argument("--to", type=Path, default=Path("models/quick.toml"))
    options = parser.parse_args()
    given = settings.load()
    reader, book = open_reader(given), open_book(given, options.data / "wiki/wiki_dev.zim")
    library = Library([book], open_encoder(given), open_gate(given), reader, DEPTH[given.profile])
    unseen = [one for one in questions.wiki(options.data / "wiki") if one.half == 1]
    asked = questions.sample(unseen, options.sample)
    found = quote_all(library, asked, given.results, given.profile)
    sure_at, on = judged(found)
    lines = (
        "# When the quick answer is shown, fitted by appliance/quality/quick.py; change it by fitting again.",
        f'fitted_on = "{len(found):,} questions of wiki_dev, answerable and withheld; new pages"',
        f'score = "{reader.sha256}"\nsure_at = {sure_at:.4f}\non = {str(on).lower()}\n',
    )
    options.to.write_text("\n".join(lines), "utf-8")
    say(f"Written: {options.to}, {'on' if on else 'off'}")


if __name__ == "__main__":
    main()
