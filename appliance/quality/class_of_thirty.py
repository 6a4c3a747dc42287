"""A class at the box, as clients: those who ask, those who read, and one who floods.

Each is a visitor of its own by the address that nginx would tell (`X-Real-IP`), and listens as a browser
does: when the first passage, the place in the queue, the first sentence and the end are on the page.
"""

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

PASSAGE, TEXT, END = b'<li id="p1"', b'<p class="text"', b"data-end"
BUSY = b"questions wait for the language model already"
WAITING = re.compile(rb"(\d+) questions? before yours|Your question is next")
TAG = re.compile(rb"<[^>]*>")
FLOODER = "198.51.100.250"
PAUSE = 0.2  # seconds after which the flooder tries again, whatever it was told


@dataclass(slots=True)
class Heard:
    """What one question came to, in seconds after it was asked; None what never came. `words` of the answer,
    `places` in the queue as they were told; `refused`: 429."""

    passages: float | None = None
    sentence: float | None = None
    end: float | None = None
    words: int = 0
    places: list[int] = field(default_factory=list)
    busy: bool = False
    refused: bool = False

    @property
    def pace(self) -> float:
        """Words per second from the first sentence on the page to the end; 0 where that is all of it."""
        if self.sentence is None or self.end is None or self.end < self.sentence + 0.5:
            return 0.0
        return self.words / (self.end - self.sentence)


class Page:
    """Reads an answer page as it comes."""

    def __init__(self) -> None:
        self.heard = Heard()
        self._seen = b""

    def feed(self, chunk: bytes, at: float) -> None:
        """`at`: seconds after the request."""
        heard, self._seen = self.heard, self._seen + chunk
        if heard.passages is None and PASSAGE in self._seen:
            heard.passages = at
        if heard.sentence is None and TEXT in self._seen:
            heard.sentence = at
        if heard.end is None and END in self._seen:
            heard.end = at
            self._close()

    def _close(self) -> None:
        heard, seen = self.heard, self._seen
        found = (int(match[1]) + 1 if match[1] else 1 for match in WAITING.finditer(seen))
        heard.places = list(found)
        heard.busy = BUSY in seen
        if TEXT in seen:
            text = seen.partition(TEXT)[2].partition(b">")[2].partition(b"</p>")[0]
            heard.words = len(TAG.sub(b" ", text).split())


@dataclass(frozen=True)
class Class:
    """`questions` are asked within `seconds`, each by a visitor of their own; `articles` (addresses) are read
    by `readers` meanwhile, each looking at one for some seconds; by chance, of `seed`."""

    address: str
    questions: Sequence[str]
    articles: Sequence[str]
    readers: int = 10
    seconds: float = 60.0
    patience: float = 90.0  # after the last question
    look: float = 5.0  # seconds at an article, more or less
    flood: int = 0  # connections of the one who floods
    seed: int = 30


@dataclass(frozen=True)
class Ran:
    asked: list[Heard]
    read: list[float]  # seconds until an article was there
    flooded: list[Heard]


async def run(given: Class) -> Ran:
    random_ = random.Random(given.seed)
    read: list[float] = []
    flooded: list[Heard] = []
    over = given.seconds + given.patience
    async with _visitor(given, FLOODER, over) as flooder:
        beside = [asyncio.create_task(_read(given, n, read, random.Random(n))) for n in range(given.readers)]
        beside += [
            asyncio.create_task(_flood(flooder, given.questions, n, flooded)) for n in range(given.flood)
        ]
        try:
            asked = await asyncio.gather(
                *(
                    _ask_later(given, n, question, random_.random() * given.seconds)
                    for n, question in enumerate(given.questions)
                )
            )
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
    return Ran(asked, read, flooded)


async def ask(http: httpx.AsyncClient, question: str, heard: Page, patience: float) -> None:
    """Until the page has ended, or until nobody would wait any longer."""
    began = time.perf_counter()
    try:
        async with (
            asyncio.timeout(patience),
            http.stream("GET", "/ask", params={"q": question}) as answer,
        ):
            heard.heard.refused = answer.status_code == 429
            async for chunk in answer.aiter_raw():
                heard.feed(chunk, time.perf_counter() - began)
    except (TimeoutError, httpx.TransportError):
        pass  # what never came is None


async def _ask_later(given: Class, number: int, question: str, later: float) -> Heard:
    await asyncio.sleep(later)
    page = Page()
    patience = given.seconds + given.patience - later
    async with _visitor(given, f"198.51.100.{10 + number}", patience) as http:
        await ask(http, question, page, patience)
    return page.heard


async def _read(given: Class, number: int, read: list[float], random_: random.Random) -> None:
    async with _visitor(given, f"198.51.100.{100 + number}", 30) as http:
        while True:
            await asyncio.sleep(given.look * (0.4 + 1.2 * random_.random()))
            began = time.perf_counter()
            reply = await http.get(random_.choice(given.articles), follow_redirects=True)
            if reply.status_code == 200:
                read.append(time.perf_counter() - began)


async def _flood(http: httpx.AsyncClient, questions: Sequence[str], number: int, heard: list[Heard]) -> None:
    for turn in range(10_000):
        page = Page()
        question = f"{questions[(number + turn) % len(questions)]} {number} {turn}"
        try:
            await ask(http, question, page, 60)
        finally:
            heard.append(page.heard)
        await asyncio.sleep(PAUSE)


@asynccontextmanager
async def _visitor(given: Class, address: str, patience: float) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=max(10, given.flood))
    async with httpx.AsyncClient(
        base_url=given.address,
        headers={"x-real-ip": address},
        timeout=httpx.Timeout(patience, connect=5),
        limits=limits,
        trust_env=False,
        verify=False,
    ) as http:
        yield http
