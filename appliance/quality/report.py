"""`appliance quality`: asks the question sets, prints tables, keeps one JSON line for each figure's group.

Recall of NQ and SQuAD apart; false answers and false refusals always together; the baselines over the same
passages in the same run; with a language model, how many answers hold a gold answer and how many citations
do.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from appliance.embedding import Embedder
from appliance.errors import SetupError
from appliance.log import step
from appliance.quality import answers, figures, own, plots, questions, results, runbooks, swapped
from appliance.quality.baselines import Baselines
from appliance.quality.library import open_book, open_encoder
from appliance.quality.measure import Gold, Outcome, ask, gate_figures, page_text, retrieval_figures
from appliance.quality.questions import Question
from appliance.quality.results import Figure
from appliance.retrieval.gate import LEVELS
from appliance.retrieval.readers import open_reader
from appliance.retrieval.rerank import DEPTH, Reader
from appliance.retrieval.search import Book, Library
from appliance.settings import Settings
from appliance.wiring import open_gate

STARTER = Path(__file__).parent.parent.parent / "tests" / "quality" / "starter.toml"
SETS = ("wiki", "medical", "starter")
OWN, RUNBOOKS = "documents", "runbooks"  # asked in their own ways, only when they are named


Changed = list[tuple[Question, bool]]
"""Swapped questions, and whether the gate lets each pass."""


class Report:
    """Prints rows as they come and keeps their figures."""

    def __init__(self) -> None:
        self._figures: list[Figure] = []

    def add(self, group: str, what: str, count: int, found: Mapping[str, float]) -> None:
        """One row: the set's group, what was measured, over how many questions, name -> figure."""
        for name, value in found.items():
            unit = "ms" if name.endswith("_ms") else "count" if name in own.COUNTS else "share"
            self._figures.append(
                Figure("quality", f"{group}: {what}: {name} ({count:,} questions)", value, unit)
            )
        values = "  ".join(f"{name} {value:g}" for name, value in found.items())
        print(f"{group:8} {what:38} {count:6,}  {values}", flush=True)

    def write(self, file: Path) -> None:
        """Adds the figures to a file of results, as JSON lines."""
        results.append(file, results.lines(self._figures))


def main(given: Settings, options: argparse.Namespace) -> int:
    """The verb. `options`: set (of SETS, repeated), data, sample, unseen, answers, shown,
    baselines, plots, results_file."""
    if options.plots:
        plots.require_matplotlib()  # before the questions, so that a long run does not end in an error
    pictured: dict[str, plots.Judged] = {}
    encoder = open_encoder(given)
    gate, reader, depth = open_gate(given), open_reader(given), DEPTH[given.profile]
    names = options.set or list(SETS)
    report = Report()
    for name in names:
        if name == RUNBOOKS:
            _runbooks(report, given, Library([], encoder, gate, reader, depth), encoder, options)
            continue
        if name == OWN:
            _own(report, given, Library([], encoder, gate, reader, depth), encoder, reader, options)
            continue
        books, asked = _set(name, given, options)
        library = Library(books, encoder, gate, reader, depth)
        gold = Gold(library, books[0].archive.name) if len(books) == 1 else None
        outcomes = ask(library, asked, None, gold)
        _ranking(report, outcomes)
        _refusing(report, outcomes)
        pictured |= _pictured(outcomes)
        changed: Changed = []
        if name == "wiki":
            changed = _swapped(
                report,
                books[0],
                library,
                Library(books, encoder, swapped.Unchecked.of(gate), reader, depth),
                asked,
            )
        if options.baselines and gold is not None:
            _compare(report, books[0], [one for one in asked if one.answerable], gold, encoder)
        if options.answers:
            sample = questions.sample(asked, options.answers)
            _answering(report, given, library, sample, changed, options.shown)
    if options.plots and pictured:
        plots.draw(pictured, {level: gate.both.answer_at[level] for level in LEVELS}, options.plots)
    if options.results_file:
        report.write(options.results_file)
    return 0


def _set(name: str, given: Settings, options: argparse.Namespace) -> tuple[list[Book], list[Question]]:
    """The archives of a set and its questions."""
    if name == "starter":
        found = sorted(given.library.glob("*.zim"))
        if not found:
            raise SetupError(f"There is no starter library in {given.library}.", "Run ./build.sh run once.")
        return [open_book(given, path) for path in found], questions.starter(STARTER)
    folder = options.data / name
    if not folder.is_dir():
        raise SetupError(f"The folder {folder} with the question sets is not there.", "Name it with --data.")
    archive = folder / {"wiki": "wiki_dev.zim", "medical": "medquad.zim"}[name]
    asked = {"wiki": questions.wiki, "medical": questions.medical}[name](folder)
    if options.unseen:
        asked = [question for question in asked if question.half == 1]
    return [open_book(given, archive)], questions.sample(asked, options.sample)


def _own(
    report: Report,
    given: Settings,
    library: Library,
    encoder: Embedder,
    reader: Reader,
    options: argparse.Namespace,
) -> None:
    """Own documents, without the language model; then with it, `answers` of each kind."""
    for kind, count, found in own.measure(given, library, encoder, reader, None):
        report.add(kind, "own documents, no model", count, found)
    if not options.answers:
        return
    model = answers.open_model(given)
    try:
        asked = own.measure(given, library, encoder, reader, model, options.answers, options.shown)
    finally:
        model.close()
    for kind, count, found in asked:
        report.add(kind, "own documents, with the model", count, found)


def _runbooks(
    report: Report, given: Settings, library: Library, encoder: Embedder, options: argparse.Namespace
) -> None:
    """A Git source, without the language model; then with it, `answers` of each kind."""
    for kind, count, found in runbooks.measure(given, library, encoder, None, 0, options.shown):
        kept = {name: found[name] for name in runbooks.FOUND if name in found}
        report.add(kind, "runbooks, no model", count, kept)
    if options.answers:
        model = answers.open_model(given)
        try:
            rows = runbooks.measure(given, library, encoder, model, options.answers, options.shown)
        finally:
            model.close()
        for kind, count, found in rows:
            report.add(kind, "runbooks, with the model", count, found)


def _ranking(report: Report, outcomes: Sequence[Outcome]) -> None:
    for group, members in _groups(outcomes).items():
        answerable = [outcome for outcome in members if outcome.question.answerable]
        unseen = [outcome for outcome in answerable if outcome.question.half == 1]
        for what, found in (("", answerable), (", unseen pages", unseen)):
            if found:
                ranks = [outcome.rank for outcome in found]
                times = [outcome.seconds for outcome in found]
                report.add(
                    group, f"search, question to text{what}", len(found), retrieval_figures(ranks, times)
                )


def _refusing(report: Report, outcomes: Sequence[Outcome]) -> None:
    """Both error rates as shipped and over thresholds, of all pages and of those new to the reader."""
    for group, members in _groups(outcomes).items():
        kinds = {outcome.question.answerable for outcome in members}
        if kinds == {True}:
            refused = sum(outcome.verdict != "answer" for outcome in members) / len(members)
            report.add(
                group, "gate (no unanswerable ones)", len(members), {"false_refusals": round(refused, 4)}
            )
            continue
        report.add(group, "gate as shipped", len(members), gate_figures(members))
        unseen = [outcome for outcome in members if outcome.question.half == 1]
        if len({outcome.question.answerable for outcome in unseen}) == 2:
            report.add(group, "gate as shipped, unseen pages", len(unseen), gate_figures(unseen))
        probabilities = np.array([outcome.probability for outcome in members])
        answerable = np.array([outcome.question.answerable for outcome in members])
        for row in figures.curve(probabilities, answerable):
            rates = {
                "false_answers": round(row.false_answers, 3),
                "false_refusals": round(row.false_refusals, 3),
            }
            report.add(group, f"  gate at {row.threshold:.3f}", len(members), rates)


def _pictured(outcomes: Sequence[Outcome]) -> dict[str, plots.Judged]:
    """What the plots show: groups with questions of both kinds, of pages that the reader never saw."""
    unseen = _groups([outcome for outcome in outcomes if outcome.question.half == 1])
    return {
        f"{group}, unseen pages": plots.Judged(
            np.array([outcome.probability for outcome in members]),
            np.array([outcome.question.answerable for outcome in members]),
        )
        for group, members in unseen.items()
        if len({outcome.question.answerable for outcome in members}) == 2
    }


def _swapped(
    report: Report, book: Book, library: Library, unchecked: Library, asked: Sequence[Question]
) -> Changed:
    """False answers on answerable questions of unseen pages with one thing swapped, beside the baseline."""
    if book.index is None:
        return []
    unseen = [one for one in asked if one.half == 1]
    with step("Swapping years, numbers and names"):
        made = swapped.make(unseen, book.index, partial(page_text, library, book.archive.name))
    for (kind, reason), count in sorted(made.left_out.items()):
        print(f"{'':8} swapped {kind}, left out, {reason}: {count:,}", flush=True)
    passed = swapped.answered(library, made.questions)
    unlocked = swapped.answered(unchecked, made.questions)
    for what, wrong in (("gate as shipped", passed), ("gate without exact checks", unlocked)):
        for (group, kind), (count, share) in swapped.by_kind(made.questions, wrong).items():
            report.add(group, f"swapped {kind}, {what}", count, {"false_answers": share})
        share = round(sum(wrong) / max(1, len(wrong)), 4)
        report.add("all", f"swapped, {what}", len(wrong), {"false_answers": share})
    return [*zip((one.question for one in made.questions), passed, strict=True)]


def _compare(report: Report, book: Book, asked: Sequence[Question], gold: Gold, encoder: Embedder) -> None:
    if book.index is None:
        return
    with step("Baselines over the same passages"):
        baselines = Baselines(book.archive, book.index)
        texts = [one.text for one in asked]
        vectors = encoder.encode(texts)
    for name, search in baselines.searches().items():
        ranked = baselines.run(search, texts, vectors)
        for group in sorted({one.group for one in asked}):
            rows = [n for n, one in enumerate(asked) if one.group == group]
            ranks = [gold.rank(asked[n], ranked[n].places) for n in rows]
            report.add(group, name, len(rows), retrieval_figures(ranks, [ranked[n].seconds for n in rows]))


def _answering(
    report: Report,
    given: Settings,
    library: Library,
    asked: Sequence[Question],
    changed: Changed,
    shown: Path | None,
) -> None:
    """`shown`: where every shown sentence goes with its evidence, to be read by hand."""
    model = answers.open_model(given)
    desk = answers.Desk(given, library, model)
    try:
        replies = asyncio.run(answers.ask_all(desk, asked))
        fooled = asyncio.run(answers.ask_all(desk, [one for one, passed in changed if passed]))
    finally:
        model.close()
    if shown:
        with shown.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in answers.listed(replies))
    for group in sorted({one.question.group for one in replies}):
        members = [one for one in replies if one.question.group == group]
        report.add(group, "answers, through the whole path", len(members), answers.answer_figures(members))
    for group in sorted({one.group for one, _ in changed}):
        count = sum(one.group == group for one, _ in changed)
        wrong = sum(one.question.group == group and bool(one.answer.text) for one in fooled)
        report.add(
            group, "swapped, through the whole path", count, {"false_answers": round(wrong / count, 4)}
        )


def _groups(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    names = sorted({outcome.question.group for outcome in outcomes})
    return {name: [outcome for outcome in outcomes if outcome.question.group == name] for name in names}
