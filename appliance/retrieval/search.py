"""From a question to ranked, judged evidence, over many archives and in whatever language they are.

Each archive is searched by itself, words and vectors side by side, each leg over-fetching; candidates get
both scores, are joined by `fuse.weighted`, and the best of all archives are read as text. What is off is
said in a note and the rest goes on: without an encoder (or while it does not answer soon) only words are
compared, an archive without an index (or whose index fails while it is open, or no longer fits any text) is
searched through its own. The notes are for a reader; causes stand on the status page. Nothing about a
question is kept.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from itertools import chain, repeat, zip_longest

import numpy as np
from numpy.typing import NDArray

from appliance.errors import EntryMissing, IndexFileError, ServiceDown, VectorError
from appliance.indexfile import Pointer
from appliance.log import say
from appliance.records import Document, Evidence, Found, Judgement
from appliance.retrieval import capitals, lexical, rescue, unindexed
from appliance.retrieval.asked import CUT, clean, put_right, terms_of, word_hits
from appliance.retrieval.candidates import (
    OVERFETCH,
    Book,
    Candidate,
    Searched,
    by_title,
    in_book,
    pointed,
)
from appliance.retrieval.gate import Gate
from appliance.retrieval.lexical import Term, WordHits
from appliance.retrieval.named import held_to
from appliance.retrieval.rerank import CLOSELY, DEPTH, Reader, read_all, read_closely
from appliance.retrieval.texts import Distinct, DocumentCache, block_at, checked, unwrapped
from appliance.retrieval.words import content, words
from appliance.sqlite import lexical_text, stems
from appliance.vectors import MAX_TOKENS, Encoder

__all__ = ["CUT", "Book", "Library"]

MOST_RESULTS = 50
PATIENCE = 3.0  # seconds that a question waits for its vector; it takes a tenth, and a hung embedder ten

CUT_FOR_MEANING = "The question is longer than the search reads; its beginning was used to search by meaning."
ASK_IN_WORDS = "Ask a question in words."
WORDS_ONLY = "Searching by meaning is off at the moment; only words are compared."
WITHOUT_INDEX = "{name} is searched by its words only: its index cannot be used. The status page says why."

Vector = NDArray[np.float32] | None


class Library:
    """All archives of a shelf, searched together. Safe from several threads; the books are closed by others.

    `dropped` counts for each archive the passages left out because their text no longer gives their crc32,
    `failed` the questions at which its index could not be read. `patience`: seconds to wait for `encoder`;
    the first `depth` passages are read by `reader` and ranked again, the best `closely` of them once more by
    their sentences.
    """

    def __init__(
        self,
        books: Sequence[Book],
        encoder: Encoder | None,
        gate: Gate,
        reader: Reader | None = None,
        depth: int = DEPTH["desktop"],
        patience: float = PATIENCE,
        closely: int = CLOSELY,
    ) -> None:
        self.books = tuple(books)
        self.dropped: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._own: tuple[Searched, ...] = ()
        self._by_name: dict[str, Searched] = {book.archive.name: book for book in self.books}
        self._encoder = encoder
        self.gate = gate
        self._reader = reader
        self._depth = depth
        self._closely = closely
        self._documents = DocumentCache()
        self._patience = patience
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="search")
        # Apart from the searching threads: an encoder that hangs would take them all.
        self._encoding = ThreadPoolExecutor(max_workers=8, thread_name_prefix="ask-encoder")

    def with_own(self, own: Searched, archives: Collection[str] | None = None) -> "Library":
        """This library with own documents, or a source that changes, beside its archives, or beside those of
        these names, and beside what came so before. What was read and what runs is shared."""
        other = copy(self)
        other.books = tuple(b for b in self.books if archives is None or b.archive.name in archives)
        other._own = (*self._own, own)
        other._by_name = {book.archive.name: book for book in other._searched}
        return other

    def holding(self, books: Sequence[Book]) -> "Library":
        """Another library over these books, asked and judged as this one."""
        return Library(
            books, self._encoder, self.gate, self._reader, self._depth, self._patience, self._closely
        )

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        """At most `limit` (clamped to 1…50) distinct passages, best first, with the gate's word on them.

        `archives` names those to search, all when None; unknown names find nothing. Any text is a valid
        question; one without a letter or digit finds nothing.
        """
        limit = min(max(limit, 1), MOST_RESULTS)
        asked, notes = clean(question)
        if not words(asked):
            return Found(question, (), Judgement("nothing", 0.0, ASK_IN_WORDS), tuple(notes))
        books = [book for book in self._searched if archives is None or book.archive.name in archives]
        encoding = self._encoding.submit(self._encode, asked)
        while True:
            try:
                found = self._search(asked, limit, books, encoding)
            except IndexFileError as error:
                books = self._without(books, error)
            else:
                return replace(found, question=question, notes=(*notes, *found.notes))

    @property
    def _searched(self) -> tuple[Searched, ...]:
        return (*self.books, *self._own)

    def _without(self, books: Sequence[Searched], error: IndexFileError) -> list[Searched]:
        """The books, the one whose index failed without it. Raises the error when it is none of theirs."""
        failed = [book for book in books if book.index and book.index.path == error.open_file]
        if not failed:
            raise error
        for book in failed:
            if not self.failed[book.archive.name]:
                say(f"{error} {error.hint}")
            self.failed[book.archive.name] += 1
        return [book.without_index() if book in failed else book for book in books]

    def _search(
        self,
        asked: str,
        limit: int,
        books: Sequence[Searched],
        encoding: Future[tuple[Vector, list[str]]],
    ) -> Found:
        typed = content(lexical_text(asked))
        indexes = [book.index for book in books if book.index is not None]
        corrected = lexical.corrected(typed, indexes, stems)
        wanted = [corrected.get(word, word) for word in typed]
        hits = [(book, word_hits(book.index, wanted)) for book in books if book.index is not None]
        vector, told = self._vector(encoding)
        notes = list(told)
        named = rescue.tokens(asked) if any(book.phrases for book in books) else ()
        candidates = rescue.lifted(self._candidates(hits, vector, limit), hits, named)
        evidence, stale = self._read(candidates, max(limit, self._depth), wanted if vector is None else ())
        if stale:
            fitting = [book.without_index() if book.archive.name in stale else book for book in books]
            return self._search(asked, limit, fitting, encoding)
        terms = terms_of(books, wanted)
        for book in books:
            if book.index is None:
                evidence += self._unindexed(book, terms)
                notes.append(WITHOUT_INDEX.format(name=book.archive.name))
        evidence = sorted(evidence, key=lambda item: -item.score)
        if vector is not None:
            evidence = self._reranked(asked, evidence, notes)
        evidence = rescue.placed(evidence, named)[:limit]
        kept = [book for book in books if not book.phrases]
        terms = capitals.looked_up(asked, terms, evidence, kept, self._documents)
        judgement = self.gate.judge(asked, terms, evidence, stems)
        judgement = held_to(judgement, asked, evidence, [b.archive.name for b in books if b.phrases], named)
        suggestion = put_right(asked, corrected, evidence)
        return Found(asked, tuple(evidence), judgement, tuple(dict.fromkeys(notes)), suggestion)

    def _reranked(self, asked: str, evidence: list[Evidence], notes: list[str]) -> list[Evidence]:
        """What was read, best first, then the rest; as it was, and a note more, without a reader."""
        if self._reader is None or not evidence:
            return evidence
        try:
            ranked = self.gate.ranked(read_all(self._reader, asked, evidence, self._depth))
            return self.gate.ranked(read_closely(self._reader, asked, ranked, self._closely))
        except ServiceDown:
            notes.append(WORDS_ONLY)
            return evidence

    def suggest(self, text: str, limit: int = 8) -> list[tuple[str, str, str]]:
        """(archive, title, path) of pages whose title begins with or holds the text, the archives in turn."""
        limit = min(max(limit, 1), MOST_RESULTS)
        asked, _ = clean(text)
        if not asked:
            return []
        found = [
            [(book.archive.name, title, path) for title, path in book.archive.suggest(asked, limit)]
            for book in self._searched
        ]
        in_turn = chain.from_iterable(zip_longest(*found))
        return [item for item in in_turn if item is not None][:limit]

    def document(self, archive: str, path: str) -> Document:
        """A page as text. Raises EntryMissing for an unknown archive or path, EntryUnreadable."""
        book = self._by_name.get(archive)
        if book is None:
            raise EntryMissing(
                f"There is no archive {archive!r} in this library.", "Look at the shelf on the home page."
            )
        if book.phrases:
            return book.archive.document(path)
        return self._documents.get(archive, path, book.archive.document)

    def _vector(self, encoding: Future[tuple[Vector, list[str]]]) -> tuple[Vector, list[str]]:
        """The question's vector and notes on it; none, and the question is taken back, when it is late."""
        try:
            return encoding.result(self._patience)
        except (TimeoutError, CancelledError):
            encoding.cancel()
            return None, [WORDS_ONLY]

    def _encode(self, question: str) -> tuple[Vector, list[str]]:
        if self._encoder is None:
            return None, [WORDS_ONLY]
        try:
            vector = self._encoder.encode([question])[0]
            long = len(question) > MAX_TOKENS and self._encoder.count([question])[0] > MAX_TOKENS
        except (ServiceDown, VectorError):
            return None, [WORDS_ONLY]
        return vector, [CUT_FOR_MEANING] if long else []

    def _candidates(
        self, hits: Sequence[tuple[Searched, WordHits]], vector: Vector, limit: int
    ) -> list[Candidate]:
        """Of all archives, best first; several archives are searched at once. Each leg gives four times as
        many as are asked for, or more."""
        books, of_words = [book for book, _ in hits], [found for _, found in hits]
        walk = self._pool.map if len(hits) > 1 else map
        most = max(OVERFETCH, 4 * limit)
        found = walk(in_book, books, of_words, repeat(vector), repeat(most))
        return sorted(chain.from_iterable(found), key=lambda candidate: -candidate.score)

    def _read(
        self, candidates: Sequence[Candidate], limit: int, titled: Sequence[str]
    ) -> tuple[list[Evidence], set[str]]:
        """The first `limit` distinct passages with their texts, and the archives of which none fits any more.
        `titled`: words looked for in titles too."""
        distinct = Distinct()
        fits: dict[str, bool] = {}
        ranked = by_title(pointed(candidates), titled) if titled else pointed(candidates[: limit * 4])
        for candidate, pointer in ranked:
            if len(distinct.items) == limit:
                break
            item, name = self._evidence(candidate, pointer), candidate.book.archive.name
            fits[name] = fits.get(name, False) or item is not None
            if item is not None:
                distinct.add(item)
        return distinct.items, {name for name, fit in fits.items() if not fit}

    def _evidence(self, candidate: Candidate, pointer: Pointer) -> Evidence | None:
        archive = candidate.book.archive
        document = self._page(candidate.book, pointer.path)
        text = document and checked(document, pointer.start, pointer.length, pointer.crc32)
        if not document or not text:
            self.dropped[archive.name] += 1
            return None
        if candidate.book.phrases is not None:  # people break their lines; sentences run over them
            text = unwrapped(document, pointer.start, text)
        block = block_at(document, pointer.start)
        return Evidence(
            archive.name,
            pointer.path,
            pointer.title,
            block.headings if block else (),
            block.anchor if block else "",
            text,
            pointer.start,
            candidate.score,
            candidate.cosine,
            candidate.share,
        )

    def _page(self, book: Searched, path: str) -> Document | None:
        """A page as text; None when it cannot be read. What comes and goes is not kept."""
        if book.phrases is None:
            return self._documents.try_get(book.archive.name, path, book.archive.document)
        try:
            return book.archive.document(path)
        except EntryMissing:
            return None

    def _unindexed(self, book: Searched, terms: Sequence[Term]) -> list[Evidence]:
        archive = book.archive
        found = []
        for path in unindexed.pages(archive, [term.word for term in terms]):
            document = self._page(book, path)
            item = document and unindexed.best_stretch(archive.name, document, terms, stems)
            if item:
                found.append(item)
        return found
