"""An answer as it comes about, for the page: what `answer.ask` tells, turned into what the template writes.

The page is one HTML response: question, passages, then the answer word by word. When the reader leaves,
the response is cancelled, and with it the model's work.
"""

import re
import sys
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup, escape

from appliance.answer.events import AskEvent, Finished, Passages, Reading, Text, Waiting
from appliance.answer.prompt import close
from appliance.answer.shape import Shape, shape
from appliance.errors import LamplightError
from appliance.records import Answer, Calculation, Disagreement, Evidence, Found, Judgement, Quote, Stretch
from appliance.retrieval.gate import NEAR, NOTHING
from appliance.retrieval.words import content, fold, words
from appliance.server import links
from appliance.server.parts import Appliance

_MARKER = re.compile(r"\[(\d{1,3})\]")
_BEGUN = re.compile(r"\[\d{0,3}$")
_BOLD = Markup("<b>{}</b>")


NONE = Markup("")
TITLES = 5  # under a refusal
ALONE = 3  # passages at least, where no answer is written


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing for the template: `kind` is passages, waiting, reading (`place` of `total` passages), begin,
    text, finished or failed.
    `verdict` is the gate's, "" before the passages are on the page; `begun`: words of the answer are too.
    `reason` of a refusal is there when it says more than the page's heading does.
    Of the passages the first `open` are in sight, the others folded away; `alone`: no answer will follow."""

    kind: str
    verdict: str = ""
    begun: bool = False
    found: Found | None = None
    reason: str = ""
    titles: Sequence[tuple[str, str, str]] = ()
    open: int = 0
    alone: bool = False
    calculation: Calculation | None = None
    disagreement: Disagreement | None = None
    quote: Quote | None = None
    place: int = 0
    total: int = 0
    html: Markup = NONE
    answer: Answer | None = None
    notes: Sequence[str] = ()
    shape: Shape | None = None
    error: LamplightError | None = None


class Markers:
    """Text to HTML, with `[n]` as a link to the n-th passage and stressed words in bold; a marker may come in
    pieces."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self._held = ""
        self._at = 0  # letters before what is held
        self._stressed: tuple[Stretch, ...] = ()

    def feed(self, delta: str, stressed: tuple[Stretch, ...] = ()) -> Markup:
        """`stressed`: stretches of the whole text that begin in this piece or later."""
        self._stressed += stressed
        text = self._held + delta
        begun = _BEGUN.search(text)
        self._held = text[begun.start() :] if begun else ""
        return self._html(text[: begun.start()] if begun else text)

    def end(self) -> Markup:
        held, self._held = self._held, ""
        return self._html(held)

    def _html(self, text: str) -> Markup:
        before, self._at = self._at, self._at + len(text)
        html, done = NONE, 0
        for offset, length in self._stressed:
            start, end = (min(max(place - before, done), len(text)) for place in (offset, offset + length))
            if start < end:
                html += self._linked(text[done:start]) + _BOLD.format(self._linked(text[start:end]))
                done = end
        return html + self._linked(text[done:])

    def _linked(self, text: str) -> Markup:
        parts = _MARKER.split(text)  # text, number, text, number, …
        html = escape(parts[0])
        for number, after in zip(parts[1::2], parts[2::2], strict=True):
            html += self._link(int(number)) + escape(after)
        return html

    def _link(self, n: int) -> Markup:
        if not 1 <= n <= len(self._evidence):
            return NONE
        found = self._evidence[n - 1]
        address = links.source_url(found.archive, found.path, found.start, len(found.text))
        return Markup('<a class="cite" href="{}" data-n="{}" title="{}">[{}]</a>').format(
            address, n, found.title, n
        )


async def shown(
    appliance: Appliance, answering: AsyncGenerator[AskEvent, None], titled: bool = True
) -> AsyncIterator[Shown]:
    """The events of one question for its page; what fails ends it in a sentence. Its page has begun, so the
    application's last handler comes too late for a defect: it is reported here. `titled`: a refusal offers
    articles of the library."""
    markers = Markers(())
    verdict, begun, shown_place = "", False, 0  # the page starts with "Reading the passages"
    passages: Passages  # comes first
    try:
        async with aclosing(answering) as events:
            async for event in events:
                match event:
                    case Passages(found, calculation, disagreement, quote):
                        passages = event
                        markers = Markers(found.evidence)
                        titles = await _titles(appliance, found) if titled else ()
                        verdict = found.judgement.verdict
                        alone = verdict != "answer" or appliance.model is None
                        opened = _opened(found, alone)
                        reason = _reason(found.judgement)
                        yield Shown(
                            "passages", verdict, False, found, reason, titles, opened, alone,
                            calculation, disagreement, quote,
                        )  # fmt: skip
                    case Waiting(place) if place != shown_place:
                        shown_place = place
                        yield Shown("waiting", place=place)
                    case Reading(done, total):
                        yield Shown("reading", place=done, total=total)
                    case Text(delta, stressed):
                        if not begun:
                            begun = True
                            yield Shown("begin")
                        yield Shown("text", html=markers.feed(delta, stressed))
                    case Finished(answer, notes):
                        yield Shown(
                            "finished", verdict, begun, passages.found,
                            html=markers.end(), answer=answer, notes=notes, shape=shape(passages, event),
                        )  # fmt: skip
    except LamplightError as error:
        yield Shown("failed", verdict, begun, error=error)
    except Exception as error:  # noqa: BLE001
        yield Shown("failed", verdict, begun, error=defect(error))


def kept(passages: Passages, finished: Finished) -> Shown:
    """An answer that is there already, as one thing."""
    markers, found, answer = Markers(passages.found.evidence), passages.found, finished.answer
    return Shown(
        "finished", found.judgement.verdict, bool(answer.text), found, _reason(found.judgement),
        calculation=passages.calculation, disagreement=passages.disagreement, quote=passages.quote,
        html=markers.feed(answer.text, answer.stressed) + markers.end(), answer=answer, notes=finished.notes,
        shape=shape(passages, finished),
    )  # fmt: skip


def defect(error: Exception) -> LamplightError:
    """Puts the traceback into the log, and gives what a reader is told."""
    traceback.print_exception(error, file=sys.stderr)
    return LamplightError("Something went wrong in this library.", "Try again; the log says what.")


def _reason(judgement: Judgement) -> str:
    return "" if judgement.lacking or judgement.reason in (NEAR, NOTHING) else judgement.reason


def _opened(found: Found, alone: bool) -> int:
    """How many passages are in sight: where they are the result, some; beside an answer, what it is from."""
    if found.judgement.verdict == "nothing":
        return 0
    return max(close(found.evidence), ALONE if alone else 0)


async def _titles(appliance: Appliance, found: Found) -> list[tuple[str, str, str]]:
    """Articles for a question that was refused, whose titles hold a word of what it is about."""
    if found.judgement.verdict == "answer":
        return []
    about = sorted(content(found.suggestion or found.question), key=len, reverse=True)[:4]
    wanted = {fold(word) for word in about}
    held: dict[tuple[str, str, str], int] = {}
    for word in about:
        for archive, title, path in await run_in_threadpool(appliance.library.suggest, word, 20):
            held[archive, title, path] = len(wanted & {fold(part) for part in words(title)})
    best = sorted((entry for entry, count in held.items() if count), key=held.__getitem__, reverse=True)
    return best[:TITLES]
