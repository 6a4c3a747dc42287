"""Which words of a question are names, when it is typed in small letters throughout.

The archives know: a word that they write with a capital within sentences is a name. A few passages that hold
the word tell how often they do. Only words that some of the best passages lack are looked up, since only
there it matters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from appliance.records import Evidence
from appliance.retrieval import exact
from appliance.retrieval.candidates import Searched
from appliance.retrieval.lexical import Term
from appliance.retrieval.signals import CONSIDERED, whole
from appliance.retrieval.texts import DocumentCache, checked
from appliance.retrieval.words import fold
from appliance.sqlite import stems

PASSAGES = 8  # that are read for a word in an archive, spread over those that hold it
WORDS = 6  # of a question that are looked up, the rarest


def looked_up(
    question: str,
    terms: Sequence[Term],
    evidence: Sequence[Evidence],
    books: Sequence[Searched],
    documents: DocumentCache,
) -> tuple[Term, ...]:
    """The terms, with `capital` where some of the first passages lack them. `documents` keeps what is read of
    the books. Raises IndexFileError."""
    if not exact.typed_small(question):
        return tuple(terms)
    held = [frozenset(stems(whole(item))) for item in evidence[:CONSIDERED]]
    lacking = [term for term in terms if term.frequency and not _in_all(term, held)]
    wanted = sorted(lacking, key=lambda term: term.frequency)[:WORDS]
    return tuple(
        replace(term, capital=exact.capital(fold(term.word), _holding(term, books, documents)))
        if term in wanted
        else term
        for term in terms
    )


def _in_all(term: Term, held: Sequence[frozenset[str]]) -> bool:
    wanted = frozenset(stems(term.word))
    return all(wanted <= present for present in held)


def _holding(term: Term, books: Sequence[Searched], documents: DocumentCache) -> Iterator[str]:
    """Texts of passages that hold the term."""
    for book in books:
        found = book.index.postings(term.word) if book.index else ()
        if book.index is None or not len(found):
            continue
        places = np.linspace(0, len(found) - 1, min(PASSAGES, len(found))).astype(int)
        for pointer in book.index.pointers([int(found[place]) for place in places]):
            document = documents.try_get(book.archive.name, pointer.path, book.archive.document)
            text = document and checked(document, pointer.start, pointer.length, pointer.crc32)
            if text:
                yield text
