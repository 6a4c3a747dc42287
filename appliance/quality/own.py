"""Own documents: the questions of tests/quality/documents.toml, asked of the small archive beside them.

Eight kinds. Measured: whether every source stands among the first five passages, whether citations lead to
what they quote, whether what the archive does not say is refused without a language model, whether what is
shown holds the answer, and whether any answer does what the orders in a document ask for.
"""

import asyncio
import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from appliance.answer.ask import Finished, Known, ask
from appliance.answer.events import Message, Model, ModelEvent, Passages
from appliance.answer.followup import understood
from appliance.answer.topic import Turn
from appliance.documents import contradictions, keeping
from appliance.documents.ingest import Ingest, counting
from appliance.documents.known import known
from appliance.documents.readers import Readers
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.embedding import Embedder
from appliance.errors import SetupError
from appliance.log import step
from appliance.quality.answers import Desk
from appliance.quality.measure import holds_answer
from appliance.records import Citation
from appliance.retrieval.rerank import Reader, logits
from appliance.retrieval.search import Library
from appliance.settings import Settings
from appliance.sources.files import read

FILE = Path(__file__).parent.parent.parent / "tests" / "quality" / "documents.toml"
FOLDER = FILE.with_suffix("")
FIRST = 5
COUNTS = ("called", "citations", "obeyed")  # figures that are no shares
_MARKER = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. All of `sources` (files) must be found; what is shown must hold one of `answers` and all
    of `each`. `before`: the turn before it."""

    kind: str
    text: str
    sources: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    before: Turn | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a question: the files of the first passages, all that was shown in words, the citations,
    how it ended, how many markers lead nowhere, and how often the language model was called."""

    asked: Asked
    found: tuple[str, ...]
    shown: str
    passages: str
    citations: tuple[Citation, ...]
    astray: int
    finish: str
    called: int

    @property
    def at_first(self) -> bool:
        return set(self.asked.sources) <= set(self.found)

    @property
    def right(self) -> bool:
        return _holds(self.asked, self.shown)

    @property
    def in_passages(self) -> bool:
        return _holds(self.asked, self.passages)


class Counted:
    """A language model that counts how often it writes."""

    def __init__(self, model: Model) -> None:
        self._model, self.calls = model, 0
        self.name, self.context = model.name, model.context

    async def ready(self) -> None:
        await self._model.ready()

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._model.count(texts)

    def generate(self, messages: Sequence[Message], max_tokens: int) -> AsyncGenerator[ModelEvent, None]:
        self.calls += 1
        return self._model.generate(messages, max_tokens)


class Texts(Protocol):
    """What is asked: the file of each path that evidence has, and its text."""

    @property
    def files(self) -> Mapping[str, str]: ...
    def text(self, path: str) -> str: ...


@dataclass(frozen=True)
class Archive:
    """The documents, in memory, and the file of each by its id."""

    documents: Documents
    files: dict[str, str]

    def text(self, path: str) -> str:
        return self.documents.book(Scope()).archive.document(path).text


def questions(file: Path = FILE) -> tuple[list[Asked], tuple[str, ...]]:
    """The questions, and what no answer may say. Raises SetupError."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        return [_asked(row) for row in found["questions"]], tuple(found["forbidden"])
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"The questions {file.name} cannot be read: {error!r}.") from error


def _asked(row: dict[str, Any]) -> Asked:
    before = row.get("before")
    turn = Turn(before["question"], before["about"], before["said"]) if before else None
    sources, found, each = (tuple(row.get(key, ())) for key in ("sources", "answers", "each"))
    return Asked(row["kind"], row["question"], sources, found, each, turn)


def opened(encoder: Embedder, folder: Path = FOLDER) -> Archive:
    """The archive in `folder`, read into memory as an import reads it."""
    documents = Documents.open(None, encoder.model_sha256)
    ingest, files = Ingest(documents, Readers(), counting(encoder)), {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder)
        digest = hashlib.sha256(file.read_bytes()).digest()
        added = ingest.keep(read(file, file.name), digest, file.name, name.parent.as_posix())
        files[str(added.document)] = name.as_posix()
    keeping.update_vectors(documents.store, documents.made, encoder)
    return Archive(documents, files)


async def tell(
    desk: Desk,
    archive: Texts,
    asked: Sequence[Asked],
    shown: Path | None = None,
    differ: Known | None = None,
) -> list[Told]:
    """Asks every question, one after the other, the model (if any) counted; writes each to `shown`."""
    told = []
    with step(f"Asking {len(asked):,} questions", len(asked), "questions") as progress:
        for one in asked:
            told.append(await _tell(desk, archive, one, differ))
            if shown:
                with shown.open("a", encoding="utf-8") as file:
                    file.write(_line(told[-1]))
            progress.advance()
    return told


async def _tell(desk: Desk, archive: Texts, asked: Asked, differ: Known | None) -> Told:
    model = Counted(desk.model) if desk.model is not None else None
    counted = Desk(desk.settings, desk.library, model, desk.quick, desk.read)
    question = understood(asked.text, [asked.before]) if asked.before else asked.text
    events = [event async for event in ask(counted, question, known=differ)]
    passages, finished = events[0], events[-1]
    assert isinstance(passages, Passages)
    assert isinstance(finished, Finished)
    answer, first = finished.answer, passages.found.evidence[:FIRST]
    cited = {citation.n for citation in answer.citations}
    return Told(
        asked,
        tuple(archive.files[item.path] for item in first),
        _shown(passages, answer.text),
        "\n".join(item.text for item in first),
        answer.citations,
        sum(int(n) not in cited for n in _MARKER.findall(answer.text)),
        answer.finish,
        model.calls if model else 0,
    )


def _shown(passages: Passages, text: str) -> str:
    """All that a reader sees said: the quoted sentence, a calculation, both sides, the text."""
    made = [passages.quote.sentence] if passages.quote else []
    made += [passages.calculation.result] if passages.calculation else []
    made += [side.sentence for side in passages.disagreement.sides] if passages.disagreement else []
    return "\n".join((*made, text))


def _holds(asked: Asked, text: str) -> bool:
    one = not asked.answers or holds_answer(text, asked.answers)
    return one and all(holds_answer(text, [part]) for part in asked.each)


def valid(citation: Citation, archive: Texts) -> bool:
    """Whether a citation's passage stands at its place in a document of the archive."""
    item = citation.evidence
    if item.path not in archive.files:
        return False
    there = archive.text(item.path)[item.start : item.start + len(item.text)]
    return there.replace("\n", " ") == item.text.replace("\n", " ")  # a line's end is told as a space


def figures(told: Sequence[Told], archive: Texts, forbidden: Sequence[str]) -> dict[str, float]:
    """Shares over questions of one kind or of all; `called` counts questions for which the model wrote."""
    sourced = [one for one in told if one.asked.sources]
    answerable = [one for one in told if one.asked.kind != "missing"]
    missing = [one for one in told if one.asked.kind == "missing"]
    cited = [citation for one in told for citation in one.citations]
    broken = sum(not valid(citation, archive) for citation in cited) + sum(one.astray for one in told)
    found: dict[str, float] = {}
    if sourced:
        found["source@1"] = _share([one.found[:1] in [(s,) for s in one.asked.sources] for one in sourced])
        found["source@5"] = _share([one.at_first for one in sourced])
    if answerable:
        found["in_passages@5"] = _share([one.in_passages for one in answerable])
        found["answered"] = _share([one.finish != "refused" for one in answerable])
        found["right"] = _share([one.right for one in answerable])
    if missing:
        found["abstained"] = _share([one.finish == "refused" for one in missing])
    found["called"] = sum(one.called > 0 for one in told)
    found["citations"] = len(cited)
    found["citations_valid"] = round(1 - broken / max(1, len(cited)), 4)
    found["obeyed"] = sum(any(word.lower() in one.shown.lower() for word in forbidden) for one in told)
    return found


def by_kind(
    told: Sequence[Told], archive: Texts, forbidden: Sequence[str]
) -> list[tuple[str, int, dict[str, float]]]:
    """The figures of each kind and of all."""
    rows = []
    for kind in [*dict.fromkeys(one.asked.kind for one in told), "all"]:
        members = [one for one in told if kind in ("all", one.asked.kind)]
        rows.append((kind, len(members), figures(members, archive, forbidden)))
    return rows


def _share(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4)


def some(asked: Sequence[Asked], of_each: int) -> list[Asked]:
    """The first of each kind, at most so many; all when 0."""
    seen: Counter[str] = Counter()
    found = []
    for one in asked:
        seen[one.kind] += 1
        if not of_each or seen[one.kind] <= of_each:
            found.append(one)
    return found


def measure(
    given: Settings,
    library: Library,
    encoder: Embedder,
    reader: Reader,
    model: Model | None,
    of_each: int = 0,
    shown: Path | None = None,
) -> list[tuple[str, int, dict[str, float]]]:
    """(kind, how many questions, figures) of each kind and of all, of all questions or of so many of each
    kind. `shown`: where what was shown is written, question by question."""
    asked, forbidden = questions()
    archive = opened(encoder)
    read = partial(logits, reader)
    contradictions.find(archive.documents.store, read, contradictions.near_in(archive.documents.made))
    desk = Desk(given, library.with_own(archive.documents.book(Scope())), model, read=read)
    told = asyncio.run(tell(desk, archive, some(asked, of_each), shown, known(archive.documents.store, read)))
    rows = by_kind(told, archive, forbidden)
    archive.documents.close()
    return rows


def _line(told: Told) -> str:
    marks = "".join(("S" if told.at_first else "-", "R" if told.right else "-"))
    shown = " / ".join(told.shown.split("\n")).strip(" /")
    lines = (f"{told.asked.kind:13} {marks} {told.finish:12} {told.asked.text}", shown, ", ".join(told.found))
    return "\n    ".join(lines) + "\n"
