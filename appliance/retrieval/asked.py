"""The words of a question against the archives that it is asked in: how much each tells, where they
stand, and the question put right when one was mistyped."""

from collections.abc import Mapping, Sequence

from appliance.records import Evidence
from appliance.retrieval import lexical
from appliance.retrieval.candidates import Searched, SearchedIndex
from appliance.retrieval.lexical import Term, WordHits
from appliance.retrieval.signals import CONSIDERED
from appliance.retrieval.words import words
from appliance.sqlite import stems

LONGEST_QUESTION = 2000  # letters
CUT = "Only the first {n} letters of the question were read."


def word_hits(index: SearchedIndex, wanted: Sequence[str]) -> WordHits:
    """Where the words stand in one archive."""
    return lexical.search(index, lexical.weigh(index, wanted))


def terms_of(books: Sequence[Searched], wanted: Sequence[str]) -> tuple[Term, ...]:
    """The words with their weights over all the indexes together; alike when there is no index."""
    indexes = [book.index for book in books if book.index is not None]
    passages = sum(index.size for index in indexes)
    terms = []
    for word in wanted[: lexical.MAX_WORDS]:
        frequency = sum(index.frequency(word) for index in indexes)
        weight = lexical.weight(frequency, passages) if indexes else 1.0
        terms.append(Term(word, weight, frequency))
    return tuple(terms)


def put_right(asked: str, corrected: Mapping[str, str], evidence: Sequence[Evidence]) -> str:
    """The question with each corrected word as the evidence writes it; "" when nothing was corrected."""
    text = asked
    for word, stem in corrected.items():
        seen = (token for item in evidence[:CONSIDERED] for token in words(f"{item.title} {item.text}"))
        written = next((token for token in seen if list(stems(token)) == [stem]), "")
        if not written:
            return ""
        text = text.replace(word, written.capitalize() if word[0].isupper() else written.lower())
    return text if corrected else ""


def clean(question: str) -> tuple[str, list[str]]:
    """The question without control characters and repeated spaces, cut to what is read, and notes on that."""
    text = " ".join("".join(c if c.isprintable() else " " for c in question).split())
    if len(text) <= LONGEST_QUESTION:
        return text, []
    return text[:LONGEST_QUESTION], [CUT.format(n=f"{LONGEST_QUESTION:,}")]
