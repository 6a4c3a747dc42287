"""Lists what the gate gets wrong, to be read by hand: `python -m appliance.quality.read_by_hand`.

Questions of the wiki set's unseen pages: withheld ones that are answered and answerable ones that are
refused, natural questions first, drawn in the same order each time. Each with the titles of the best
passages and, of each, the sentence that holds most of the question's words. docs/gate-read-by-hand.md has
the verdicts.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from appliance import settings
from appliance.quality import questions
from appliance.quality.library import open_book, open_encoder
from appliance.quality.questions import Question
from appliance.records import Found
from appliance.retrieval.readers import open_reader
from appliance.retrieval.rerank import DEPTH
from appliance.retrieval.search import Library
from appliance.retrieval.words import content, fold, words
from appliance.wiring import open_gate

NATURAL = 20  # of each list, at most; the rest are SQuAD's


def wrong(library: Library, asked: Sequence[Question], seed: int) -> Iterator[tuple[Question, Found]]:
    """Those of the questions that the gate judges wrongly, in an order made from `seed`."""
    for question in random.Random(seed).sample(list(asked), len(asked)):
        found = library.search(question.text)
        if (found.judgement.verdict == "answer") != question.answerable:
            yield question, found


def nearest(question: str, text: str) -> str:
    """The sentence of a text with the most of the question's words."""
    wanted = set(map(fold, content(question)))
    sentences = text.replace("! ", ". ").replace("? ", ". ").split(". ")
    return max(sentences, key=lambda sentence: len(wanted & set(map(fold, words(sentence)))))


def _print(number: int, question: Question, found: Found) -> None:
    judged = found.judgement
    lacking = f", lacking {', '.join(judged.lacking)}" if judged.lacking else ""
    print(f"{number}. [{question.group}] {question.text}")
    print(
        f"   {judged.verdict} {judged.probability:.2f}{lacking}; page {question.page}; {question.answers[:1]}"
    )
    for item in found.evidence[:3]:
        print(f"   {item.title}: {nearest(question.text, item.text)[:240]}")


def main() -> None:
    """The command above."""
    parser = argparse.ArgumentParser(prog="read_by_hand")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--count", type=int, default=50, help="questions of each list")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    given = settings.load()
    books = [open_book(given, options.data / "wiki/wiki_dev.zim")]
    encoder, gate, reader = open_encoder(given), open_gate(given), open_reader(given)
    library = Library(books, encoder, gate, reader, DEPTH[given.profile])
    unseen = [one for one in questions.wiki(options.data / "wiki") if one.half == 1]
    for answerable, title in ((False, "Withheld, answered"), (True, "Answerable, refused")):
        print(f"{title}:")
        listed = [one for one in unseen if one.answerable == answerable]
        natural = [one for one in listed if one.group == "NQ"]
        first = list(islice(wrong(library, natural, options.seed), min(NATURAL, options.count)))
        others = [one for one in listed if one.group != "NQ"]
        rest = islice(wrong(library, others, options.seed), options.count - len(first))
        for number, (question, found) in enumerate([*first, *rest], 1):
            _print(number, question, found)


if __name__ == "__main__":
    main()
