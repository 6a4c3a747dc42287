"""A small appliance for the pages: a library of a few texts, a scripted model, a health page to order.

The same Protocols as the real parts (`appliance.server.parts`); no model, no archive, no index.
"""

import asyncio
import socket
from collections.abc import AsyncGenerator, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from served import served

from appliance import settings
from appliance.answer.events import Done, Message, ModelEvent, Text, Waiting
from appliance.errors import ArchiveError, EntryMissing, QueueFull, ServiceDown
from appliance.records import Block, Document, Evidence, Found, Judgement
from appliance.sources.folder import Older, Shelf


def document(path: str, title: str, *blocks: tuple[str, str]) -> Document:
    """A document of (kind, text) blocks, one on a line, as the extractor gives it."""
    text, found, headings = "", [], ()
    for kind, words in blocks:
        if kind == "heading":
            found.append(Block("heading", len(text), len(text) + len(words), (), words.replace(" ", "_")))
            headings = (words,)
        else:
            anchor = headings[0].replace(" ", "_") if headings else ""
            found.append(Block(kind, len(text), len(text) + len(words), headings, anchor))
        text += words + "\n"
    return Document(path, title, text, tuple(found))


ODD_TITLES = (
    "Quo Vadis?", "100 % cotton", "C++", "AS/400", "Sam's Club", "Köln", "東京", "R&D #&", "a" * 300,
    'x"><svg onload=alert(1)>',
)  # fmt: skip

TETANUS = document(
    "Tetanus",
    "Tetanus",
    ("paragraph", "Tetanus, also called lockjaw, is a disease with painful muscle spasms."),
    ("heading", "Cause"),
    (
        "paragraph",
        "Tetanus is caused by a poison of the bacterium Clostridium tetani, which lives in soil, dust and "
        "manure and gets into the body through deep wounds, burns and animal bites.",
    ),
    ("heading", "Prevention"),
    ("item", "A vaccine protects for ten years; then it is given again."),
    ("item", "Every deep or dirty wound is cleaned at once."),
    ("row", "Incubation: 3 to 21 days"),
    ("code", "if wound:\n    clean(wound)"),
)
LAMP = document(
    "Oil_lamp",
    "Oil lamp",
    (
        "paragraph",
        "An oil lamp burns oil with a wick. Oil lamps were used for thousands of years, long before gas "
        "and electric light, in houses, in mines and on ships. They burned what a country had: olive oil "
        "around the Mediterranean, sesame oil in the east, fish and whale oil on the coasts of the north.",
    ),
    ("paragraph", "The wick draws the oil up; a higher wick gives a larger flame and more soot."),
)
FRENCH = document(
    "Tétanos",
    "Tétanos",
    (
        "paragraph",
        "Le tétanos est une maladie causée par la toxine de Clostridium tetani, une bactérie du sol.",
    ),
)


@dataclass(frozen=True)
class FakeArchive:
    name: str
    title: str
    documents: tuple[Document, ...]
    language: str = "eng"
    description: str = ""
    licence: str = "CC BY-SA 4.0"
    source: str = "example pages"
    date: str = "2026-05-01"
    size: int = 41_300_000
    has_fulltext: bool = True
    has_titles: bool = True

    @property
    def article_count(self) -> int:
        return len(self.documents)


@dataclass(frozen=True)
class FakeBook:
    archive: FakeArchive
    index: object | None = None
    problem: str = ""


def shelf() -> tuple[FakeBook, ...]:
    odd = tuple(document(title, title, ("paragraph", f"All about {title}.")) for title in ODD_TITLES)
    english = FakeArchive(
        "first_aid_en", "First aid & light", (TETANUS, LAMP, *odd), description="What to do."
    )
    french = FakeArchive("santé_fr", "Santé", (FRENCH,), "fra", licence="")
    return (
        FakeBook(english, object()),
        FakeBook(french, None, "The index of santé_fr belongs to an older edition. Run: appliance index."),
    )


class FakeLibrary:
    """Ranks blocks by shared words. Half of the question's words: an answer; a sixth: near; else nothing."""

    def __init__(self, books: Sequence[FakeBook] = ()) -> None:
        self.books = tuple(books)
        self.asked: list[str] = []

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        self.asked.append(question)
        words = {word.strip("?.,").lower() for word in question.split()} - {"what", "is", "the", "of", "by"}
        evidence = []
        for book in self.books:
            if archives is not None and book.archive.name not in archives:
                continue
            for text in book.archive.documents:
                blocks = [block for block in text.blocks if block.kind != "heading"]
                evidence += [self._judged(book, text, block, words) for block in blocks]
        best = sorted((e for e in evidence if e.score > 0), key=lambda e: -e.score)[:limit]
        top = best[0].score if best else 0.0
        verdict = "answer" if top >= 0.5 else "near" if top >= 0.15 else "nothing"
        reason = "" if verdict == "answer" else "No passage found states this."
        suggestion = "What causes tetanus?" if "tetanos" in words else ""
        close = tuple(replace(e, score=0.9 + e.score / 10) for e in best)  # so that the model reads them all
        return Found(question, close, Judgement(verdict, top, reason), (), suggestion)

    def _judged(self, book: FakeBook, text: Document, block: Block, words: set[str]) -> Evidence:
        stretch = text.text[block.start : block.end]
        shared = sum(word in f"{text.title} {stretch}".lower() for word in words)
        return Evidence(
            book.archive.name, text.path, text.title, block.headings, block.anchor, stretch, block.start,
            shared / max(1, len(words)),
        )  # fmt: skip

    def suggest(self, text: str, limit: int = 8) -> list[tuple[str, str, str]]:
        return [
            (book.archive.name, found.title, found.path)
            for book in self.books
            for found in book.archive.documents
            if found.title.lower().startswith(text.lower()[:3])
        ][:limit]

    def document(self, archive: str, path: str) -> Document:
        for book in self.books:
            for found in book.archive.documents:
                if (book.archive.name, found.path) == (archive, path):
                    return found
        raise EntryMissing(f"{archive} has no entry {path!r}.", "Search for its title.")


class SpreadLibrary(FakeLibrary):
    """A library with two passages near the best, the others far below it."""

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        found = super().search(question, limit, archives)
        spread = (replace(e, score=0.9 if n < 2 else 0.5) for n, e in enumerate(found.evidence))
        return replace(found, evidence=tuple(spread))


class FailingLibrary(FakeLibrary):
    """A library whose disk went away."""

    def search(self, question: str, limit: int = 20, archives: Collection[str] | None = None) -> Found:
        del question, limit, archives
        raise ArchiveError("The archive first_aid_en cannot be read.", "Is its disk still there?")


@dataclass(frozen=True)
class FakeCheck:
    name: str
    state: str
    sentence: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class FakeHealth:
    ready: bool = True
    checks: tuple[FakeCheck, ...] = (
        FakeCheck("Pages", "on", "Answering on this machine only."),
        FakeCheck("Language model", "on", "qwen2.5-0.5b-instruct, no question waits."),
        FakeCheck("Search by meaning", "starting", "It is being started."),
        FakeCheck("Reading in Kiwix", "off", "kiwix-serve is not here.", "Install kiwix-tools, start again."),
        FakeCheck("broken.zim", "wrong", "The file ends after 10,000 bytes.", "Copy it again."),
    )
    facts: tuple[tuple[str, str], ...] = (
        ("Version", "0.1.0"),
        ("Memory used by the pages' process", "212 MB"),
    )
    within: tuple[FakeCheck, ...] = ()


@dataclass
class FakeAppliance:
    settings: settings.Settings
    library: FakeLibrary
    model: object | None = None
    encoder: object | None = None
    state: FakeHealth = field(default_factory=FakeHealth)
    shelf: Shelf = field(default_factory=lambda: Shelf(()))
    quick: object | None = None
    read: object | None = None

    def health(self) -> FakeHealth:
        return self.state


def appliance(
    tmp: Path, model: object | None = None, encoder: object | None = None, **given
) -> FakeAppliance:
    chosen = settings.load({"home": tmp, **given}, environment={})
    replaced = Older(Path("first_aid_en_2020-01.zim"), Path("first_aid_en.zim"))
    return FakeAppliance(chosen, FakeLibrary(shelf()), model, encoder, shelf=Shelf((), (replaced,)))


# To the question "tetanus spasms": each sentence points at one of its passage, so none is struck.
ANSWER = (
    "Tetanus is ", "a disease ", "with painful muscle spasms [", "1", "]. ",
    "It is caused by a poison ", "of the bacterium Clostridium tetani [2]."
)  # fmt: skip
FIRST = "Tetanus, also called lockjaw, is a disease with painful muscle spasms"
SECOND = (
    "Tetanus is caused by a poison of the bacterium Clostridium tetani, which lives in soil, dust and manure "
    "and gets into the body through deep wounds, burns and animal bites"
)
SHOWN = (f"“{FIRST}” [1].", f"“{SECOND}” [2].")  # what goes out for it


@dataclass
class ScriptedModel:
    """A language model that replays `words`, one at a time, after the places in its queue.

    `down`: it does not answer; `breaks_after`: its process goes away after so many words; `hangs_after`: it
    thinks for a minute after so many; `pause` (s) between words; `full`: its queue takes nobody. `started`
    and `stopped` count generations.
    """

    words: Sequence[str] = ANSWER
    places: Sequence[int] = (0,)
    pause: float = 0.0
    breaks_after: int | None = None
    hangs_after: int | None = None
    down: bool = False
    full: bool = False
    name: str = "scripted"
    context: int = 2048
    started: int = 0
    stopped: int = 0

    async def ready(self) -> None:
        if self.down:
            raise ServiceDown("The language model does not answer.", "It is started again by itself.")

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    async def generate(
        self, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[ModelEvent, None]:
        del messages, max_tokens  # the script is the answer to everything
        await self.ready()
        if self.full:
            raise QueueFull("40 questions wait for the language model, as many as may.", "Ask again.")
        self.started += 1
        try:
            for place in self.places:
                yield Waiting(place)
                await asyncio.sleep(self.pause)
            for number, word in enumerate(self.words):
                if number == self.breaks_after:
                    yield Done("broken", 20, number)
                    return
                yield Text(word)
                await asyncio.sleep(60 if number == self.hangs_after else self.pause)
            yield Done("stop", 20, len(self.words))
        finally:
            self.stopped += 1


class FakeEncoder:
    """Unit vectors that depend on the text's letters; a word is a token."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array([np.random.default_rng(sum(map(ord, text))).normal(size=384) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The app under uvicorn on a free port of this machine, in a thread; gives its address."""
    with served(app, host="127.0.0.1", port=0, log_level="error", ws="none") as server:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def free_port() -> int:
    """A port of this machine that nobody listens on just now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
