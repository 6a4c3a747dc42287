"""Question sets: what is asked, whether the archive can answer it, and where.

Read in place from a folder of data (`wiki/`, `medical/`) and from the project's own
tests/quality/starter.toml. Every question has a half, made from its page: the reader learns from one half,
the gate is fitted and both are judged on the other (by folds: `fold`), so that nothing is judged on pages
that it was made with.
"""

import json
import random
import tomllib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import SetupError

FOLDS = 4


@dataclass(frozen=True, slots=True)
class Question:
    """`page` is the entry that answers (for a question without an answer: the one taken out), `anchor` the
    block of it, "" when the page has only one. `group` is the set that it is reported in."""

    text: str
    group: str
    answerable: bool
    page: str = ""
    anchor: str = ""
    answers: tuple[str, ...] = ()

    @property
    def half(self) -> int:
        """0: what the reader learns from; 1: what it is judged on. A page is wholly in one half."""
        return zlib.crc32(self.page.encode("utf-8")) % 2

    @property
    def fold(self) -> int:
        """0…FOLDS - 1, made from the page too: weights that judge one fold are fitted on the others."""
        return zlib.crc32(b"fold:" + self.page.encode("utf-8")) % FOLDS


def wiki(folder: Path) -> list[Question]:
    """The questions of wiki_dev.zim, answerable and withheld (groups "NQ" and "SQuAD"), from data/wiki."""
    asked = [
        Question(row["question"], _origin(row), True, row["page"], _anchor(row), tuple(row["answers"]))
        for row in _rows(folder / "answerable.jsonl")
    ]
    return asked + [
        Question(row["question"], _origin(row), False, row["withheld_page"], "", tuple(row["true_answers"]))
        for row in _rows(folder / "withheld.jsonl")
    ]


def medical(folder: Path) -> list[Question]:
    """The templated questions of medquad.zim, all answerable; group "MedQuAD". `folder`: data/medical."""
    return [
        Question(row["question"], "MedQuAD", True, row["page"], _anchor(row))
        for row in _rows(folder / "templated_questions.jsonl")
    ]


def starter(file: Path) -> list[Question]:
    """Questions for the starter library; groups "en", "fr", "es". `page` is a title there."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SetupError(f"The questions {file.name} cannot be read: {error}.") from error
    return [
        Question(row["question"], row["language"], True, row["page"], "", tuple(row["answers"]))
        for row in found["answerable"]
    ] + [Question(row["question"], row["language"], False) for row in found["unanswerable"]]


def sample(questions: Sequence[Question], size: int, seed: int = 2) -> list[Question]:
    """At most `size` of each group and kind, the same ones each time, in their order; 0 means all."""
    if not size:
        return list(questions)
    kept: set[int] = set()
    for kind in sorted({(question.group, question.answerable) for question in questions}):
        members = [n for n, question in enumerate(questions) if (question.group, question.answerable) == kind]
        kept.update(random.Random(seed).sample(members, min(size, len(members))))
    return [questions[n] for n in sorted(kept)]


def _origin(row: dict[str, Any]) -> str:
    return "NQ" if str(row["source"]).startswith("NQ") else "SQuAD"


def _anchor(row: dict[str, Any]) -> str:
    return str(row["gold"]).rpartition("#")[2]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    try:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    except (OSError, ValueError) as error:
        raise SetupError(
            f"The questions {file} cannot be read: {error}.", "Name the folder with --data."
        ) from error
