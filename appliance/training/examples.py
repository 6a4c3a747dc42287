"""What the reader learns from: `python -m appliance.training.examples --data ../shared/data --to FOLDER`.

Every question is asked of the real library, and the passages that come back are its candidates: those that
overlap the gold passage and hold an answer are right, the others are wrong, all of them for a question whose
topic the archive does not hold. Pages of half 0 make train.jsonl, pages of half 1 judge.jsonl, so that no
page that judges was ever learnt from.
"""

import argparse
import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance import settings
from appliance.log import say, step
from appliance.quality import questions
from appliance.quality.library import open_book, open_encoder
from appliance.quality.measure import Gold, Place, holds_answer
from appliance.quality.recordings import Recorder
from appliance.records import Evidence
from appliance.retrieval.rerank import reading
from appliance.retrieval.search import Library

DEPTH = 30
JUDGED = 700  # questions of each group and kind that judge
NEAR_MISSES = 1200  # questions that their page comes near to and does not answer
MEDICAL = 1200
WINDOW = 520  # letters of a passage made from a paper


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage as the reader reads it; `right`: it answers. The scores are the search's."""

    text: str
    right: bool
    score: float = 0.0
    cosine: float = 0.0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Example:
    """A question and its candidates in the order of the search. `group` says where it is from."""

    question: str
    group: str
    answerable: bool
    half: int
    answers: tuple[str, ...]
    candidates: tuple[Candidate, ...]


def searched(
    library: Library, archive: str, asked: Sequence[questions.Question], gold: Gold
) -> Iterator[Example]:
    """Examples of the questions, asked of one archive."""
    with step(f"Asking {len(asked):,} questions", len(asked), "questions") as progress:
        for question in asked:
            found = library.search(question.text, DEPTH, [archive])
            candidates = tuple(
                Candidate(
                    reading(item.title, item.headings, item.text),
                    _right(question, item, gold),
                    round(item.score, 4),
                    round(item.cosine or 0.0, 4),
                    round(item.lexical, 4),
                )
                for item in found.evidence
            )
            yield Example(
                question.text,
                question.group,
                question.answerable,
                question.half,
                question.answers,
                candidates,
            )
            progress.advance()


def _right(question: questions.Question, item: Evidence, gold: Gold) -> bool:
    if not question.answerable:
        return False
    place = Place(item.path, item.start, item.start + len(item.text))
    if gold.rank(question, [place]) is None:
        return False
    return not question.answers or holds_answer(item.text, question.answers)


def near_misses(folder: Path) -> list[questions.Question]:
    """Questions that the named page does not answer (SQuAD 2.0), as questions without an answer."""
    with (folder / "near_miss.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [questions.Question(row["question"], "near", False, row["near_page"]) for row in rows]


def of_page(library: Library, archive: str, asked: Sequence[questions.Question]) -> Iterator[Example]:
    """The same, with the candidates of the page that is near only: others may answer."""
    with step(f"Asking {len(asked):,} near misses", len(asked), "questions") as progress:
        for question in asked:
            found = library.search(question.text, 50, [archive])
            kept = [item for item in found.evidence if item.path == question.page][:6]
            candidates = tuple(
                Candidate(reading(item.title, item.headings, item.text), False) for item in kept
            )
            yield Example(question.text, "near", False, question.half, (), candidates)
            progress.advance()


def papers(file: Path) -> Iterator[Example]:
    """COVID-QA: the stretch of the paper around the answer, and other stretches of the same paper."""
    chance = random.Random(3)
    for paper in itertools.chain.from_iterable(
        item["paragraphs"] for item in json.loads(file.read_text("utf-8"))["data"]
    ):
        text: str = paper["context"]
        title = text[:200].split("\n")[0]
        for asked in paper["qas"]:
            if asked.get("is_impossible") or not asked["answers"]:
                continue
            answer = asked["answers"][0]
            start = max(0, answer["answer_start"] - chance.randint(20, WINDOW // 2))
            start = text.rfind(" ", 0, start) + 1
            right = text[start : start + WINDOW]
            if answer["text"] not in right:
                continue
            wrong = [
                text[at : at + WINDOW]
                for at in (chance.randrange(0, max(1, len(text) - WINDOW)) for _ in range(5))
                if abs(at - start) > WINDOW and answer["text"] not in text[at : at + WINDOW]
            ]
            candidates = (
                Candidate(reading(title, (), right), True),
                *(Candidate(reading(title, (), other), False) for other in wrong),
            )
            yield Example(asked["question"], "covid", True, 0, (answer["text"],), candidates)


def write(examples: Iterable[Example], file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as out:
        for example in examples:
            if example.candidates:
                out.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
                count += 1
    return count


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="examples", description="Writes what the reader learns from.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--medical", action="store_true", help="ask medquad too (its index must be there)")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    given = settings.load()
    encoder = open_encoder(given)
    gate = Recorder()
    wiki = open_book(given, options.data / "wiki/wiki_dev.zim")
    library = Library([wiki], encoder, gate)
    name = wiki.archive.name
    gold = Gold(library, name)
    asked = questions.wiki(options.data / "wiki")
    judged = questions.sample([question for question in asked if question.half == 1], JUDGED)
    say(f"judge: {write(searched(library, name, judged, gold), options.to / 'judge.jsonl'):,}")
    tuned = [question for question in asked if question.half == 0]
    near = [question for question in near_misses(options.data / "wiki") if question.half == 0]
    near = random.Random(4).sample(near, min(NEAR_MISSES, len(near)))
    examples: list[Iterable[Example]] = [
        searched(library, name, tuned, gold),
        of_page(library, name, near),
        papers(options.data / "qa/covidqa.json"),
    ]
    if options.medical:
        book = open_book(given, options.data / "medical/medquad.zim")
        of_medicine = Library([book], encoder, gate)
        sections = questions.sample(questions.medical(options.data / "medical"), MEDICAL)
        examples.append(
            searched(of_medicine, book.archive.name, sections, Gold(of_medicine, book.archive.name))
        )
    written = write(itertools.chain.from_iterable(examples), options.to / "train.jsonl")
    say(f"train: {written:,}")


if __name__ == "__main__":
    main()
